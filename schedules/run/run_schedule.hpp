// SPDX-License-Identifier: Apache-2.0
// Runs a schedule on a communicator, as any collective: each strand is a task of its rank, each channel a tag.
#pragma once

#include "core/collective.hpp"
#include "core/communicator.hpp"
#include "schedules/run/compiled_schedule.hpp"

namespace heddle {

/// One rank's call. Blocks until the rank's strands have ended. A step waits for the step that it names, then for its message; it has
/// ended when what it sends has left. A reduction is charged once, whatever it reads; messages and copies of chunks without elements are
/// left out. Throws UsageError: a race (CompiledSchedule::race), another number of ranks, chunks of different lengths where the
/// schedule mixes them.
void run_schedule(const CompiledSchedule& schedule, Communicator& comm, const CollectiveArguments& call);

}  // namespace heddle
