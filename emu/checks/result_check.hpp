// SPDX-License-Identifier: Apache-2.0
// Compares a rank's vector with what it must be, and tells what is wrong in words.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/rank.hpp"
#include "emu/checks/reference.hpp"
#include "emu/checks/test_data.hpp"
#include "emu/checks/vector_arena.hpp"

namespace heddle::emu {

/// Consecutive elements, both ends included.
struct ElementRun {
  std::int64_t first;
  std::int64_t last;
  friend constexpr auto operator<=>(ElementRun, ElementRun) = default;
};

/// What is wrong with one rank's vector after a call.
struct VectorFault {
  Rank rank;
  std::int64_t wrong = 0;        ///< elements
  std::vector<ElementRun> runs;  ///< of wrong elements, the first few
  bool more_runs = false;
  std::string got;             ///< in the first wrong element
  std::string expected;        ///< there
  std::int64_t untouched = 0;  ///< wrong elements that are still the rank's own contribution
  std::int64_t stale = 0;      ///< wrong elements that hold the result of the call before
  bool wrote_before = false;
  bool wrote_after = false;
};

/// The calls of one run as one rank sees them when a call has returned: what went in and what must come out.
struct ExpectedCall {
  const TestData& contribution;
  const Reference& result;
  const Reference* previous_result;  ///< nullptr in the first call
};

/// Nothing if all is right. Called by the rank itself as soon as its call returns; ranks may do so at the same time.
std::optional<VectorFault> check_vector(const VectorArena& arena, Rank rank, const ExpectedCall& call);

/// Several lines, each indented, without a final newline: how much is wrong, which elements on which ranks, the first one's
/// values. `faults` is not empty and ordered by rank; `ranks` and `count` are those of the run.
std::string explain(std::span<const VectorFault> faults, int ranks, std::int64_t count);

}  // namespace heddle::emu
