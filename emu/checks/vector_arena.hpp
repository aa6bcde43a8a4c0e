// SPDX-License-Identifier: Apache-2.0
// The vectors of all ranks, each between guard bytes that show whether somebody wrote outside of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "core/rank.hpp"
#include "core/vector_view.hpp"

namespace heddle::emu {

/// One allocation for all ranks. Ranks may use their own vectors and guards at the same time.
class VectorArena {
 public:
  /// Throws InputError if there is not enough memory. Vectors are uninitialised; guards are set.
  VectorArena(int ranks, Datatype type, std::int64_t count);

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
  std::byte* guard_before(Rank rank) const;
  std::byte* guard_after(Rank rank) const;

  Datatype type_;
  std::int64_t count_;
  std::size_t stride_;  ///< from one rank's leading guard to the next
  std::size_t after_;   ///< bytes of the trailing guard, which pads to the alignment
  std::unique_ptr<std::byte, Free> memory_;
};

}  // namespace heddle::emu
