// SPDX-License-Identifier: Apache-2.0
#include "lab/documents/failure_facts.hpp"

#include <optional>

#include "lab/documents/json_members.hpp"

namespace heddle {

template <IsA<FailureFacts::Contribution> Of, class Visit>
void visit_members(Of& of, const Visit& visit) {
  visit.always("rank", of.rank);
  visit.always("element", of.element);
}

template <IsA<FailureFacts::Blocked> Of, class Visit>
void visit_members(Of& of, const Visit& visit) {
  visit.always("rank", of.rank);
  visit.always("task", of.task);
  std::optional<int> peer = of.peer < 0 ? std::nullopt : std::optional(of.peer);
  visit.always("peer", peer);
  if constexpr (!std::is_const_v<Of>) of.peer = peer.value_or(-1);
  visit.always("waits_for", of.waits_for);
}

template <IsA<FailureFacts> Of, class Visit>
void visit_members(Of& of, const Visit& visit) {
  visit.if_any("rank", of.rank);
  visit.if_any("time_s", of.time);
  visit.if_any("element", of.element);
  visit.if_any("got", of.got);
  visit.if_any("expected", of.expected);
  visit.if_any("missing", of.missing);
  visit.if_any("doubled", of.doubled);
  visit.if_any("foreign", of.foreign);
  visit.if_any("blocked", of.blocked);
  visit.if_any("cycle", of.cycle);
  visit.if_any("left", of.left);
  visit.if_any("exception", of.exception);
}

void to_json(nlohmann::ordered_json& json, const Failure& failure) {
  json = {{"kind", to_string(failure.kind)}, {"explanation", failure.explanation}, {"facts", failure.facts}};
}

void from_json(const nlohmann::ordered_json& json, Failure& failure) {
  failure = {.kind = parse_check_kind(json.at("kind").get<std::string>()), .explanation = json.at("explanation"), .facts = {}};
  MemberReader(json).if_any("facts", failure.facts);
}

}  // namespace heddle
