// SPDX-License-Identifier: Apache-2.0
#include "topo/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/errors.hpp"

namespace heddle {
namespace {

/// Longer than any real span by far, and short enough that thousands of them add up without overflow.
constexpr Time kLongestSpan = Time::ps(3'600'000'000'000'000);

void require_span(std::string_view what, Time span) {
  if (span < Time() || span > kLongestSpan) {
    throw InputError(fmt::format("{} {}: out of range; at least 0 and at most an hour", what, to_string(span)));
  }
}

void require_speed(const LinkSpeed& speed) {
  if (!(speed.bandwidth.bytes_per_second() > 0)) {
    throw InputError(
        fmt::format("bandwidth of {} bytes/s: it must be above 0; try 400Gbps", speed.bandwidth.bytes_per_second()));
  }
  if (!(speed.eta_alpha >= 1 && std::isfinite(speed.eta_alpha))) {
    throw InputError(fmt::format("eta_alpha {}: it multiplies the latency and must be at least 1", speed.eta_alpha));
  }
  if (!(speed.eta_beta > 0 && speed.eta_beta <= 1)) {
    throw InputError(fmt::format("eta_beta {}: it multiplies the bandwidth and must be above 0 and at most 1", speed.eta_beta));
  }
  require_span("link latency", speed.latency);
}

void require_settings(const FabricSettings& settings) {
  if (settings.tiers.empty()) throw InputError("a fabric needs the speed of at least one tier of links");
  std::for_each(settings.tiers.begin(), settings.tiers.end(), require_speed);
  require_span("hop latency", settings.hop);
  require_span("start-up latency (alpha)", settings.alpha);
  require_span("send overhead", settings.send_overhead);
  require_span("receive overhead", settings.recv_overhead);
  if (!(settings.gamma >= 0 && std::isfinite(settings.gamma))) {
    throw InputError(fmt::format("gamma {} s per byte: it must be at least 0; try 20ps", settings.gamma));
  }
}

}  // namespace

Fabric::Fabric(std::shared_ptr<const Topology> topology, FabricSettings settings)
    : topology_(std::move(topology)), settings_(std::move(settings)) {
  require_settings(settings_);
  for (const LinkSpeed& speed : settings_.tiers) {
    const Time derated = Time::from_seconds(speed.latency.seconds() * speed.eta_alpha);
    require_span("derated link latency", derated);
    const Time from_endpoint = topology_->is_direct() ? derated + settings_.hop : derated;
    speeds_.push_back({.bandwidth = speed.bandwidth * speed.eta_beta,
                       .from_endpoint = from_endpoint,
                       .from_switch = derated + settings_.hop});
  }
  uniform_ = speeds_.size() == 1 && speeds_.front().from_endpoint == speeds_.front().from_switch;
}

Time Fabric::path_latency(const Route& route, const Route::Path& path) const {
  if (uniform_) return path.count * speeds_.front().from_endpoint;
  Time sum;
  for (std::int32_t i = path.first; i < path.first + path.count; ++i)
    sum += latency(route.links()[static_cast<std::size_t>(i)]);
  return sum;
}

MessageCost message_cost(const Fabric& fabric, VertexId from, VertexId to) {
  if (from == to) return {};
  Route route;
  fabric.topology().route(from, to, fabric.settings().tie_break, route);
  Time latency;
  double seconds_per_byte = 0;
  for (const Route::Path& path : route.paths()) {
    latency = std::max(latency, fabric.path_latency(route, path));
    for (std::int32_t i = path.first; i < path.first + path.count; ++i) {
      const Bandwidth bandwidth = fabric.bandwidth(route.links()[static_cast<std::size_t>(i)]);
      seconds_per_byte = std::max(seconds_per_byte, path.share / bandwidth.bytes_per_second());
    }
  }
  return {(fabric.settings().alpha + latency).seconds(), seconds_per_byte};
}

}  // namespace heddle
