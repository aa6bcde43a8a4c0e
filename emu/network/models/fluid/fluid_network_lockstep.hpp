// SPDX-License-Identifier: Apache-2.0
// What FluidNetwork keeps of messages that start in lockstep.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "emu/network/max_min/lockstep_rates.hpp"
#include "emu/network/models/fluid/fluid_network.hpp"

namespace heddle::emu {

struct FluidNetwork::Lockstep {
  /// What the messages on their paths have in common.
  struct Kind {
    double share;  ///< of the message
    double bytes;
    Time full_rate;
    Time latency;
    friend bool operator==(const Kind&, const Kind&) = default;
  };
  struct Flow {
    std::uint32_t start;  ///< its message among those that start
    std::uint32_t kind;
  };

  LockstepRates rates;
  std::vector<double> capacity;  ///< by link
  RunRoute route;
  std::vector<Kind> kinds;
  std::vector<Flow> flows;
  std::vector<FlowId> ids;    ///< by flow
  std::vector<FlowId> ended;  ///< in that order

  explicit Lockstep(std::size_t links) : rates(links) {}

  void clear() {
    rates.clear();
    kinds.clear();
    flows.clear();
    ids.clear();
    ended.clear();
  }

  std::uint32_t number_of(const Kind& kind) {
    const auto known = std::find(kinds.rbegin(), kinds.rend(), kind);
    if (known != kinds.rend()) return static_cast<std::uint32_t>(kinds.rend() - known - 1);
    kinds.push_back(kind);
    return static_cast<std::uint32_t>(kinds.size() - 1);
  }

  template <class Use>
  void for_each_link(std::uint32_t flow, const Use& use) const {
    for (const LinkRun& run : rates.runs(flow))
      for (std::int32_t i = 0; i < run.count; ++i) use(run[i]);
  }
};

}  // namespace heddle::emu
