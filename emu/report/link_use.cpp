// SPDX-License-Identifier: Apache-2.0
#include "emu/report/link_use.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <tuple>
#include <utility>

namespace heddle {

double utilisation(const LinkReport& link, const Fabric& fabric, Time time) {
  const double could_carry = fabric.bandwidth(link.link).bytes_per_second() * link.had * time.seconds();
  return could_carry > 0 ? static_cast<double>(link.bytes.count()) / could_carry : 0;
}

std::vector<LinkReport> most_utilised_links(const Report& report, const Fabric& fabric, std::size_t most) {
  using Order = std::tuple<double, std::int64_t, LinkId>;
  std::vector<std::pair<Order, const LinkReport*>> used;
  for (const LinkReport& link : report.links)
    if (link.bytes > Bytes())
      used.push_back({{-utilisation(link, fabric, report.completion), -link.bytes.count(), link.link}, &link});
  const auto shown = used.begin() + static_cast<std::ptrdiff_t>(std::min(most, used.size()));
  std::partial_sort(used.begin(), shown, used.end());
  std::vector<LinkReport> links;
  std::transform(used.begin(), shown, std::back_inserter(links), [](const auto& one) { return *one.second; });
  return links;
}

}  // namespace heddle
