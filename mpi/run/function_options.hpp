// SPDX-License-Identifier: Apache-2.0
// What is said of a function of MPI's signature beside its name: which calls it serves, and whose parameters it has.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/registry.hpp"

namespace heddle::mpi {

/// Where the blocks lie that a v form names: one behind the other, apart from each other, or apart and in any order.
enum class Displacements : std::uint8_t { packed, gaps, scattered };
/// The datatype that stands for an element: MPI's own, one with an extent of three elements, or one that begins behind its lower
/// bound's place.
enum class ElementType : std::uint8_t { basic, spaced, shifted };

struct FunctionOptions {
  std::string as = {};
  bool in_place = true;  ///< it takes MPI_IN_PLACE
  std::optional<int> root = {};
  Displacements displacements = Displacements::packed;
  ElementType type = ElementType::basic;
  bool has_derived_types = false;  ///< it serves types whose extent is not their size
  bool is_commutative = false;
  bool bits_may_differ = false;  ///< ranks may round in different orders
  bool has_large_lists = false;  ///< counts and displacements of blocks are of 64 bits
  bool is_positive = false;      ///< counts above 0: the function leaves the others to its caller
  bool at_least_ranks = false;
  bool multiple_of_ranks = false;
  enum class Ranks : std::uint8_t { any, power_of_two, even, range } ranks = Ranks::any;
  int least = 1;
  int most = std::numeric_limits<int>::max();
};

/// Reads "option=value…", with this sign between them, onto what was said before. `name`, the algorithm's, is for errors. Throws InputError.
FunctionOptions read_options(Collective collective, std::string_view name, std::string_view text, char separator,
                             std::optional<FunctionOptions> before = {});

/// Whether its parameters have displacements of blocks.
bool has_displacements(const FunctionOptions& options);
/// What may be set behind its name, too; what fuzzing draws has examples.
std::vector<Parameter> drawn_parameters(const FunctionOptions& options);

/// Why a call is out of what was said, in half a sentence; empty: it is not.
std::string refusal(const FunctionOptions& options, const Shape& shape, Collective collective);

}  // namespace heddle::mpi
