// SPDX-License-Identifier: Apache-2.0
#include "core/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace heddle {

namespace {

/// ASCII only, so that the answer does not depend on the locale.
std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

/// The least number of letters to insert, delete, replace or swap with their neighbour that makes `a` into `b`
/// (Damerau's edits; a swapped pair is not edited again: "optimal string alignment").
std::size_t edit_distance(std::string_view a, std::string_view b) {
  // row[j]: the distance between the first i letters of a and the first j of b; `last` and `before` are rows i-1 and i-2.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

/// The shortest candidate that continues `text`: people abbreviate.
std::string_view completion(std::string_view text, std::span<const std::string_view> candidates) {
  std::string_view shortest;
  if (text.empty()) return shortest;
  for (const std::string_view candidate : candidates)
    if (in_lower_case(candidate).starts_with(text) && (shortest.empty() || candidate.size() < shortest.size()))
      shortest = candidate;
  return shortest;
}

}  // namespace

std::string_view nearest_name(std::string_view text, std::span<const std::string_view> candidates) {
  const std::string meant = in_lower_case(text);
  std::string_view nearest = completion(meant, candidates);
  if (!nearest.empty()) return nearest;

  std::size_t least = std::string_view::npos;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edit_distance(meant, in_lower_case(candidate));
    // A third of the letters, or one: with half of them, "log" would be near "algo".
    const std::size_t longer = std::max(meant.size(), candidate.size());
    const bool near = 3 * distance <= longer || (distance == 1 && longer == 2);
    if (near && distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string unknown_name_message(std::string_view what, std::string_view text, std::span<const std::string_view> candidates) {
  std::string message = fmt::format("unknown {} '{}'", what, text);
  const std::string_view nearest = nearest_name(text, candidates);
  if (!nearest.empty())
    message += fmt::format(": did you mean '{}'?", nearest);
  else if (!candidates.empty())
    message += '.';
  if (!candidates.empty()) message += fmt::format(" Known: {}", fmt::join(candidates, ", "));
  return message;
}

}  // namespace heddle
