// SPDX-License-Identifier: Apache-2.0
// The way from a run's first communicator to another, through tasks of concurrently() and parts of splits, as bits. A network has
// it in place of the numbers that an emulation gives communicators: each rank works it out for itself.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

namespace heddle::emu {

/// Of all ranks.
inline constexpr std::uint64_t kWorldPath = 1;

/// No value: it does not fit in 64 bits.
using ContextPath = std::optional<std::uint64_t>;

inline ContextPath append_to_path(ContextPath path, std::uint64_t bits, int width) {
  if (!path || std::countl_zero(*path) < width) return std::nullopt;
  return *path << width | bits;
}

/// Of branch i of n in the `call`-th concurrently(). Four calls in a row differ.
inline ContextPath branch_path(ContextPath parent, std::uint32_t call, int n, int i) {
  const int width = std::bit_width(static_cast<unsigned>(n - 1));
  return append_to_path(append_to_path(parent, call % 4, 3), static_cast<unsigned>(i), width);
}

/// Of the communicator that split() number `split` made. Eight in a row differ.
inline ContextPath part_path(ContextPath parent, std::uint32_t split) { return append_to_path(parent, 8 | split % 8, 4); }

}  // namespace heddle::emu
