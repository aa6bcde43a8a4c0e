// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/butterflies/swing_pattern.hpp"

#include <algorithm>
#include <bit>

namespace heddle::schedule {

int swing_partner(int coordinate, int step, int size, Swing swing) {
  const bool forward = (coordinate % 2 == 0) == (swing == Swing::plain);
  const std::int64_t to = coordinate + (forward ? swing_rho(step) : -swing_rho(step));
  return static_cast<int>((to % size + size) % size);
}

int swing_steps(int size) {
  const int even = size - size % 2;
  return even == 0 ? 0 : std::bit_width(static_cast<unsigned>(even - 1));
}

DirectShare swing_direct_share(int step, int size) {
  const int others = size - 1;
  const int left = others >> step;  // halving, the share rounded up, leaves the half rounded down
  const bool last = step == swing_steps(size) - 1;
  return {others - left, last ? left : left - left / 2};
}

int swing_direct_step(int coordinate, int size) {
  int step = 0;
  for (DirectShare share = swing_direct_share(0, size); coordinate >= share.first + share.count;) {
    share = swing_direct_share(++step, size);
  }
  return step;
}

WindowSchedule swing_windows(int size) {
  std::vector<std::vector<WindowPart>> steps;
  Window window{0, 1};
  for (int step = 0; step < swing_steps(size); ++step) {
    const int places = std::min(window.count, size - window.count);
    const int first = step % 2 == 0 ? window.end() : window.first - places;
    steps.push_back({{static_cast<int>(swing_rho(step)), {first, places}}});
    window = {std::min(window.first, first), window.count + places};
  }
  return WindowSchedule(steps, true);
}

}  // namespace heddle::schedule
