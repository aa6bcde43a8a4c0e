// SPDX-License-Identifier: Apache-2.0
// The ring of ranks, and rings over channels. How a ring works: ring.cpp. In which order a channel passes the ranks:
// channels.hpp.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"
#include "heddle/registry.hpp"

namespace heddle::plans {

struct ChannelGraph;

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

/// How many rings run at once, and in which order they pass the ranks.
struct RingChannels {
  int channels = 1;
  /// Null: by nodes, as channels.hpp has it.
  std::shared_ptr<const ChannelGraph> graph = nullptr;

  /// One, in the order of the ranks.
  bool is_plain() const { return channels == 1 && graph == nullptr; }
};

/// Calls ring(channel, task, order, position) for each channel at once, as tasks of this rank; it stands at `position` of the
/// order.
void on_channel_rings(Communicator& comm, const RingChannels& channels,
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

/// Those of a ring: channels, and the order in which they pass the ranks.
std::vector<Parameter> ring_parameters();
/// Throws InputError.
plans::RingChannels ring_channels_of(const Options& options);
/// Why a number of ranks cannot be passed in such an order, in half a sentence; empty: it can.
std::function<std::string(const Shape&, const ReduceOp&)> refusal_of(const plans::RingChannels& channels);

}  // namespace heddle
