// SPDX-License-Identifier: Apache-2.0
// Rules by which all ranks, or every second one, do alike: "every r → r+1", "every r ↔ r xor 2", "every r → r+(0,1)".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

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
