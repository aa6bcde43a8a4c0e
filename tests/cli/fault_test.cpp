// SPDX-License-Identifier: Apache-2.0
// heddle run --fault: what the table, the JSON report and standard error say.
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"

namespace heddle {

using Catch::Contains;
using test::run_heddle;

TEST_CASE("run --fault: a run that a fault ends says which, and fails") {
  const auto run = run_heddle("run allreduce --algo ring --topo ring:4 --size 1KiB --fault rank:2,stops,call=4");
  CHECK(run.status == 1);
  CHECK_THAT(run.out, Contains("# faults: rank:2,stops,call=4\n") && Contains("FAILED deadlock"));
  CHECK_THAT(run.err, Contains("cause: rank 2 stopped at ") && Contains("fault rank:2,stops,call=4); rank 3 waits for it"));
}

TEST_CASE("run --fault: one that never struck is reported") {
  const auto run = run_heddle(
      "run allreduce --algo ring --topo ring:4 --size 1KiB --fault message:0->1,lost,nth=300 --fault rank:1,late=50us");
  CHECK(run.status == 0);
  CHECK_THAT(run.out, Contains("# faults: message:0->1,lost,nth=300 rank:1,late=50us\n") &&
                          Contains("# ring: never struck: message:0->1,lost,nth=300\n"));
  const auto json =
      run_heddle("run allreduce --algo ring --topo ring:4 --size 1KiB --fault message:0->1,lost,nth=300 --json -");
  const auto document = nlohmann::json::parse(json.out);
  CHECK(document["context"]["faults"] == nlohmann::json{"message:0->1,lost,nth=300"});
  CHECK(document["runs"][0]["idle_faults"] == nlohmann::json{"message:0->1,lost,nth=300"});
}

TEST_CASE("run --fault: what cannot be is refused") {
  const auto refusal = [](const std::string& flags) {
    const auto run = run_heddle("run allreduce --algo ring --topo ring:4 --size 1KiB " + flags);
    CHECK(run.status == 2);
    return run.err;
  };
  CHECK_THAT(refusal("--fault rank:9,stops"), Contains("--fault 'rank:9,stops': '9' is no rank; ranks are 0 to 3"));
  CHECK_THAT(refusal("--fault rank:1,stops --clock wall"), Contains("the wall clock serves no faults"));
  CHECK_THAT(refusal("--fault link:0->1,down --model alpha-beta"), Contains("--model alpha-beta knows no faults of links"));
  CHECK_THAT(refusal("--fault unreliable:lost=1% --fault unreliable:damaged=1%"), Contains("said twice"));
}

TEST_CASE("run --fault: a switch without its ALU is the reason why rows are left out") {
  const auto run =
      run_heddle("run allreduce --algo all --topo star:4,alu,multicast --size 1KiB --fault switch:s0,no-alu --wide");
  CHECK(run.status == 0);
  CHECK_THAT(run.out, Contains("# left out: in_network: star:4,alu,multicast has no switch with an ALU and multicast (fault "
                               "switch:s0,no-alu)\n"));
}

TEST_CASE("heddle fuzz --faults 1 counts how cases with faults ended") {
  const auto run = run_heddle("fuzz --faults 1 --cases 20 --max-ranks 6");
  CHECK(run.status == 0);
  CHECK_THAT(run.out, Contains("\n# fault                        right  never struck         named       refused\n") &&
                          Contains("\n# all ") && Contains("# 20 cases right, or ended by what was done to them\n"));
}

}  // namespace heddle
