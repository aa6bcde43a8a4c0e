// SPDX-License-Identifier: Apache-2.0
#include "emu/checks/data/vector_arena.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/errors.hpp"
#include "core/units.hpp"
#include "emu/work/parallel_for.hpp"

namespace heddle::emu {

namespace {

constexpr std::size_t kAlignment = 64;  // a cache line, and more than any element needs
constexpr std::size_t kGuard = 64;
constexpr std::byte kGuardByte{0xC5};
constexpr std::size_t kHugePage = std::size_t{2} << 20;

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

bool is_intact(std::span<const std::byte> guard) {
  return std::all_of(guard.begin(), guard.end(), [](std::byte b) { return b == kGuardByte; });
}

}  // namespace

VectorArena::VectorArena(int ranks, Datatype type, std::int64_t count)
    : VectorArena(type, std::vector<std::int64_t>(static_cast<std::size_t>(ranks), count)) {}

VectorArena::VectorArena(Datatype type, std::span<const std::int64_t> capacities) : type_(type) {
  std::size_t bytes = 0;
  for (const std::int64_t capacity : capacities) {
    slots_.push_back({bytes, capacity});
    bytes += round_up(kGuard + static_cast<std::size_t>(capacity) * type.size() + kGuard, kAlignment);
  }
  slots_.push_back({bytes, 0});
  if (bytes >= kHugePage) bytes = round_up(bytes, kHugePage);
  memory_.reset(static_cast<std::byte*>(std::aligned_alloc(bytes >= kHugePage ? kHugePage : kAlignment, bytes)));
  if (!memory_) {
    throw ResourceError(fmt::format("no memory for the vectors of {} ranks, {} altogether; hold less of them (--payload)",
                                    capacities.size(), to_string(Bytes(static_cast<std::int64_t>(bytes)))));
  }
  // A hint: a quarter of a million page faults cost more than the checks.
  if (bytes >= kHugePage) madvise(memory_.get(), bytes, MADV_HUGEPAGE);
  // The first touch of a page costs the system more than all that is written to it later.
  parallel_for(static_cast<std::int64_t>(capacities.size()), bytes,
               [this](std::int64_t r) { restore_guards(Rank(static_cast<int>(r))); });
}

void VectorArena::use(Rank rank, std::int64_t count) {
  std::int64_t& used = slots_[static_cast<std::size_t>(rank.value())].count;
  if (used == count) return;
  used = count;
  restore_guards(rank);
}

VectorView VectorArena::vector(Rank rank) const { return {memory_of(rank) + kGuard, slot(rank).count, type_}; }

VectorArena::Guards VectorArena::guards(Rank rank) const {
  return {.before_intact = is_intact(guard_before(rank)), .after_intact = is_intact(guard_after(rank))};
}

void VectorArena::restore_guards(Rank rank) {
  for (const std::span<std::byte> guard : {guard_before(rank), guard_after(rank)})
    std::memset(guard.data(), std::to_integer<int>(kGuardByte), guard.size());
}

std::span<std::byte> VectorArena::guard_before(Rank rank) const { return {memory_of(rank), kGuard}; }

std::span<std::byte> VectorArena::guard_after(Rank rank) const {
  const VectorView own = vector(rank);
  return {own.data() + own.size_bytes(), memory_of(Rank(rank.value() + 1))};
}

}  // namespace heddle::emu
