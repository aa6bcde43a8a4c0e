// SPDX-License-Identifier: Apache-2.0
#include "lab/results/decisions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "heddle/errors.hpp"
#include "lab/results/decision_cells.hpp"

namespace heddle::decisions {

namespace {

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

/// The fastest that the target has and that serves there, of equals the first by name; and the next by which it does something
/// else.
Decision best_at(const Target& target, const TargetCollective& collective, const SweepCell& cell, int channels_needed) {
  Decision decision{.bytes = cell.bytes};
  for (const SweepResult* result : cell.fastest_first) {
    const std::optional<Choice> choice = choice_of(target, collective, *result, channels_needed);
    if (!choice) continue;
    if (!decision.choice)
      decision.choice = choice;
    else if (!is_same(*decision.choice, *choice)) {
      decision.next = NextBest{choice->algorithm, choice->time};
      break;
    }
  }
  return decision;
}

Missed missed_of(const Target& target, const TargetCollective& collective, const SweepResult& fastest, int channels_needed) {
  const Mapping* mapping = mapping_of(target, collective, fastest.algorithm);
  return {.algorithm = fastest.algorithm,
          .time = fastest.measured->time,
          .why = mapping == nullptr ? why_not_mapped(target, collective, fastest.algorithm)
                                    : why_not_served(*mapping, cell_of(fastest, channels_needed))};
}

RankDecisions decide_at(const Target& target, const TargetCollective& collective, std::span<const SweepCell> cells,
                        const std::vector<NamedSweep>& sweeps, double margin) {
  const int needed = channels_for(target, collective, cells.front(), sweeps);  // all cells are on one fabric
  RankDecisions decisions{.ranks = cells.front().ranks, .fabric = cells.front().fabric};
  for (const SweepCell& cell : cells) {
    Decision decision = best_at(target, collective, cell, needed);
    const SweepResult& fastest = *cell.fastest_first.front();
    if (!decision.choice || fastest.measured->time < decision.choice->time)
      decision.missed = missed_of(target, collective, fastest, needed);
    if (decision.next && lead_of(*decision.choice, *decision.next) < margin)
      decision.close = std::exchange(decision.choice, {});
    decisions.sizes.push_back(std::move(decision));
  }
  for (std::size_t i = 1; i < cells.size(); ++i) {
    if (!decisions.sizes[i - 1].choice || !decisions.sizes[i].choice) continue;
    for (Decision& decision :
         decisions_between(target, collective, cells[i - 1], cells[i], *decisions.sizes[i - 1].choice, margin, needed))
      decisions.between.push_back(std::move(decision));
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
                                      const std::vector<SweepCell>& cells, const std::vector<NamedSweep>& sweeps,
                                      double margin) {
  CollectiveDecisions decisions{.collective = &collective};
  for (std::size_t begin = 0, end = 0; begin < cells.size(); begin = end) {
    while (end < cells.size() && cells[end].collective == cells[begin].collective && cells[end].ranks == cells[begin].ranks)
      ++end;
    if (cells[begin].collective == collective.collective)
      decisions.ranks.push_back(decide_at(target, collective, std::span(cells).subspan(begin, end - begin), sweeps, margin));
  }
  return decisions;
}

}  // namespace

bool is_same(const Choice& a, const Choice& b) {
  return a.mapping->algorithm == b.mapping->algorithm && a.segment == b.segment;
}

double lead_of(const Choice& choice, const NextBest& next) {
  if (choice.time <= Time()) return next.time > Time() ? 1 : 0;
  return static_cast<double>(next.time.ps()) / static_cast<double>(choice.time.ps()) - 1;
}

Decisions decide(const Target& target, const std::vector<NamedSweep>& sweeps, const std::string& fabric, double margin) {
  Decisions decisions{.target = &target, .margin = margin};
  const std::vector<SweepCell> cells = cells_of(sweeps, fabric, decisions.failed);
  require_known(target, cells, sweeps);
  decisions.speeds = speeds_of_cells(cells, sweeps);
  for (const TargetCollective& collective : target.collectives) {
    CollectiveDecisions decided = decide_collective(target, collective, cells, sweeps, margin);
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
  std::vector<const Decision*> all;
  for (const std::vector<Decision>* some : {&decisions.sizes, &decisions.between})
    for (const Decision& decision : *some) all.push_back(&decision);
  std::ranges::stable_sort(all, {}, [](const Decision* decision) { return decision->bytes; });
  for (const Decision* decision : all)
    if (rules.empty() || !goes_on(*rules.back().decision, *decision))
      rules.push_back({rules.empty() ? 0 : decision->bytes, decision});
  return rules;
}

}  // namespace heddle::decisions
