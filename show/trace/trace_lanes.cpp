// SPDX-License-Identifier: Apache-2.0
#include "show/trace/trace_lanes.hpp"

#include <fmt/format.h>

#include <functional>
#include <queue>
#include <utility>

namespace heddle::pictures {

std::vector<std::size_t> lanes_of(std::span<const Stretch> stretches) {
  using Lane = std::pair<Time, std::size_t>;  // free from then on
  std::priority_queue<Lane, std::vector<Lane>, std::greater<>> lanes;
  std::vector<std::size_t> of;
  of.reserve(stretches.size());
  for (const Stretch& stretch : stretches) {
    std::size_t lane = lanes.size();
    if (!lanes.empty() && lanes.top().first <= stretch.begin) {
      lane = lanes.top().second;
      lanes.pop();
    }
    lanes.emplace(stretch.end, lane);
    of.push_back(lane);
  }
  return of;
}

std::string lane_name(const std::string& name, std::size_t lane) {
  return lane == 0 ? name : fmt::format("{} ({})", name, lane + 1);
}

}  // namespace heddle::pictures
