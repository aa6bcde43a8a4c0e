// SPDX-License-Identifier: Apache-2.0
// Which rows were run on which kinds of numbers of ranks.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "heddle/registry.hpp"
#include "lab/describe/experiment.hpp"

namespace heddle {

/// What schedules treat apart: one rank; 2, 4, 8, …; odd primes; 9, 15, 21, …; 6, 10, 12, ….
enum class RankKind : std::uint8_t { one, power_of_two, prime, odd, even };
inline constexpr std::size_t kRankKinds = 5;
RankKind kind_of_ranks(int ranks);
/// "1", "2^k", "prime", "odd", "even".
std::string_view to_string(RankKind kind);

/// Counts cases by row (its options aside) and by the number of ranks. A value; not for several threads at once.
class FuzzCoverage {
 public:
  FuzzCoverage() = default;
  /// Rows without a case are rows as well.
  explicit FuzzCoverage(std::span<const Algorithm> rows);

  using Row = std::pair<Collective, std::string>;
  using CountByKind = std::array<std::int64_t, kRankKinds>;

  void add(const Row& row, int ranks);

  const std::map<Row, CountByKind>& rows() const { return rows_; }
  /// Different numbers of ranks that there was a case of.
  const std::set<int>& ranks() const { return ranks_; }
  std::int64_t cases() const { return cases_; }
  std::size_t rows_covered() const;

 private:
  std::map<Row, CountByKind> rows_;
  std::set<int> ranks_;
  std::int64_t cases_ = 0;
};

/// The row that a case is one of.
FuzzCoverage::Row row_of(const Experiment& what);

}  // namespace heddle
