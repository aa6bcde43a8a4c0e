// SPDX-License-Identifier: Apache-2.0
// Which rows a list of algorithms has: the registry's, plugins' and schedule files', by collective and name.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "core/collective.hpp"

namespace heddle {

/// The registry's, those of the plugins' libraries, and that of the schedule's file if `algorithm` names one, by collective. Throws
/// InputError that names the flag --plugin or --algo, as load_plugins and load_schedules do.
std::vector<Algorithm> all_rows(std::span<const std::string> plugins, const std::optional<std::string>& algorithm);

/// What is asked for; no value: all.
struct RowSelection {
  std::optional<Collective> collective = {};
  std::optional<std::string> algorithm = {};
};

/// Those of `rows`, in their order; of a name that no row has, those that others call so (Algorithm::other_names). Throws InputError, with the nearest name and the flag --algo, for a name that no row has.
std::vector<const Algorithm*> select_rows(std::span<const Algorithm> rows, const RowSelection& selection);

/// The same of a name with options ("chain:segments=8"), which the rows then have. A name is needed.
std::vector<Algorithm> select_with_options(std::span<const Algorithm> rows, const RowSelection& selection);

}  // namespace heddle
