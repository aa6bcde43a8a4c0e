// SPDX-License-Identifier: Apache-2.0
#include "emu/packets/packet_paths.hpp"

#include <algorithm>

#include "core/pair_key.hpp"

namespace heddle::emu {

void number_channels(const Topology& topology, std::span<const LinkId> path, int most, std::span<std::uint8_t> channels) {
  int channel = 0;
  LinkOrder before;
  for (std::size_t i = 0; i < path.size(); ++i) {
    // The links of a trunk have one order.
    const LinkId link = path[i] < topology.links() ? path[i] : topology.trunk(path[i]).first;
    const LinkOrder order = topology.order(link);
    if (i == 0 || order.stage > before.stage)
      channel = 0;
    else if (order.position <= before.position)
      ++channel;
    channels[i] = static_cast<std::uint8_t>(std::min(channel, most - 1));
    before = order;
  }
}

PacketPaths& KnownPaths::take(VertexId from, VertexId to) {
  std::unique_ptr<PacketPaths>& slot = known_[pair_key(from, to)];
  if (slot == nullptr) {
    slot = std::make_unique<PacketPaths>(PacketPaths{.from = from, .to = to, .route = {}, .channels = {}});
    Route& route = slot->route;
    routes_.find(from, to, route);
    slot->channels.resize(route.links().size());  // those of ways that carry nothing among them
    const double share = route.paths().front().share;
    for (const Route::Path& path : route.paths()) {
      const auto first = static_cast<std::size_t>(path.first);
      const auto count = static_cast<std::size_t>(path.count);
      number_channels(fabric_.topology(), std::span(route.links()).subspan(first, count), channels_,
                      std::span(slot->channels).subspan(first, count));
      if (path.share != share) slot->is_even = false;
    }
  }
  ++slot->uses;
  return *slot;
}

void KnownPaths::give_back(PacketPaths& paths) {
  if (--paths.uses == 0) known_.erase(pair_key(paths.from, paths.to));
}

}  // namespace heddle::emu
