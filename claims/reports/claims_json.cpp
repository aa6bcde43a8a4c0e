// SPDX-License-Identifier: Apache-2.0
#include "claims/reports/claims_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/version.hpp"

namespace heddle::claims {

namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::optional<double>& value) { return value && std::isfinite(*value) ? Json(*value) : Json(nullptr); }

Json json_of(const Finding& finding) {
  return {{"subject", finding.subject},
          {"printed", finding.printed},
          {"measured", finding.measured},
          {"difference", or_null(finding.difference)},
          {"tolerance", or_null(finding.tolerance)},
          {"verdict", to_string(finding.verdict)},
          {"within", finding.within},
          {"why", finding.why},
          {"quote", finding.quote},
          {"otherwise", finding.otherwise},
          {"command", finding.command}};
}

Json json_of(const Outcome& outcome) {
  const Claim& claim = *outcome.selected.claim;
  Json json = {{"name", claim.name},
               {"source", outcome.selected.source->title},
               {"section", claim.section},
               {"citation", citation(*outcome.selected.source, claim)},
               {"statement", claim.statement},
               {"for_authors", claim.for_authors},
               {"full", claim.full},
               {"ran", outcome.selected.runs},
               {"verdict", outcome.has_verdict() ? Json(outcome.verdict()) : Json(nullptr)},
               {"error", outcome.error.empty() ? Json(nullptr) : Json(outcome.error)},
               {"findings", Json::array()}};
  for (const Finding& finding : outcome.findings) json["findings"].push_back(json_of(finding));
  return json;
}

}  // namespace

std::string as_json(std::span<const Outcome> outcomes) {
  Json json = {{"context", {{"version", version()}}}, {"claims", Json::array()}};
  for (const Outcome& outcome : outcomes) json["claims"].push_back(json_of(outcome));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace heddle::claims
