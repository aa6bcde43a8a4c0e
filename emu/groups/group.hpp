// SPDX-License-Identifier: Apache-2.0
// What a communicator is made over.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/communicator.hpp"

namespace heddle {
class InNetworkDomain;
}

namespace heddle::emu {

/// The ranks of a communicator. Shared by the communicators over it; immutable.
struct Group {
  std::uint32_t id = 0;
  std::vector<int> members;  ///< world rank of each rank
  std::optional<Grid> grid;  ///< the part of the fabric's that they fill
  MessageCost message_cost;  ///< from its first rank to its second, per real byte
  double payload_scale = 1;  ///< bytes on the wire per real byte
  Tiers tiers;
  std::shared_ptr<const InNetworkDomain> in_network;  ///< none where no switch computes
};

}  // namespace heddle::emu
