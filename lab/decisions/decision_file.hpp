// SPDX-License-Identifier: Apache-2.0
// Which algorithm a library takes for a call, as a file of its own format or its own decisions say.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "heddle/collective.hpp"
#include "heddle/registry.hpp"
#include "lab/decisions/target.hpp"

namespace heddle::decisions {

/// What a library looks at. Operations commute and are built in, and nothing is in place.
struct Call {
  Collective collective = Collective::allreduce;
  int ranks = 1;
  std::int64_t count = 0;    ///< elements of the whole vector
  std::int64_t element = 1;  ///< bytes
  bool has_nodes = false;    ///< several ranks on a node, and several nodes
  int nodes = 1;             ///< that ranks are on, the innermost groups of the fabric; 1 where it has none

  std::int64_t bytes() const { return count * element; }
};

/// What the library runs, in its own words.
struct LibraryChoice {
  std::string algorithm = {};  ///< "scatter_allgather_ring"; of Open MPI empty where `id` is none that is known
  int id = 0;                  ///< Open MPI's number
  std::int64_t segment = 0;    ///< bytes; 0: the whole vector at once
  int channels = 0;            ///< NCCL's; 0: as it likes
  bool is_builtin = false;     ///< the library decides by itself, and that is known
};

class DecisionFile {
 public:
  virtual ~DecisionFile() = default;
  virtual const Target& target() const = 0;
  /// No value: the library decides by itself, and how is not known.
  virtual std::optional<LibraryChoice> choose(const TargetCollective& collective, const Call& call) const = 0;
};

// Readers, each in a file of its own. They throw InputError "FILE:LINE: what is wrong", or "FILE: …".

/// The text of coll_tuned_dynamic_rules_filename, or its JSON of later versions.
std::shared_ptr<const DecisionFile> read_openmpi_rules(const std::string& path);
/// What MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE names, or the library, which has its own.
std::shared_ptr<const DecisionFile> read_mpich_tuning(const std::string& path);
/// The CSV of NCCL's example tuner.
std::shared_ptr<const DecisionFile> read_nccl_tuner(const std::string& path);

/// What Open MPI 4.1 and MPICH 4.0 decide by themselves. Throws InputError for a target whose decisions are no table (NCCL).
std::shared_ptr<const DecisionFile> builtin_decisions(const Target& target);

// As algorithms: --algo openmpi:rules.conf, mpich:tuning.json, nccl:tuner.csv, openmpi:builtin, mpich:builtin.

bool is_decision_name(std::string_view algorithm);

/// An entry that runs what the library would take for each call. It says which (Algorithm::remark), and refuses a call for which
/// heddle does not have the library's algorithm, with its name and the nearest ones. Throws InputError as the readers do.
Algorithm decision_algorithm(Collective collective, std::string_view name);

}  // namespace heddle::decisions
