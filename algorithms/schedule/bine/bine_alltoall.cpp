// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/bine/bine_alltoall.hpp"

#include "algorithms/schedule/butterflies/swing_pattern.hpp"

namespace heddle::schedule {

namespace {

int on_circle(std::int64_t position, int positions) { return static_cast<int>((position % positions + positions) % positions); }

/// +1 for positions that go further, -1 for those that go back.
int sense(std::int64_t position) { return position % 2 == 0 ? +1 : -1; }

}  // namespace

BineWays::BineWays(int positions) : steps_(swing_steps(positions)), ways_(static_cast<std::size_t>(positions)) {
  // Backwards, as block schedules are derived: what is to go on `index` positions after a step had ρ - index to go before it,
  // seen from the partner, who counts the other way.
  std::vector<int> reached{0};
  for (int step = steps_ - 1; step >= 0; --step) {
    const std::size_t known = reached.size();
    for (std::size_t i = 0; i < known; ++i) {
      const int index = on_circle(swing_rho(step) - reached[i], positions);
      std::uint32_t& way = ways_[static_cast<std::size_t>(index)];
      if (index == 0 || way != 0) continue;
      way = ways_[static_cast<std::size_t>(reached[i])] | (std::uint32_t{1} << step);
      reached.push_back(index);
    }
  }
}

int BineWays::destination(int source, int index) const { return on_circle(source + sense(source) * index, positions()); }

int BineWays::source(int position, int index, int step) const {
  std::int64_t gone = 0;  // seen from the source
  for (int taken = 0; taken < step; ++taken) {
    if (takes(index, taken)) gone += sense(gone) * swing_rho(taken);
  }
  // Every step leads from even to odd positions or back, so after an even distance the source counts as `position` does.
  return on_circle(position - sense(position) * sense(gone) * gone, positions());
}

}  // namespace heddle::schedule
