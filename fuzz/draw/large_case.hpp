// SPDX-License-Identifier: Apache-2.0
// Cases of many elements, many ranks or many calls. Each row has them in turn, so that few are enough.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fuzz/draw/dice.hpp"
#include "fuzz/draw/draw_case.hpp"
#include "lab/describe/experiment.hpp"

namespace heddle {

/// What is larger than usual. Many elements may need few ranks, and so do many calls.
struct LargeCase {
  int ranks = 0;           ///< 0: as usual
  std::int64_t count = 0;  ///< 0: as usual
  int calls = 0;           ///< 0: as usual

  /// `count`, or what so many ranks may hold together if that is less.
  std::int64_t elements_of(int ranks) const;
};

/// The how manieth large case that with this index is; no value: it is none.
std::optional<std::uint64_t> number_of_large_case(std::uint64_t index, const DrawBounds& bounds);

/// The how manieth case of positions that with this index is, which are as many as large ones where nothing is
/// restricted; no value: it is none.
std::optional<std::uint64_t> number_of_positions_case(std::uint64_t index, const DrawBounds& bounds);

/// The how manieth case of many calls that with this index is, two for each large one; no value: it is none.
std::optional<std::uint64_t> number_of_long_case(std::uint64_t index, const DrawBounds& bounds);

/// Whether a row can be called so often: the switches serve some counts and not others.
bool has_many_calls(const Algorithm& row);

/// Whether a row's elements can be followed without data: no barrier's, and none that the switches compute.
bool has_positions(const Algorithm& row);

/// A count just beyond 31 or 32 bits, of elements, of bytes, or of the elements of one block; of an alltoall now and then drawn
/// counts. Sets type, place and root, too. `ranks`: of the case.
/// `turn`: of the row; its first has the most elements, as a session of many rows may come to no other.
void draw_positions(Dice& dice, Experiment& what, const Algorithm& row, int ranks, std::uint64_t turn);

/// The row's case number `turn`: many elements and many ranks take turns, a barrier's have many ranks. Of ranks, some numbers
/// come first; where these are not affordable (later attempts), any.
LargeCase draw_large_case(Dice& dice, Collective collective, std::uint64_t turn, int attempt, const DrawBounds& bounds);

/// So many calls that a number of four bits comes round on one communicator, of few elements on few ranks.
LargeCase draw_long_case(Dice& dice, Collective collective, const DrawBounds& bounds);

/// Whether what it holds, and the messages that its row's formula speaks of, are so few that it takes no longer than a hundred
/// usual cases. `shapes`: of its groups, without elements.
bool is_affordable(const Experiment& what, const Algorithm& row, const std::vector<Shape>& shapes);

}  // namespace heddle
