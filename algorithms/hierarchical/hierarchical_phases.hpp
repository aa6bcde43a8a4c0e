// SPDX-License-Identifier: Apache-2.0
// What the hierarchical algorithms have in common: the algorithm of each phase, chosen by name, and on which ranks.
//
// A phase is a collective of its own on the ranks of a sub-communicator of one level (schedule/tiers/hierarchy.hpp), done by
// any row of the registry: it sees a communicator of these ranks and nothing of the others.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/schedule/tiers/hierarchy.hpp"
#include "core/communicator.hpp"

namespace heddle {

/// What the ranks of a level do for a collective of all: the same, but for an allreduce, which takes the vector apart on its
/// way outwards and puts it together on its way back.
std::vector<Collective> collectives_on(Collective whole, bool is_outermost);

/// The rows that the options name, looked up when first asked for: the registry must be complete by then. Safe from any thread.
class HierarchicalPhases {
 public:
  HierarchicalPhases(Collective whole, const Options& options);
  ~HierarchicalPhases();

  int most_levels() const { return most_levels_; }
  /// The row of a phase. Throws InputError with the option and the nearest name.
  const Algorithm& row(Collective phase, int level, int levels) const;
  /// Runs that row within `group`, as a phase of `comm` where there are several.
  void run(Communicator& comm, Communicator& group, Collective phase, int level, int levels,
           const CollectiveArguments& call) const;
  /// Whether the tasks of a phase share credits (Algorithm::tasks_share_credits). Looks all of them up. Throws InputError.
  bool tasks_share_credits() const;
  /// Whether all ranks end with the same bits (Algorithm::same_bits): each block of an allreduce is that of one outermost phase.
  /// Looks all of them up. Throws InputError.
  bool same_bits() const;

 private:
  struct Rows;
  const Rows& rows() const;

  Collective whole_;
  Options options_;
  int most_levels_;
  std::unique_ptr<Rows> rows_;
};

/// The sub-communicators of one rank, one a level. Collective, takes no emulated time.
class SubCommunicators {
 public:
  /// `membership(level)` is this rank's.
  SubCommunicators(Communicator& comm, const schedule::Hierarchy& hierarchy,
                   const std::function<schedule::Membership(int level)>& membership);
  /// Null where the rank is in none, and so on all levels beyond.
  Communicator* at(int level) const { return levels_[static_cast<std::size_t>(level)]; }

 private:
  std::vector<std::unique_ptr<Communicator>> made_;
  std::vector<Communicator*> levels_;
};

/// The communicator's ranks in levels, as the options have it; computed once for all ranks.
std::shared_ptr<const schedule::Hierarchy> hierarchy_of(Communicator& comm, const HierarchicalPhases& phases);

/// What a row of the registry says of one of them.
struct HierarchicalRow {
  Collective collective;
  std::string_view summary;
  std::string_view source;
  std::string_view default_phase;  ///< the algorithm of each phase
  std::string_view rounds_text;
  std::string_view bytes_text;
  std::string_view inner_example;
  std::string_view outer_example;
  std::function<CollectiveFunction(std::shared_ptr<const HierarchicalPhases>)> run;
};
Algorithm hierarchical_row(const HierarchicalRow& row);

}  // namespace heddle
