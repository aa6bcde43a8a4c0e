// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/windows/bruck_pattern.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

namespace heddle::schedule {

int bruck_steps(int n, int ports) {
  int steps = 0;
  for (std::int64_t reached = 1; reached < n; reached *= std::int64_t{ports} + 1) ++steps;
  return steps;
}

SkipRounds bruck_skips(int n, int ports) {
  SkipRounds steps;
  for (std::int64_t distance = 1; distance < n; distance *= std::int64_t{ports} + 1) {
    std::vector<int>& skips = steps.emplace_back();
    for (std::int64_t j = 1; j <= ports && j * distance < n; ++j) skips.push_back(static_cast<int>(j * distance));
  }
  return steps;
}

SkipPaths bruck_paths(int n, int ports) {
  const std::int64_t radix = std::int64_t{ports} + 1;
  SkipPaths paths{{}, {{0, n}}};
  std::int64_t distance = 1;
  for (const std::vector<int>& skips : bruck_skips(n, ports)) {
    // After the steps before, offsets are multiples of the distance; those with digit j here go j times the distance.
    std::vector<SkipSend>& sends = paths.rounds.emplace_back();
    for (const int skip : skips) {
      SkipSend& send = sends.emplace_back(SkipSend{skip, {}});
      for (std::int64_t offset = skip; offset < n; offset += distance * radix)
        append(send.offsets, {static_cast<std::int32_t>(offset), 1});
    }
    distance *= radix;
  }
  return paths;
}

SkipPattern bruck_pattern(int ports) {
  return {"bruck with " + std::to_string(ports) + " ports", [ports](int n) { return bruck_paths(n, ports); }};
}

WindowSchedule bruck_windows(int n, int ports) {
  const int radix = std::min(ports, n) + 1;  // more ports than peers stay idle
  std::vector<int> digits;
  for (int rest = n - 1; rest > 0; rest /= radix) digits.push_back(rest % radix);
  std::reverse(digits.begin(), digits.end());

  std::vector<std::vector<WindowPart>> steps;
  int behind = 0;  // t
  for (const int with_itself : digits) {
    std::vector<WindowPart>& parts = steps.emplace_back();
    int end = behind + 1;
    for (int port = 0; port + 1 < radix; ++port) {
      const bool is_with_itself = port < with_itself;
      const int places = behind + (is_with_itself ? 1 : 0);
      if (places == 0) break;
      parts.push_back({is_with_itself ? end : end - 1, {end, places}});
      end += places;
    }
    behind = end - 1;
  }
  return WindowSchedule(steps);
}

}  // namespace heddle::schedule
