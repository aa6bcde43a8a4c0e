// SPDX-License-Identifier: Apache-2.0
#include "lab/describe/equal_runs.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {

std::string all_names(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, " = ")); }

std::string shared_name(const std::vector<std::string>& names, std::size_t letters) {
  constexpr std::size_t kAtLeast = 2;
  std::string text = names.front();
  for (std::size_t i = 1; i < names.size(); ++i) {
    const std::string longer = text + " = " + names[i];
    if (i >= kAtLeast && longer.size() > letters) return fmt::format("{} = {} more", text, names.size() - i);
    text = longer;
  }
  return text;
}

namespace {

/// From `part` on the next line that goes below `current`, which is the least there; no value: none does.
std::optional<LeastChange> next_change(std::span<const TimeLine> lines, std::size_t current, double part) {
  std::optional<LeastChange> next;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (!lines[k].has_both() || *lines[k].above >= *lines[current].above) continue;
    const double before = *lines[k].below - *lines[current].below;
    const double after = *lines[k].above - *lines[current].above;
    const double meets = std::clamp(before / (before - after), part, 1.0);
    // Of those that meet it at one place the lowest behind it.
    const bool is_next = !next || meets < *next->part || (meets == *next->part && *lines[k].above < *lines[next->to].above);
    if (is_next) next = LeastChange{current, k, meets};
  }
  return next;
}

/// The least at the upper size; of equals `preferred`, else the first. lines.size(): none is measured there.
std::size_t least_above(std::span<const TimeLine> lines, std::size_t preferred) {
  std::size_t least = lines.size();
  for (std::size_t k = 0; k < lines.size(); ++k)
    if (lines[k].above && (least == lines.size() || *lines[k].above < *lines[least].above)) least = k;
  const bool has_equal = least < lines.size() && lines[preferred].above && *lines[preferred].above == *lines[least].above;
  return has_equal ? preferred : least;
}

}  // namespace

std::vector<LeastChange> changes_of_least(std::span<const TimeLine> lines, std::size_t first) {
  std::vector<LeastChange> changes;
  std::size_t current = first;
  if (lines[first].has_both()) {
    double part = 0;
    while (const std::optional<LeastChange> next = next_change(lines, current, part)) {
      changes.push_back(*next);
      current = next->to;
      part = *next->part;
    }
  }
  const std::size_t last = least_above(lines, current);
  if (last == lines.size()) return {};
  const bool are_straight = lines[first].is_straight && std::ranges::all_of(changes, [&](const LeastChange& change) {
                              return lines[change.to].is_straight;
                            });
  if (last == current && are_straight) return changes;
  if (last == first) return {};
  return {{first, last, std::nullopt}};
}

std::optional<double> least_but_for(std::span<const TimeLine> lines, std::size_t one, double part) {
  std::optional<double> least;
  for (std::size_t k = 0; k < lines.size(); ++k)
    if (k != one && lines[k].has_both() && (!least || lines[k].at(part) < *least)) least = lines[k].at(part);
  return least;
}

}  // namespace heddle
