// SPDX-License-Identifier: Apache-2.0
// heddle's own rows beyond 31 and 32 bits.
#include <fmt/format.h>

#include "lab/run/run_algorithm.hpp"
#include "tests/catch.hpp"

namespace heddle {

TEST_CASE("every row's elements go where they belong beyond 32 bits") {
  for (const Algorithm& row : registry()) {
    if (row.collective == Collective::barrier || row.needs.in_network) continue;
    // Of what is moved, elements of a byte: their count and each block's go beyond, too.
    const std::string type = reduces(row.collective) ? "i32" : "bytes1";
    const std::string size = reduces(row.collective) ? "17179869212" : "8589934620";
    Experiment what = Experiment::parse(
        fmt::format("{} --algo {} --topo torus:2x2 --size {} --datatype {}", to_string(row.collective), row.name, size, type));
    INFO(what.text());
    const Setup setup = set_up(what, Unfitting::left_out);
    if (setup.algorithms.chosen.empty()) continue;
    CHECK(check_positions(setup, setup.algorithms.chosen.front()).why_not.empty());
  }
}

}  // namespace heddle
