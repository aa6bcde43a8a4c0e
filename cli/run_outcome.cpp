// SPDX-License-Identifier: Apache-2.0
#include "cli/run_outcome.hpp"

#include <algorithm>

namespace heddle {

Rates rates_of(const RunPlan& plan, const Report& report) {
  if (report.completion == Time() || plan.collective == Collective::barrier) return {};
  const double algbw = static_cast<double>(plan.bytes()) / (static_cast<double>(report.completion.ps()) / 1e12);
  return {.algbw = algbw, .busbw = algbw * bus_bandwidth_factor(plan.collective, plan.ranks())};
}

int peak_flows(const Report& report) {
  int peak = 0;
  for (const LinkReport& link : report.links) peak = std::max(peak, link.peak_flows);
  return peak;
}

}  // namespace heddle
