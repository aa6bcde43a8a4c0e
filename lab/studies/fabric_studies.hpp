// SPDX-License-Identifier: Apache-2.0
// Halves of fabrics, links that lie side by side, and symmetries of ranks. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emu/record/report.hpp"
#include "lab/run/setup.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle {

/// The bandwidth from the first ⌊N/2⌋ endpoints to the others, each switch on the side where it costs less: a maximum flow
/// over all links with their derated bandwidth. The narrowest even cut may be narrower. None: 0.
Bandwidth bandwidth_between_halves(const Fabric& fabric);

// How evenly a run used links that lie side by side: the NICs of a pod, the uplinks of a leaf.

/// What the links of one tier carried that leave one part of the fabric, which lower tiers join. A link out of an endpoint without a
/// rank counts only if it carried something.
struct LinkSpread {
  int tier = 0;                ///< of the links
  std::size_t endpoints = 0;   ///< of the part
  std::size_t links = 0;       ///< that could have carried something
  std::size_t used = 0;        ///< that did
  bool from_endpoints = true;  ///< all of them leave endpoints, so each is a NIC or the like
  std::int64_t bytes = 0;      ///< together
  LinkReport most = {};        ///< the link that carried most; of equals the one that was busy for longer

  /// What the busiest carried, in even parts.
  double times_even() const {
    return static_cast<double>(most.bytes.count()) * static_cast<double>(links) / static_cast<double>(bytes);
  }
  /// Whether those that carried anything carried about as much.
  bool used_alike() const {
    constexpr double kAlike = 1.1;
    return static_cast<double>(most.bytes.count()) * static_cast<double>(used) <= kAlike * static_cast<double>(bytes);
  }
};

/// Of all parts of which one link carried half as much again as an even part, or more, the one whose busiest link was busy for
/// longest. No value: there is none.
std::optional<LinkSpread> most_uneven_links(const Setup& setup, const Report& report);

// Rules by which all ranks, or every second one, do alike: "every r → r+1", "every r ↔ r xor 2", "every r → r+(0,1)".

/// A group of moves, one of which takes any rank to any other, and the classes of ranks that do alike under them. Ranks and
/// moves have the same numbers: move g takes rank 0 to rank g.
class RankSymmetry {
 public:
  enum class Moves : std::uint8_t {
    shift,         ///< r + g mod p
    exclusive_or,  ///< r xor g, p a power of two
    grid,          ///< coordinate by coordinate, around
  };
  /// Every rank, or ranks by whether one number of theirs is even.
  static constexpr int kEvery = -1;
  static constexpr int kRank = -2;  ///< their own; else that of a coordinate

  RankSymmetry(Moves moves, std::vector<int> dims, int classes_by = kEvery);

  /// Those that `ranks` ranks may have, the plainest first, and those with one class before those with two. `dims`: of the fabric's grid, or empty.
  static std::vector<RankSymmetry> all_of(int ranks, const std::vector<int>& dims);

  int ranks() const { return ranks_; }
  int moved(int rank, int by) const;
  /// The move that takes `by` to `rank`: the rank as if `by` were 0.
  int seen_from(int rank, int by) const;

  int classes() const { return classes_by_ == kEvery ? 1 : 2; }
  int class_of(int rank) const;
  /// "every r", "even r", "r of odd column"
  std::string class_name(int number) const;
  /// "→", or "↔" where each of two is told of the other.
  std::string arrow() const { return moves_ == Moves::exclusive_or ? "↔" : "→"; }

  /// Where a move takes r: "r", "r+1", "r xor 2", "r+(0,-1)".
  std::string name(int move) const;
  /// Of different ones, in order.
  std::string names(const std::vector<int>& moves) const;

 private:
  int coordinate(int rank, std::size_t dimension) const;
  int combined(int a, int b, int sign) const;
  /// The circle of numbers as a line that begins after its largest gap.
  std::vector<int> cut_open(const std::vector<int>& circle) const;

  Moves moves_;
  std::vector<int> dims_;
  int classes_by_;
  int ranks_ = 1;
};

}  // namespace heddle
