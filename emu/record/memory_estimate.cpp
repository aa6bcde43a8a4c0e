// SPDX-License-Identifier: Apache-2.0
#include "emu/record/memory_estimate.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "core/heap.hpp"

namespace heddle {

namespace {

// Two touched pages of stack and the task's own state; a link's counters and its list of flows. Measured at 65,536 ranks.
constexpr double kBytesPerRank = 12 * 1024;
constexpr double kBytesPerLink = 160;

constexpr Bytes kWorthLargePages(std::int64_t{32}
                                 << 20);  // more than any case of the fuzzer, whose next one has no use for them
// Messages on their way, the network's tables, and what algorithms hold themselves: an alltoall takes that much.
constexpr double kOfEstimate = 4;
constexpr double kMostGrown = 900.0 * (1 << 20);  // the command has malloc() take a gigabyte and more from elsewhere

}  // namespace

Bytes estimate_memory(std::int64_t ranks, std::int64_t links, Bytes payload_per_rank) {
  const double bytes = static_cast<double>(ranks) * (kBytesPerRank + static_cast<double>(payload_per_rank.count())) +
                       static_cast<double>(links) * kBytesPerLink;
  return Bytes(static_cast<std::int64_t>(std::min(bytes, 9e18)));
}

Bytes machine_memory() {
  static const Bytes memory = [] {
    std::int64_t bytes = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    // Where a container limits it: a number, or "max".
    std::ifstream group("/sys/fs/cgroup/memory.max");
    if (std::int64_t limit = 0; group >> limit && limit > 0) bytes = std::min(bytes, limit);
    return Bytes(bytes);
  }();
  return memory;
}

void require_memory(Bytes estimate, const std::function<std::string()>& what, std::string_view instead) {
  if (estimate <= machine_memory()) return;
  throw InputError(fmt::format("{} needs about {} of memory and this machine has {}; use {}", what(), to_string(estimate),
                               to_string(machine_memory()), instead));
}

void grow_heap(Bytes estimate) {
  if (estimate < kWorthLargePages) return;
  const double grown = kOfEstimate * static_cast<double>(estimate.count());
  extend_heap(static_cast<std::size_t>(std::min(grown, kMostGrown)));
}

OutOfMemory no_memory(Bytes estimate, std::string_view what) {
  return OutOfMemory(
      fmt::format("the system has no memory left; {} needs about {} (an estimate), and what the algorithm asks for itself; use "
                  "fewer ranks or a smaller --data-memory, or allow more",
                  what, to_string(estimate)));
}

}  // namespace heddle
