// SPDX-License-Identifier: Apache-2.0
// The grid as an algorithm uses it: only the dimensions that lead anywhere, and one dimension where there is no grid.
#pragma once

#include <bit>
#include <functional>
#include <span>
#include <vector>

#include "heddle/communicator.hpp"
#include "heddle/grid.hpp"
#include "heddle/vector_view.hpp"

namespace heddle::plans {

/// Ranks by coordinates in their long dimensions. Cheap to copy; refers to the grid.
class Lattice {
 public:
  /// `grid` may be nullptr: one dimension, a rank's coordinate is its number.
  Lattice(const Grid* grid, int ranks);

  int ranks() const { return ranks_; }
  int dimensions() const { return static_cast<int>(sizes_.size()); }
  const std::vector<int>& sizes() const { return sizes_; }
  int size(int dimension) const { return sizes_[static_cast<std::size_t>(dimension)]; }

  int coordinate(Rank rank, int dimension) const;
  /// The rank whose coordinate in `dimension` is `coordinate` and whose others are those of `rank`.
  Rank neighbor(Rank rank, int dimension, int coordinate) const;
  /// All ranks by coordinates in dimensions first_dimension, first_dimension + 1, … round, the last of these varying fastest;
  /// empty where that is 0 … p-1.
  std::vector<int> ranks_in_order(int first_dimension = 0) const;

 private:
  const Grid* grid_;
  int ranks_;
  std::vector<int> sizes_;
  std::vector<int> grid_dimension_;  ///< of each long dimension
};

// Steps of a collective on a grid: its dimensions take turns. Pure.

/// One step of a collective in several dimensions.
struct DimensionStep {
  int dimension;
  int step;  ///< within the dimension
  friend bool operator==(const DimensionStep&, const DimensionStep&) = default;
};

/// Steps 0 of all dimensions in turn, from `first_dimension` on, then steps 1, …; `steps[i]` of them in dimension i.
std::vector<DimensionStep> interleaved_steps(std::span<const int> steps, int first_dimension);

// How a multi-port algorithm drives its ports: one independent collective per port, each on its slice of the vector.

/// Runs `collective` for each port at once, as tasks of this rank, on slices as even as they go. An empty slice sends
/// nothing: it is empty on every rank.
void on_ports(Communicator& comm, int ports, VectorView inout,
              const std::function<void(int port, Communicator&, VectorView slice)>& collective);
/// As that, of collectives that are plans of exchanges, in whole or at their end.
void exchange_on_ports(Communicator& comm, int ports, VectorView inout,
                       const std::function<ExchangePlans(int port, Communicator&, VectorView slice)>& plans_of);

// The fold: how an algorithm for powers of two serves any number of members.
//
// Of n members, with 2^k the largest power of two below, the first 2(n - 2^k) pair up as neighbours: the odd one, an extra
// rank, hands its vector to the even one, its partner, and waits for the result. The 2^k members that remain take the positions
// 0 … 2^k - 1:
//
//   n = 6      member     0        1      2        3      4   5
//                         partner  extra  partner  extra
//              position   0               1               2   3
//
// Neighbours fold, so a position always stands for consecutive members and positions keep their members' order: an algorithm
// that keeps the order of positions keeps that of members. It costs one message before and one after, of the whole vector.
// Source: Swing (De Sensi et al.) §2.3.2 describes folding the upper members; folding neighbours is the variant that keeps
// order.

/// Members 0 … n-1 and their positions. Pure.
class Fold {
 public:
  constexpr explicit Fold(int members)
      : positions_(static_cast<int>(std::bit_floor(static_cast<unsigned>(members)))), extra_ranks_(members - positions_) {}

  constexpr int positions() const { return positions_; }
  constexpr int extra_ranks() const { return extra_ranks_; }
  /// log2 of positions().
  constexpr int position_bits() const { return std::countr_zero(static_cast<unsigned>(positions_)); }

  constexpr bool is_extra(int member) const { return member < 2 * extra_ranks_ && member % 2 == 1; }
  constexpr bool is_partner(int member) const { return member < 2 * extra_ranks_ && member % 2 == 0; }
  /// A partner's extra rank, or an extra rank's partner.
  constexpr int other(int member) const { return member ^ 1; }
  constexpr int position_of(int member) const { return member < 2 * extra_ranks_ ? member / 2 : member - extra_ranks_; }
  constexpr int member_at(int position) const { return position < extra_ranks_ ? 2 * position : position + extra_ranks_; }

 private:
  int positions_;
  int extra_ranks_;
};

/// What one fold asks of a rank.
struct FoldPart {
  enum class Role { bystander, partner, extra };
  Role role = Role::bystander;
  Rank other;  ///< of a partner: its extra rank; of an extra rank: its partner
};

/// Folds once per part, runs `in_position` unless this is an extra rank, unfolds in reverse. An extra rank takes no part in the
/// folds after its own.
void with_folds(Communicator& comm, std::span<const FoldPart> parts, VectorView inout, const ReduceOp& op,
                const std::function<void()>& in_position);

/// The part of rank `rank` in folding all ranks of a communicator.
FoldPart fold_part(const Fold& fold, int rank);

}  // namespace heddle::plans
