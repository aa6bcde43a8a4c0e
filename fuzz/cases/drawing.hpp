// SPDX-License-Identifier: Apache-2.0
// What a case is drawn with: a stream of numbers of its own for each (seed, index), the same on every machine.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "fuzz/cases/draw_case.hpp"
#include "lab/describe/experiment.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {

class RandomSource {
 public:
  RandomSource(std::uint64_t seed, std::uint64_t index) : stream_(SplitMix64(seed).next() ^ SplitMix64(~index).next()) {}

  /// least … most, each as likely. most ≥ least.
  std::int64_t between(std::int64_t least, std::int64_t most) {
    return least + static_cast<std::int64_t>(stream_.below(static_cast<std::uint64_t>(most - least) + 1));
  }
  /// Once in `times`.
  bool once_in(int times) { return between(1, times) == 1; }

  template <class T>
  T one_of(std::initializer_list<T> values) {
    return values.begin()[between(0, static_cast<std::int64_t>(values.size()) - 1)];
  }
  template <class T>
  const T& one_of(std::span<const T> values) {
    return values[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(values.size()) - 1))];
  }

 private:
  SplitMix64 stream_;
};

// Fabrics of every family, for a number of ranks.

/// What a row cannot do without, as far as the fabric's family decides it.
enum class FabricKind : std::uint8_t { any, grid, computing_switches };

/// A spec with at least `ranks` endpoints, and not many more where the family allows.
std::string draw_topology(RandomSource& random, int ranks, FabricKind kind);

/// One fault or two that a run of so many ranks on this topology can have (emu/settings/faults.hpp).
std::vector<std::string> draw_faults(RandomSource& random, const Topology& topology, int ranks);

// Cases of many elements, many ranks or many calls. Each row has them in turn, so that few are enough.

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
void draw_positions(RandomSource& random, Experiment& what, const Algorithm& row, int ranks, std::uint64_t turn);

/// The row's case number `turn`: many elements and many ranks take turns, a barrier's have many ranks. Of ranks, some numbers
/// come first; where these are not affordable (later attempts), any.
LargeCase draw_large_case(RandomSource& random, Collective collective, std::uint64_t turn, int attempt,
                          const DrawBounds& bounds);

/// So many calls that a number of four bits comes round on one communicator, of few elements on few ranks.
LargeCase draw_long_case(RandomSource& random, Collective collective, const DrawBounds& bounds);

/// Whether what it holds, and the messages that its row's formula speaks of, are so few that it takes no longer than a hundred
/// usual cases; of large ones four times as many messages. `shapes`: of its groups, without elements.
bool is_affordable(const Experiment& what, const Algorithm& row, const std::vector<Shape>& shapes, bool is_large);

}  // namespace heddle
