// SPDX-License-Identifier: Apache-2.0
// Algorithms that are not the registry's: the rows of plugins (plugin.hpp) and of schedules in files.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/collective.hpp"
#include "heddle/registry.hpp"

namespace heddle {

/// Loads the library for the rest of the process's life and returns the rows that it registers. Throws InputError: no such
/// file, not a plugin, made for another heddle, or no rows. `path` without a slash is a file in the current directory.
std::vector<Algorithm> load_plugin(const std::string& path);

/// The rows of all of them, in this order. Throws InputError as load_plugin does, and where two have a row of one name for one
/// collective; it names the flag --plugin.
std::vector<Algorithm> load_plugins(std::span<const std::string> paths);

// Algorithms that are schedules in files, named where an algorithm is named: --algo msccl:ring.xml (docs/schedules.md).

/// In front of the file of an MSCCL schedule.
inline constexpr std::string_view kMscclPrefix = "msccl:";

bool is_schedule_name(std::string_view algorithm);
/// Whether it names a file: that of a schedule, the library of an MPI function (mpi/run/function_algorithm.hpp), or a library's
/// decisions (lab/decisions/decision_file.hpp).
bool names_file(std::string_view algorithm);
/// The file that such a name names.
std::string schedule_file(std::string_view algorithm);

/// Those of a list with commas.
std::vector<std::string> schedule_names(std::string_view algorithms);

/// The entries of files that a list with commas names, but those that `known` has: schedules, MPI functions and decisions. The collective is what a
/// file that says none is for, and the only one that fits. A function and decisions need one. Throws InputError; of a schedule with file, line, gpu, tb
/// and step.
std::vector<Algorithm> load_schedules(std::string_view algorithms, std::optional<Collective> collective,
                                      std::span<const Algorithm> known = {});

// Which rows a list of algorithms has: the registry's, plugins' and schedule files', by collective and name.

/// The registry's, those of the plugins' libraries, and that of the schedule's file if `algorithm` names one, by collective. Throws
/// InputError that names the flag --plugin or --algo, as load_plugins and load_schedules do.
std::vector<Algorithm> all_rows(std::span<const std::string> plugins, const std::optional<std::string>& algorithm);

/// What is asked for; no value: all.
struct EntrySelection {
  std::optional<Collective> collective = {};
  std::optional<std::string> algorithm = {};
};

/// Those of `rows`, in their order; of a name that no row has, those that others call so (Algorithm::other_names). Throws InputError, with the nearest name and the flag --algo, for a name that no row has.
std::vector<const Algorithm*> select_entries(std::span<const Algorithm> rows, const EntrySelection& selection);

/// The same of a name with options ("chain:segments=8"), which the rows then have. A name is needed.
std::vector<Algorithm> select_with_options(std::span<const Algorithm> rows, const EntrySelection& selection);

}  // namespace heddle
