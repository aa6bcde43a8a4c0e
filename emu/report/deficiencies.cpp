// SPDX-License-Identifier: Apache-2.0
#include "emu/report/deficiencies.hpp"

#include <cmath>

namespace heddle {

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
