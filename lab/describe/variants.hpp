// SPDX-License-Identifier: Apache-2.0
// Which variants of rows are tried: rows with other values of their options, as many as a budget allows. Pure.
//
// A row says which values of each option are worth trying (Parameter::candidates), the most promising first. The option's own
// value, as named or by default, has place 1, the candidates have places 2, 3, …; a variant's place is the product of its
// options' places, so that a change of one option comes before most changes of two. Each row is tried as named. Then the rows
// take turns, each with its next variant by place, until the budget is spent. What is left then are variants of which several
// options are far down their lists.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "heddle/registry.hpp"

namespace heddle {

/// The most variants at each point, rows as named among them. Rows as named are tried in any case.
struct Tuning {
  int budget = 256;
};

/// What became of all combinations of the options' values.
struct VariantCount {
  int points = 0;
  int rows = 0;                   ///< as named
  std::int64_t combinations = 0;  ///< rows as named among them; without values that do not serve even alone
  int tried = 0;                  ///< rows as named among them
  int unfit = 0;                  ///< that do not serve, though each of their values does
  /// Of which rows the budget left combinations out, and how many.
  std::vector<std::pair<std::string, std::int64_t>> left_out = {};

  /// Those of another point.
  VariantCount& operator+=(const VariantCount& other);
  bool operator==(const VariantCount&) const = default;
};

struct Variants {
  std::vector<Algorithm> algorithms;  ///< by row, each as named first, then by place
  VariantCount count;
};

/// `rows` serve all of `shapes`, and may be named with options: those stay. A row without options, or without candidates, is
/// tried as named alone. Throws InputError for a candidate that is no value of its option.
Variants variants_of(std::span<const Algorithm> rows, std::span<const Shape> shapes, const ReduceOp& op, const Tuning& tuning);

/// "tuning: 12 rows, 935 combinations of options; 256 are tried, 673 left out by --tune-budget 256 (hierarchical 673)".
std::string tuning_text(const VariantCount& count, const Tuning& tuning);

}  // namespace heddle
