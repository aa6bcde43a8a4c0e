// SPDX-License-Identifier: Apache-2.0
#include "emu/checks/positions/reserved_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>
#include <vector>

#include "core/errors.hpp"
#include "core/units.hpp"

namespace heddle::emu {

ReservedMemory::~ReservedMemory() {
  for (const Range& range : ranges_) munmap(range.begin, range.bytes);
}

std::byte* ReservedMemory::reserve(std::size_t bytes) {
  const std::size_t some = std::max<std::size_t>(1, bytes);
  void* const memory = mmap(nullptr, some, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw ResourceError(fmt::format("no addresses for a vector of {}: {}", to_string(Bytes(static_cast<std::int64_t>(some))),
                                    std::error_code(errno, std::generic_category()).message()));
  madvise(memory, some, MADV_NOHUGEPAGE);  // a fault for each page that is touched
  ranges_.push_back({static_cast<std::byte*>(memory), some});
  return ranges_.back().begin;
}

bool ReservedMemory::contains(const std::byte* address) const {
  return std::ranges::any_of(
      ranges_, [address](const Range& range) { return address >= range.begin && address < range.begin + range.bytes; });
}

std::size_t ReservedMemory::touched() const {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t pages = 0;
  std::vector<unsigned char> resident(std::size_t{1} << 18);
  for (const Range& range : ranges_) {
    for (std::size_t at = 0; at < range.bytes; at += resident.size() * page) {
      const std::size_t bytes = std::min(range.bytes - at, resident.size() * page);
      if (mincore(range.begin + at, bytes, resident.data()) != 0) continue;
      const auto end = resident.begin() + static_cast<std::ptrdiff_t>((bytes - 1) / page + 1);
      pages += static_cast<std::size_t>(std::count_if(resident.begin(), end, [](unsigned char is) { return (is & 1) != 0; }));
    }
  }
  return pages * page;
}

}  // namespace heddle::emu
