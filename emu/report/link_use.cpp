// SPDX-License-Identifier: Apache-2.0
#include "emu/report/link_use.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace heddle {

double utilisation(const LinkReport& link, const Fabric& fabric, Time time) {
  if (time <= Time()) return 0;
  return static_cast<double>(link.bytes.count()) / fabric.bandwidth(link.link).bytes_per_second() / time.seconds();
}

std::vector<LinkReport> most_utilised_links(const Report& report, const Fabric& fabric, std::size_t most) {
  std::vector<LinkReport> used;
  std::ranges::copy_if(report.links, std::back_inserter(used), [](const LinkReport& link) { return link.bytes > Bytes(); });
  const auto shown = used.begin() + static_cast<std::ptrdiff_t>(std::min(most, used.size()));
  const auto order = [&](const LinkReport& link) {
    const double seconds = static_cast<double>(link.bytes.count()) / fabric.bandwidth(link.link).bytes_per_second();
    return std::tuple(-seconds, -link.bytes.count(), link.link);
  };
  std::partial_sort(used.begin(), shown, used.end(),
                    [&](const LinkReport& a, const LinkReport& b) { return order(a) < order(b); });
  used.erase(shown, used.end());
  return used;
}

}  // namespace heddle
