// SPDX-License-Identifier: Apache-2.0
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
#pragma once

#include <bit>
#include <functional>
#include <span>

#include "core/communicator.hpp"

namespace heddle::schedule {

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
/// folds after its own. `scratch` is as long as `inout`; only a partner needs it.
void with_folds(Communicator& comm, std::span<const FoldPart> parts, VectorView inout, VectorView scratch, const ReduceOp& op,
                const std::function<void()>& in_position);

/// The part of rank `rank` in folding all ranks of a communicator.
FoldPart fold_part(const Fold& fold, int rank);

}  // namespace heddle::schedule
