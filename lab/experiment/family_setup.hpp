// SPDX-License-Identifier: Apache-2.0
// Groups that make calls of their own beside each other: --groups 'tp:tier:0=allreduce@16MiB + dp:strided:8=allgather/ring@64MiB'.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "lab/experiment/setup.hpp"

namespace heddle {

/// Of an experiment whose groups say what they call (have_calls). Each part is set up as an experiment of its own, whose
/// collective, algorithm and size are the part's, or the experiment's where it says nothing. The setup is that of the first
/// part that takes the experiment's algorithms, or else of the first that makes its collective, with the groups of all. Throws InputError that names
/// the part.
Setup set_up_families(const Experiment& experiment, std::string_view algorithms, const Fabric& fabric, Unfitting unfitting,
                      const std::optional<Tuning>& tuning);

/// By group, what is called in the row of this algorithm. Where the payload's budget holds a part of the data, it is the same part of
/// all; without groups the one call of all ranks.
std::vector<CollectiveCall> calls_of_groups(const Setup& plan, const Algorithm& algorithm);

/// Where the payload's budget holds a part of the data, 1/this of each family's. A plan with families.
std::int64_t common_scale(const Setup& plan, const Algorithm& algorithm);

/// By which algorithm this group makes its call in the row of `algorithm`, which outlives it as the plan does.
const Algorithm& algorithm_of_group(const Setup& plan, std::size_t group, const Algorithm& algorithm);

/// The setup that says what this group calls: its family's, or the plan itself.
const Setup& setup_of_group(const Setup& plan, std::size_t group);

}  // namespace heddle
