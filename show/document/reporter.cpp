// SPDX-License-Identifier: Apache-2.0
#include "show/document/reporter.hpp"

#include <algorithm>
#include <string_view>

#include "show/document/document.hpp"

namespace heddle {

void BestOfRowsReporter::add(const Outcome& outcome) {
  const std::string_view row = bare_name(outcome.algorithm->name);
  const auto is_of_row = [&](const Outcome& other) {
    return other.report() != nullptr && bare_name(other.algorithm->name) == row;
  };
  const auto best = std::ranges::find_if(kept_, is_of_row);
  if (outcome.report() == nullptr || best == kept_.end())
    kept_.push_back(outcome);
  else if (outcome.report()->completion < best->report()->completion)
    *best = outcome;
}

void BestOfRowsReporter::end(const Setup& setup) {
  std::stable_partition(kept_.begin(), kept_.end(), [](const Outcome& outcome) { return outcome.stopped() == nullptr; });
  Setup shown = setup;
  shown.algorithms.chosen.clear();
  for (const Outcome& outcome : kept_) shown.algorithms.chosen.push_back(*outcome.algorithm);
  shown_.begin(shown);
  for (const Outcome& outcome : kept_) shown_.add(outcome);
  shown_.end(shown);
}

}  // namespace heddle
