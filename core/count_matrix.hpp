// SPDX-License-Identifier: Apache-2.0
// How many elements each rank of an alltoall sends to each other one: MPI_Alltoallv's counts, of all ranks together.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "heddle/collective.hpp"

namespace heddle {

/// A square matrix of counts: row i is what rank i sends, column j what rank j receives. Immutable and cheap to copy; safe from
/// any thread. Where an element begins is answered in O(1). A matrix whose rows are alike stores one row.
class CountMatrix {
 public:
  /// None: all send as much to all.
  CountMatrix() = default;
  /// Any: ranks · ranks counts ≥ 0, row by row. These throw UsageError for a count below 0, another number of counts, or more
  /// than 2^62 elements in all.
  static CountMatrix of(int ranks, std::vector<std::int64_t> counts);
  /// Each rank sends to[j] elements to rank j.
  static CountMatrix by_destination(std::span<const std::int64_t> to);
  /// Rank i sends sizes[(i + j) mod p] elements to rank j, and receives as many from it.
  static CountMatrix by_sum(std::span<const std::int64_t> sizes);

  bool empty() const { return rows_ == nullptr; }
  int ranks() const { return ranks_; }
  std::int64_t at(int from, int to) const { return sent_before(from, to + 1) - sent_before(from, to); }
  /// What a rank sends to ranks 0 … to - 1, which is where the block for rank `to` begins in its input.
  std::int64_t sent_before(int from, int to) const;
  /// What a rank receives from ranks 0 … from - 1, which is where the block of rank `from` begins in its output.
  std::int64_t received_before(int to, int from) const;
  /// All that it sends, itself included; all that it receives.
  std::int64_t sent(int rank) const { return sent_before(rank, ranks_); }
  std::int64_t received(int rank) const { return received_before(rank, ranks_); }

  /// What the rank that sends most sends.
  std::int64_t most_sent() const { return most_sent_; }
  /// The greatest number that divides all counts; 0 if there are no elements.
  std::int64_t unit() const { return unit_; }
  /// Whether every two ranks send each other as much, so that a rank's output can take the place of its input.
  bool is_symmetric() const;

  /// Each count times part / whole, which must come out even.
  CountMatrix scaled(std::int64_t part, std::int64_t whole) const;
  /// Other counts of the same kind, as symmetric as these: those of the ranks one further, each that is not 0 one more. Where
  /// all are 0, all are 1.
  CountMatrix another() const;

  /// What a text says of it: "skewed by destination".
  std::string_view description() const;

 private:
  /// How entries are stored: all of them, or one row that is every rank's, or that turns from rank to rank.
  enum class Rows : std::uint8_t { all, alike, turning };

  CountMatrix(Rows kind, int ranks, std::span<const std::int64_t> counts);
  std::span<const std::int64_t> stored() const { return *counts_; }
  CountMatrix with(std::span<const std::int64_t> counts) const { return {kind_, ranks_, counts}; }

  Rows kind_ = Rows::all;
  int ranks_ = 0;
  std::int64_t most_sent_ = 0;
  std::int64_t unit_ = 0;
  std::shared_ptr<const std::vector<std::int64_t>> counts_;   ///< as given
  std::shared_ptr<const std::vector<std::int64_t>> rows_;     ///< sums along rows: of all, of the one, of the one twice over
  std::shared_ptr<const std::vector<std::int64_t>> columns_;  ///< all: sums along columns
};

}  // namespace heddle
