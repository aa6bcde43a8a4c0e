// SPDX-License-Identifier: Apache-2.0
// Where a run's time goes, worked out by hand. Where nothing else is said: B = 1 byte/ns, α = 1 us, a link of a direct network
// costs ℓ + h = 400 ns, the way through a star 500 ns (tests/emu/fabrics.hpp).
#include "emu/record/critical_path.hpp"

#include <string>
#include <vector>

#include "emu/record/timeline.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"

namespace heddle {

namespace {

using namespace literals;

const PathParts& parts(const Report& report) { return report.critical_path.parts; }

/// Where a byte of local work takes 1 ns.
Fabric with_work(std::string_view topology, Time send_overhead = {}, Time recv_overhead = {}) {
  FabricSettings speeds = nanosecond_speeds();
  speeds.gamma = 1e-9;
  speeds.send_overhead = send_overhead;
  speeds.recv_overhead = recv_overhead;
  return fabric_of(topology, speeds);
}

EmulationSettings with(Buffering buffering) {
  EmulationSettings settings;
  settings.buffering = buffering;
  return settings;
}

}  // namespace

TEST_CASE("alone on its way, a message is start-up, propagation and serialisation") {
  // α + 2·400 ns + 10,000 bytes / B
  const Report report = run_on(fabric_of("ring:8"), at_once({{0, 2, 10'000}}));
  CHECK(report.completion == 11'800_ns);
  CHECK(parts(report) == PathParts{.startup = 1_us, .propagation = 800_ns, .serialisation = 10_us});
  CHECK(report.critical_path.messages == 1);
  CHECK(report.critical_path.bytes == 10'000);
  CHECK(report.contention_free == report.completion);
}

TEST_CASE("what sharing a link adds is contention") {
  // Two messages of 10,000 bytes cross link 1 → 2: α + 2·400 ns + 2·10 us, of which 10 us are contention.
  const Report report = run_on(fabric_of("mesh:4"), at_once({{0, 2, 10'000}, {1, 2, 10'000}}));
  CHECK(report.completion == 21'800_ns);
  CHECK(parts(report) == PathParts{.startup = 1_us, .propagation = 800_ns, .serialisation = 10_us, .contention = 10_us});
  CHECK(report.contention_free == 11'800_ns);
}

TEST_CASE("a message in two halves drains at twice the rate, alone and as contention sees it") {
  // Antipodal on a ring of 4: α + 2·400 ns + 10,000 / 2B.
  const Report report = run_on(fabric_of("ring:4"), at_once({{0, 2, 10'000}}));
  CHECK(parts(report) == PathParts{.startup = 1_us, .propagation = 800_ns, .serialisation = 5_us});
}

TEST_CASE("a relay's messages add up, and its work comes between them") {
  const auto relay = [](Communicator& comm) {
    if (comm.rank() == Rank(1)) {
      carry(comm, {{0, 1, 1000}});
      compute(comm, 500);
    }
    carry(comm, {{comm.rank().value() == 0 ? 0 : 1, comm.rank().value() == 0 ? 1 : 2, 1000}});
  };
  const Report report = run_on(with_work("mesh:3"), relay);
  CHECK(report.completion == 5'300_ns);
  CHECK(parts(report) == PathParts{.startup = 2_us, .propagation = 800_ns, .serialisation = 2_us, .local_work = 500_ns});
  CHECK(report.critical_path.messages == 2);
}

TEST_CASE("messages behind their rank's overheads wait, the overhead itself is start-up") {
  // Three messages of one byte, o = 2 us each: the third waits 4 us, then 2 us + α + 500 ns + 1 ns.
  const Report report = run_on(with_work("star:4", 2_us), at_once({{0, 1, 1}, {0, 2, 1}, {0, 3, 1}}));
  CHECK(report.completion == 7'501_ns);
  CHECK(parts(report) == PathParts{.startup = 3_us, .propagation = 500_ns, .serialisation = 1_ns, .waiting = 4_us});
  CHECK(report.contention_free == report.completion);
}

TEST_CASE("the receiver's overhead is start-up") {
  const Report report = run_on(with_work("star:2", {}, 2_us), at_once({{0, 1, 1}}));
  CHECK(parts(report) == PathParts{.startup = 3_us, .propagation = 500_ns, .serialisation = 1_ns});
}

TEST_CASE("with one credit, or synchronously, the second message is led to by the receive of the first") {
  const Fabric fabric = fabric_of("mesh:2");
  const auto two = at_once({{0, 1, 1000}, {0, 1, 1000}});
  // Each α + 400 ns + 1 us, one after the other.
  const Report one_credit = run_on(fabric, two, with(Buffering::limited(1)));
  CHECK(one_credit.completion == 4'800_ns);
  CHECK(parts(one_credit) == PathParts{.startup = 2_us, .propagation = 800_ns, .serialisation = 2_us});
  CHECK(one_credit.critical_path.messages == 2);
  // Both receives are posted: side by side, they share the link.
  const Report synchronous = run_on(fabric, two, with(Buffering::synchronous()));
  CHECK(parts(synchronous) == PathParts{.startup = 1_us, .propagation = 400_ns, .serialisation = 1_us, .contention = 1_us});
}

TEST_CASE("a synchronous send that waits for its receive is led to by the receiver") {
  const auto late = [](Communicator& comm) {
    if (comm.rank() == Rank(1)) compute(comm, 5000);
    carry(comm, {{0, 1, 1000}});
  };
  const Report report = run_on(with_work("mesh:2"), late, with(Buffering::synchronous()));
  CHECK(parts(report) == PathParts{.startup = 1_us, .propagation = 400_ns, .serialisation = 1_us, .local_work = 5_us});
}

TEST_CASE("branches of a rank end with the one that ends last") {
  const auto branches = [](Communicator& comm) {
    comm.concurrently(2, [](int branch, Communicator& own) { carry(own, {{0, 1, branch == 0 ? 1000 : 5000}}); });
  };
  // On one link: the short one takes 2 us, the long one 1 us more than alone.
  const Report report = run_on(fabric_of("mesh:2"), branches);
  CHECK(report.completion == 7'400_ns);
  CHECK(parts(report) == PathParts{.startup = 1_us, .propagation = 400_ns, .serialisation = 5_us, .contention = 1_us});
}

TEST_CASE("whom a split waits for leads on") {
  const auto late = [](Communicator& comm) {
    if (comm.rank() == Rank(2)) compute(comm, 5000);
    const auto part = comm.split(comm.rank().value() % 2, 0);
    if (comm.rank() != Rank(1)) carry(*part, {{0, 1, 1000}});
  };
  const Report report = run_on(with_work("star:3"), late);
  CHECK(parts(report) == PathParts{.startup = 1_us, .propagation = 500_ns, .serialisation = 1_us, .local_work = 5_us});
}

TEST_CASE("a message that waits for its receiver is not on the path") {
  const auto late = [](Communicator& comm) {
    if (comm.rank() == Rank(1)) compute(comm, 5000);
    carry(comm, {{0, 1, 1000}});
  };
  const Report report = run_on(with_work("mesh:2"), late);
  CHECK(report.completion == 5_us);
  CHECK(parts(report) == PathParts{.local_work = 5_us});
  CHECK(report.critical_path.messages == 0);
}

TEST_CASE("the timeline leads from the last message of the path to its first") {
  Timeline timeline;
  EmulationSettings settings;
  settings.sinks = {&timeline};
  const auto relay = [](Communicator& comm) {
    for (int hop = 0; hop < 3; ++hop) {
      if (comm.rank().value() == hop || comm.rank().value() == hop + 1) carry(comm, {{hop, hop + 1, 1000}});
    }
  };
  const Report report = run_on(fabric_of("mesh:4"), relay, settings);
  REQUIRE(timeline.messages.size() == 3);
  std::vector<int> sources;
  for (std::uint32_t at = report.critical_path.last_record; at != CriticalPath::kNoRecord; at = timeline.messages[at].previous)
    sources.push_back(timeline.messages[at].source);
  CHECK(sources == std::vector<int>{2, 1, 0});
  const MessageRecord& second = timeline.messages[1];
  CHECK(second.posted == 2'400_ns);
  CHECK(second.entered == 3'400_ns);
  CHECK(second.drained == 4'400_ns);
  CHECK(second.arrived == 4'800_ns);
  CHECK(second.full_rate == 1_us);
}

TEST_CASE("flows and their rates are in the timeline") {
  // The short message leaves after 2 us; the long one then has the link to itself.
  Timeline timeline;
  EmulationSettings settings;
  settings.sinks = {&timeline};
  run_on(fabric_of("mesh:3"), at_once({{0, 2, 1000}, {1, 2, 3000}}), settings);
  REQUIRE(timeline.flows.size() == 2);
  CHECK(timeline.flows[0].links == 2);
  CHECK(timeline.flows[1].links == 1);
  CHECK(timeline.flows[0].end == 3_us);
  CHECK(timeline.flows[1].end == 5_us);
  REQUIRE(timeline.rates.size() == 3);
  CHECK(timeline.rates[0].bytes_per_second == 5e8);
  CHECK(timeline.rates[2].flow == 1);
  CHECK(timeline.rates[2].time == 3_us);
  CHECK(timeline.rates[2].bytes_per_second == 1e9);
}

TEST_CASE("spans of a rank: what it waited for and worked at") {
  Timeline timeline;
  EmulationSettings settings;
  settings.sinks = {&timeline};
  const auto late = [](Communicator& comm) {
    if (comm.rank() == Rank(0)) compute(comm, 500);
    carry(comm, {{0, 1, 1000}});
  };
  run_on(with_work("mesh:2"), late, settings);
  REQUIRE(timeline.spans.size() == 3);
  CHECK(timeline.spans[0].kind == SpanRecord::Kind::work);
  CHECK(timeline.spans[0].end == 500_ns);
  CHECK(timeline.spans[1].rank == 0);
  CHECK(timeline.spans[1].kind == SpanRecord::Kind::requests);
  CHECK(timeline.spans[1].begin == 500_ns);
  CHECK(timeline.spans[1].end == 2'500_ns);
  CHECK(timeline.spans[2].rank == 1);
  CHECK(timeline.spans[2].begin == 0_ns);
  CHECK(timeline.spans[2].end == 2'900_ns);
  CHECK(timeline.spans[2].message == 0);
}

namespace {

struct Step {
  int source;
  int dest;
  std::int64_t bytes;
  std::int64_t work;
};

/// Each step in its place of every rank's program.
RankFunction program(const std::vector<Step>& steps) {
  return [steps](Communicator& comm) {
    for (const Step& step : steps) {
      if (comm.rank().value() != step.source && comm.rank().value() != step.dest) continue;
      if (comm.rank().value() == step.source && step.work > 0) compute(comm, step.work);
      carry(comm, {{step.source, step.dest, step.bytes}});
    }
  };
}

}  // namespace

TEST_CASE("the parts add up to the time to the picosecond, whatever is run") {
  testing::property("the parts add up", [] {
    const bool has_overheads = drawn::any<bool>();
    const auto topology =
        drawn::one_of<std::string>({"ring:5", "torus:4x4", "mesh:3x2", "star:6", "clos:hosts=2,leaves=3,spines=2"});
    const Fabric fabric = has_overheads ? with_work(topology, 300_ns, 70_ns) : with_work(topology);
    const int p = fabric.topology().endpoints();
    const auto steps = drawn::list([p] {
      return Step{drawn::number(0, p), drawn::number(0, p), drawn::number<std::int64_t>(0, 5000),
                  drawn::number<std::int64_t>(0, 900)};
    });
    EmulationSettings settings;
    settings.buffering = drawn::one_of({Buffering::eager(), Buffering::limited(1), Buffering::limited(2)});
    const Report report = run_on(fabric, program(steps), settings);
    RC_ASSERT(parts(report).total() == report.completion);
    RC_ASSERT(report.contention_free <= report.completion);
    settings.model = Model::alpha_beta;
    const Report without = run_on(fabric, program(steps), settings);
    RC_ASSERT(parts(without).total() == without.completion);
    RC_ASSERT(parts(without).contention == Time());
    RC_ASSERT(without.contention_free == without.completion);
    // Overheads queue in the order in which ranks get to them, which contention can change; and who needs not wait for a credit in
    // one of the two worlds may have to in the other (docs/model.md).
    if (!has_overheads && !settings.buffering.credits) RC_ASSERT(without.completion == report.contention_free);
  });
}

}  // namespace heddle
