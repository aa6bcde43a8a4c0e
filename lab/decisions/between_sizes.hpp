// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "lab/decisions/decisions.hpp"
#include "lab/decisions/sweep_cells.hpp"

namespace heddle::decisions {

/// A result as the target's limits see it.
Cell cell_of(const SweepResult& result, int channels_needed);

/// What the target does by a result's algorithm; no value: it does not have it, or runs something else there.
/// `channels_needed`: as in Cell.
std::optional<Choice> choice_of(const Target& target, const TargetCollective& collective, const SweepResult& result,
                                int channels_needed);

/// Where, between two sizes of one number of ranks that are next to each other, the fastest that the target has changes, from
/// `first` on, which is the choice at the lower one. A third one counts that is somewhere ahead of all others by `margin`. None
/// where nobody knows the sizes: then what was decided at the lower size holds up to the upper one.
std::vector<Decision> decisions_between(const Target& target, const TargetCollective& collective, const SweepCell& below,
                                        const SweepCell& above, const Choice& first, double margin, int channels_needed);

}  // namespace heddle::decisions
