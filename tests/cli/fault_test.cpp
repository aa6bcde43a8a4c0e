// SPDX-License-Identifier: Apache-2.0
// heddle run --fault: what the table, the JSON report and standard error say.
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/cli/temporary_directory.hpp"

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
                          Contains("# ring: never struck: message:0->1,lost,nth=300 (rank 0 sent rank 1 6 messages)\n"));
  const auto json =
      run_heddle("run allreduce --algo ring --topo ring:4 --size 1KiB --fault message:0->1,lost,nth=300 --json -");
  const auto document = nlohmann::json::parse(json.out);
  CHECK(document["context"]["faults"] == nlohmann::json{"message:0->1,lost,nth=300"});
  CHECK(document["runs"][0]["idle_faults"] == nlohmann::json{"message:0->1,lost,nth=300"});
  CHECK(document["runs"][0]["idle_fault_reasons"] == nlohmann::json{"rank 0 sent rank 1 6 messages"});
}

TEST_CASE("run --fault: one that hits nothing says so, whatever it is of") {
  // A ring sends upwards only.
  const auto hit_by = [](const std::string& flags) { return run_heddle("run allreduce --algo ring --size 1KiB " + flags).out; };
  const auto ring = [&](const std::string& fault) { return hit_by("--topo ring:4 --fault " + fault); };
  CHECK_THAT(ring("link:1->0,slow=4"), Contains("# ring: never struck: link:1->0,slow=4 (no message crossed it)\n"));
  CHECK_THAT(ring("link:1->0,down"), Contains("# ring: never struck: link:1->0,down (no message crossed it)\n"));
  CHECK_THAT(ring("link:0<->1,slow=4"), Contains("never struck: link:1->0,slow=4 (") && !Contains("never struck: link:0->1"));
  CHECK_THAT(ring("link:0->1,slow=4,at=1s"), Contains("link:0->1,slow=4,at=1s (the run was over before)"));
  CHECK_THAT(ring("message:2->0,lost"), Contains("message:2->0,lost (rank 2 sent rank 0 no message)"));
  CHECK_THAT(ring("rank:1,slow=3"), Contains("rank:1,slow=3 (alpha, the overheads and gamma are 0 here"));
  CHECK_THAT(ring("rank:1,slow=3 --alpha 1us"), !Contains("never struck"));
  CHECK_THAT(ring("rank:1,throws,call=9999"), Contains("(rank 1 made fewer than 9999 calls)"));
  CHECK_THAT(ring("link:0->1,slow=1"), Contains("link:0->1,slow=1 (slow=1 is its own speed)"));
  CHECK_THAT(ring("link:0->1,slow=4"), !Contains("never struck"));
  CHECK_THAT(hit_by("--topo star:4,alu,multicast --fault switch:s0,no-alu"),
             Contains("# ring: never struck: switch:s0,no-alu (no switch was asked to compute anything)\n"));
  // Messages of no bytes cross it all the same.
  CHECK_THAT(run_heddle("run barrier --algo dissemination --topo ring:4 --fault link:0->1,slow=4").out,
             !Contains("never struck"));
}

TEST_CASE("run --fault: adaptive routing goes round a slow link of a bundle, and says so") {
  const std::string clos = "run allreduce --algo ring --topo clos:hosts=4,leaves=2,spines=4 --size 1MiB ";
  const std::string said = "# adaptive routing goes round link:leaf0->spine0,slow=10 (--routing ecmp:SEED does not): links";
  const auto adaptive = run_heddle(clos + "--fault link:leaf0->spine0,slow=10");
  CHECK_THAT(adaptive.out, Contains(said));
  CHECK_THAT(run_heddle(clos + "--fault link:leaf0->spine0,slow=10 --routing ecmp:3").out, !Contains("goes round"));
  CHECK_THAT(run_heddle(clos + "--fault link:0->leaf0,slow=10").out, !Contains("goes round"));
  // What is down no routing takes.
  CHECK_THAT(run_heddle(clos + "--fault link:leaf0->spine0,down").out,
             Contains("# adaptive routing goes round link:leaf0->spine0,down: links and ways beside carry all\n"));
  const auto document = nlohmann::json::parse(run_heddle(clos + "--fault link:leaf0->spine0,slow=10 --json -").out);
  CHECK(document["runs"][0]["faults_gone_round"] == nlohmann::json{"link:leaf0->spine0,slow=10"});
  // Of two ways round a ring.
  CHECK_THAT(run_heddle("run allreduce --algo recursive_doubling --topo ring:4 --size 1MiB --fault link:1->2,slow=4").out,
             Contains("goes round link:1->2,slow=4") && !Contains("(recursive_doubling)"));
  // A ring's messages have one way each.
  const std::string both = "allreduce --algo ring,recursive_doubling --topo ring:4 --size 1MiB --fault link:1->2,slow=4";
  CHECK_THAT(run_heddle("run " + both).out, Contains(" take what it cannot carry (recursive_doubling)\n"));
  CHECK_THAT(run_heddle("sweep " + both).out, Contains("#   (recursive_doubling)\n"));
}

TEST_CASE("run --fault link:worst finds the link that costs most, and names it") {
  const std::string run = "run allreduce --algo ring --topo clos:hosts=2,leaves=2,spines=1 --size 1MiB --bw 100GB/s,10GB/s ";
  const auto worst = run_heddle(run + "--fault link:worst,slow=4");
  CHECK(worst.status == 0);
  // All that crosses between the leaves crosses one link each way.
  CHECK_THAT(worst.out,
             Contains("# ring: the worst of 12 links that carry something: link:leaf0->spine0,slow=4; without it ") &&
                 Contains("3 others cost as much\n") && !Contains("goes round"));
  const auto named = run_heddle(run + "--fault link:leaf0->spine0,slow=4 --json -");
  const auto found = run_heddle(run + "--fault link:worst,slow=4 --json -");
  const auto of_named = nlohmann::json::parse(named.out)["runs"][0];
  const auto of_found = nlohmann::json::parse(found.out)["runs"][0];
  CHECK(of_named["time_s"] == of_found["time_s"]);
  CHECK(of_found["worst_link"]["fault"] == "link:leaf0->spine0,slow=4");
  CHECK(of_found["worst_link"]["time_without_s"] < of_found["time_s"]);
  CHECK(of_found["links"] == of_named["links"]);
  // A host whose link is down has no other.
  const auto down = run_heddle(run + "--fault link:worst,down");
  CHECK(down.status == 1);
  CHECK_THAT(down.err, Contains("no way is left") && Contains("link:leaf0->spine0,down"));
  CHECK(run_heddle(run + "--fault link:worst").status == 2);
  CHECK(run_heddle(run + "--fault link:worst,slow=2 --fault link:worst,slow=3").status == 2);
}

TEST_CASE("heat maps, traces and documents show what is slow or down, and how much of what is left is used") {
  const test::TemporaryDirectory directory("faults");
  const std::string run =
      "run allreduce --algo ring --topo ring:4 --size 1MiB --fault link:0->1,slow=4 --fault link:2->1,down ";
  CHECK_THAT(run_heddle(run + "--heatmap -").out,
             Contains("  at fault      0->1: slow=4; 9") && Contains("2->1: down; nothing\n"));
  CHECK(run_heddle(run + "--heatmap " + (directory / "map.svg") + " --trace " + (directory / "trace.json") + " --html " +
                   (directory / "page.html"))
            .status == 0);
  const std::string picture = test::file_content((directory / "map.svg"));
  CHECK_THAT(picture, Contains("id=\"faults\"") && Contains(", slow=4</title>") && Contains("2-&gt;1: down; nothing"));
  const std::string trace = test::file_content((directory / "trace.json"));
  CHECK_THAT(trace, Contains("0->1 fault") && Contains("\"percent_of_bandwidth\":25.0") && Contains("2->1 fault"));
  CHECK_THAT(test::file_content((directory / "page.html")), Contains("\"slow=4\",[[0,0.25]]"));
  const nlohmann::json report = nlohmann::json::parse(run_heddle(run + "--json -").out);
  for (const auto& link : report["runs"][0]["links"]) {
    CHECK(link.contains("bandwidth_left") == (link["name"] == "0->1"));
    CHECK(link["utilisation"].get<double>() <= 1);
    if (link["name"] == "0->1") CHECK(link["utilisation"].get<double>() > 0.9);
  }
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

TEST_CASE("run --fault: an operation of the switches over a bundle that is all down is a cut that names it") {
  const auto run = run_heddle(
      "run allreduce --algo in_network --topo clos:hosts=1,leaves=3,spines=1,alu,multicast --size 1KiB --fault "
      "link:spine0<->leaf1,down");
  CHECK(run.status == 1);
  CHECK_THAT(run.err, Contains("a link of their tree that is down (fault link:leaf1->spine0,down)") ||
                          Contains("a link of their tree that is down (fault link:spine0->leaf1,down)"));
}

TEST_CASE("heddle fuzz --faults 1 counts how cases with faults ended") {
  const auto run = run_heddle("fuzz --faults 1 --cases 20 --max-ranks 6");
  CHECK(run.status == 0);
  CHECK_THAT(run.out, Contains("\n# fault                        right  never struck         named       refused\n") &&
                          Contains("\n# all ") && Contains("# 20 cases right, or ended by what was done to them\n"));
}

}  // namespace heddle
