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
    if (unused_.empty()) unused_.push_back(std::make_unique<PacketPaths>());
    slot = std::move(unused_.back());
    unused_.pop_back();
    slot->from = from;
    slot->to = to;
    slot->is_even = true;
    Route& route = slot->route;
    routes_.find(from, to, route);
    slot->channels.assign(route.links().size(), 0);  // those of ways that carry nothing among them
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
  if (--paths.uses > 0) return;
  const auto known = known_.find(pair_key(paths.from, paths.to));
  unused_.push_back(std::move(known->second));
  known_.erase(known);
}

}  // namespace heddle::emu
