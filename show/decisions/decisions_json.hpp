// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/results/decisions.hpp"

namespace heddle::decisions {

/// One object, with a newline: `context` (version, target, margin, where the speeds come from), `collectives`, each with its `ranks` and
/// these with their `decisions` by size: `bytes` (null: any size, of a barrier), `choice` (null: the target decides by itself), `next_best`,
/// `too_close` (what would be the choice, were it further ahead), `missed` (the fastest, where the target does not have it), `is_estimated`;
/// and `failed`, runs that do not count.
std::string decisions_json(const Decisions& decisions);

}  // namespace heddle::decisions
