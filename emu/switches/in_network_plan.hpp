// SPDX-License-Identifier: Apache-2.0
// One operation in the network: how many bytes on each link, and how long after they have drained each rank has its part.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/collective.hpp"
#include "emu/switches/in_network.hpp"

namespace heddle::emu {

/// Elements that ranks give to each other. Of an alltoall, sizes differ by rank.
struct InNetworkSizes {
  std::int64_t count = 0;  ///< of the whole vector; of an alltoall, the most that one rank has
  Rank root = {};
  std::vector<std::int64_t> own = {};                          ///< reduce_scatter, allgather: of each rank's block
  std::function<std::int64_t(int from, int to)> between = {};  ///< alltoall
};

struct InNetworkPlan {
  double bytes = 0;                          ///< of the operation, real ones
  std::vector<InNetworkDomain::Load> loads;  ///< in real bytes
  std::vector<InNetworkDomain::Flow> ranks;  ///< what each sends up and gets down, in real bytes
  std::vector<Time> latency;                 ///< by rank: from drained to done; 0 where it gets nothing
};

/// `element_bytes` on the wire. The collective is one that the domain serves.
InNetworkPlan plan_in_network(const InNetworkDomain& domain, Collective collective, const InNetworkSizes& sizes,
                              std::size_t element_bytes);

}  // namespace heddle::emu
