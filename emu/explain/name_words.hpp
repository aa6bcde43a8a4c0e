// SPDX-License-Identifier: Apache-2.0
// Names in memory, many at a time: a repeat for an explanation spends its time on names that follow each other.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::emu {

// In memory the bits of a name are mixed, one to one, so that poison, zeros, and names that were added up or otherwise reckoned with as
// numbers are no names (the constants are those of C. Wellons' lowbias32 and of its inverse).
constexpr std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352d;
  x = (x ^ x >> 15) * 0x846ca68b;
  return x ^ x >> 16;
}
constexpr std::uint32_t unmixed(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x43021123;
  x = (x ^ x >> 15 ^ x >> 30) * 0x1d69e2a5;
  return x ^ x >> 16;
}

/// Element i has the name first + i, or each has the first; `mask` is the encoding's.
struct Names {
  std::uint32_t first;
  bool follow = true;
  std::uint32_t mask = 0;

  constexpr std::uint32_t code(std::uint32_t i) const { return mixed(first + (follow ? i : 0) + 1) ^ mask; }
};

/// Elements of `size` bytes, a name in each of their words, the last of which may be cut.
void write_names(std::byte* elements, std::size_t count, std::size_t size, Names names);

/// How many elements, from the first on, have those names.
std::size_t count_names(const std::byte* elements, std::size_t count, std::size_t size, Names names);

}  // namespace heddle::emu
