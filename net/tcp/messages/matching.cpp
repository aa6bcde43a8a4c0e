// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/messages/matching.hpp"

#include <algorithm>

namespace heddle::net::tcp {

std::shared_ptr<Arrival> Matching::post(const Receive& receive) {
  const auto queues = queues_.try_emplace(receive.route).first;
  auto& arrivals = queues->second.arrivals;
  const auto found = std::ranges::find_if(
      arrivals, [&](const auto& arrival) { return receive.peer == kAnyPeer || receive.peer == arrival->peer; });
  if (found == arrivals.end()) {
    queues->second.receives.push_back(receive);
    return nullptr;
  }
  std::shared_ptr<Arrival> arrival = *found;
  arrivals.erase(found);
  if (arrivals.empty() && queues->second.receives.empty()) queues_.erase(queues);
  arrival->receive = receive;
  return arrival;
}

bool Matching::arrive(const std::shared_ptr<Arrival>& arrival) {
  const auto queues = queues_.try_emplace(arrival->route).first;
  auto& receives = queues->second.receives;
  const auto found = std::ranges::find_if(
      receives, [&](const Receive& receive) { return receive.peer == kAnyPeer || receive.peer == arrival->peer; });
  if (found == receives.end()) {
    queues->second.arrivals.push_back(arrival);
    return false;
  }
  arrival->receive = std::move(*found);
  receives.erase(found);
  if (receives.empty() && queues->second.arrivals.empty()) queues_.erase(queues);
  return true;
}

const Receive* Matching::waiting_for(int peer) const {
  for (const auto& [route, queues] : queues_)
    for (const Receive& receive : queues.receives)
      if (receive.peer == peer) return &receive;
  return nullptr;
}

}  // namespace heddle::net::tcp
