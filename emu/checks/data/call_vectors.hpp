// SPDX-License-Identifier: Apache-2.0
// The vectors that ranks call with: where they lie, in place and out of place, and what is in them before.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

#include "emu/checks/data/expected_call.hpp"
#include "emu/checks/data/vector_arena.hpp"

namespace heddle::emu {

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
  };
  /// Puts the rank's input where it belongs and poisons the rest.
  Views prepare(Rank rank, const ExpectedCall& call);
  /// The same with any input: fill_input(elements layout.input(rank) of the whole vector).
  Views prepare(Rank rank, const CallLayout& layout, const std::function<void(VectorView input)>& fill_input);
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
};

/// What the rank passes. `op` may be nullptr where nothing is reduced.
CollectiveArguments arguments_of(Rank rank, const CallLayout& layout, const CallVectors::Views& views, const ReduceOp* op);

}  // namespace heddle::emu
