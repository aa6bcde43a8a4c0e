// SPDX-License-Identifier: Apache-2.0
#include "lab/decisions/decisions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "core/errors.hpp"
#include "lab/decisions/sweep_cells.hpp"

namespace heddle::decisions {

namespace {

/// The size of a segment that makes as many as the run had, of equal ones but for the last.
Bytes segment_of(const Mapping& mapping, const SweepResult& result) {
  if (mapping.segments == Segments::own || result.count == 0) return {};
  const std::int64_t segments = segments_of(mapping.segments, result.ranks, result.measured->rounds);
  if (segments <= 1) return {};
  const std::int64_t elements = (result.count + segments - 1) / segments;
  return Bytes(elements * (result.bytes / result.count));
}

/// The fastest that the target has and that serves there; of equals the first by name.
std::optional<Choice> choice_at(const Target& target, const TargetCollective& collective, const SweepCell& cell) {
  for (const SweepResult* result : cell.fastest_first) {
    const Mapping* mapping = mapping_of(target, collective, result->algorithm);
    if (mapping == nullptr || !why_not_served(*mapping, {result->ranks, result->count, result->topology}).empty()) continue;
    return Choice{mapping, result->algorithm, result->measured->time, segment_of(*mapping, *result)};
  }
  return std::nullopt;
}

Missed missed_of(const Target& target, const TargetCollective& collective, const SweepResult& fastest) {
  const Mapping* mapping = mapping_of(target, collective, fastest.algorithm);
  return {.algorithm = fastest.algorithm,
          .time = fastest.measured->time,
          .why = mapping == nullptr ? why_not_mapped(target, collective, fastest.algorithm)
                                    : why_not_served(*mapping, {fastest.ranks, fastest.count, fastest.topology})};
}

RankDecisions decide_at(const Target& target, const TargetCollective& collective, std::span<const SweepCell> cells) {
  RankDecisions decisions{.ranks = cells.front().ranks, .fabric = cells.front().fabric};
  for (const SweepCell& cell : cells) {
    Decision decision{.bytes = cell.bytes, .choice = choice_at(target, collective, cell)};
    const SweepResult& fastest = *cell.fastest_first.front();
    if (!decision.choice || fastest.measured->time < decision.choice->time)
      decision.missed = missed_of(target, collective, fastest);
    decisions.sizes.push_back(std::move(decision));
  }
  return decisions;
}

/// "broadcast, reduce, allreduce"
std::string known_collectives(const Target& target) {
  std::vector<std::string> names;
  for (const TargetCollective& one : target.collectives) {
    const std::string name = to_string(one.collective);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void require_known(const Target& target, const std::vector<SweepCell>& cells, const std::vector<NamedSweep>& sweeps) {
  for (const SweepCell& cell : cells)
    if (collectives_of(target, cell.collective).empty())
      throw InputError(fmt::format("'{}': {} has no decisions about {}; it has: {}", sweeps[cell.sweep].path, target.title,
                                   to_string(cell.collective), known_collectives(target)));
}

CollectiveDecisions decide_collective(const Target& target, const TargetCollective& collective,
                                      const std::vector<SweepCell>& cells) {
  CollectiveDecisions decisions{.collective = &collective};
  for (std::size_t begin = 0, end = 0; begin < cells.size(); begin = end) {
    while (end < cells.size() && cells[end].collective == cells[begin].collective && cells[end].ranks == cells[begin].ranks)
      ++end;
    if (cells[begin].collective == collective.collective)
      decisions.ranks.push_back(decide_at(target, collective, std::span(cells).subspan(begin, end - begin)));
  }
  return decisions;
}

}  // namespace

bool is_same(const Choice& a, const Choice& b) {
  return a.mapping->algorithm == b.mapping->algorithm && a.segment == b.segment;
}

Decisions decide(const Target& target, const std::vector<NamedSweep>& sweeps, const std::string& fabric) {
  Decisions decisions{.target = &target};
  const std::vector<SweepCell> cells = cells_of(sweeps, fabric, decisions.failed);
  require_known(target, cells, sweeps);
  for (const TargetCollective& collective : target.collectives) {
    CollectiveDecisions decided = decide_collective(target, collective, cells);
    if (!decided.ranks.empty()) decisions.collectives.push_back(std::move(decided));
  }
  return decisions;
}

std::vector<SizeRule> size_rules(const RankDecisions& decisions) {
  std::vector<SizeRule> rules;
  const auto goes_on = [](const Decision& before, const Decision& next) {
    if (!before.choice || !next.choice) return before.choice.has_value() == next.choice.has_value();
    return is_same(*before.choice, *next.choice);
  };
  for (const Decision& decision : decisions.sizes)
    if (rules.empty() || !goes_on(*rules.back().decision, decision))
      rules.push_back({rules.empty() ? 0 : decision.bytes, &decision});
  return rules;
}

}  // namespace heddle::decisions
