// SPDX-License-Identifier: Apache-2.0
// A plugin of mistakes. Fuzzing must find each, and say what is wrong with it (explanations.txt).
#include "heddle/plugin.hpp"
#include "tests/fuzz/plugins/bugs/planted_row.hpp"

HEDDLE_PLUGIN(rows) {
  using namespace heddle::testing::bugs;
  for (const auto plant_some :
       {plant_counts,         plant_blocks,     plant_tags,      plant_arrival,  plant_state,     plant_large,
        plant_types,          plant_places,     plant_deadlocks, plant_barriers, plant_memory,    plant_chance,
        plant_ends,           plant_requests,   plant_bits,      plant_channels, plant_processes, plant_pairs,
        plant_beyond_31_bits, plant_many_calls, plant_buffers,   plant_by_hand,  plant_sizes})
    plant_some(rows);
}
