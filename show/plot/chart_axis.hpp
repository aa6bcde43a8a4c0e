// SPDX-License-Identifier: Apache-2.0
// Where a chart's values lie, and where its axes are labelled.
#pragma once

#include <string>
#include <vector>

#include "show/plot/chart.hpp"

namespace heddle::pictures {

struct ChartTick {
  double value;
  std::string label;
};

/// From a least to a greatest value, with at least two ticks between them.
struct ChartScale {
  bool is_log = false;
  double least = 0;
  double most = 1;
  std::vector<ChartTick> ticks = {};

  /// 0 at `least`, 1 at `most`.
  double part(double value) const;
};

/// Of a horizontal axis: as far as the values, which must not be empty.
ChartScale scale_of_x(const ChartAxis& axis, const std::vector<double>& values);
/// Of a vertical axis: a little further, to round numbers, from 0 where all are positive and it is not logarithmic.
ChartScale scale_of_y(const ChartAxis& axis, const std::vector<double>& values);

}  // namespace heddle::pictures
