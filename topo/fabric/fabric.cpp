// SPDX-License-Identifier: Apache-2.0
#include "topo/fabric/fabric.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "heddle/errors.hpp"
#include "topo/fabric/ways.hpp"

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

Time derated(const LinkSpeed& speed, Time latency) {
  const Time derated = Time::from_seconds(latency.seconds() * speed.eta_alpha);
  require_span("derated link latency", derated);
  return derated;
}

void require_settings(const FabricSettings& settings) {
  if (settings.tiers.empty()) throw InputError("a fabric needs the speed of at least one tier of links");
  constexpr std::size_t kMostTiers = 128;  // a link's speed has a number of 8 bits
  if (settings.tiers.size() > kMostTiers)
    throw InputError(fmt::format("{} tiers of links: at most {} are possible", settings.tiers.size(), kMostTiers));
  std::for_each(settings.tiers.begin(), settings.tiers.end(), require_speed);
  require_span("hop latency", settings.hop);
  require_span("host link latency", settings.host_link);
  require_span("start-up latency (alpha)", settings.alpha);
  require_span("send overhead", settings.send_overhead);
  require_span("receive overhead", settings.recv_overhead);
  if (!(settings.gamma >= 0 && std::isfinite(settings.gamma))) {
    throw InputError(fmt::format("gamma {} s per byte: it must be at least 0; try 20ps", settings.gamma));
  }
}

/// Of the speeds, that of a link's tier: the last serves all tiers beyond.
std::size_t tier_of(const FabricSettings& settings, int tier) {
  return std::min(static_cast<std::size_t>(tier), settings.tiers.size() - 1);
}

bool may_be_unequal(WayWidths widths, const FabricSettings& settings) {
  if (widths == WayWidths::any) return true;
  const auto bandwidth_of = [](const LinkSpeed& speed) { return (speed.bandwidth * speed.eta_beta).bytes_per_second(); };
  return widths == WayWidths::equal_at_one_speed && std::ranges::any_of(settings.tiers, [&](const LinkSpeed& speed) {
           return bandwidth_of(speed) != bandwidth_of(settings.tiers.front());
         });
}

}  // namespace

Fabric::Fabric(std::shared_ptr<const Topology> topology, FabricSettings settings)
    : topology_(std::move(topology)), settings_(std::move(settings)), links_(topology_->links()) {
  require_settings(settings_);
  has_unequal_ways_ = settings_.routing.splits() && may_be_unequal(topology_->way_widths(), settings_);
  if (topology_->is_direct() && settings_.host_link > Time()) host_links_ = 2 * settings_.host_link + settings_.hop;
  for (const LinkSpeed& speed : settings_.tiers) {
    const Bandwidth bandwidth = speed.bandwidth * speed.eta_beta;
    const Time behind_vertex = derated(speed, speed.latency + settings_.hop);
    speeds_.push_back({bandwidth, topology_->is_direct() ? behind_vertex : derated(speed, speed.latency)});
    speeds_.push_back({bandwidth, behind_vertex});
  }
  uniform_ = settings_.tiers.size() == 1 && speeds_[0].latency == speeds_[1].latency;
  if (uniform_) return;
  const auto index_of = [&](LinkId link) {
    const std::size_t tier = tier_of(settings_, topology_->tier(link));
    return static_cast<std::uint8_t>(2 * tier + (topology_->ends(link).from < topology_->endpoints() ? 0 : 1));
  };
  speed_of_link_.reserve(static_cast<std::size_t>(links_ + topology_->trunks()));
  for (LinkId link = 0; link < links_; ++link) speed_of_link_.push_back(index_of(link));
  for (LinkId trunk = links_; trunk < links_ + topology_->trunks(); ++trunk)
    speed_of_link_.push_back(index_of(topology_->trunk(trunk).first));
}

Time Fabric::crossing(LinkId link) const {
  const LinkId one = link < links_ ? link : topology_->trunk(link).first;
  if (!topology_->is_direct() && topology_->ends(one).from < topology_->endpoints()) return Time();
  return derated(settings_.tiers[tier_of(settings_, topology_->tier(one))], settings_.hop);
}

Time Fabric::path_latency(const Route& route, const Route::Path& path) const {
  if (uniform_) return host_links_ + path.count * speeds_.front().latency;
  Time sum = host_links_;
  for (std::int32_t i = path.first; i < path.first + path.count; ++i)
    sum += latency(route.links()[static_cast<std::size_t>(i)]);
  return sum;
}

Time Fabric::path_latency(const RunRoute& route, const RunRoute::Path& path) const {
  if (uniform_) return host_links_ + path.links * speeds_.front().latency;
  Time sum = host_links_;
  for (const LinkRun& run : route.runs(path))
    for (std::int32_t i = 0; i < run.count; ++i) sum += latency(run[i]);
  return sum;
}

MessageCost message_cost(const Fabric& fabric, VertexId from, VertexId to) {
  if (from == to) return {};
  Route route;
  FilledRoutes(fabric).find(from, to, route);
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
