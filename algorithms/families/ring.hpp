// SPDX-License-Identifier: Apache-2.0
// The ring of ranks, and rings over channels. How a ring works: ring.cpp. In which order a channel passes the ranks:
// channels.hpp.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"
#include "heddle/registry.hpp"

namespace heddle::plans {

/// All ranks in the order in which a ring passes them.
struct ChannelRing {
  std::vector<int> order;     ///< by position
  std::vector<int> position;  ///< by rank

  /// The rank at a position, round the end.
  Rank at(int position_of) const {
    const auto ranks = static_cast<int>(order.size());
    return Rank(order[static_cast<std::size_t>((position_of % ranks + ranks) % ranks)]);
  }
};

/// Calls ring(channel, task, order, position) for each channel at once, as tasks of this rank; it stands at `position` of the
/// order.
void on_channel_rings(Communicator& comm, int channels,
                      const std::function<void(int channel, Communicator&, const ChannelRing&, int position)>& ring);

/// The slice of a channel of a vector or of a block.
inline VectorView channel_slice(VectorView whole, int channel, int channels) {
  return channels == 1 ? whole : BlockPartition(whole.count(), channels).block(whole, channel);
}

}  // namespace heddle::plans

namespace heddle {

/// The option of entries that run over channels.
Parameter channels_parameter();
/// Throws InputError.
int channels_of(const Options& options);

}  // namespace heddle
