// SPDX-License-Identifier: Apache-2.0
#include "emu/checks/vector_arena.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/errors.hpp"
#include "core/units.hpp"
#include "emu/checks/parallel.hpp"

namespace heddle::emu {

namespace {

constexpr std::size_t kAlignment = 64;  // a cache line, and more than any element needs
constexpr std::size_t kGuard = 64;
constexpr std::byte kGuardByte{0xC5};
constexpr std::size_t kHugePage = std::size_t{2} << 20;

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

bool is_intact(const std::byte* guard, std::size_t bytes) {
  return std::all_of(guard, guard + bytes, [](std::byte b) { return b == kGuardByte; });
}

}  // namespace

VectorArena::VectorArena(int ranks, Datatype type, std::int64_t count) : type_(type), count_(count) {
  const std::size_t vector_bytes = static_cast<std::size_t>(count) * type.size();
  stride_ = round_up(kGuard + vector_bytes + kGuard, kAlignment);
  after_ = stride_ - kGuard - vector_bytes;
  std::size_t bytes = stride_ * static_cast<std::size_t>(ranks);
  if (bytes >= kHugePage) bytes = round_up(bytes, kHugePage);
  memory_.reset(static_cast<std::byte*>(std::aligned_alloc(bytes >= kHugePage ? kHugePage : kAlignment, bytes)));
  if (!memory_) {
    throw InputError(fmt::format("no memory for the vectors of {} ranks, {} each; hold less of them (--payload)", ranks,
                                 to_string(Bytes(static_cast<std::int64_t>(vector_bytes)))));
  }
  // A hint: a quarter of a million page faults cost more than the checks.
  if (bytes >= kHugePage) madvise(memory_.get(), bytes, MADV_HUGEPAGE);
  // The first touch of a page costs the system more than all that is written to it later.
  for_each_in_parallel(ranks, [this](std::int64_t r) { restore_guards(Rank(static_cast<int>(r))); });
}

VectorView VectorArena::vector(Rank rank) const { return {guard_before(rank) + kGuard, count_, type_}; }

VectorArena::Guards VectorArena::guards(Rank rank) const {
  return {.before_intact = is_intact(guard_before(rank), kGuard), .after_intact = is_intact(guard_after(rank), after_)};
}

void VectorArena::restore_guards(Rank rank) {
  std::memset(guard_before(rank), std::to_integer<int>(kGuardByte), kGuard);
  std::memset(guard_after(rank), std::to_integer<int>(kGuardByte), after_);
}

std::byte* VectorArena::guard_before(Rank rank) const {
  return memory_.get() + stride_ * static_cast<std::size_t>(rank.value());
}

std::byte* VectorArena::guard_after(Rank rank) const { return guard_before(rank) + stride_ - after_; }

}  // namespace heddle::emu
