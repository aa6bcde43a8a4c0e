// SPDX-License-Identifier: Apache-2.0
#include "fuzz/cases/coverage.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace heddle {

RankKind kind_of_ranks(int ranks) {
  if (ranks == 1) return RankKind::one;
  if (std::has_single_bit(static_cast<unsigned>(ranks))) return RankKind::power_of_two;
  if (ranks % 2 == 0) return RankKind::even;
  for (int divisor = 3; divisor * divisor <= ranks; divisor += 2) {
    if (ranks % divisor == 0) return RankKind::odd;
  }
  return RankKind::prime;
}

std::string_view to_string(RankKind kind) {
  switch (kind) {
    case RankKind::one:
      return "1";
    case RankKind::power_of_two:
      return "2^k";
    case RankKind::prime:
      return "prime";
    case RankKind::odd:
      return "odd";
    case RankKind::even:
      return "even";
  }
  return "";
}

FuzzCoverage::FuzzCoverage(std::span<const Algorithm> rows) {
  for (const Algorithm& row : rows) rows_[{row.collective, row.name}] = {};
}

void FuzzCoverage::add(const Row& row, int ranks) {
  ++rows_[row][static_cast<std::size_t>(kind_of_ranks(ranks))];
  ranks_.insert(ranks);
  ++cases_;
}

std::size_t FuzzCoverage::rows_covered() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      rows_, [](const auto& row) { return std::accumulate(row.second.begin(), row.second.end(), std::int64_t{0}) > 0; }));
}

FuzzCoverage::Row row_of(const Experiment& what) {
  return {what.collective, what.algorithm.substr(0, what.algorithm.find_first_of(":,"))};
}

}  // namespace heddle
