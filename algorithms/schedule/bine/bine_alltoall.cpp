// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/bine/bine_alltoall.hpp"

#include "algorithms/schedule/butterflies/swing_pattern.hpp"

namespace heddle::schedule {

namespace {

int on_circle(std::int64_t seat, int seats) { return static_cast<int>((seat % seats + seats) % seats); }

/// +1 for seats that go further, -1 for those that go back.
int sense(std::int64_t seat) { return seat % 2 == 0 ? +1 : -1; }

}  // namespace

BineWays::BineWays(int seats) : steps_(swing_steps(seats)), ways_(static_cast<std::size_t>(seats)) {
  // Backwards, as block schedules are derived: what is to go on `slot` seats after a step had ρ - slot to go before it, seen
  // from the partner, who counts the other way.
  std::vector<int> reached{0};
  for (int step = steps_ - 1; step >= 0; --step) {
    const std::size_t known = reached.size();
    for (std::size_t i = 0; i < known; ++i) {
      const int slot = on_circle(swing_rho(step) - reached[i], seats);
      std::uint32_t& way = ways_[static_cast<std::size_t>(slot)];
      if (slot == 0 || way != 0) continue;
      way = ways_[static_cast<std::size_t>(reached[i])] | (std::uint32_t{1} << step);
      reached.push_back(slot);
    }
  }
}

int BineWays::destination(int source, int slot) const { return on_circle(source + sense(source) * slot, seats()); }

int BineWays::source(int seat, int slot, int step) const {
  std::int64_t gone = 0;  // seen from the source
  for (int taken = 0; taken < step; ++taken) {
    if (takes(slot, taken)) gone += sense(gone) * swing_rho(taken);
  }
  // Every step leads from even to odd seats or back, so after an even distance the source counts as `seat` does.
  return on_circle(seat - sense(seat) * sense(gone) * gone, seats());
}

}  // namespace heddle::schedule
