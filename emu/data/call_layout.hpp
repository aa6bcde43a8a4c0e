// SPDX-License-Identifier: Apache-2.0
// Who has which part of the whole vector before a collective and after it: the table of heddle/collective.hpp as a function.
#pragma once

#include <cstdint>
#include <span>

#include "core/count_matrix.hpp"
#include "heddle/collective.hpp"
#include "heddle/vector_view.hpp"

namespace heddle::emu {

/// Elements first … first + count - 1 of the whole vector.
struct Extent {
  std::int64_t first = 0;
  std::int64_t count = 0;
  friend constexpr bool operator==(Extent, Extent) = default;
};

/// One call of a collective. Immutable; safe from any thread; what it computes per rank is O(1) but an alltoall's partitions of
/// given counts.
class CallLayout {
 public:
  /// `sizes`: of the p blocks; empty: cut as evenly as it goes. Of an alltoall they stand for CountMatrix::by_sum(sizes), so
  /// that each rank sends and receives `count` elements; without sizes, p divides `count`.
  CallLayout(Collective collective, int ranks, std::int64_t count, std::span<const std::int64_t> sizes, Rank root);

  /// An alltoall of these counts; its count is what the rank that sends most sends.
  static CallLayout alltoall(CountMatrix sends);

  Collective collective() const { return collective_; }
  int ranks() const { return ranks_; }
  std::int64_t count() const { return count_; }
  /// Rank 0 where the collective has none.
  Rank root() const { return root_; }

  /// Of an alltoall; empty: all send as much to all.
  const CountMatrix& sends() const { return sends_; }

  Extent input(Rank rank) const;
  Extent output(Rank rank) const;

  /// As this rank passes them: of the whole vector; alltoall: by destination, of what it sends.
  BlockPartition blocks(Rank rank) const;
  /// alltoall: by source, of what it receives.
  BlockPartition received(Rank rank) const;
  /// Where block b of them begins, b = 0 … p, and its size, without making them.
  std::int64_t offset(Rank rank, int b) const {
    return sends_.empty() ? blocks_.offset(b) : sends_.sent_before(rank.value(), b);
  }
  std::int64_t size(Rank rank, int b) const { return offset(rank, b + 1) - offset(rank, b); }
  /// Of the blocks that it ends up with: of an alltoall those of received(), else the same.
  std::int64_t received_offset(Rank rank, int b) const {
    return sends_.empty() ? blocks_.offset(b) : sends_.received_before(rank.value(), b);
  }
  std::int64_t received_size(Rank rank, int b) const { return received_offset(rank, b + 1) - received_offset(rank, b); }
  /// The one of them that element i is in.
  int block_at(Rank rank, std::int64_t i) const;

 private:
  Extent whole() const { return {0, count_}; }
  Extent own_block(Rank rank) const { return {blocks_.offset(rank.value()), blocks_.size(rank.value())}; }

  Collective collective_;
  int ranks_;
  std::int64_t count_;
  Rank root_;
  BlockPartition blocks_;
  CountMatrix sends_;  ///< of an alltoall, unless all send as much to all
};

}  // namespace heddle::emu
