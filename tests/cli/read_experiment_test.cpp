// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/read_experiment.hpp"
#include "lab/experiment/setup.hpp"

#include "core/affine.hpp"
#include "tests/catch.hpp"
#include "topo/presets/fabric_presets.hpp"

namespace heddle {

using namespace literals;

namespace {

RunOptions ring_of_four() {
  RunOptions options;
  options.collective = "allreduce";
  options.fabric.topology = "ring:4";
  options.size = "1KiB";
  return options;
}

}  // namespace

TEST_CASE("a size is rounded down to whole elements") {
  RunOptions options = ring_of_four();
  options.size = "1023";
  CHECK(set_up(options).count == 255);
  CHECK(set_up(options).bytes() == 1020);
  options.datatype = "double";
  CHECK(set_up(options).count == 127);
}

TEST_CASE("a size that is not 0 is at least one element, of an alltoall one in each block") {
  const auto plan_of = [](std::string_view collective, std::string_view datatype, std::string_view size) {
    RunOptions options = ring_of_four();
    options.collective = collective;
    options.datatype = datatype;
    options.size = size;
    return set_up(options);
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
  const Setup plan = set_up(ring_of_four());
  CHECK(plan.placement == Placement{0, 1, 2, 3});
  CHECK(plan.type == Datatype::i32());
  CHECK(plan.op == &ReduceOp::sum());
  CHECK(plan.settings.threads == default_threads());
  CHECK_FALSE(plan.settings.buffering.credits.has_value());
  CHECK(plan.algorithms.chosen.size() + plan.algorithms.left_out.size() == algorithms_of(Collective::allreduce).size());
}

TEST_CASE("a preset's speeds are overridden flag by flag") {
  RunOptions options = ring_of_four();
  options.fabric.preset = "trivance";
  options.fabric.hop = "7ns";
  options.fabric.gamma = "0.25ps";
  const FabricSettings preset = find_fabric_preset("trivance").settings;
  const FabricSettings settings = set_up(options).fabric.settings();
  CHECK(settings.hop == 7_ns);
  CHECK(settings.gamma == Approx(0.25e-12));
  CHECK(settings.alpha == preset.alpha);
  CHECK(settings.tiers[0].bandwidth == preset.tiers[0].bandwidth);
  options.fabric.bandwidth = "1GB/s";
  options.fabric.latency = "1us";
  CHECK(set_up(options).fabric.settings().tiers[0].bandwidth == 1_GBps);
  CHECK(set_up(options).fabric.settings().tiers[0].latency == 1_us);
}

TEST_CASE("fewer ranks than endpoints have a grid where they fill a box") {
  RunOptions options = ring_of_four();
  options.fabric.topology = "torus:2x4";
  CHECK(set_up(options).shape().dims == std::vector{2, 4});
  options.ranks = "6";
  CHECK(set_up(options).shape().ranks == 6);
  CHECK(set_up(options).shape().dims.empty());
  options.ranks = "4";
  CHECK(set_up(options).shape().dims == std::vector{4});
}

TEST_CASE("affine maps come with their type and leave out what reorders contributions") {
  RunOptions options = ring_of_four();
  options.op = "affine";
  const Setup plan = set_up(options);
  CHECK(plan.op == &affine_op());
  CHECK(plan.type == affine_type());
  CHECK(plan.count == 64);
  for (const Algorithm& algorithm : plan.algorithms.chosen) CHECK_FALSE(algorithm.needs.commutative);
  CHECK_FALSE(plan.algorithms.left_out.empty());
}

TEST_CASE("the payload budget decides how much each rank holds") {
  // 4 ranks share 4 KiB: 1 KiB each, 256 elements of the 2^20; the call is timed as 2^20 elements.
  RunOptions options = ring_of_four();
  options.algorithms = "ring";
  options.size = "4MiB";
  options.payload = "4KiB";
  const Setup plan = set_up(options);
  const CollectiveCall call = plan.call(plan.algorithms.chosen[0]);
  CHECK(call.count == 1 << 20);
  CHECK(call.held <= 256);
  CHECK(call.held >= 4);
  options.payload = "full";
  CHECK(set_up(options).call(plan.algorithms.chosen[0]).held == 1 << 20);
}

TEST_CASE("the shape that formulas get has all that they may depend on") {
  RunOptions options = ring_of_four();
  options.collective = "gather";
  options.fabric.topology = "mesh:2x3";
  options.fabric.preset = "trivance";
  options.root = "5";
  options.size.clear();
  options.blocks = "1,2,3,4,5,6";
  const Setup plan = set_up(options);
  const Shape shape = plan.shape();
  CHECK(shape.dims == std::vector{2, 3});
  CHECK_FALSE(shape.wraps);
  CHECK(shape.count == 21);
  CHECK(shape.bytes == 84);
  CHECK(shape.root == 5);
  CHECK_FALSE(shape.equal_blocks);
  const MessageCost cost = message_cost(plan.fabric, 0, 1);
  CHECK(shape.cost.latency == cost.latency);
  CHECK(shape.cost.seconds_per_byte == cost.seconds_per_byte);
  CHECK(cost.latency > 0);
  options.blocks = "4,4,4,4,4,4";  // even after all
  CHECK(set_up(options).shape().equal_blocks);
}

TEST_CASE("alltoall is out of place unless asked for otherwise, others in place") {
  RunOptions options = ring_of_four();
  CHECK(set_up(options).in_place);
  options.out_of_place = true;
  CHECK_FALSE(set_up(options).in_place);
  options.collective = "alltoall";
  options.out_of_place = false;
  CHECK_FALSE(set_up(options).in_place);
  options.in_place = true;
  CHECK(set_up(options).in_place);
}

TEST_CASE("the budget counts inputs and outputs, and whole blocks where they are even") {
  RunOptions options = ring_of_four();
  options.algorithms = "ring";
  options.size = "4MiB";
  options.payload = "4KiB";
  options.out_of_place = true;
  const Setup apart = set_up(options);
  CHECK(apart.call(apart.algorithms.chosen[0]).held <= 128);  // eight vectors in 4 KiB
  options.collective = "gather";
  options.algorithms = "linear";
  const Setup gather = set_up(options);
  CHECK(gather.call(gather.algorithms.chosen[0]).held == 256);  // two outputs, and the blocks of one input
  CHECK(gather.call(gather.algorithms.chosen[0]).held % 4 == 0);
  options.collective = "alltoall";
  const Setup alltoall = set_up(options);
  CHECK(alltoall.call(alltoall.algorithms.chosen[0]).held % 4 == 0);
  options.blocks = "random";
  const Setup irregular = set_up(options);
  CHECK(irregular.call(irregular.algorithms.chosen[0]).held == 1 << 20);
}

}  // namespace heddle
