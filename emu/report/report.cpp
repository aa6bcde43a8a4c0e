// SPDX-License-Identifier: Apache-2.0
#include "emu/report/report.hpp"

#include <algorithm>

namespace heddle {

std::int64_t Report::messages() const {
  std::int64_t sum = 0;
  for (const RankReport& rank : ranks) sum += rank.messages;
  return sum;
}

Bytes Report::sent_max() const {
  Bytes most;
  for (const RankReport& rank : ranks) most = std::max(most, rank.sent);
  return most;
}

Bytes Report::sent_total() const {
  Bytes sum;
  for (const RankReport& rank : ranks) sum += rank.sent;
  return sum;
}

std::vector<LinkReport> Report::busiest_links(std::size_t most) const {
  std::vector<LinkReport> busy;
  for (const LinkReport& link : links) {
    if (link.bytes > Bytes()) busy.push_back(link);
  }
  const auto shown = busy.begin() + static_cast<std::ptrdiff_t>(std::min(most, busy.size()));
  std::partial_sort(busy.begin(), shown, busy.end(), [](const LinkReport& a, const LinkReport& b) {
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.link < b.link;
  });
  busy.erase(shown, busy.end());
  return busy;
}

}  // namespace heddle
