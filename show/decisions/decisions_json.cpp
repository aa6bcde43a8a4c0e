// SPDX-License-Identifier: Apache-2.0
#include "show/decisions/decisions_json.hpp"

#include <nlohmann/json.hpp>

#include "core/version.hpp"
#include "lab/documents/fabric_report.hpp"

namespace heddle::decisions {

namespace {

using DecidedJson = nlohmann::ordered_json;

DecidedJson json_of_choice(const std::optional<Choice>& choice) {
  if (!choice) return nullptr;
  return {{"algorithm", choice->algorithm},
          {"called", choice->mapping->algorithm},
          {"id", choice->mapping->id == 0 ? DecidedJson(nullptr) : DecidedJson(choice->mapping->id)},
          {"segment_bytes", choice->segment.count()},
          {"time_s", seconds_for_json(choice->time)}};
}

DecidedJson json_of_next(const Decision& decision) {
  if (!decision.next) return nullptr;
  DecidedJson json = {{"algorithm", decision.next->algorithm}, {"time_s", seconds_for_json(decision.next->time)}};
  if (const std::optional<Choice>& first = decision.choice ? decision.choice : decision.close)
    json["slowdown"] = or_null(lead_of(*first, *decision.next));
  return json;
}

DecidedJson json_of_missed(const std::optional<Missed>& missed) {
  if (!missed) return nullptr;
  return {{"algorithm", missed->algorithm}, {"time_s", seconds_for_json(missed->time)}, {"why", missed->why}};
}

DecidedJson json_of_decision(const CollectiveDecisions& of, const Decision& decision) {
  const bool has_size = of.collective->collective != Collective::barrier;
  return {{"bytes", has_size ? DecidedJson(decision.bytes) : DecidedJson(nullptr)},
          {"choice", json_of_choice(decision.choice)},
          {"next_best", json_of_next(decision)},
          {"too_close", json_of_choice(decision.close)},
          {"missed", json_of_missed(decision.missed)},
          {"is_estimated", decision.is_estimated}};
}

DecidedJson json_of_ranks(const CollectiveDecisions& of, const RankDecisions& at) {
  DecidedJson json = {{"ranks", at.ranks}, {"fabric", at.fabric}, {"decisions", DecidedJson::array()}};
  for (const Decision& decision : at.sizes) json["decisions"].push_back(json_of_decision(of, decision));
  for (const Decision& decision : at.between) json["decisions"].push_back(json_of_decision(of, decision));
  return json;
}

}  // namespace

std::string decisions_json(const Decisions& decisions) {
  DecidedJson collectives = DecidedJson::array();
  for (const CollectiveDecisions& of : decisions.collectives) {
    collectives.push_back({{"collective", to_string(of.collective->collective)},
                           {"called", of.collective->name},
                           {"ranks", DecidedJson::array()}});
    for (const RankDecisions& at : of.ranks) collectives.back()["ranks"].push_back(json_of_ranks(of, at));
  }
  const DecidedJson document = {{"context",
                                 {{"version", version()},
                                  {"target", decisions.target->title},
                                  {"target_versions", decisions.target->versions},
                                  {"margin", decisions.margin},
                                  {"speeds", decisions.speeds}}},
                                {"collectives", std::move(collectives)},
                                {"failed", decisions.failed}};
  return document.dump(2, ' ', false, DecidedJson::error_handler_t::replace) + '\n';
}

}  // namespace heddle::decisions
