// SPDX-License-Identifier: Apache-2.0
// What libraries call algorithms in files that are read: those that heddle has by another name besides Target's mappings, and
// those that it lacks, with the nearest ones.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lab/decisions/target.hpp"

namespace heddle::decisions {

/// What a library runs, of its name or (Open MPI) its number.
struct NamedAlgorithm {
  std::string_view name = {};  ///< empty: of Open MPI, which then has `id`
  int id = 0;
  bool has_segments = false;
};

/// heddle's row that sends the same on so many ranks, wherever the mapping's limit holds; nullptr: none.
const Mapping* mapping_of_library(const Target& target, const TargetCollective& collective, const NamedAlgorithm& algorithm,
                                  int ranks);

/// "knomial"; of a number that Open MPI does not have "an algorithm that Open MPI does not have".
std::string name_of_library(const Target& target, const TargetCollective& collective, const NamedAlgorithm& algorithm);

/// heddle's row that is most like it; empty: none.
std::string nearest_row(const TargetCollective& collective, std::string_view name);

/// Open MPI's number of a name; no value: it has none.
std::optional<int> id_of_name(const Target& target, const TargetCollective& collective, std::string_view name);

}  // namespace heddle::decisions
