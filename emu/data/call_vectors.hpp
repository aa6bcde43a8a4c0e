// SPDX-License-Identifier: Apache-2.0
// The vectors that ranks call with: where they lie, in place and out of place, and what is in them before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "emu/data/expected_call.hpp"
#include "heddle/vector_view.hpp"

namespace heddle::emu {

// The vectors of all ranks, each between guard bytes that show whether somebody wrote outside of it.

/// One allocation for all ranks. Ranks may use their own vectors and guards at the same time.
class VectorArena {
 public:
  /// Throws InputError if there is not enough memory. Vectors are uninitialised; guards are set.
  VectorArena(int ranks, Datatype type, std::int64_t count);
  /// Rank r has room for capacities[r] elements, and uses all of it until use() says otherwise. `moves`: a use of a vector has it
  /// elsewhere than those before, in turns of three, so that a pointer that a rank has kept shows.
  VectorArena(Datatype type, std::span<const std::int64_t> capacities, bool moves = false);

  /// From here on the rank's vector has `count` elements, at most its capacity; what it does not use is guard.
  void use(Rank rank, std::int64_t count);
  VectorView vector(Rank rank) const;

  struct Guards {
    bool before_intact;
    bool after_intact;
  };
  Guards guards(Rank rank) const;
  void restore_guards(Rank rank);
  /// For who holds on to a vector when this has gone.
  const std::shared_ptr<std::byte>& memory() const { return memory_; }

 private:
  /// A rank's share of the memory: a guard, its vector, and a guard up to the next one's.
  struct Slot {
    std::size_t begin;
    std::int64_t count;
    std::uint32_t uses = 0;
  };
  std::byte* memory_of(Rank rank) const { return memory_.get() + slot(rank).begin; }
  const Slot& slot(Rank rank) const { return slots_[static_cast<std::size_t>(rank.value())]; }
  /// By so many bytes the rank's vector lies behind its first place.
  std::size_t moved(Rank rank) const;
  std::span<std::byte> guard_before(Rank rank) const;
  std::span<std::byte> guard_after(Rank rank) const;

  Datatype type_;
  bool moves_;
  std::vector<Slot> slots_;  ///< by rank, and where the last one's ends
  std::shared_ptr<std::byte> memory_;
};

/// What an output is filled with, so that what nobody writes shows.
inline constexpr std::byte kOutputPoison{0xDB};

/// Room for any of several calls, one at a time. Ranks may use theirs at the same time.
class CallVectors {
 public:
  /// `calls` differ in their roots and data. Throws InputError if there is not enough memory.
  CallVectors(std::span<const ExpectedCall> calls, bool in_place);
  CallVectors(std::span<const CallLayout> calls, Datatype type, bool in_place);

  bool in_place() const { return in_place_; }

  /// One rank's arguments.
  struct Views {
    VectorView input;
    VectorView output;
    bool shared;  ///< input and output are one vector, the whole one
    /// Of all ranks' vectors, for who holds on to one of them. Null: they have none that can be read.
    std::shared_ptr<const void> memory = {};
  };
  /// Puts the rank's input where it belongs and poisons the rest.
  Views prepare(Rank rank, const ExpectedCall& call, const StopPoint& stop_point = {});
  /// The same with any input: fill_input(elements layout.input(rank) of the whole vector).
  Views prepare(Rank rank, const CallLayout& layout, const std::function<void(VectorView input)>& fill_input,
                const StopPoint& stop_point = {});
  /// As prepare returned them.
  Views views(Rank rank, const CallLayout& layout) const;

  /// The part of its views that is the rank's output.
  static VectorView output_of(Rank rank, const CallLayout& layout, const Views& views);

  VectorArena::Guards output_guards(Rank rank) const { return outputs_.guards(rank); }
  /// All intact in place, where there is no other vector.
  VectorArena::Guards input_guards(Rank rank) const;
  void restore_guards(Rank rank);

 private:
  bool shares(Rank rank, const CallLayout& layout) const;

  bool in_place_;
  VectorArena outputs_;                ///< in place: of all vectors
  std::optional<VectorArena> inputs_;  ///< out of place
  std::shared_ptr<const void> memory_;
};

/// What the rank passes. `op` may be nullptr where nothing is reduced.
CollectiveArguments arguments_of(Rank rank, const CallLayout& layout, const CallVectors::Views& views, const ReduceOp* op);

}  // namespace heddle::emu
