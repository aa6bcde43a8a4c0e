// SPDX-License-Identifier: Apache-2.0
#include "show/heatmap/link_load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <tuple>
#include <utility>

#include "core/errors.hpp"
#include "core/units.hpp"

namespace heddle::pictures {

namespace {

std::vector<double> bytes_of(const Report& report) {
  std::vector<double> bytes;
  for (const LinkReport& link : report.links) bytes.push_back(static_cast<double>(link.bytes.count()));
  return bytes;
}

}  // namespace

HeatmapOf parse_heatmap_of(std::string_view text) {
  if (text == "bytes") return HeatmapOf::bytes;
  if (text == "utilisation") return HeatmapOf::utilisation;
  if (text == "contention") return HeatmapOf::contention;
  throw InputError(fmt::format("'{}': bytes, utilisation or contention", text));
}

LinkLoads::LinkLoads(HeatmapOf of, std::vector<double> loads, const Report& report) : of_(of), loads_(std::move(loads)) {
  for (const LinkReport& link : report.links) bytes_.push_back(link.bytes.count());
  for (const double load : loads_) {
    most_ = std::max(most_, load);
    total_ += load;
    loaded_ += load > 0 ? 1 : 0;
  }
  scale_ = most_;
}

LinkLoads::LinkLoads(const Report& report) : LinkLoads(HeatmapOf::bytes, bytes_of(report), report) {}

double LinkLoads::most_of(const std::vector<LinkId>& links) const {
  double most = 0;
  for (const LinkId link : links) most = std::max(most, load(link));
  return most;
}

std::vector<LinkId> LinkLoads::busiest(std::size_t count) const {
  std::vector<LinkId> order(loads_.size());
  std::iota(order.begin(), order.end(), 0);
  count = std::min(count, static_cast<std::size_t>(loaded_));
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(), [&](LinkId a, LinkId b) {
    return std::tuple(-load(a), -bytes(a), a) < std::tuple(-load(b), -bytes(b), b);
  });
  order.resize(count);
  return order;
}

LinkLoads LinkLoads::on_scale(double end) const {
  LinkLoads scaled = *this;
  scaled.scale_ = std::max(end, most_);
  return scaled;
}

LinkLoads LinkLoads::times(double factor) const {
  LinkLoads scaled = *this;
  for (double& load : scaled.loads_) load *= factor;
  scaled.most_ *= factor;
  scaled.total_ *= factor;
  scaled.scale_ *= factor;
  return scaled;
}

std::string LinkLoads::fault_text(LinkId link) const {
  std::string text;
  for (const LinkFault& fault : faults_)
    if (fault.link == link) text += (text.empty() ? "" : " ") + state_text(fault);
  return text;
}

bool LinkLoads::is_down(LinkId link) const {
  return std::ranges::any_of(faults_, [link](const LinkFault& fault) { return fault.link == link && fault.down; });
}

int LinkLoads::step(double load, int steps) const {
  if (load <= 0) return 0;
  // What is a whole number of steps but for the rounding of a division is that many.
  return std::clamp(static_cast<int>(std::ceil(load / scale_ * steps * (1 - 1e-12))), 1, steps);
}

std::string_view LinkLoads::why_none() const {
  if (of_ == HeatmapOf::contention) return "No message lost time by sharing a link.";
  const bool carried = std::ranges::any_of(bytes_, [](std::int64_t bytes) { return bytes > 0; });
  return carried ? "No link has a limit that could be used up." : "No link carried a byte.";
}

std::string LinkLoads::text(double load) const {
  switch (of_) {
    case HeatmapOf::bytes:
      return to_string(Bytes(std::llround(load)));
    case HeatmapOf::utilisation:
      return fmt::format("{:.3g}%", 100 * load);
    case HeatmapOf::contention:
      break;
  }
  return to_string(Time::ps(std::llround(load * 1e12)));
}

}  // namespace heddle::pictures
