// SPDX-License-Identifier: Apache-2.0
// Where the bytes of a datatype's element lie. A layout does not change once a type has it. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace heddle::mpi {

/// Bytes of an element that lie side by side, from the address that a call is given.
struct Piece {
  std::int64_t at;
  std::int64_t bytes;
  friend bool operator==(const Piece&, const Piece&) = default;
};

/// Of so few runs what is repeated once is copied: it is as short as a reference, and sooner gone through.
inline constexpr std::size_t kFewRuns = 8;

struct Layout;
using LayoutPtr = std::shared_ptr<const Layout>;

/// Pieces that are alike, at equal distances: one of `bytes` bytes or, if `of` is there, all of `of`, `count` times.
struct PieceRun {
  std::int64_t at;  ///< the first
  std::int64_t bytes;
  std::int64_t count = 1;
  std::int64_t stride = 0;  ///< 0 where there is one
  LayoutPtr of = nullptr;

  // Where its bytes begin, and end (exclusive).
  std::int64_t low() const;
  std::int64_t high() const;
};

/// Where the bytes of an element lie, in the order of the type map. It grows with the blocks that a program names one by one, not
/// with those that are repeated.
struct Layout {
  std::vector<PieceRun> runs = {};
  std::int64_t pieces = 0;
  std::int64_t first = 0;
  std::int64_t last = 0;  ///< exclusive

  void add(const PieceRun& run);
};

/// Calls visit(at, bytes) for the pieces in order, until it returns false. Some that touch are two. Returns whether all were visited.
template <class Visit>
bool for_each_piece(const Layout& layout, std::int64_t from, const Visit& visit) {
  for (const PieceRun& run : layout.runs) {
    for (std::int64_t i = 0, at = from + run.at; i < run.count; ++i, at += run.stride) {
      if (!(run.of ? for_each_piece(*run.of, at, visit) : visit(at, run.bytes))) return false;
    }
  }
  return true;
}

/// All of a run, `count` times.
PieceRun repeated(PieceRun run, std::int64_t count, std::int64_t stride);
/// All of a layout, `count` times, the first with its origin at `at`.
PieceRun repeated(const LayoutPtr& layout, std::int64_t at, std::int64_t count, std::int64_t stride);

}  // namespace heddle::mpi
