// SPDX-License-Identifier: Apache-2.0
// What the hierarchical algorithms have in common: the algorithm of each phase, chosen by name, and on which ranks.
//
// A phase is a collective of its own on the ranks of a sub-communicator of one level (executors/hierarchy.hpp), done by
// any entry of the registry: it sees a communicator of these ranks and nothing of the others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/executors/hierarchy.hpp"
#include "heddle/communicator.hpp"
#include "heddle/registry.hpp"

namespace heddle {

/// What the ranks of a level do for a collective of all: the same, but for an allreduce, which takes the vector apart on its
/// way outwards and puts it together on its way back.
std::vector<Collective> collectives_on(Collective whole, bool is_outermost);

/// The entries that the options name, looked up when first asked for: the registry must be complete by then. Copies share them. Safe
/// from any thread.
class HierarchicalPhases {
 public:
  HierarchicalPhases(Collective whole, const Options& options);

  int most_levels() const { return most_levels_; }
  /// The entry of a phase. Throws InputError with the option and the nearest name.
  const Algorithm& entry(Collective phase, int level, int levels) const;
  /// Runs that entry within `group`, as a phase of `comm` where there are several.
  void run(Communicator& comm, Communicator& group, Collective phase, int level, int levels,
           const CollectiveArguments& call) const;
  /// Whether the tasks of a phase share credits (Algorithm::tasks_share_credits). Looks all of them up. Throws InputError.
  bool tasks_share_credits() const;
  /// Whether all ranks end with the same bits (Algorithm::same_bits): each block of an allreduce is that of one outermost
  /// phase. Looks all of them up. Throws InputError.
  bool same_bits() const;

 private:
  struct Entries;
  const Entries& entries() const;

  Collective whole_;
  Options options_;
  int most_levels_;
  std::shared_ptr<Entries> entries_;
};

/// The sub-communicators of one rank, one a level. Collective, takes no emulated time.
class SubCommunicators {
 public:
  /// `membership(level)` is this rank's.
  SubCommunicators(Communicator& comm, const plans::Hierarchy& hierarchy,
                   const std::function<plans::Membership(int level)>& membership);
  /// Null where the rank is in none, and so on all levels beyond.
  Communicator* at(int level) const { return levels_[static_cast<std::size_t>(level)]; }

 private:
  std::vector<std::unique_ptr<Communicator>> made_;
  std::vector<Communicator*> levels_;
};

/// The communicator's ranks in levels, as the options have it; computed once for all ranks.
std::shared_ptr<const plans::Hierarchy> hierarchy_of(Communicator& comm, const HierarchicalPhases& phases);

/// What the entry of one of them says.
struct HierarchicalFacts {
  std::string_view summary;
  std::string_view default_phase;  ///< the algorithm of each phase
  std::string_view rounds_text;
  std::string_view bytes_text;
  std::string_view inner_example;
  std::string_view outer_example;
};
/// `complete` makes the entry: `facts`, and the function for these phases.
Algorithm hierarchical_entry(Collective collective, const HierarchicalFacts& facts,
                             Algorithm (*complete)(Algorithm facts, const HierarchicalPhases& phases));

// The phases of a composed algorithm on a shape: which entry serves on how many ranks of which level. Pure.

/// One collective on the ranks of one sub-communicator.
struct Phase {
  int level;
  const Algorithm* entry;
  Shape shape;
};

/// The phases of a call, those that differ. `phases` and `shape` outlive it.
class PhasePlan {
 public:
  PhasePlan(Collective whole, const HierarchicalPhases& phases, const Shape& shape);

  const std::vector<Phase>& phases() const { return all_; }
  bool even() const { return hierarchy_.even(); }
  int levels() const { return hierarchy_.levels(); }

  /// Σ over the levels and their collectives of the greatest that `number` says of a sub-communicator.
  template <class Number>
  auto sum(const Number& number) const {
    decltype(number(all_.front())) sum = 0;
    for (std::size_t i = 0; i < all_.size();) {
      auto most = number(all_[i]);
      const std::size_t first = i;
      for (++i; i < all_.size() && all_[i].entry == all_[first].entry && all_[i].level == all_[first].level; ++i)
        most = std::max(most, number(all_[i]));
      sum += most;
    }
    return sum;
  }
  /// By the phases' formulas.
  int rounds() const;
  std::int64_t bytes() const;
  /// Cuts every block of every phase evenly.
  std::int64_t block_count() const;
  /// Why a phase cannot serve, in half a sentence; empty: all can.
  std::string refusal(const ReduceOp& op) const;
  /// As Algorithm::is_exact.
  bool is_exact() const;

 private:
  /// Rounds in which surplus ranks' blocks change hands.
  int handing_over() const { return has_blocks(whole_) && !even() ? 1 : 0; }
  /// Into how many slices the levels beneath have cut the vector.
  int cut_beneath(int level) const { return has_root(whole_) ? 1 : hierarchy_.indices_beneath(level); }
  void add_level(int level);
  Shape shape_of(int level, const std::vector<int>& members) const;
  /// What the switches say of some of the ranks, where a phase of the level is theirs to do.
  decltype(Shape::in_network) switches_under(int level, const std::vector<int>& members) const;

  Collective whole_;
  const HierarchicalPhases& phases_;
  const Shape& shape_;
  plans::Hierarchy hierarchy_;
  std::vector<Phase> all_;
};

// What tuning tries for the options of a composed algorithm. Pure.

/// Entries for the phases of one of its levels, "inner", "middle" or "outer", with all other options of `parameters` at their
/// defaults: those that serve there, first those of which the formulas promise least time for messages between near ranks, then
/// for "inner" and "outer" the same entries with one option of their own. None where the shape has no such level, or one of
/// groups of one rank.
std::vector<std::string> phase_candidates(Collective whole, std::span<const Parameter> parameters, std::string_view level,
                                          const Shape& shape);

/// Of how many levels: fewer than there are, most first. Not 1, which is an entry of its own.
std::vector<std::string> tier_candidates(const Shape& shape);

}  // namespace heddle
