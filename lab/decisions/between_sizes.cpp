// SPDX-License-Identifier: Apache-2.0
#include "lab/decisions/between_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "lab/sweep/sweep_result.hpp"

namespace heddle::decisions {

namespace {

/// The size of a segment that makes as many of so many elements as a run of these rounds had, of equal ones but for the last.
Bytes segment_of(const Mapping& mapping, int ranks, int rounds, std::int64_t count, std::int64_t element) {
  if (mapping.segments == Segments::own || count == 0) return {};
  const std::int64_t segments = segments_of(mapping.segments, ranks, rounds);
  if (segments <= 1) return {};
  return Bytes((count + segments - 1) / segments * element);
}

/// The results of a cell that the target has, by algorithm.
struct Served {
  std::string algorithm;
  const SweepResult* below = nullptr;
  const SweepResult* above = nullptr;
};

std::vector<Served> served_at(const Target& target, const TargetCollective& collective, const SweepCell& below,
                              const SweepCell& above, int channels_needed) {
  std::vector<Served> served;
  const auto add = [&](const SweepCell& cell, const SweepResult* Served::*place) {
    for (const SweepResult* result : cell.fastest_first) {
      if (!choice_of(target, collective, *result, channels_needed)) continue;
      auto at = std::ranges::find(served, result->algorithm, &Served::algorithm);
      if (at == served.end()) at = served.insert(at, {result->algorithm});
      (*at).*place = result;
    }
  };
  add(below, &Served::below);
  add(above, &Served::above);
  return served;
}

/// How far the line is ahead of all others where it is furthest ahead, between two parts of the way; `rest` are the others' lines.
double furthest_lead(const TimeLine& line, const std::vector<TimeLine>& rest, std::size_t first, double from, double to) {
  double lead = 0;
  // Between two changes of the rest's least both are straight, and what they are to each other is greatest at an end.
  for (const LeastChange& change : changes_of_least(rest, first)) {
    if (!change.part || *change.part < from || *change.part > to) continue;
    if (const std::optional<double> other = least_but_for(rest, rest.size(), *change.part); other && line.at(*change.part) > 0)
      lead = std::max(lead, *other / line.at(*change.part) - 1);
  }
  return lead;
}

/// The changes without third lines that are nowhere ahead by the margin.
std::vector<LeastChange> clear_changes(std::vector<TimeLine> lines, std::size_t first, double margin) {
  while (true) {
    std::vector<LeastChange> changes = changes_of_least(lines, first);
    bool is_clear = true;
    for (std::size_t i = 0; i + 1 < changes.size() && is_clear; ++i) {
      const std::size_t third = changes[i].to;
      std::vector<TimeLine> rest = lines;
      rest[third] = {};
      if (furthest_lead(lines[third], rest, first, *changes[i].part, *changes[i + 1].part) >= margin) continue;
      lines = std::move(rest);
      is_clear = false;
    }
    if (is_clear) return changes;
  }
}

}  // namespace

Cell cell_of(const SweepResult& result, int channels_needed) {
  return {result.ranks, result.count, result.topology, channels_in(result.algorithm), channels_needed};
}

std::optional<Choice> choice_of(const Target& target, const TargetCollective& collective, const SweepResult& result,
                                int channels_needed) {
  const Mapping* mapping = mapping_of(target, collective, result.algorithm);
  if (mapping == nullptr || !why_not_served(*mapping, cell_of(result, channels_needed)).empty()) return std::nullopt;
  const std::int64_t element = result.count == 0 ? 0 : result.bytes / result.count;
  return Choice{mapping, result.algorithm, result.measured->time,
                segment_of(*mapping, result.ranks, result.measured->rounds, result.count, element)};
}

std::vector<Decision> decisions_between(const Target& target, const TargetCollective& collective, const SweepCell& below,
                                        const SweepCell& above, const Choice& first, double margin, int channels_needed) {
  const std::vector<Served> served = served_at(target, collective, below, above, channels_needed);
  std::vector<TimeLine> lines;
  for (const Served& of : served)
    lines.push_back(time_line(of.below ? &*of.below->measured : nullptr, of.above ? &*of.above->measured : nullptr));
  const auto at = static_cast<std::size_t>(std::ranges::find(served, first.algorithm, &Served::algorithm) - served.begin());
  std::vector<Decision> decisions;
  for (const LeastChange& change : clear_changes(lines, at, margin)) {
    if (!change.part) return {};
    const SweepResult& result = *served[change.to].below;
    const std::int64_t element = result.bytes / std::max<std::int64_t>(1, result.count);
    const double where = static_cast<double>(below.bytes) + *change.part * static_cast<double>(above.bytes - below.bytes);
    const std::int64_t count = std::max<std::int64_t>(
        static_cast<std::int64_t>(std::ceil(where / static_cast<double>(std::max<std::int64_t>(1, element)))),
        result.count + 1);
    const std::int64_t bytes = count * element;
    if (bytes >= above.bytes || bytes <= below.bytes) continue;
    Choice choice = *choice_of(target, collective, result, channels_needed);
    choice.time = Time::ps(std::llround(lines[change.to].at(*change.part)));
    choice.segment = segment_of(*choice.mapping, result.ranks, result.measured->rounds, count, element);
    Decision decision{.bytes = bytes, .choice = std::move(choice), .is_estimated = true};
    if (!decisions.empty() && decisions.back().bytes == bytes) decisions.pop_back();
    decisions.push_back(std::move(decision));
  }
  return decisions;
}

}  // namespace heddle::decisions
