// SPDX-License-Identifier: Apache-2.0
// Where the bytes of a datatype's element lie. A layout does not change once a type has it. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

namespace heddle::mpi {

// ---- sizes and places, which 64 bits have to hold ----

/// They do not. A call is told so as an error of MPI's.
class TooLarge : public std::overflow_error {
 public:
  TooLarge() : std::overflow_error("sizes and displacements in bytes must be within 64 bits: below 2^63") {}
};
inline std::int64_t plus(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw TooLarge();
  return sum;
}
inline std::int64_t minus(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  if (__builtin_sub_overflow(a, b, &difference)) throw TooLarge();
  return difference;
}
inline std::int64_t times(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) throw TooLarge();
  return product;
}

// ---- layouts ----

/// The address `bytes` behind `base`, or in front of it. `base` may be MPI_BOTTOM, which is null: C++ counts from no null pointer.
template <class Byte>
Byte* behind(Byte* base, std::int64_t bytes) {
  return reinterpret_cast<Byte*>(reinterpret_cast<std::uintptr_t>(base) + static_cast<std::uintptr_t>(bytes));
}

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
