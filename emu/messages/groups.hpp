// SPDX-License-Identifier: Apache-2.0
// What a communicator is made over.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emu/engine/task_identity.hpp"
#include "emu/messages/context_path.hpp"
#include "emu/settings/faults.hpp"
#include "emu/switches/in_network.hpp"
#include "heddle/communicator.hpp"
#include "heddle/errors.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"

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
  double byte_scale = 1;     ///< bytes on the wire per real byte
  Tiers tiers;
  std::shared_ptr<const InNetworkDomain> in_network;  ///< none where no switch computes
};

// Who goes with whom where a communicator is split.

/// One rank's call of split().
struct SplitCall {
  std::shared_ptr<const Group> group;
  int rank;
  std::uint32_t parent_context;
  std::uint32_t call;
  int color;
  int key;
};

/// The parts by color, ascending, each as indices into `calls` in the order of the new ranks: by key, then by rank. A
/// color below 0 is part of nothing.
inline std::vector<std::vector<std::size_t>> split_parts(std::span<const SplitCall> calls) {
  std::map<int, std::vector<std::size_t>> colors;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].color >= 0) colors[calls[i].color].push_back(i);
  }
  std::vector<std::vector<std::size_t>> parts;
  for (auto& [color, indices] : colors) {
    std::sort(indices.begin(), indices.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(calls[a].key, calls[a].rank) < std::pair(calls[b].key, calls[b].rank);
    });
    parts.push_back(std::move(indices));
  }
  return parts;
}

// Calls of split() that some ranks of a communicator have made and others have not.

/// `Member` is what a runtime knows a calling task by. Not for several threads at once.
template <class Member>
class SplitCalls {
 public:
  /// In the order in which they were made.
  struct Gathered {
    std::vector<SplitCall> calls;
    std::vector<Member> members;
  };

  /// The call of the whole group once its last rank has made it, no value before. It is under way no longer then.
  std::optional<Gathered> add(const SplitCall& call, Member member) {
    const auto place = under_way_.try_emplace({call.parent_context, call.call}).first;
    Gathered& gathered = place->second;
    gathered.calls.push_back(call);
    gathered.members.push_back(member);
    if (gathered.calls.size() < call.group->members.size()) return std::nullopt;
    std::optional<Gathered> whole(std::move(gathered));
    under_way_.erase(place);
    return whole;
  }

  /// By context and number of the call on it.
  const std::map<std::pair<std::uint32_t, std::uint32_t>, Gathered>& under_way() const { return under_way_; }

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, Gathered> under_way_;
};

// Contexts: numbers that keep the messages of one communicator apart from those of all others.

/// 0 is the world's. Not for several threads at once.
class Contexts {
 public:
  /// One call of concurrently(), as the first rank has made it.
  struct Branches {
    std::uint32_t first;  ///< context; each branch has one, in turn
    int tasks;
    int by_rank;  ///< world rank
  };

  /// That of a part of `parent`, of its `call`-th split.
  std::uint32_t take(std::uint32_t parent, std::uint32_t call) {
    paths_.push_back(part_path(paths_[parent], call));
    return next_++;
  }

  /// What a network would need to tell it.
  ContextPath path(std::uint32_t context) const { return paths_[context]; }

  /// A rank calls concurrently(tasks, …), for the `call`-th time on communicator `parent`. All ranks must ask for as many tasks
  /// as the first did: the caller compares.
  const Branches& branches(std::uint32_t parent, std::uint32_t call, int tasks, int rank) {
    const auto [place, is_new] = branches_.try_emplace({parent, call}, Branches{next_, tasks, rank});
    if (is_new) {
      for (int i = 0; i < tasks; ++i) paths_.push_back(branch_path(ContextPath(paths_[parent]), call, tasks, i));
      next_ += static_cast<std::uint32_t>(tasks);
    }
    return place->second;
  }

 private:
  std::uint32_t next_ = 1;
  std::vector<ContextPath> paths_ = {kWorldPath};                         ///< by context
  std::map<std::pair<std::uint32_t, std::uint32_t>, Branches> branches_;  ///< by context and call
};

// What is worked out once for all ranks of a run (Communicator::shared_plan).

/// From any thread; the others wait while one makes a plan, which asks for no other and makes no call on a communicator.
class SharedPlans {
 public:
  /// `group`: its id.
  std::shared_ptr<const void> get(std::uint32_t group, const std::string& key,
                                  const std::function<std::shared_ptr<const void>()>& make) {
    if (calling_task == &maker_of_plans)
      throw UsageError("shared_plan() by the function that makes a shared plan; ask for the other plan before, and capture it");
    const std::lock_guard lock(mutex_);
    if (group >= plans_.size()) plans_.resize(group + std::size_t{1});
    std::shared_ptr<const void>& plan = plans_[group][key];
    if (!plan) {
      const CallingTaskScope making(&maker_of_plans);
      plan = make();
    }
    return plan;
  }

 private:
  std::mutex mutex_;
  std::vector<std::unordered_map<std::string, std::shared_ptr<const void>>> plans_;  ///< by group
};

// Makes the groups of a run: which ranks, where they are on the fabric, and what algorithms know of that.

/// Not for several threads at once.
class GroupMaker {
 public:
  /// Both outlive it. `byte_scale`: bytes on the wire per real byte.
  GroupMaker(const Fabric& fabric, const Placement& placement, double byte_scale = 1);

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
