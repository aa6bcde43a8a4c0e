// SPDX-License-Identifier: Apache-2.0
// A collective called by several groups of ranks at once.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emu/check/checked_calls.hpp"
#include "emu/check/checked_run.hpp"
#include "emu/messages/measured_communicator.hpp"
#include "emu/settings/emulation_settings.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"

namespace heddle::emu {

/// 0 … count-1.
std::vector<int> all_ranks(std::size_t count);

/// Ranks that call one collective together.
class GroupCalls {
 public:
  /// `call` is this group's own. `ranks` are those of the run, `placement` is the run's.
  /// `interrupted` is asked while the data is made (RunStopped).
  GroupCalls(CollectiveCall call, std::vector<int> ranks, const Placement& placement, const StopQuestion& interrupted);
  GroupCalls(const GroupCalls&) = delete;
  GroupCalls& operator=(const GroupCalls&) = delete;

  int size() const { return static_cast<int>(ranks_.size()); }
  const std::vector<int>& ranks() const { return ranks_; }
  const CollectiveCall& call() const { return call_; }
  /// Of its own ranks.
  const Placement& placement() const { return placement_; }

  // On each rank's task, with the group's communicator.
  void make_first_call(MeasuredCommunicator& communicator);
  void make_other_calls(MeasuredCommunicator& communicator);

  /// When the last rank returned from the first call.
  Time completion() const;
  /// By rank of the group.
  const std::vector<Time>& completions() const { return completions_; }
  WrongCalls explain_failures() const { return calls_->explain_failures(); }
  std::string where() const { return calls_->where(); }
  std::optional<std::string> different_bits() const { return calls_->different_bits(); }
  std::vector<ResultBits> result_bits() const { return calls_->result_bits(); }

 private:
  CollectiveCall call_;
  std::vector<int> ranks_;
  Placement placement_;
  std::vector<Time> completions_;  ///< by rank of the group
  std::unique_ptr<CheckedCalls> calls_;
};

/// Groups that share no rank call at once; those that do, as tasks of the ranks that they share.
class GroupsRun {
 public:
  /// `calls`: by group, each its own.
  GroupsRun(const std::vector<CollectiveCall>& calls, const std::vector<std::vector<int>>& groups, const Placement& placement,
            const StopQuestion& interrupted = {});

  /// On every rank of the run.
  void run_rank(MeasuredCommunicator& world);

  /// One group of all ranks, in their order.
  bool is_world() const { return is_world_; }
  const std::vector<std::unique_ptr<GroupCalls>>& groups() const { return groups_; }

  // Once it is over; as Report has them.
  std::optional<std::string> different_bits() const;
  std::vector<ResultBits> result_bits() const;

 private:
  /// Where a rank belongs in a layer: groups of which no two have a rank in common.
  struct Position {
    int group = -1;  ///< none
    int rank = 0;    ///< there
  };
  const Position& position_of(const Communicator& world, int layer) const;
  GroupCalls& group_of(const Communicator& world, int layer);
  std::unique_ptr<MeasuredCommunicator> enter(MeasuredCommunicator& world, int layer) const;
  int layers() const { return static_cast<int>(positions_.size()); }

  bool is_world_;
  std::vector<std::unique_ptr<GroupCalls>> groups_;
  std::vector<std::vector<Position>> positions_;  ///< by layer and rank
};

// What a wrong result depends on besides what was asked for: found out by running the call again, as it was and in other orders.

/// What is wrong with a call that is made once more, by all ranks of a run of their own; empty: nothing.
std::string wrong_when_repeated(const Fabric& fabric, const Placement& placement, const CollectiveCall& call,
                                EmulationSettings settings);

struct Dependence {
  bool comes_again = true;  ///< the same call, made again, is wrong in the same way
  std::string text = {};    ///< a line, indented, without a newline; empty: nothing was found
};

/// `wrong` is what explain_failures() says of the group, whose ranks are all of the run. It is made again a few times.
Dependence find_dependence(const Fabric& fabric, const GroupCalls& group, const EmulationSettings& settings,
                           const std::string& wrong);

}  // namespace heddle::emu
