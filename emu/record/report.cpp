// SPDX-License-Identifier: Apache-2.0
#include "emu/record/report.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>

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

namespace {

double seconds(Time time) { return static_cast<double>(time.ps()) / 1e12; }

/// Bytes per second that one rank can send over all of its links.
double injection_bandwidth(const Fabric& fabric, VertexId endpoint) {
  double bandwidth = 0;
  for (LinkId link = 0; link < fabric.topology().links(); ++link) {
    if (fabric.topology().ends(link).from == endpoint) bandwidth += fabric.bandwidth(link).bytes_per_second();
  }
  return bandwidth;
}

}  // namespace

Coefficients coefficients(const Report& report, Bytes vector) {
  Coefficients result{.n_alpha = report.critical_path.messages, .n_beta = std::nullopt};
  if (vector > Bytes()) result.n_beta = static_cast<double>(report.critical_path.bytes) / static_cast<double>(vector.count());
  return result;
}

std::optional<Deficiencies> deficiencies(const Report& report, Collective collective, Bytes vector, const Fabric& fabric,
                                         const Placement& placement) {
  const auto ranks = static_cast<double>(placement.size());
  if (collective != Collective::allreduce || placement.size() < 2 || vector == Bytes()) return std::nullopt;
  const CriticalPath& path = report.critical_path;
  const auto twice = 2 * static_cast<double>(vector.count());
  Deficiencies result{.latency = path.messages / std::log2(ranks),
                      .bandwidth = std::nullopt,
                      .congestion = std::nullopt,
                      .latency_base_3 = path.messages * std::log(3.0) / std::log(ranks),
                      .sent = static_cast<double>(report.sent_max().count()) / twice,
                      .transmission_delay = std::nullopt};
  const double optimum = twice / injection_bandwidth(fabric, placement.front());
  const Time transmission = path.parts.serialisation + path.parts.contention;
  if (optimum == 0 || path.parts.serialisation == Time()) return result;
  result.bandwidth = seconds(path.parts.serialisation) / optimum;
  result.congestion = seconds(transmission) / seconds(path.parts.serialisation);
  result.transmission_delay = seconds(transmission) / optimum;
  return result;
}

}  // namespace heddle
