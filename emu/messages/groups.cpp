// SPDX-License-Identifier: Apache-2.0
#include "emu/messages/groups.hpp"

#include <numeric>

namespace heddle::emu {

GroupMaker::GroupMaker(const Fabric& fabric, const Placement& placement, double byte_scale)
    : fabric_(fabric), placement_(placement), payload_scale_(byte_scale) {}

void GroupMaker::let_switches_compute(const std::vector<SwitchFault>& faults) {
  if (!has_computing_switches(fabric_.topology())) return;
  switch_graph_ = std::make_shared<LazySwitchGraph>(fabric_.topology());
  switch_faults_ = faults;
}

std::shared_ptr<const Group> GroupMaker::make(std::vector<int> members) {
  auto group = std::make_shared<Group>();
  group->id = groups_++;
  group->members = std::move(members);
  Placement endpoints;
  endpoints.reserve(group->members.size());
  for (const int rank : group->members) endpoints.push_back(placement_[static_cast<std::size_t>(rank)]);
  group->grid = grid_under(endpoints, fabric_.topology());
  group->tiers = tiers_of(endpoints, fabric_.topology());
  group->byte_scale = payload_scale_;
  if (switch_graph_) group->in_network = std::make_shared<InNetworkDomain>(fabric_, endpoints, switch_graph_, switch_faults_);
  if (endpoints.size() < 2) return group;
  group->message_cost = message_cost(fabric_, endpoints[0], endpoints[1]);
  group->message_cost.seconds_per_byte *= payload_scale_;
  return group;
}

std::shared_ptr<const Group> GroupMaker::make_world() {
  std::vector<int> members(placement_.size());
  std::iota(members.begin(), members.end(), 0);
  return make(std::move(members));
}

}  // namespace heddle::emu
