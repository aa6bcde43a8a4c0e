// SPDX-License-Identifier: Apache-2.0
// Experiments that once failed, though their algorithms are right.
#include <string>
#include <string_view>

#include "fuzz/cases/run_case.hpp"
#include "tests/catch.hpp"
#include "tests/registry_rows.hpp"

namespace heddle {

TEST_CASE("what failed once is right") {
  for (const char* text : {
           // A credit that was given back at the end of a timestamp sent a message that nobody solved: a false deadlock.
           "allgather --algo sparbit --topo star:4 --size 9600 --bw inf --latency 0 --buffering 1",
           "allgather --algo bine_block_by_block --topo star:4 --size 9600 --bw inf --latency 0 --buffering 1",
           "allreduce --algo bruck_latency:ports=1 --topo clos:hosts=6,leaves=10,spines=2 --size 4 --datatype f32 --op max "
           "--out-of-place --seed 282 --latency 0ps --buffering 10 --order-seed 357 --order jitter:216,pick:216",
       }) {
    INFO(text);
    const CaseEnd end = end_of(Experiment::parse(text));
    INFO((end.failure ? end.failure->explanation : ""));
    CHECK_FALSE(end.failure);
  }
}

// Ports and cuts bound nothing where messages do not share links: a third of these failed as too fast.
TEST_CASE("every row is right where there is no contention") {
  for (const Algorithm& row : testing::registry_entries()) {
    for (const std::string_view topology : {"star:5,alu,multicast,a2a", "torus:2x3"}) {
      Experiment what;
      what.collective = row.collective;
      what.algorithm = row.name;
      what.fabric.topology = topology;
      what.size = Bytes(60 << 10);
      what.model = Model::alpha_beta;
      if (!what.why_not().empty()) continue;
      INFO(what.text());
      const CaseEnd end = end_of(what);
      INFO((end.failure ? end.failure->explanation : ""));
      CHECK_FALSE(end.failure);
    }
  }
}

}  // namespace heddle
