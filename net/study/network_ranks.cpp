// SPDX-License-Identifier: Apache-2.0
#include "net/study/network_ranks.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "core/errors.hpp"
#include "lab/run/setup.hpp"
#include "net/ranks/context.hpp"
#include "net/ranks/process_communicator.hpp"
#include "net/study/gather_text.hpp"
#include "net/study/process_calls.hpp"
#include "topo/placement/placement.hpp"

namespace heddle::net {

std::string NetworkRanks::description() const {
  const std::vector<int> machines = transport_.machines();
  const std::size_t count = std::set(machines.begin(), machines.end()).size();
  return fmt::format("{}, {} process{} on {} machine{}", transport_.name(), size(), size() == 1 ? "" : "es", count,
                     count == 1 ? "" : "s");
}

void NetworkRanks::set_shape(const Setup& setup) {
  settings_.grid = grid_under(setup.placement, setup.fabric.topology());
  settings_.tiers = tiers_of(setup.placement, setup.fabric.topology());
}

std::vector<Time> NetworkRanks::run(const CollectiveCall& call) {
  std::vector<ProcessFindings> ranks;
  try {
    ProcessFindings mine;
    run_measured_rank(
        transport_, [&](emu::MeasuredCommunicator& communicator) { mine = make_calls(call, communicator); }, settings_);
    for (const std::string& text : gather_text(transport_, text_of(mine))) ranks.push_back(read_findings(text));
  } catch (const std::exception& error) {
    transport_.abort(fmt::format("heddle: {} '{}' over {}: rank {}: {}", to_string(call.collective), call.name,
                                 transport_.name(), rank(), error.what()));
  }
  require_right(call, ranks, transport_.machines());
  std::vector<Time> completions;
  for (const ProcessFindings& findings : ranks) completions.push_back(findings.completion);
  return completions;
}

}  // namespace heddle::net
