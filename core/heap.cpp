// SPDX-License-Identifier: Apache-2.0
#include "core/heap.hpp"

#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

namespace heddle {

namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20;

bool has_limited_addresses() {
  rlimit limit{};
  return std::ranges::any_of(std::array{RLIMIT_AS, RLIMIT_DATA},
                             [&](auto which) { return getrlimit(which, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY; });
}

}  // namespace

const void* extend_heap(std::size_t bytes, const void* from) {
  if (has_limited_addresses()) return nullptr;
  void* const room = std::malloc(bytes);
  if (room == nullptr) return nullptr;
  const auto large_page = [](const void* at) { return reinterpret_cast<std::uintptr_t>(at) / kLargePage * kLargePage; };
  const std::uintptr_t first = large_page(from != nullptr ? from : room);
  const std::uintptr_t end = large_page(static_cast<std::byte*>(room) + malloc_usable_size(room));
  if (end > first) madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
  std::free(room);
  return reinterpret_cast<const void*>(end);
}

}  // namespace heddle
