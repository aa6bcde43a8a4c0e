// SPDX-License-Identifier: Apache-2.0
#include "emu/report/link_use.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

namespace heddle {

namespace {

/// What it takes to carry its bytes, by what it has on average.
double seconds_alone(const LinkReport& link, const Fabric& fabric) {
  if (link.bytes == Bytes()) return 0;
  return static_cast<double>(link.bytes.count()) / (fabric.bandwidth(link.link).bytes_per_second() * link.had);
}

}  // namespace

double utilisation(const LinkReport& link, const Fabric& fabric, Time time) {
  const double seconds = seconds_alone(link, fabric);
  return time <= Time() || std::isinf(seconds) ? 0 : seconds / time.seconds();
}

std::vector<LinkReport> most_utilised_links(const Report& report, const Fabric& fabric, std::size_t most) {
  std::vector<LinkReport> used;
  std::ranges::copy_if(report.links, std::back_inserter(used), [](const LinkReport& link) { return link.bytes > Bytes(); });
  const auto shown = used.begin() + static_cast<std::ptrdiff_t>(std::min(most, used.size()));
  const auto order = [&](const LinkReport& link) {
    return std::tuple(-seconds_alone(link, fabric), -link.bytes.count(), link.link);
  };
  std::partial_sort(used.begin(), shown, used.end(),
                    [&](const LinkReport& a, const LinkReport& b) { return order(a) < order(b); });
  used.erase(shown, used.end());
  return used;
}

}  // namespace heddle
