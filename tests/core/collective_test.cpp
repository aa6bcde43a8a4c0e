// SPDX-License-Identifier: Apache-2.0
#include "heddle/collective.hpp"

#include <vector>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"

namespace heddle {

TEST_CASE("a collective's name is read back") {
  CHECK(to_string(Collective::allreduce) == "allreduce");
  CHECK(all_collectives().size() == 9);
  for (const Collective collective : all_collectives()) CHECK(parse_collective(to_string(collective)) == collective);
  CHECK_THROWS_AS(parse_collective("all_reduce"), InputError);
  CHECK_THROWS_WITH(parse_collective("all_reduce"),
                    "unknown collective 'all_reduce': did you mean 'allreduce'? Known: broadcast, reduce, allreduce, "
                    "reduce_scatter, allgather, gather, scatter, alltoall, barrier");
}

TEST_CASE("which collectives have a root, reduce, have blocks") {
  const auto that = [](bool (*has)(Collective)) {
    std::vector<Collective> those;
    for (const Collective collective : all_collectives()) {
      if (has(collective)) those.push_back(collective);
    }
    return those;
  };
  using enum Collective;
  CHECK(that(has_root) == std::vector{broadcast, reduce, gather, scatter});
  CHECK(that(reduces) == std::vector{reduce, allreduce, reduce_scatter});
  CHECK(that(has_blocks) == std::vector{reduce_scatter, allgather, gather, scatter, alltoall});
}

TEST_CASE("bus bandwidth is a part of the algorithmic bandwidth") {
  // nccl-tests, PERFORMANCE.md: allreduce 2(p-1)/p: p = 1: 0, p = 2: 1, p = 4: 1.5, p = 8: 1.75
  CHECK(bus_bandwidth_factor(Collective::allreduce, 1) == 0);
  CHECK(bus_bandwidth_factor(Collective::allreduce, 2) == 1);
  CHECK(bus_bandwidth_factor(Collective::allreduce, 4) == 1.5);
  CHECK(bus_bandwidth_factor(Collective::allreduce, 8) == 1.75);
  // broadcast and reduce 1; reduce_scatter, allgather, alltoall (p-1)/p
  CHECK(bus_bandwidth_factor(Collective::broadcast, 8) == 1);
  CHECK(bus_bandwidth_factor(Collective::reduce, 8) == 1);
  CHECK(bus_bandwidth_factor(Collective::reduce_scatter, 4) == 0.75);
  CHECK(bus_bandwidth_factor(Collective::allgather, 4) == 0.75);
  CHECK(bus_bandwidth_factor(Collective::alltoall, 8) == 0.875);
  CHECK(bus_bandwidth_factor(Collective::barrier, 8) == 0);
}

}  // namespace heddle
