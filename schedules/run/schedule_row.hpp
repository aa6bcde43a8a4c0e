// SPDX-License-Identifier: Apache-2.0
// A schedule as an algorithm, to be run, checked, timed and fuzzed as those of the registry.
#pragma once

#include <memory>
#include <string>

#include "algorithms/registry/registry.hpp"
#include "schedules/run/compiled_schedule.hpp"

namespace heddle {

/// It serves as many ranks as the schedule has, every root, and every count; where the schedule mixes chunks of different lengths
/// (ChunkSizes::mixed), counts that all chunks have an equal part of.
Algorithm schedule_row(std::string name, std::shared_ptr<const CompiledSchedule> schedule);

}  // namespace heddle
