// SPDX-License-Identifier: Apache-2.0
#include "lab/decisions/decisions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "core/errors.hpp"
#include "lab/decisions/channels_needed.hpp"
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

Cell cell_of(const SweepResult& result, int channels_needed) {
  return {result.ranks, result.count, result.topology, channels_in(result.algorithm), channels_needed};
}

/// As channels_needed(), where the target asks.
int channels_for(const Target& target, const TargetCollective& collective, const SweepCell& cell,
                 const std::vector<NamedSweep>& sweeps) {
  const auto asks = [&](const Mapping& mapping) {
    return mapping.collective == collective.name && mapping.limit == Limit::every_nic;
  };
  if (std::ranges::none_of(target.mappings, asks)) return 1;
  try {
    return channels_needed(*cell.fabric_json);
  } catch (const InputError& error) {
    throw InputError(
        fmt::format("'{}': how many NICs a node of its fabric has is not known: {}", sweeps[cell.sweep].path, error.what()));
  }
}

/// The fastest that the target has and that serves there; of equals the first by name.
std::optional<Choice> choice_at(const Target& target, const TargetCollective& collective, const SweepCell& cell,
                                int channels_needed) {
  for (const SweepResult* result : cell.fastest_first) {
    const Mapping* mapping = mapping_of(target, collective, result->algorithm);
    if (mapping == nullptr || !why_not_served(*mapping, cell_of(*result, channels_needed)).empty()) continue;
    return Choice{mapping, result->algorithm, result->measured->time, segment_of(*mapping, *result)};
  }
  return std::nullopt;
}

Missed missed_of(const Target& target, const TargetCollective& collective, const SweepResult& fastest, int channels_needed) {
  const Mapping* mapping = mapping_of(target, collective, fastest.algorithm);
  return {.algorithm = fastest.algorithm,
          .time = fastest.measured->time,
          .why = mapping == nullptr ? why_not_mapped(target, collective, fastest.algorithm)
                                    : why_not_served(*mapping, cell_of(fastest, channels_needed))};
}

RankDecisions decide_at(const Target& target, const TargetCollective& collective, std::span<const SweepCell> cells,
                        const std::vector<NamedSweep>& sweeps) {
  const int needed = channels_for(target, collective, cells.front(), sweeps);  // all cells are on one fabric
  RankDecisions decisions{.ranks = cells.front().ranks, .fabric = cells.front().fabric};
  for (const SweepCell& cell : cells) {
    Decision decision{.bytes = cell.bytes, .choice = choice_at(target, collective, cell, needed)};
    const SweepResult& fastest = *cell.fastest_first.front();
    if (!decision.choice || fastest.measured->time < decision.choice->time)
      decision.missed = missed_of(target, collective, fastest, needed);
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
                                      const std::vector<SweepCell>& cells, const std::vector<NamedSweep>& sweeps) {
  CollectiveDecisions decisions{.collective = &collective};
  for (std::size_t begin = 0, end = 0; begin < cells.size(); begin = end) {
    while (end < cells.size() && cells[end].collective == cells[begin].collective && cells[end].ranks == cells[begin].ranks)
      ++end;
    if (cells[begin].collective == collective.collective)
      decisions.ranks.push_back(decide_at(target, collective, std::span(cells).subspan(begin, end - begin), sweeps));
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
    CollectiveDecisions decided = decide_collective(target, collective, cells, sweeps);
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
