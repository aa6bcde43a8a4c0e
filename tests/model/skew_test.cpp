// SPDX-License-Identifier: Apache-2.0
// An alltoall that sends some ranks more than others (docs/model.md, "Skew"; Collectives Explainer 05, §3.3).
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "emu/check/checked_run.hpp"
#include "heddle/errors.hpp"
#include "heddle/registry.hpp"
#include "tests/catch.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::skew_model {

namespace {

using namespace literals;

/// α = 1 us, B = 1 byte/ns.
Fabric fabric_of(std::string_view topology) {
  FabricSettings settings;
  settings.tiers.front() = {.bandwidth = 1_GBps, .latency = Time()};
  settings.alpha = 1_us;
  return {parse_topology(topology), settings};
}

/// `unit` i32 for each destination of weight 1.
CollectiveCall skewed(CollectiveFunction function, std::vector<std::int64_t> weights, std::int64_t unit) {
  CollectiveCall call;
  call.collective = Collective::alltoall;
  call.name = "skewed";
  call.function = std::move(function);
  for (std::int64_t& weight : weights) weight *= unit;
  call.sends = CountMatrix::by_destination(weights);
  call.count = call.sampled = call.sends.most_sent();
  call.in_place = false;
  return call;
}

Report run_on(std::string_view topology, const CollectiveCall& call) {
  const Fabric fabric = fabric_of(topology);
  return run_checked(fabric, linear_placement(fabric.topology().endpoints(), fabric.topology()), call);
}

CollectiveFunction row(std::string_view name) { return find_algorithm(Collective::alltoall, name).run; }

}  // namespace

TEST_CASE("the link down to a hot rank carries factor times what the others' do, and is the time of the alltoall") {
  // star:8, two hot ranks, factor f, u = 4000 B: T = α + (p-1)·f·u/B, down to a hot rank (p-1)·f·u, to another (p-1)·u.
  for (const std::int64_t f : {1, 2, 5, 10}) {
    const Report report = run_on("star:8", skewed(row("linear"), {f, f, 1, 1, 1, 1, 1, 1}, 1000));
    CHECK(report.completion == Time::ps((1000 + 7 * f * 4000) * 1000));
    const Fabric fabric = fabric_of("star:8");
    for (const LinkReport& link : report.links) {
      const LinkEnds ends = fabric.topology().ends(link.link);
      if (ends.from != 8) continue;
      CHECK(link.bytes == Bytes(7 * (ends.to < 2 ? f : 1) * 4000));
    }
  }
}

TEST_CASE("skewed alltoalls are right by every algorithm that takes blocks of given sizes, held in part as well") {
  for (const char* name : {"linear", "pairwise", "hierarchical"}) {
    CollectiveCall call = skewed(row(name), {1, 0, 7, 2, 1}, 12);
    CHECK(run_on("star:5", call).sent_total() == Bytes(4 * (12 * 11 * 5 - 12 * 11)));
    call.sampled = call.count / 4;
    CHECK(run_on("star:5", call).sent_total() == Bytes(4 * (12 * 11 * 5 - 12 * 11)));
  }
}

TEST_CASE("a skewed alltoall that mixes up what it sends is found out") {
  const CollectiveFunction wrong = [](Communicator& comm, const CollectiveArguments& call) {
    row("linear")(comm, call);
    if (comm.rank() == Rank(2)) comm.copy(call.received.block(call.output, 0), call.received.block(call.output, 1));
  };
  try {
    run_on("star:4", skewed(wrong, {1, 1, 5, 1}, 10));
    FAIL("not found out");
  } catch (const CheckError& error) {
    CHECK(error.kind() == CheckError::Kind::wrong_result);
    CHECK_THAT(error.what(), Catch::Contains("skewed by destination"));
  }
}

TEST_CASE("skew that cannot be") {
  CollectiveCall call = skewed(row("linear"), {1, 1, 5}, 10);
  CHECK_THROWS_WITH(run_on("star:4", call), "counts of 3 ranks for 4");
  call.sends = CountMatrix::by_destination(std::vector<std::int64_t>{10, 10, 50, 10});
  CHECK_THROWS_WITH(run_on("star:4", call), "a rank sends 80 elements at most, and the call has 70");
  call.count = call.sampled = 80;
  call.sampled = 20;
  CHECK_THROWS_WITH(run_on("star:4", call), "20 of 80 elements held: no whole part of each count, which are multiples of 10");
  call.in_place = true;
  CHECK_THROWS_WITH(run_on("star:4", call),
                    "in place two ranks send each other as much as they receive; these counts are out of place");
}

}  // namespace heddle::skew_model
