// SPDX-License-Identifier: Apache-2.0
// The phases of a composed algorithm on a shape: which row serves on how many ranks of which level. Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "algorithms/hierarchical/hierarchical_phases.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/schedule/tiers/hierarchy.hpp"

namespace heddle {

/// One collective on the ranks of one sub-communicator.
struct Phase {
  int level;
  const Algorithm* row;
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
      for (++i; i < all_.size() && all_[i].row == all_[first].row && all_[i].level == all_[first].level; ++i)
        most = std::max(most, number(all_[i]));
      sum += most;
    }
    return sum;
  }
  /// By the phases' formulas.
  int rounds() const;
  std::int64_t bytes() const;
  /// Cuts every block of every phase evenly.
  std::int64_t granule() const;
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
  schedule::Hierarchy hierarchy_;
  std::vector<Phase> all_;
};

}  // namespace heddle
