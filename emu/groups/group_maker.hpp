// SPDX-License-Identifier: Apache-2.0
// Makes the groups of a run: which ranks, where they are on the fabric, and what algorithms know of that.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "emu/faults/faults.hpp"
#include "emu/groups/group.hpp"
#include "emu/switches/in_network.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"

namespace heddle::emu {

/// Not for several threads at once.
class GroupMaker {
 public:
  /// Both outlive it. `payload_scale`: bytes on the wire per real byte.
  GroupMaker(const Fabric& fabric, const Placement& placement, double payload_scale = 1);

  /// Where switches compute, groups made from now on can ask for it; `faults` are the switches that do not.
  void let_switches_compute(const std::vector<SwitchFault>& faults);

  /// Of world ranks, in the order of the new ones. Each has an id of its own, from 0 on.
  std::shared_ptr<const Group> make(std::vector<int> members);
  /// Of all ranks.
  std::shared_ptr<const Group> make_world();

 private:
  const Fabric& fabric_;
  const Placement& placement_;
  double payload_scale_;
  std::shared_ptr<LazySwitchGraph> switch_graph_;  ///< none where no switch computes
  std::vector<SwitchFault> switch_faults_;
  std::uint32_t groups_ = 0;
};

}  // namespace heddle::emu
