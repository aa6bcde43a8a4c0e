// SPDX-License-Identifier: Apache-2.0
// Parts of a sweep: which one is this process', as a job array or a launcher has it, and the whole of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lab/sweep/sweep_document.hpp"

namespace heddle {

/// The value of an environment variable; none: it is not set.
using VariableFunction = std::function<std::optional<std::string>(const std::string& name)>;

/// Whether ranks of a launcher are parts, too, where no job array is there.
enum class LauncherRanks : std::uint8_t { are_parts, are_no_parts };

/// From the first of these whose variables are set: a job array of Slurm (SLURM_ARRAY_TASK_ID, …_MIN, …_MAX, …_STEP, …_COUNT) or of Grid
/// Engine (SGE_TASK_ID, SGE_TASK_FIRST, SGE_TASK_LAST, SGE_TASK_STEPSIZE); Open MPI, MPICH, `heddle launch`, srun. Of other systems'
/// arrays the number of tasks is not known. Throws InputError that names what is looked for, or the variable that is wrong.
Shard shard_of_task(const VariableFunction& variable, LauncherRanks launchers);

/// "part.json" of part 3 is "part.3.json"; "part.json.partial", a journal's name, "part.3.json.partial"; "-" stays.
std::string path_of_part(const std::string& path, int part);

// The whole of a sweep from its shards.

/// From the JSON file of each shard, at least one: the document that the whole sweep would have on one machine. Throws InputError that names
/// the files where they do not belong together, one is there twice, missing or not complete.
SweepDocument merge_shards(const std::vector<std::string>& paths);

}  // namespace heddle
