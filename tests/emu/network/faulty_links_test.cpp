// SPDX-License-Identifier: Apache-2.0
// Links that slow down or go down, worked out by hand: B = 1 byte per ns, a link costs 400 ns, α = 1 us (fabrics.hpp).
#include <string>
#include <vector>

#include "emu/check/checked_run.hpp"
#include "emu/settings/faults.hpp"
#include "emu/switches/in_network.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;
using Catch::Contains;

EmulationSettings faulty(const Fabric& fabric, const std::vector<std::string>& specs) {
  EmulationSettings settings;
  settings.faults = parse_faults(specs, fabric.topology(), fabric.topology().endpoints());
  return settings;
}

Report carried(const Fabric& fabric, const std::vector<Transfer>& transfers, const std::vector<std::string>& specs) {
  return run_on(fabric, at_once(transfers), faulty(fabric, specs));
}

Fabric with_routing(std::string_view topology, Routing routing) {
  FabricSettings settings = nanosecond_speeds();
  settings.routing = routing;
  return fabric_of(topology, settings);
}

Bytes bytes_on(const Report& report, const Fabric& fabric, std::string_view link) {
  for (const LinkReport& one : report.links) {
    if (fabric.topology().link_name(one.link) == link) return one.bytes;
  }
  return Bytes(-1);
}

std::string cut_of(const Fabric& fabric, const std::vector<Transfer>& transfers, const std::vector<std::string>& specs) {
  const CheckError error = check_error_of(fabric, at_once(transfers), faulty(fabric, specs));
  CHECK(error.kind() == CheckError::Kind::cut);
  return error.what();
}

}  // namespace

TEST_CASE("a slow link") {
  const Fabric ring = fabric_of("ring:4");
  CHECK(carried(ring, {{0, 1, 1000}}, {}).completion == 2'400_ns);
  CHECK(carried(ring, {{0, 1, 1000}}, {"link:0->1,slow=4"}).completion == 1_us + 4_us + 400_ns);
  CHECK(carried(ring, {{0, 1, 1000}}, {"link:1->0,slow=4"}).completion == 2'400_ns);
  // 500 bytes until 1.5 us, the rest at a quarter of the rate.
  CHECK(carried(ring, {{0, 1, 1000}}, {"link:0->1,slow=4,at=1500ns"}).completion == 1'500_ns + 2_us + 400_ns);
  // Two messages over 0->1 have half of it each.
  CHECK(carried(ring, {{0, 1, 1000}, {0, 1, 1000}}, {"link:0->1,slow=2"}).completion == 1_us + 4_us + 400_ns);
  const Report after = carried(ring, {{0, 1, 1000}}, {"link:0->1,slow=4,at=1ms"});
  CHECK(after.completion == 2'400_ns);
  CHECK(after.idle_faults == std::vector<std::string>{"link:0->1,slow=4,at=1ms"});
}

TEST_CASE("what a link that was slow from the start costs is no contention") {
  const Report report = carried(fabric_of("ring:4"), {{0, 1, 1000}}, {"link:0->1,slow=4"});
  CHECK(report.contention_free == report.completion);
  CHECK(report.critical_path.parts.contention == Time());
}

TEST_CASE("a link that is down is gone round") {
  const Fabric ring = fabric_of("ring:4");
  // 0, 3, 2, 1: three links.
  const Report report = carried(ring, {{0, 1, 1000}}, {"link:0->1,down"});
  CHECK(report.completion == 1_us + 1_us + 1'200_ns);
  CHECK(bytes_on(report, ring, "0->1") == 0_B);
  CHECK(bytes_on(report, ring, "3->2") == 1000_B);
  // Half-way round, adaptive routing has two ways; one is left.
  CHECK(carried(ring, {{0, 2, 1000}}, {}).completion == 1_us + 500_ns + 800_ns);
  CHECK(carried(ring, {{0, 2, 1000}}, {"link:1->2,down"}).completion == 1_us + 1_us + 800_ns);
  // On a torus another way may be as short.
  const Fabric torus = with_routing("torus:4x4", Routing::deterministic());
  CHECK(carried(torus, {{0, 5, 1000}}, {}).completion == 2'800_ns);
  CHECK(carried(torus, {{0, 5, 1000}}, {"link:(0,0)->(0,1),down", "link:(1,0)->(1,1),down,at=1ms"}).completion == 2'800_ns);
}

TEST_CASE("what is left of a message on a link that goes down takes another way") {
  const Fabric ring = fabric_of("ring:4");
  const Report report = carried(ring, {{0, 1, 1000}}, {"link:0->1,down,at=1400ns"});
  CHECK(report.completion == 1_us + 1_us + 1'200_ns);
  CHECK(bytes_on(report, ring, "0->1") == 400_B);
  CHECK(bytes_on(report, ring, "0->3") == 600_B);
  // There it meets another one: 600 bytes and 1000 from 1.4 us on, half of the link each until the first is through.
  const Report met = carried(ring, {{0, 1, 1000}, {0, 3, 1400}}, {"link:0->1,down,at=1400ns"});
  CHECK(met.ranks[1].completion == 1'400_ns + 1'200_ns + 1'200_ns);
  CHECK(met.ranks[3].completion == 1_us + 2_us + 400_ns);
}

TEST_CASE("a switched fabric is gone round through switches") {
  const Fabric clos = with_routing("clos:hosts=2,leaves=2,spines=2", Routing::deterministic());
  const Report healthy = carried(clos, {{0, 2, 1000}}, {});
  const Report report = carried(clos, {{0, 2, 1000}}, {"link:leaf0->spine0,down"});
  CHECK(report.completion == healthy.completion);
  CHECK(bytes_on(healthy, clos, "leaf0->spine0") == 1000_B);
  CHECK(bytes_on(report, clos, "leaf0->spine1") == 1000_B);
}

TEST_CASE("adaptive routing takes the links beside a slow one for what they have, and the slow one for what is left of it") {
  // Two hosts of a leaf with two uplinks: together 2 bytes/ns. With a slow one 1.25, 0.625 for each host: 1600 ns for 1000 B.
  const Fabric clos = fabric_of("clos:hosts=2,leaves=2,spines=2");
  const std::vector<Transfer> both = {{0, 2, 1000}, {1, 3, 1000}};
  const Report healthy = carried(clos, both, {});
  const Report slow = carried(clos, both, {"link:leaf0->spine0,slow=4"});
  CHECK(slow.completion == healthy.completion + 600_ns);
  CHECK(bytes_on(slow, clos, "leaf0->spine0") == 400_B);
  CHECK(bytes_on(slow, clos, "leaf0->spine1") == 1600_B);
  CHECK(bytes_on(slow, clos, "spine0->leaf1") == 1000_B);
  // Half of the bytes are through when it gets slow.
  CHECK(carried(clos, both, {"link:leaf0->spine0,slow=4,at=1500ns"}).completion == healthy.completion + 300_ns);
  // One host alone has room enough.
  CHECK(carried(clos, {{0, 2, 1000}}, {"link:leaf0->spine0,slow=4"}).completion ==
        carried(clos, {{0, 2, 1000}}, {}).completion);
}

TEST_CASE("adaptive routing leaves out a link that is down, and goes round only where all beside it are") {
  const Fabric clos = fabric_of("clos:hosts=2,leaves=2,spines=2");
  const std::vector<Transfer> both = {{0, 2, 1000}, {1, 3, 1000}};
  const Report healthy = carried(clos, both, {});
  const Report down = carried(clos, both, {"link:leaf0->spine0,down"});
  CHECK(down.completion == healthy.completion + 1_us);
  CHECK(bytes_on(down, clos, "leaf0->spine0") == 0_B);
  CHECK(bytes_on(down, clos, "leaf0->spine1") == 2000_B);
  CHECK(carried(clos, both, {"link:leaf0->spine0,down,at=1500ns"}).completion == healthy.completion + 500_ns);
  CHECK_THAT(cut_of(clos, both, {"link:leaf0->spine0,down", "link:leaf0->spine1,down"}), Contains("no way is left"));
}

TEST_CASE("where no way is left the error names the cut") {
  CHECK(
      cut_of(fabric_of("ring:4"), {{0, 1, 8}}, {"link:0->1,down", "link:0->3,down,at=1ns"}) ==
      "no way is left since 1ns from rank 0 to rank 1: faults link:0->1,down link:0->3,down,at=1ns cut ranks 1-3 off from rank "
      "0");
  CHECK_THAT(cut_of(fabric_of("star:4"), {{0, 3, 8}}, {"link:s0->3,down"}),
             Contains("from rank 0 to rank 3: faults link:s0->3,down cut rank 3 off from ranks 0-2"));
  // Endpoints of a switched fabric do not pass on what is for others.
  CHECK_THAT(cut_of(fabric_of("star:4"), {{0, 3, 8}}, {"link:0->s0,down"}), Contains("cut ranks 1-3 off from rank 0"));
  // While a message is on its way.
  CHECK_THAT(cut_of(fabric_of("star:4"), {{0, 3, 8000}}, {"link:s0->3,down,at=3us"}),
             Contains("no way is left since 3us from rank 0 to rank 3"));
}

TEST_CASE("checked calls on a fabric with faulty links are right, on both kinds of threads") {
  const Fabric torus = fabric_of("torus:3x3");
  const CollectiveCall call{.collective = Collective::allreduce,
                            .function = testing::direct(Collective::allreduce),
                            .name = "direct",
                            .count = 20,
                            .sampled = 20};
  EmulationSettings settings = faulty(torus, {"link:0<->1,down,at=1100ns", "link:4<->5,down", "link:3->4,slow=3"});
  Time completion;
  for (const Threads threads : threads_under_test()) {
    settings.threads = threads;
    const Report report = run_checked(torus, linear_placement(9, torus.topology()), call, settings);
    if (completion > Time()) CHECK(report.completion == completion);
    completion = report.completion;
  }
  CHECK(completion > run_checked(torus, linear_placement(9, torus.topology()), call).completion);
}

TEST_CASE("a switch without its ALU reduces nothing; a tree without it is found where there is one") {
  const auto domain = [](const Fabric& fabric, const std::vector<std::string>& specs) {
    const Faults faults = parse_faults(specs, fabric.topology(), fabric.topology().endpoints());
    return InNetworkDomain(fabric, linear_placement(fabric.topology().endpoints(), fabric.topology()),
                           std::make_shared<LazySwitchGraph>(fabric.topology()), faults.switches);
  };
  const Fabric star = fabric_of("star:4,alu,multicast");
  const auto why_not = [](const InNetworkDomain& of, Collective collective) {
    return of.why_not(collective, Datatype::i32(), 4, &ReduceOp::sum());
  };
  CHECK(why_not(domain(star, {}), Collective::allreduce).empty());
  CHECK(why_not(domain(star, {"switch:s0,no-alu"}), Collective::allreduce) ==
        "star:4,alu,multicast has no switch with an ALU and multicast (fault switch:s0,no-alu)");
  CHECK(why_not(domain(star, {"switch:s0,no-alu"}), Collective::broadcast).empty());

  const Fabric clos = with_routing("clos:hosts=2,leaves=2,spines=2,alu,multicast", Routing::deterministic());
  const InNetworkDomain around = domain(clos, {"switch:spine0,no-alu"});
  CHECK(why_not(around, Collective::allreduce).empty());
  CHECK(clos.topology().vertex_name(around.tree(Collective::allreduce).nodes.front().vertex) == "spine1");
  CHECK(why_not(domain(clos, {"switch:leaf1,no-alu"}), Collective::allreduce) ==
        "rank 2 is outside the domain of rank 0: no switches with an ALU and multicast join them (fault switch:leaf1,no-alu)");
}

}  // namespace heddle
