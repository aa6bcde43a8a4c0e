// SPDX-License-Identifier: Apache-2.0
// The planted faults as a plugin: one row for each, all of them copies of the ring allreduce.
#include <string>

#include "heddle/plugin.hpp"
#include "tests/fuzz/mutated_row.hpp"

HEDDLE_PLUGIN(rows) {
  const heddle::Algorithm ring = heddle::find_algorithm(heddle::Collective::allreduce, "ring");
  for (int fault = 0; fault < heddle::testing::kFaults; ++fault) {
    const auto what = static_cast<heddle::testing::Fault>(fault);
    rows.push_back(heddle::testing::mutate(ring, what, heddle::testing::Position::middle, 0).row);
    std::string name = "ring_with_" + to_string(what);
    for (char& c : name) c = c == ' ' || c == '-' ? '_' : c;
    rows.back().name = name;
  }
}
