// SPDX-License-Identifier: Apache-2.0
// The vectors of all ranks, each between guard bytes that show whether somebody wrote outside of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "core/rank.hpp"
#include "core/vector_view.hpp"

namespace heddle::emu {

/// One allocation for all ranks. Ranks may use their own vectors and guards at the same time.
class VectorArena {
 public:
  /// Throws InputError if there is not enough memory. Vectors are uninitialised; guards are set.
  VectorArena(int ranks, Datatype type, std::int64_t count);
  /// Rank r has room for capacities[r] elements, and uses all of it until use() says otherwise.
  VectorArena(Datatype type, std::span<const std::int64_t> capacities);

  /// From here on the rank's vector has `count` elements, at most its capacity; what it does not use is guard.
  void use(Rank rank, std::int64_t count);
  VectorView vector(Rank rank) const;

  struct Guards {
    bool before_intact;
    bool after_intact;
  };
  Guards guards(Rank rank) const;
  void restore_guards(Rank rank);

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  /// A rank's share of the memory: a guard, its vector, and a guard up to the next one's.
  struct Slot {
    std::size_t begin;
    std::int64_t count;
  };
  std::byte* memory_of(Rank rank) const { return memory_.get() + slot(rank).begin; }
  const Slot& slot(Rank rank) const { return slots_[static_cast<std::size_t>(rank.value())]; }
  std::span<std::byte> guard_before(Rank rank) const;
  std::span<std::byte> guard_after(Rank rank) const;

  Datatype type_;
  std::vector<Slot> slots_;  ///< by rank, and where the last one's ends
  std::unique_ptr<std::byte, Free> memory_;
};

}  // namespace heddle::emu
