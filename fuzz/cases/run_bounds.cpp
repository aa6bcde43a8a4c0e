// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <numeric>

#include "fuzz/cases/case_data.hpp"
#include "fuzz/cases/run_case.hpp"

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
  const Algorithm* const entry = what.own ? entry_of(*what.own, what.collective, what.algorithm) : nullptr;
  return {what.collective, entry != nullptr ? entry->name : std::string(bare_name(what.algorithm))};
}

namespace {

/// A message from each rank to each, and a message for each element of each rank. What a row takes grows with this, or more slowly, or
/// it has small cases that show how much faster: the margin below leaves room for that.
double steps_of(int ranks, std::int64_t count) {
  return static_cast<double>(ranks) * (static_cast<double>(ranks) + static_cast<double>(count));
}

constexpr double kMargin = 200;
constexpr double kFewestSlices = 100'000;
constexpr std::int64_t kEnoughCases = 3;
constexpr double kLeastSlicesPerStep = 2;
constexpr double kUsualSlicesPerStep = 16;  ///< of a row that is not known
// A time slice is computing alone, which a row does about as long in each case.
constexpr double kSliceMargin = 50;
constexpr std::chrono::duration<double> kLongestSlice = std::chrono::minutes(1);
// Of memory that the system hands out, and clears, at the first touch. Some machines take 20 us for a page of 4 KiB.
constexpr double kLeastBytesASecond = 1e8;

}  // namespace

void RunBounds::learn(const FuzzCoverage::Row& row, const RunLength& length) {
  const double per_step = static_cast<double>(length.slices) / std::max(1.0, steps_of(length.ranks, length.count));
  const std::lock_guard lock(mutex_);
  Learnt& learnt = learnt_[row];
  ++learnt.cases;
  learnt.slices_per_step = std::max(learnt.slices_per_step, per_step);
  learnt.longest = std::max(learnt.longest, length.seconds);
}

RunBound RunBounds::bound(const FuzzCoverage::Row& row, int ranks, std::int64_t count) const {
  double per_step = kUsualSlicesPerStep;
  RunBound bound;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = learnt_.find(row); found != learnt_.end()) {
      const Learnt& learnt = found->second;
      per_step = std::max(learnt.slices_per_step, learnt.cases < kEnoughCases ? kUsualSlicesPerStep : kLeastSlicesPerStep);
      bound.slice = std::min(kSliceMargin * learnt.longest, kLongestSlice);
    }
  }
  bound.slices = static_cast<std::uint64_t>(kFewestSlices + kMargin * per_step * steps_of(ranks, count));
  return bound;
}

RunBound RunBounds::bound(const Experiment& what) const {
  RunBound bound = this->bound(row_of(what), ranks_of(what), count_of(what));
  const double bytes = static_cast<double>(count_of(what)) * static_cast<double>(type_of(what).size());
  bound.pass = std::chrono::duration<double>(bytes / kLeastBytesASecond);
  return bound;
}

}  // namespace heddle
