// SPDX-License-Identifier: Apache-2.0
#include "fuzz/cases/run_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace heddle {

namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool names_link(std::string_view text, const LinkFault& fault, const Topology& topology) {
  return fault.down && (has(text, "no way is left since ") || has(text, "a link of their tree that is down")) &&
         has(text, to_string(fault, topology)) && has(text, topology.link_name(fault.link));
}

bool names_rank(std::string_view text, const RankFault& fault) {
  const std::string verb = fault.kind == RankFault::Kind::throws ? "failed" : "stopped";
  return has(text, fmt::format("rank {} {} at ", fault.rank, verb)) && has(text, "fault " + to_string(fault));
}

/// `spec`: the fault's.
bool names_message(std::string_view text, std::string_view spec) {
  return (has(text, " was lost on its way at ") || has(text, " arrived damaged on rank ")) && has(text, "(message ") &&
         has(text, fmt::format("fault {})", spec));
}

}  // namespace

std::string_view to_string(FaultEnd end) {
  switch (end) {
    case FaultEnd::right:
      return "right";
    case FaultEnd::never_struck:
      return "never struck";
    case FaultEnd::named:
      return "named";
    case FaultEnd::refused:
      return "refused";
  }
  return "";
}

bool names_cause(const CheckError& error, const Faults& faults, const Topology& topology) {
  using Kind = CheckError::Kind;
  static const std::set<Kind> kCaused = {Kind::deadlock, Kind::rank_failed, Kind::hygiene, Kind::damaged, Kind::cut};
  const std::string_view text = error.what();
  if (!kCaused.contains(error.kind()) || has(text, "\nbesides, ")) return false;
  const auto is_named_message = [&](const MessageFault& fault) {
    return has(text, fmt::format("from rank {} to rank {}", fault.source, fault.dest)) && names_message(text, to_string(fault));
  };
  return std::ranges::any_of(faults.links, [&](const LinkFault& fault) { return names_link(text, fault, topology); }) ||
         std::ranges::any_of(faults.ranks, [&](const RankFault& fault) { return names_rank(text, fault); }) ||
         std::ranges::any_of(faults.messages, is_named_message) ||
         (faults.unreliable && names_message(text, to_string(*faults.unreliable)));
}

bool names_cause(const InputError& refusal, const Faults& faults, const Topology& topology) {
  return std::ranges::any_of(faults.switches, [&](const SwitchFault& fault) {
    return has(refusal.what(), to_string(fault, topology)) && has(refusal.what(), "(fault ");
  });
}

std::string kind_of_faults(const Faults& faults) {
  std::set<std::string> kinds;
  for (const LinkFault& fault : faults.links) kinds.insert(fault.down ? "link down" : "link slow");
  for (const RankFault& fault : faults.ranks) {
    constexpr std::string_view kNames[] = {"rank late", "rank slow", "rank throws", "rank stops"};
    kinds.emplace(kNames[static_cast<std::size_t>(fault.kind)]);
  }
  for (const MessageFault& fault : faults.messages) kinds.insert(fault.damaged ? "message damaged" : "message lost");
  if (faults.unreliable) kinds.insert("unreliable fabric");
  if (!faults.switches.empty()) kinds.insert("switch without ALU");
  return kinds.size() == 1 ? *kinds.begin() : "two faults";
}

std::int64_t FaultCounts::cases() const {
  std::int64_t cases = 0;
  for (const auto& [kind, ends] : by_kind_) cases = std::accumulate(ends.begin(), ends.end(), cases);
  return cases;
}

}  // namespace heddle
