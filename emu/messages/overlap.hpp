// SPDX-License-Identifier: Apache-2.0
// Memory that two messages lie in at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/vector_view.hpp"

namespace heddle::emu {

/// A piece of memory that belongs to an operation, known by a number.
struct UsedMemory {
  const std::byte* begin;
  const std::byte* end;
  std::uint32_t operation;
  bool is_read = false;  ///< and not written: several may share it
};

template <class View>
void add_memory(std::vector<UsedMemory>& memory, std::span<const View> pieces, std::uint32_t operation, bool is_read) {
  for (const View& piece : pieces) {
    if (!piece.empty()) memory.push_back({piece.data(), piece.data() + piece.size_bytes(), operation, is_read});
  }
}

struct Overlap {
  std::uint32_t first;  ///< the operations, which may be one and the same
  std::uint32_t second;
  std::size_t bytes;
};

/// Whether the pieces follow each other in memory, upwards or downwards, but for one place where they begin again: receives from all
/// other ranks, from a neighbour on. Most that have no bytes in common do. `begin_of` and `end_of` of a piece are addresses.
template <class Piece, class Begin, class End>
bool are_in_order(std::span<const Piece> pieces, Begin begin_of, End end_of) {
  if (pieces.empty()) return true;
  const auto lies_before = [&](const Piece& a, const Piece& b) { return end_of(a) <= begin_of(b); };
  std::size_t not_up = lies_before(pieces.back(), pieces.front()) ? 0 : 1;
  std::size_t not_down = lies_before(pieces.front(), pieces.back()) ? 0 : 1;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    if (!lies_before(pieces[i - 1], pieces[i])) ++not_up;
    if (!lies_before(pieces[i], pieces[i - 1])) ++not_down;
  }
  return std::min(not_up, not_down) <= 1;
}

inline bool are_in_order(std::span<const UsedMemory> memory) {
  return are_in_order(
      memory, [](const UsedMemory& piece) { return piece.begin; }, [](const UsedMemory& piece) { return piece.end; });
}
inline bool are_in_order(std::span<const VectorView> pieces) {
  return are_in_order(
      pieces, [](VectorView piece) { return piece.data(); },
      [](VectorView piece) { return piece.data() + piece.size_bytes(); });
}

/// What comes in a few ascending runs, as receives of several blocks each do, is merged: half of the time that sorting takes.
inline void sort_by_address(std::vector<UsedMemory>& memory) {
  constexpr int kMostRuns = 8;
  const auto by_begin = [](const UsedMemory& a, const UsedMemory& b) { return a.begin < b.begin; };
  auto sorted = std::is_sorted_until(memory.begin(), memory.end(), by_begin);
  for (int runs = 1; sorted != memory.end(); ++runs) {
    if (runs == kMostRuns) return std::sort(memory.begin(), memory.end(), by_begin);
    const auto next = std::is_sorted_until(sorted, memory.end(), by_begin);
    std::inplace_merge(memory.begin(), sorted, next, by_begin);
    sorted = next;
  }
}

/// The first two pieces, by address, that have bytes in common, at least one of them written.
inline std::optional<Overlap> find_overlap(std::vector<UsedMemory> memory) {
  if (are_in_order(memory)) return std::nullopt;
  sort_by_address(memory);
  // Of those before, the ones that reach furthest.
  const UsedMemory* any = nullptr;
  const UsedMemory* written = nullptr;
  for (const UsedMemory& after : memory) {
    const UsedMemory* const before = after.is_read ? written : any;
    if (before != nullptr && after.begin < before->end) {
      const auto bytes = static_cast<std::size_t>(std::min(before->end, after.end) - after.begin);
      return Overlap{std::min(before->operation, after.operation), std::max(before->operation, after.operation), bytes};
    }
    if (any == nullptr || after.end > any->end) any = &after;
    if (!after.is_read && (written == nullptr || after.end > written->end)) written = &after;
  }
  return std::nullopt;
}

/// How many bytes the pieces of two messages have in common, of the first two that have some.
template <class A, class B>
std::size_t common_bytes(std::span<const A> some, std::span<const B> others) {
  for (const A& a : some) {
    for (const B& b : others) {
      const std::byte* const begin = std::max<const std::byte*>(a.data(), b.data());
      const std::byte* const end = std::min<const std::byte*>(a.data() + a.size_bytes(), b.data() + b.size_bytes());
      if (begin < end) return static_cast<std::size_t>(end - begin);
    }
  }
  return 0;
}

}  // namespace heddle::emu
