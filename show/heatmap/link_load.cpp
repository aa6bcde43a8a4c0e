// SPDX-License-Identifier: Apache-2.0
#include "show/heatmap/link_load.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace heddle::pictures {

LinkLoads::LinkLoads(const Report& report) {
  bytes_.reserve(report.links.size());
  for (const LinkReport& link : report.links) {
    const std::int64_t bytes = link.bytes.count();
    bytes_.push_back(bytes);
    most_ = std::max(most_, bytes);
    total_ += bytes;
    carrying_ += bytes > 0 ? 1 : 0;
  }
}

std::int64_t LinkLoads::most_of(const std::vector<LinkId>& links) const {
  std::int64_t most = 0;
  for (const LinkId link : links) most = std::max(most, bytes(link));
  return most;
}

std::vector<NamedLoad> LinkLoads::busiest(std::size_t count, const Topology& topology) const {
  std::vector<LinkId> order(bytes_.size());
  std::iota(order.begin(), order.end(), 0);
  count = std::min(count, static_cast<std::size_t>(carrying_));
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](LinkId a, LinkId b) { return bytes(a) != bytes(b) ? bytes(a) > bytes(b) : a < b; });
  std::vector<NamedLoad> named;
  for (std::size_t i = 0; i < count; ++i) named.push_back({topology.link_name(order[i]), bytes(order[i])});
  return named;
}

int LinkLoads::step(std::int64_t bytes, int steps) const {
  if (bytes <= 0) return 0;
  const double part = static_cast<double>(bytes) / static_cast<double>(most_);
  return std::clamp(static_cast<int>(std::ceil(part * steps)), 1, steps);
}

}  // namespace heddle::pictures
