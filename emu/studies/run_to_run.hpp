// SPDX-License-Identifier: Apache-2.0
// Whether a result of floats that round depends on the order of events, which is not the program's: another run, another result.
// docs/model.md, "The same bits".
#pragma once

#include <optional>
#include <vector>

#include "emu/check/checked_run.hpp"

namespace heddle {

/// Checked runs of groups' calls (run_checked_groups), held against the usual order. Not for several threads at once.
class RunToRun {
 public:
  /// All of these outlive it; `calls` by group.
  RunToRun(const Fabric& fabric, const Placement& placement, const std::vector<std::vector<int>>& groups,
           const std::vector<CollectiveCall>& calls)
      : fabric_(fabric), placement_(placement), groups_(groups), calls_(calls) {}

  /// `run` was made under these settings. If they have an order of their own, and the result rounds, it must be that of the usual order
  /// to the bit; the first such run makes one in the usual order as well, unless there was one. Without this where a call
  /// does not promise it (same_bits_in_any_order), with faults, which may strike otherwise in another order, and under the wall
  /// clock. Throws CheckError (run_to_run) that says which element differs, with both values; and what run_checked_groups throws.
  void hold(const EmulationSettings& settings, const Report& run);

 private:
  void require_usual_bits(const EmulationSettings& settings, const std::vector<ResultBits>& bits);
  /// Those of the calls that promise them in any order.
  std::vector<ResultBits> promised(std::vector<ResultBits> bits) const;
  GroupsReport run_in_usual_order(EmulationSettings settings) const;

  const Fabric& fabric_;
  const Placement& placement_;
  const std::vector<std::vector<int>>& groups_;
  const std::vector<CollectiveCall>& calls_;
  std::optional<std::vector<ResultBits>> usual_;
};

}  // namespace heddle
