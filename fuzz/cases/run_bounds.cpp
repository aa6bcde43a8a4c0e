// SPDX-License-Identifier: Apache-2.0
#include "fuzz/cases/run_bounds.hpp"

#include <algorithm>

#include "fuzz/cases/case_data.hpp"

namespace heddle {

namespace {

/// A message from each rank to each, and a message for each element of each rank. What a row takes grows with this, or more slowly, or
/// it has small cases that show how much faster: the margin below leaves room for that.
double steps_of(int ranks, std::int64_t count) {
  return static_cast<double>(ranks) * (static_cast<double>(ranks) + static_cast<double>(count));
}

constexpr double kMargin = 200;
constexpr double kFewestTurns = 100'000;
constexpr std::int64_t kEnoughCases = 3;
constexpr double kLeastTurnsPerStep = 2;
constexpr double kUsualTurnsPerStep = 16;  ///< of a row that is not known
// A turn is computing alone, which a row does about as long in each case.
constexpr double kTurnMargin = 50;
constexpr std::chrono::duration<double> kLongestTurn = std::chrono::minutes(1);

}  // namespace

void RunBounds::learn(const FuzzCoverage::Row& row, const RunLength& length) {
  const double per_step = static_cast<double>(length.turns) / std::max(1.0, steps_of(length.ranks, length.count));
  const std::lock_guard lock(mutex_);
  Learnt& learnt = learnt_[row];
  ++learnt.cases;
  learnt.turns_per_step = std::max(learnt.turns_per_step, per_step);
  learnt.longest = std::max(learnt.longest, length.seconds);
}

RunBound RunBounds::bound(const FuzzCoverage::Row& row, int ranks, std::int64_t count) const {
  double per_step = kUsualTurnsPerStep;
  RunBound bound;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = learnt_.find(row); found != learnt_.end()) {
      const Learnt& learnt = found->second;
      per_step = std::max(learnt.turns_per_step, learnt.cases < kEnoughCases ? kUsualTurnsPerStep : kLeastTurnsPerStep);
      bound.turn = std::min(kTurnMargin * learnt.longest, kLongestTurn);
    }
  }
  bound.turns = static_cast<std::uint64_t>(kFewestTurns + kMargin * per_step * steps_of(ranks, count));
  return bound;
}

RunBound RunBounds::bound(const Experiment& what) const { return bound(row_of(what), ranks_of(what), count_of(what)); }

}  // namespace heddle
