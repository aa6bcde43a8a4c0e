// SPDX-License-Identifier: Apache-2.0
#include "core/collective.hpp"

#include "core/errors.hpp"
#include "tests/catch.hpp"

namespace heddle {

TEST_CASE("a collective's name is read back") {
  CHECK(to_string(Collective::allreduce) == "allreduce");
  CHECK(parse_collective("allreduce") == Collective::allreduce);
  CHECK_THROWS_AS(parse_collective("all_reduce"), InputError);
  CHECK_THROWS_WITH(parse_collective("all_reduce"),
                    "unknown collective 'all_reduce': did you mean 'allreduce'? Known: allreduce");
}

TEST_CASE("an allreduce's bus bandwidth is 2(p-1)/p of its algorithmic bandwidth") {
  // nccl-tests, PERFORMANCE.md: p = 1: 0, p = 2: 1, p = 4: 1.5, p = 8: 1.75
  CHECK(bus_bandwidth_factor(Collective::allreduce, 1) == 0);
  CHECK(bus_bandwidth_factor(Collective::allreduce, 2) == 1);
  CHECK(bus_bandwidth_factor(Collective::allreduce, 4) == 1.5);
  CHECK(bus_bandwidth_factor(Collective::allreduce, 8) == 1.75);
}

}  // namespace heddle
