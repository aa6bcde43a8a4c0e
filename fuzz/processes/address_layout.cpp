// SPDX-License-Identifier: Apache-2.0
#include "fuzz/processes/address_layout.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>

namespace heddle {

namespace {

/// Allocated for good, and hardly touched.
void take(std::size_t bytes) {
  auto* const block = static_cast<volatile char*>(std::malloc(bytes));
  if (block != nullptr) *block = 0;
}

}  // namespace

void shift_addresses(std::uint32_t amount) {
  constexpr std::size_t kLargest = std::size_t{56} * 1024;  // beyond twice this an allocator may map a block instead
  constexpr int kLargeBlocks = 128;
  // One more or less of each size, so that what follows falls between other blocks.
  for (std::size_t bytes = 16; bytes < kLargest; bytes += bytes / 2) {
    for (std::uint32_t i = 0; i <= amount % 5; ++i) take(bytes + std::size_t{16} * (amount % 3));
  }
  for (std::uint32_t i = 0; i < amount * kLargeBlocks; ++i) take(kLargest + std::size_t{16} * amount);
  const auto pages = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  mmap(nullptr, (2 * std::size_t{amount} + 1) * pages, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

}  // namespace heddle
