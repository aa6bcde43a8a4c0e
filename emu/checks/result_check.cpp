// SPDX-License-Identifier: Apache-2.0
#include "emu/checks/result_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emu/checks/element_text.hpp"

namespace heddle::emu {

namespace {

constexpr std::size_t kMostRuns = 8;
constexpr std::size_t kMostLines = 8;

void note_wrong_elements(VectorFault& fault, ConstVectorView result, const ExpectedCall& call) {
  Buffer contribution(result.type(), 1);
  for (std::int64_t i = 0; i < result.count(); ++i) {
    const ConstVectorView element = result.slice(i, 1);
    if (call.result.accepts(element, i)) continue;
    if (fault.wrong++ == 0) {
      fault.got = element_text(result, i);
      fault.expected = call.result.describe(i);
    }
    call.contribution.fill(contribution.view(), fault.rank, i);
    if (std::memcmp(element.data(), contribution.view().data(), element.size_bytes()) == 0) ++fault.untouched;
    if (call.previous_result != nullptr && call.previous_result->accepts(element, i)) ++fault.stale;

    if (!fault.runs.empty() && fault.runs.back().last == i - 1 && !fault.more_runs)
      fault.runs.back().last = i;
    else if (fault.runs.size() < kMostRuns)
      fault.runs.push_back({i, i});
    else
      fault.more_runs = true;
  }
}

std::string range_text(std::int64_t first, std::int64_t last) {
  return first == last ? fmt::to_string(first) : fmt::format("{}-{}", first, last);
}

std::string elements_text(const VectorFault& fault) {
  std::string text = fault.wrong == 1 ? "element " : "elements ";
  for (std::size_t i = 0; i < fault.runs.size(); ++i)
    text += (i == 0 ? "" : ", ") + range_text(fault.runs[i].first, fault.runs[i].last);
  return fault.more_runs ? text + ", …" : text;
}

std::string ranks_text(std::span<const Rank> ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  std::size_t ranges = 0;
  for (std::size_t begin = 0, end = 0; begin < ranks.size(); begin = end) {
    if (ranges++ == kMostRuns) return text + ", …";
    for (end = begin + 1; end < ranks.size() && ranks[end].value() == ranks[end - 1].value() + 1;) ++end;
    text += (begin == 0 ? "" : ", ") + range_text(ranks[begin].value(), ranks[end - 1].value());
  }
  return text;
}

/// What the wrong elements are, where all of them are alike.
std::string nature_text(const VectorFault& fault) {
  if (fault.untouched == fault.wrong) return ": still each rank's own contribution";
  if (fault.stale == fault.wrong) return ": the result of the call before";
  return "";
}

/// Ranks that have the same elements wrong, in the same way.
struct Group {
  const VectorFault* like;
  std::vector<Rank> ranks;
};

std::vector<Group> group_by_elements(std::span<const VectorFault> faults) {
  std::vector<Group> groups;
  for (const VectorFault& fault : faults) {
    if (fault.wrong == 0) continue;
    const auto alike = [&](const Group& group) {
      return group.like->runs == fault.runs && group.like->wrong == fault.wrong &&
             nature_text(*group.like) == nature_text(fault);
    };
    // Beyond what is shown, only the last group grows: comparing each of many ranks with each would take too long.
    const auto group = std::find_if(groups.begin(), groups.end(), alike);
    if (group != groups.end())
      group->ranks.push_back(fault.rank);
    else if (groups.size() <= kMostLines)
      groups.push_back({&fault, {fault.rank}});
    else
      groups.back().ranks.push_back(fault.rank);
  }
  return groups;
}

std::string wrong_elements_text(std::span<const VectorFault> faults, int ranks, std::int64_t count) {
  const auto first = std::find_if(faults.begin(), faults.end(), [](const VectorFault& fault) { return fault.wrong > 0; });
  if (first == faults.end()) return "";
  std::int64_t wrong = 0;
  std::int64_t wrong_ranks = 0;
  for (const VectorFault& fault : faults) {
    wrong += fault.wrong;
    wrong_ranks += fault.wrong > 0 ? 1 : 0;
  }
  std::string text =
      fmt::format("\n  {} of {} elements are wrong, on {} of {} ranks", wrong, count * ranks, wrong_ranks, ranks);
  const std::vector<Group> groups = group_by_elements(faults);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i == kMostLines) {
      text += fmt::format("\n  … and others on {} more ranks", groups[i].ranks.size());
      break;
    }
    text += fmt::format("\n  {} on {}{}", elements_text(*groups[i].like), ranks_text(groups[i].ranks),
                        nature_text(*groups[i].like));
  }
  return text + fmt::format("\n  first: rank {}, element {}: got {}, expected {}", first->rank.value(),
                            first->runs.front().first, first->got, first->expected);
}

std::string guards_text(std::span<const VectorFault> faults) {
  std::vector<Rank> before, after;
  for (const VectorFault& fault : faults) {
    if (fault.wrote_before) before.push_back(fault.rank);
    if (fault.wrote_after) after.push_back(fault.rank);
  }
  std::string text;
  if (!before.empty()) text += "\n  written before the beginning of the vector of " + ranks_text(before);
  if (!after.empty()) text += "\n  written beyond the end of the vector of " + ranks_text(after);
  return text;
}

}  // namespace

std::optional<VectorFault> check_vector(const VectorArena& arena, Rank rank, const ExpectedCall& call) {
  const ConstVectorView result = arena.vector(rank);
  const VectorArena::Guards guards = arena.guards(rank);
  const bool right = call.result.accepts(result);
  if (right && guards.before_intact && guards.after_intact) return std::nullopt;
  VectorFault fault;
  fault.rank = rank;
  fault.wrote_before = !guards.before_intact;
  fault.wrote_after = !guards.after_intact;
  if (!right) note_wrong_elements(fault, result, call);
  return fault;
}

std::string explain(std::span<const VectorFault> faults, int ranks, std::int64_t count) {
  return (wrong_elements_text(faults, ranks, count) + guards_text(faults)).substr(1);
}

}  // namespace heddle::emu
