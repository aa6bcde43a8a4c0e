// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/outcome.hpp"

#include <algorithm>

namespace heddle {

std::optional<double> WallClockOutcome::error(const Report& measured) const {
  if (virtually.completion == Time()) return std::nullopt;
  return measured.completion.seconds() / virtually.completion.seconds() - 1;
}

Rates rates_of(const Setup& plan, Time completion, int ranks) {
  if (completion == Time() || plan.collective == Collective::barrier || !plan.families.empty()) return {};
  const double algbw = static_cast<double>(plan.bytes()) / (static_cast<double>(completion.ps()) / 1e12);
  if (plan.sends.empty()) return {.algbw = algbw, .busbw = algbw * bus_bandwidth_factor(plan.collective, ranks)};
  // By what passes the busiest port: of a rank that sends or receives most, its block to itself aside.
  std::int64_t most = 0;
  for (int rank = 0; rank < plan.sends.ranks(); ++rank)
    most = std::max(most, std::max(plan.sends.sent(rank), plan.sends.received(rank)) - plan.sends.at(rank, rank));
  const double share = plan.count == 0 ? 0 : static_cast<double>(most) / static_cast<double>(plan.count);
  return {.algbw = algbw, .busbw = algbw * share};
}

Rates rates_of(const Setup& plan, const Report& report) {
  const std::vector<int> sizes = plan.group_sizes();
  Rates rates = rates_of(plan, report.completion, sizes.front());
  if (std::any_of(sizes.begin(), sizes.end(), [&](int size) { return size != sizes.front(); })) rates.busbw.reset();
  return rates;
}

std::vector<LinkFault> link_faults_of(const Setup& plan, const Outcome& outcome) {
  std::vector<LinkFault> faults = plan.settings.faults.links;
  if (outcome.worst_link) faults.push_back(outcome.worst_link->fault);
  return faults;
}

int peak_flows(const Report& report) {
  int peak = 0;
  for (const LinkReport& link : report.links) peak = std::max(peak, link.peak_flows);
  return peak;
}

}  // namespace heddle
