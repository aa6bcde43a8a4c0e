// SPDX-License-Identifier: Apache-2.0
// Compares a rank's vectors with what they must be, and says what is wrong in words.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "emu/data/call_vectors.hpp"
#include "emu/data/expected_call.hpp"
#include "emu/data/input_watch.hpp"
#include "heddle/vector_view.hpp"

namespace heddle::emu {

/// Consecutive elements, both ends included.
struct ElementRun {
  std::int64_t first;
  std::int64_t last;
  friend constexpr auto operator<=>(ElementRun, ElementRun) = default;
};

/// Elements of a vector that are not as they must be.
struct WrongElements {
  std::int64_t count = 0;
  std::vector<ElementRun> runs;  ///< the first few
  bool more_runs = false;
  std::string got;          ///< in the first of them
  std::string expected;     ///< there
  std::string detail = {};  ///< of an output: which bits or bytes of that element are wrong, if that is some of them

  /// Elements first … last.
  void add(std::int64_t first, std::int64_t last);
};

/// A block of an output that holds another one.
struct Misplaced {
  int expected;         ///< the rank whose block it should be
  int got;              ///< the rank whose block it is
  bool is_destination;  ///< alltoall: it came from the right rank, but was meant for `got`
  friend constexpr bool operator==(Misplaced, Misplaced) = default;
};

/// What is wrong with one rank's vectors after a call.
struct VectorFailure {
  Rank rank;
  WrongElements output;
  // Wrong elements of the output that (all but `unwritten` counted up to the first that is otherwise)
  std::int64_t unwritten = 0;  ///< are still what they were poisoned with
  std::int64_t untouched = 0;  ///< are still the rank's own contribution
  std::int64_t stale = 0;      ///< hold the result of the call before
  std::int64_t misplaced = 0;  ///< are those of another block
  std::optional<Misplaced> first_misplaced;
  bool one_misplacement = true;  ///< there is no other

  WrongElements input;                                ///< changed by the call
  std::optional<InputWatch::Change> input_meanwhile;  ///< seen while the call went on, though it was right again in the end

  bool is_of_later_call = false;
  bool wrote_before = false;  ///< the output, or the one vector in place
  bool wrote_after = false;
  bool wrote_before_input = false;
  bool wrote_after_input = false;

  bool is_of_result() const {
    return output.count > 0 || wrote_before || wrote_after || wrote_before_input || wrote_after_input;
  }
};

/// Nothing if all is right. `watch` is the input's, or nullptr; `previous` is the call before or nullptr. Called by the rank itself
/// as soon as its call returns; ranks may do so at the same time.
std::unique_ptr<VectorFailure> check_vectors(const CallVectors& vectors, Rank rank, const InputWatch* watch,
                                             const ExpectedCall& call, const ExpectedCall* previous,
                                             const StopPoint& stop_point = {});

/// Whether a call must leave the rank's input as it is: in place the result stands there, but what a root scatters stays.
bool input_stays(const CallLayout& layout, const CallVectors::Views& views);

/// Several lines, each indented, without a final newline: how much is wrong, which elements on which ranks, the first one's
/// values. `failures` is not empty and ordered by rank.
std::string explain(std::span<const VectorFailure> failures, const CallLayout& layout, bool in_place);

}  // namespace heddle::emu
