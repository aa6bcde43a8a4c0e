// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/sweep/sweep_document.hpp"

namespace heddle {

/// Throws InputError that names `path` and what differs first (the version, a flag, a fabric) unless the document in it is of
/// the same sweep as `ours`. Shards of one sweep are.
void require_same_sweep(const std::string& path, const SweepDocument& theirs, const SweepDocument& ours);

/// Takes the finished runs of `theirs`, which is of the same sweep, into `ours`. Throws InputError that names `path` for one
/// that is not among those of `ours`.
void take_finished_runs(const std::string& path, const SweepDocument& theirs, SweepDocument& ours);

}  // namespace heddle
