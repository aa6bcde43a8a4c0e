// SPDX-License-Identifier: Apache-2.0
#include "show/drawing/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "heddle/units.hpp"

namespace heddle::pictures {

namespace {

/// 1, 2 or 5 times a power of ten, so that about `count` of them are in `range`.
double round_step(double range, int count) {
  const double rough = range / count;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double digit = rough / power;
  return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

std::string number_text(double value) {
  if (std::abs(value) < 1e-9) return "0";
  if (value >= 1000 && value < 1e7 && value == std::floor(value)) {
    std::string text = fmt::format("{:.0f}", value);
    for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0; at -= 3)
      text.insert(static_cast<std::size_t>(at), ",");
    return text;
  }
  return fmt::format("{:.6g}", value);
}

void add_ticks_of_powers(ChartScale& scale, double base, const ChartAxis& axis) {
  const double first = std::ceil(std::log(scale.least) / std::log(base) - 1e-9);
  for (double exponent = first; std::pow(base, exponent) <= scale.most * (1 + 1e-9); ++exponent) {
    const double value = std::pow(base, exponent);
    scale.ticks.push_back({value, axis.labels == ChartAxis::Labels::bytes
                                      ? to_string(Bytes(static_cast<std::int64_t>(std::llround(value))))
                                      : number_text(value)});
  }
}

ChartScale linear_scale(double least, double most) {
  const double step = round_step(std::max(most - least, 1e-9), 8);
  ChartScale scale{.least = std::floor(least / step + 1e-9) * step, .most = std::ceil(most / step - 1e-9) * step};
  for (double value = scale.least; value <= scale.most + step / 2; value += step)
    scale.ticks.push_back({value, number_text(std::round(value / step) * step)});
  return scale;
}

/// Where not even two powers are in range: round numbers at equal distances.
void add_round_ticks(ChartScale& scale) {
  scale.ticks.clear();
  for (const ChartTick& tick : linear_scale(scale.least, scale.most).ticks)
    if (tick.value >= scale.least && tick.value <= scale.most) scale.ticks.push_back(tick);
}

/// Few enough to be read, two at least: an axis of powers of two is made longer where it has fewer.
void label_log_axis(ChartScale& scale, const ChartAxis& axis) {
  const double octaves = std::log2(scale.most / scale.least);
  const bool powers_of_two = axis.labels != ChartAxis::Labels::numbers;
  if (powers_of_two || octaves < 9) {
    double base = 2;
    while (octaves / std::log2(base) > 9) base *= base == 2 ? 2 : 4;
    add_ticks_of_powers(scale, base, axis);
    while (powers_of_two && scale.ticks.size() < 2) {
      scale.ticks.clear();
      scale.least /= 1.5;
      scale.most *= 1.5;
      add_ticks_of_powers(scale, base, axis);
    }
    if (powers_of_two || scale.ticks.size() >= 3) return;
    scale.ticks.clear();
  }
  add_ticks_of_powers(scale, 10, axis);
  if (scale.ticks.size() < 2) add_round_ticks(scale);
}

}  // namespace

double ChartScale::part(double value) const {
  if (is_log) return std::log(value / least) / std::log(most / least);
  return (value - least) / (most - least);
}

ChartScale scale_of_x(const ChartAxis& axis, const std::vector<double>& values) {
  if (axis.labels == ChartAxis::Labels::names) {
    ChartScale scale{.least = -0.5, .most = static_cast<double>(axis.names.size()) - 0.5};
    for (std::size_t i = 0; i < axis.names.size(); ++i) scale.ticks.push_back({static_cast<double>(i), axis.names[i]});
    return scale;
  }
  const auto [least, most] = std::ranges::minmax(values);
  if (!axis.is_log) return linear_scale(least, most);
  ChartScale scale{.is_log = true, .least = least / 1.3, .most = most * 1.3};
  label_log_axis(scale, axis);
  return scale;
}

ChartScale scale_of_y(const ChartAxis& axis, const std::vector<double>& values) {
  auto [least, most] = std::ranges::minmax(values);
  if (axis.most) most = std::min(most, *axis.most);
  if (!axis.is_log) return linear_scale(std::min(least, 0.0), std::max(most, 0.0) + 0.03 * (most - std::min(least, 0.0)));
  ChartScale scale{.is_log = true, .least = least / 1.5, .most = most * 1.5};
  label_log_axis(scale, axis);
  return scale;
}

}  // namespace heddle::pictures
