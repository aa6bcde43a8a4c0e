// SPDX-License-Identifier: Apache-2.0
// Schedules in GOAL (Hoefler, Siebert, Lumsdaine: Group Operation Assembly Language, ICPP '09), the text that LogGOPSim and others
// simulate: "num_ranks 2", then for each rank "rank 0 {", "l1: send 8b to 1 tag 0", "l2: recv 8b from 1 tag 0", "l2 requires l1", "}".
#pragma once

#include <cstdint>
#include <iosfwd>

#include "schedules/run/compiled_schedule.hpp"

namespace heddle {

/// Of a call of `count` elements of the whole vector, in equal blocks. Each step is one operation, or two where it receives and sends;
/// copies and reductions are "calc", in nanoseconds at `gamma` seconds for each byte; a channel is a tag. Messages of chunks without elements
/// are left out.
void write_goal(const CompiledSchedule& schedule, std::int64_t count, std::int64_t element_size, double gamma,
                std::ostream& out);

}  // namespace heddle
