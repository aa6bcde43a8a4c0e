// SPDX-License-Identifier: Apache-2.0
// One row per algorithm. The command, the tests and the benches iterate these rows: to register is to be tested.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/collective.hpp"
#include "core/grid.hpp"
#include "core/reduce_op.hpp"

namespace heddle {

/// What an algorithm is asked to serve; the variables of its formulas.
struct Shape {
  int ranks = 1;          ///< p
  std::vector<int> dims;  ///< the grid's, or empty where the fabric has none
  std::int64_t count = 0;
  std::int64_t bytes = 0;  ///< M, of the whole vector
};

struct Needs {
  bool commutative = false;  ///< reorders contributions
  bool grid = false;         ///< meaningless without dimensions
};

struct Algorithm {
  Collective collective;
  std::string_view name;
  std::string_view summary;  ///< one sentence
  std::string_view source;   ///< document and section
  Needs needs;

  /// The longest chain of messages, each posted after the one before it was waited for. Exact for count ≥ granule(shape).
  std::string_view rounds_formula;
  int (*rounds)(const Shape&);

  /// The most bytes that one rank sends. Exact where count is a multiple of granule(shape).
  std::string_view bytes_formula;
  std::int64_t (*bytes)(const Shape&);

  /// The least count at which every block has an element: p for an algorithm on p blocks, 1 on the whole vector.
  std::int64_t (*granule)(const Shape&);

  CollectiveFunction run;
};

/// Every algorithm, ordered by collective, then as documented.
std::span<const Algorithm> registry();

/// The rows of a collective.
std::vector<const Algorithm*> algorithms_of(Collective collective);

/// Throws InputError with the nearest name and the list.
const Algorithm& find_algorithm(Collective collective, std::string_view name);

/// Empty if the algorithm can serve; else why not, in half a sentence ("it needs a grid, and star:13 has none" without the
/// fabric's name: "it needs a grid").
std::string why_not(const Algorithm& algorithm, const Shape& shape, const ReduceOp& op);

}  // namespace heddle
