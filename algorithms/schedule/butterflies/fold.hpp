// SPDX-License-Identifier: Apache-2.0
// The fold: how an algorithm for powers of two serves any number of members.
//
// Of n members, with 2^k the largest power of two below, the first 2(n - 2^k) pair up as neighbours: the odd one, a guest,
// hands its vector to the even one, its host, and waits for the result. The 2^k members that remain sit on seats 0 … 2^k - 1:
//
//   n = 6        member   0   1   2   3   4   5
//                         host guest host guest
//                seat     0       1       2   3
//
// Neighbours fold, so a seat always stands for consecutive members and seats keep their members' order: an algorithm that
// keeps order on seats keeps it on members. It costs one message before and one after, of the whole vector.
// Source: Swing (De Sensi et al.) §2.3.2 describes folding the upper members; folding neighbours is the variant that keeps
// order.
#pragma once

#include <bit>
#include <functional>
#include <span>

#include "core/communicator.hpp"

namespace heddle::schedule {

/// Members 0 … n-1 and their seats. Pure.
class Fold {
 public:
  constexpr explicit Fold(int members)
      : seats_(static_cast<int>(std::bit_floor(static_cast<unsigned>(members)))), guests_(members - seats_) {}

  constexpr int seats() const { return seats_; }
  constexpr int guests() const { return guests_; }
  /// log2 of seats().
  constexpr int seat_bits() const { return std::countr_zero(static_cast<unsigned>(seats_)); }

  constexpr bool is_guest(int member) const { return member < 2 * guests_ && member % 2 == 1; }
  constexpr bool is_host(int member) const { return member < 2 * guests_ && member % 2 == 0; }
  /// A host's guest or a guest's host.
  constexpr int partner(int member) const { return member ^ 1; }
  constexpr int seat_of(int member) const { return member < 2 * guests_ ? member / 2 : member - guests_; }
  constexpr int member_at(int seat) const { return seat < guests_ ? 2 * seat : seat + guests_; }

 private:
  int seats_;
  int guests_;
};

/// What one fold asks of a rank.
struct FoldPart {
  enum class Role { bystander, host, guest };
  Role role = Role::bystander;
  Rank partner;  ///< of a host or guest
};

/// Folds once per part, runs `seated` unless a guest, unfolds in reverse. A guest takes no part in the folds after its own.
/// `scratch` is as long as `inout`; only a host needs it.
void with_folds(Communicator& comm, std::span<const FoldPart> parts, VectorView inout, VectorView scratch, const ReduceOp& op,
                const std::function<void()>& seated);

/// The part of rank `rank` in folding all ranks of a communicator.
FoldPart fold_part(const Fold& fold, int rank);

}  // namespace heddle::schedule
