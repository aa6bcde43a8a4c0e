// SPDX-License-Identifier: Apache-2.0
// Algorithms that are schedules in files, named where an algorithm is named: --algo msccl:ring.xml (docs/schedules.md).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "core/collective.hpp"

namespace heddle {

/// In front of the file of an MSCCL schedule.
inline constexpr std::string_view kMscclPrefix = "msccl:";

bool is_schedule_name(std::string_view algorithm);
/// The file that such a name names.
std::string schedule_file(std::string_view algorithm);

/// Those of a list with commas.
std::vector<std::string> schedule_names(std::string_view algorithms);

/// Their rows, but those that `known` has; the collective is what a file that says none is for, and the only one that fits. Throws InputError
/// with file, line, gpu, tb and step.
std::vector<Algorithm> load_schedules(std::string_view algorithms, std::optional<Collective> collective,
                                      std::span<const Algorithm> known = {});

}  // namespace heddle
