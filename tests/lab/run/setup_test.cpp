// SPDX-License-Identifier: Apache-2.0
#include "lab/run/setup.hpp"

#include <string>

#include "core/affine.hpp"
#include "tests/catch.hpp"
#include "topo/presets/fabric_presets.hpp"

namespace heddle {

using namespace literals;

namespace {

/// On ring:4, of 1 KiB and in the call unless the flags say otherwise.
Setup setup_of(const std::string& flags, const std::string& call = "allreduce", const std::string& algorithms = "all") {
  return set_up(Experiment::parse(call + " --topo ring:4 --size 1KiB " + flags), algorithms);
}

}  // namespace

TEST_CASE("routes go by where ranks are") {
  // On GPU 3 of a superpod, not on GPU 1 of the source's tray: the message to rail 1 of the other pod goes that way.
  const Setup setup = setup_of("--topo superpod:pods=2,gpus=4,trays=2 --ranks 3 --placement endpoints:0+3+5");
  Route route;
  setup.fabric.topology().route(0, 5, Routing::deterministic(), route);
  REQUIRE(route.links().size() == 4);
  CHECK(setup.fabric.topology().ends(route.links()[1]).to == 3);
}

TEST_CASE("a size is rounded down to whole elements") {
  CHECK(setup_of("--size 1023").count == 255);
  CHECK(setup_of("--size 1023").bytes() == 1020);
  CHECK(setup_of("--size 1023 --datatype double").count == 127);
}

TEST_CASE("a size that is not 0 is at least one element, of an alltoall one in each block") {
  const auto plan_of = [](const std::string& collective, const std::string& datatype, const std::string& size) {
    return setup_of("--datatype " + datatype + " --size " + size, collective);
  };
  CHECK(plan_of("allreduce", "i32", "3").count == 1);
  CHECK(plan_of("allreduce", "i32", "3").rounded_up_from == Bytes(3));
  CHECK(plan_of("broadcast", "double", "7").count == 1);
  CHECK(plan_of("alltoall", "double", "31").count == 4);
  CHECK(plan_of("alltoall", "double", "31").rounded_up_from == Bytes(31));
  CHECK_FALSE(plan_of("alltoall", "double", "63").rounded_up_from);
  CHECK(plan_of("alltoall", "double", "63").count == 4);
  CHECK_FALSE(plan_of("allreduce", "i32", "5").rounded_up_from);
  CHECK(plan_of("allreduce", "i32", "0").count == 0);
  CHECK_FALSE(plan_of("allreduce", "i32", "0").rounded_up_from);
}

TEST_CASE("without flags: all ranks, in order, i32 sums, every algorithm that fits") {
  const Setup setup = setup_of("");
  CHECK(setup.placement == Placement{0, 1, 2, 3});
  CHECK(setup.type() == Datatype::i32());
  CHECK(setup.asked.op == &ReduceOp::sum());
  CHECK(setup.settings.threads == default_threads());
  CHECK_FALSE(setup.settings.buffering.credits.has_value());
  CHECK(setup.algorithms.chosen.size() + setup.algorithms.left_out.size() == algorithms_of(Collective::allreduce).size());
}

TEST_CASE("a preset's speeds are overridden flag by flag") {
  const std::string flags = "--preset trivance --switch-latency 7ns --gamma 0.25ps";
  const FabricSettings preset = find_fabric_preset("trivance").settings;
  const FabricSettings settings = setup_of(flags).fabric.settings();
  CHECK(settings.hop == 7_ns);
  CHECK(settings.gamma == Approx(0.25e-12));
  CHECK(settings.alpha == preset.alpha);
  CHECK(settings.tiers[0].bandwidth == preset.tiers[0].bandwidth);
  const FabricSettings others = setup_of(flags + " --bw 1GB/s --latency 1us").fabric.settings();
  CHECK(others.tiers[0].bandwidth == 1_GBps);
  CHECK(others.tiers[0].latency == 1_us);
}

TEST_CASE("fewer ranks than endpoints have a grid where they fill a box") {
  CHECK(setup_of("--topo torus:2x4").shape().dims == std::vector{2, 4});
  CHECK(setup_of("--topo torus:2x4 --ranks 6").shape().ranks == 6);
  CHECK(setup_of("--topo torus:2x4 --ranks 6").shape().dims.empty());
  CHECK(setup_of("--topo torus:2x4 --ranks 4").shape().dims == std::vector{4});
}

TEST_CASE("affine maps come with their type and leave out what reorders contributions") {
  const Setup setup = setup_of("--op affine");
  CHECK(setup.asked.op == &affine_op());
  CHECK(setup.type() == affine_type());
  CHECK(setup.count == 64);
  for (const Algorithm& algorithm : setup.algorithms.chosen) CHECK_FALSE(algorithm.needs.commutative);
  CHECK_FALSE(setup.algorithms.left_out.empty());
}

TEST_CASE("the payload budget decides how much each rank holds") {
  // 4 ranks share 4 KiB: 1 KiB each, 256 elements of the 2^20; the call is timed as 2^20 elements.
  const Setup setup = setup_of("--size 4MiB --data-memory 4KiB", "allreduce", "ring");
  const CollectiveCall call = setup.call(setup.algorithms.chosen[0]);
  CHECK(call.count == 1 << 20);
  CHECK(call.sampled <= 256);
  CHECK(call.sampled >= 4);
  CHECK(setup_of("--size 4MiB --data-memory full").call(setup.algorithms.chosen[0]).sampled == 1 << 20);
}

TEST_CASE("the shape that formulas get has all that they may depend on") {
  const std::string gather = "gather --topo mesh:2x3 --preset trivance --root 5 --blocks ";
  const Setup setup = set_up(Experiment::parse(gather + "1,2,3,4,5,6"), "all");
  const Shape shape = setup.shape();
  CHECK(shape.dims == std::vector{2, 3});
  CHECK_FALSE(shape.wraps);
  CHECK(shape.count == 21);
  CHECK(shape.bytes == 84);
  CHECK(shape.root == 5);
  CHECK_FALSE(shape.equal_blocks);
  const MessageCost cost = message_cost(setup.fabric, 0, 1);
  CHECK(shape.cost.latency == cost.latency);
  CHECK(shape.cost.seconds_per_byte == cost.seconds_per_byte);
  CHECK(cost.latency > 0);
  CHECK(set_up(Experiment::parse(gather + "4,4,4,4,4,4"), "all").shape().equal_blocks);  // even after all
}

TEST_CASE("alltoall is out of place unless asked for otherwise, others in place") {
  CHECK(*setup_of("").asked.in_place);
  CHECK_FALSE(*setup_of("--out-of-place").asked.in_place);
  CHECK_FALSE(*setup_of("", "alltoall").asked.in_place);
  CHECK(*setup_of("--in-place", "alltoall").asked.in_place);
}

TEST_CASE("the budget counts inputs and outputs, and whole blocks where they are even") {
  const std::string flags = "--size 4MiB --data-memory 4KiB --out-of-place";
  const Setup apart = setup_of(flags, "allreduce", "ring");
  CHECK(apart.call(apart.algorithms.chosen[0]).sampled <= 128);  // eight vectors in 4 KiB
  const Setup gather = setup_of(flags, "gather", "linear");
  CHECK(gather.call(gather.algorithms.chosen[0]).sampled == 256);  // two outputs, and the blocks of one input
  CHECK(gather.call(gather.algorithms.chosen[0]).sampled % 4 == 0);
  const Setup alltoall = setup_of(flags, "alltoall", "linear");
  CHECK(alltoall.call(alltoall.algorithms.chosen[0]).sampled % 4 == 0);
  const Setup irregular = setup_of(flags + " --blocks random", "alltoall", "linear");
  CHECK(irregular.call(irregular.algorithms.chosen[0]).sampled == 1 << 20);
}

}  // namespace heddle
