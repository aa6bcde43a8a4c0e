// SPDX-License-Identifier: Apache-2.0
// Times of docs/model.md, seen from the ranks. A rank that only sends completes when its last message has drained, one that
// only receives when the last has arrived. Where nothing else is said: B = 1 byte/ns, α = 1 us, a link of a direct network
// costs ℓ + h = 400 ns, the way through a star 500 ns.
#include "emu/network/fluid_network.hpp"

#include <array>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "emu/run/emulate.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/emu/network/line_topology.hpp"
#include "tests/emu/programs.hpp"
#include "tests/emu/runs.hpp"
#include "topo/presets/fabric_presets.hpp"

namespace heddle {

namespace {

using namespace literals;

Time completion(const Report& report, int rank) { return report.ranks[static_cast<std::size_t>(rank)].completion; }

/// Link i has the speed speeds[i]; the rest as nanosecond_speeds().
Fabric line(std::vector<LinkSpeed> speeds) {
  FabricSettings settings = nanosecond_speeds();
  const auto links = static_cast<int>(speeds.size());
  settings.tiers = std::move(speeds);
  return {std::make_shared<LineTopology>(links), settings};
}

LinkSpeed speed(Bandwidth bandwidth) { return {.bandwidth = bandwidth, .latency = 100_ns}; }

const LinkReport& link_between(const Report& report, const Fabric& fabric, VertexId from, VertexId to) {
  for (const LinkReport& link : report.links) {
    const LinkEnds ends = fabric.topology().ends(link.link);
    if (ends.from == from && ends.to == to) return link;
  }
  throw InputError("no such link");
}

}  // namespace

TEST_CASE("a message alone on its route takes alpha + L(P) + m / B") {
  // m = 10,000 bytes: 10 us.  sender: α + m/B = 11 us;  receiver: α + L(P) + m/B = 11 us + L(P)
  struct Case {
    const char* topology;
    int from;
    int to;
    Time path;
  };
  const auto [topology, from, to, path] = GENERATE(values<Case>({
      {"ring:8", 0, 1, 400_ns},
      {"ring:8", 0, 3, 1200_ns},
      {"ring:8", 1, 7, 800_ns},         // the short way round
      {"torus:4x4", 0, 5, 800_ns},      // one link per dimension
      {"torus:4x4x4", 0, 63, 1200_ns},  // once around in each dimension
      {"mesh:4x4", 0, 15, 6 * 400_ns},  // no way around
      {"fullmesh:6", 5, 2, 400_ns},
      {"star:5", 4, 0, 500_ns},
  }));
  CAPTURE(topology, from, to);
  const Fabric fabric = fabric_of(topology);
  const Report report = run_on(fabric, at_once({{from, to, 10'000}}));
  CHECK(completion(report, from) == 11_us);
  CHECK(completion(report, to) == 11_us + path);
  CHECK(report.completion == 11_us + path);
}

TEST_CASE("the presets' fabrics take the sources' times") {
  struct Case {
    const char* preset;
    const char* topology;
    Time time;
  };
  const auto [preset, topology, time] = GENERATE(values<Case>({
      // 0 + 2·(100 + 300) ns, hosts 2·100 + 300 ns, 2^20 B / 50 GB/s: 1.3 us + 20.97152 us
      {"swing-nsdi24", "ring:8", Time::ps(22'271'520)},
      // 1.5 us + 2·(100 + 100) ns, hosts 2·100 + 100 ns, 2^20 B / 100 GB/s: 2.2 us + 10.48576 us
      {"trivance", "ring:8", Time::ps(12'685'760)},
      // 0.4 us + 0.1 us + 2^20 B / 900 GB/s = 0.5 us + 1.165084 us
      {"nvl72", "star:72", Time::ps(1'665'084)},
  }));
  CAPTURE(preset);
  const Fabric fabric = fabric_of(topology, find_fabric_preset(preset).settings);
  CHECK(run_on(fabric, at_once({{0, 2, 1 << 20}})).completion == time);
}

TEST_CASE("the narrowest link of a route decides") {
  // min(4, 1, 2) byte/ns = 1;  α + 3·400 ns + 10,000 ns = 12.2 us
  const Fabric fabric = line({speed(4_GBps), speed(1_GBps), speed(2_GBps)});
  CHECK(run_on(fabric, at_once({{0, 3, 10'000}})).completion == 12'200_ns);
}

TEST_CASE("derating multiplies a link's latency and its bandwidth") {
  // η_α = 3: L = 3·(100 + 300) = 1200 ns;  η_β = 1/2: B = 0.5 byte/ns: 20 us.  α + L + m/B = 22.2 us
  const Fabric fabric = line({{.bandwidth = 1_GBps, .latency = 100_ns, .eta_alpha = 3, .eta_beta = 0.5}});
  CHECK(run_on(fabric, at_once({{0, 1, 10'000}})).completion == 22'200_ns);
}

TEST_CASE("k equal messages on one link take alpha + L + k m / B") {
  // 1 us + 0.5 us + k·10 us
  const int k = GENERATE(1, 2, 3, 4, 7);
  CAPTURE(k);
  const Fabric fabric = fabric_of("star:8");
  std::vector<Transfer> transfers;
  SECTION("to one receiver") {
    for (int i = 1; i <= k; ++i) transfers.push_back({i, 0, 10'000});
  }
  SECTION("from one sender") {
    for (int i = 1; i <= k; ++i) transfers.push_back({0, i, 10'000});
  }
  SECTION("from one sender to one receiver") { transfers.assign(static_cast<std::size_t>(k), {0, 1, 10'000}); }
  const Report report = run_on(fabric, at_once(transfers));
  CHECK(report.completion == 1'500_ns + k * 10_us);
}

TEST_CASE("the parking lot, in time") {
  // All rates 1/2 until the local messages (5,000 B) have drained, at 10 us; the long one (10,000 B) has 5,000 B left and
  // drains alone, in 5 us.  Local: 1 us + 10 us + 0.4 us.  Long: 1 us + 15 us + 3·0.4 us.
  const Fabric fabric = line({speed(1_GBps), speed(1_GBps), speed(1_GBps)});
  const Report report = run_on(fabric, at_once({{0, 3, 10'000}, {0, 1, 5'000}, {1, 2, 5'000}, {2, 3, 5'000}}));
  CHECK(completion(report, 0) == 16_us);
  CHECK(completion(report, 1) == 11'400_ns);
  CHECK(completion(report, 2) == 11'400_ns);
  CHECK(completion(report, 3) == 17'200_ns);
}

TEST_CASE("who starts late slows whom it meets, from then on") {
  // a (8,000 B) from t = 0, b (3,000 B) 2 us later, both into rank 2's link. After α:
  //   0 … 2 us: a alone, 2,000 B;  2 … 8 us: 1/2 each, b's 3,000 B and 3,000 B of a;  8 … 11 us: a alone, 3,000 B.
  FabricSettings settings = nanosecond_speeds();
  settings.gamma = 1e-9;
  const Fabric fabric = fabric_of("star:3", settings);
  const Report report = run_on(fabric, [](Communicator& comm) {
    if (comm.rank() == Rank(1)) compute(comm, 2'000);
    carry(comm, {{0, 2, 8'000}, {1, 2, 3'000}});
  });
  CHECK(completion(report, 1) == 1_us + 8_us);
  CHECK(completion(report, 0) == 1_us + 11_us);
  CHECK(completion(report, 2) == 1_us + 11_us + 500_ns);
}

TEST_CASE("who starts as another ends does not meet it") {
  // a drains from 1 to 11 us; b is posted at 10 us, so that it starts at 10 us + α = 11 us: 11 us + 10 us + 0.5 us
  FabricSettings settings = nanosecond_speeds();
  settings.gamma = 1e-9;
  const Fabric fabric = fabric_of("star:3", settings);
  const Report report = run_on(fabric, [](Communicator& comm) {
    if (comm.rank() == Rank(1)) compute(comm, 10'000);
    carry(comm, {{0, 2, 10'000}, {1, 2, 10'000}});
  });
  CHECK(completion(report, 0) == 11_us);
  CHECK(completion(report, 2) == 21'500_ns);
  CHECK(link_between(report, fabric, 3, 2).peak_flows == 1);
}

TEST_CASE("a message without bytes takes alpha + L(P), and from nobody") {
  const Fabric fabric = fabric_of("star:3");
  SECTION("alone: 1 us + 0.5 us") {
    const Report report = run_on(fabric, at_once({{0, 1, 0}}));
    CHECK(completion(report, 0) == 1_us);
    CHECK(completion(report, 1) == 1'500_ns);
  }
  SECTION("beside another: that one takes 1 us + 10 us + 0.5 us, as if alone") {
    const Report report = run_on(fabric, at_once({{0, 1, 10'000}, {0, 2, 0}, {2, 1, 0}}));
    CHECK(completion(report, 1) == 11'500_ns);
    CHECK(completion(report, 2) == 1'500_ns);
    CHECK(link_between(report, fabric, 3, 1).peak_flows == 1);
  }
}

TEST_CASE("a message to oneself costs nothing") {
  const Report report = run_on(fabric_of("ring:2"), at_once({{0, 0, 1'000'000}, {1, 1, 0}}));
  CHECK(report.completion == Time());
  CHECK(report.messages() == 0);
  CHECK(report.sent_total() == Bytes(0));
  CHECK(report.rounds_max() == 0);
  CHECK(report.ranks[0].rounds == 0);
  CHECK(report.busiest_links(1).empty());
}

TEST_CASE("half-way round an even ring") {
  FabricSettings settings = nanosecond_speeds();
  SECTION("split: half the bytes each way, each at full rate") {
    // α + 2·400 ns + (10,000/2) ns = 6.8 us
    const Fabric fabric = fabric_of("ring:4", settings);
    const Report report = run_on(fabric, at_once({{0, 2, 10'000}}));
    CHECK(completion(report, 0) == 6_us);
    CHECK(completion(report, 2) == 6'800_ns);
    for (const auto& [from, to] : {std::pair(0, 1), std::pair(1, 2), std::pair(0, 3), std::pair(3, 2)}) {
      CHECK(link_between(report, fabric, from, to).bytes == Bytes(5'000));
      CHECK(link_between(report, fabric, from, to).busy == 5_us);
    }
    CHECK(report.busiest_links(8).size() == 4);
  }
  SECTION("deterministic: all of it one way") {
    // α + 2·400 ns + 10,000 ns = 11.8 us
    settings.routing = Routing::deterministic();
    const Fabric fabric = fabric_of("ring:4", settings);
    const Report report = run_on(fabric, at_once({{0, 2, 10'000}}));
    CHECK(report.completion == 11'800_ns);
    CHECK(link_between(report, fabric, 0, 1).bytes == Bytes(10'000));
    CHECK(link_between(report, fabric, 1, 2).bytes == Bytes(10'000));
    CHECK(report.busiest_links(8).size() == 2);
  }
  SECTION("two tied dimensions: four ways with a quarter each") {
    // Each first and each last leg carries two quarters at B/2 each: α + 4·400 ns + (10,000/2) ns = 7.6 us
    const Fabric fabric = fabric_of("torus:4x4", settings);
    const Report report = run_on(fabric, at_once({{0, 10, 10'000}}));
    CHECK(report.completion == 7'600_ns);
    CHECK(link_between(report, fabric, 0, 4).bytes == Bytes(5'000));
    CHECK(link_between(report, fabric, 0, 12).peak_flows == 2);
    CHECK(link_between(report, fabric, 8, 9).bytes == Bytes(5'000));
  }
}

TEST_CASE("a split message weighs half on each way") {
  // ring:4. a: 0 -> 2, 6,000 B, split: weight 1/2 on link 0->1;  b: 0 -> 1, 4,000 B, weight 1.
  // b : a = 2 : 1, so b takes 4,000/(2/3) ns = 6 us; a's half there has then drained 2,000 of 3,000 B and ends alone at 7 us.
  // a's other half drains in 3 us.
  const Fabric fabric = fabric_of("ring:4");
  const Report report = run_on(fabric, at_once({{0, 2, 6'000}, {0, 1, 4'000}}));
  CHECK(completion(report, 1) == 1_us + 6_us + 400_ns);
  CHECK(completion(report, 2) == 1_us + 7_us + 800_ns);
  CHECK(completion(report, 0) == 8_us);
  CHECK(link_between(report, fabric, 0, 3).busy == 3_us);
  CHECK(link_between(report, fabric, 0, 1).busy == 7_us);
}

TEST_CASE("a send completes when it has drained, a receive when it has arrived and is posted") {
  FabricSettings settings = nanosecond_speeds();
  settings.gamma = 1e-9;
  const Fabric fabric = fabric_of("ring:2", settings);
  // drained: 1 us + 10 us;  arrived: + 0.4 us;  posted after `late`: max(11.4 us, late)
  const std::int64_t late = GENERATE(0, 11'399, 11'400, 11'401, 20'000);
  CAPTURE(late);
  const Report report = run_on(fabric, [late](Communicator& comm) {
    if (comm.rank() == Rank(1)) compute(comm, late);
    carry(comm, {{0, 1, 10'000}});
  });
  CHECK(completion(report, 0) == 11_us);
  CHECK(completion(report, 1) == std::max(11'400_ns, late * 1_ns));
}

TEST_CASE("payload_scale multiplies what is on the wire, not what is held") {
  // 1,000 real bytes at scale 2.5: α + L + 2,500 ns = 1 us + 0.4 us + 2.5 us;  γ = 1 ns: 2.5 us of work on them
  FabricSettings speeds = nanosecond_speeds();
  speeds.gamma = 1e-9;
  const Fabric fabric = fabric_of("ring:2", speeds);
  EmulationSettings settings;
  settings.byte_scale = 2.5;
  std::vector<std::int32_t> received(250);
  const Report report = run_on(
      fabric,
      [&received](Communicator& comm) {
        std::vector<std::int32_t> sent(250);
        std::iota(sent.begin(), sent.end(), 7);
        if (comm.rank() == Rank(0)) comm.send(Rank(1), sent);
        std::vector<std::int32_t> copied(250);
        if (comm.rank() == Rank(1)) comm.recv(Rank(0), received), comm.copy(copied, received);
      },
      settings);
  CHECK(completion(report, 1) == 3'900_ns + 2'500_ns);
  CHECK(report.ranks[0].sent == Bytes(2'500));
  CHECK(report.ranks[1].received == Bytes(2'500));
  CHECK(link_between(report, fabric, 0, 1).bytes == Bytes(2'500));
  CHECK(report.rounds[0].bytes == Bytes(2'500));
  CHECK(report.byte_scale == 2.5);
  CHECK(received.front() == 7);
  CHECK(received.back() == 256);
}

TEST_CASE("unlimited bandwidth") {
  SECTION("everywhere: alpha + L, however many bytes meet: 1 us + 0.5 us") {
    FabricSettings settings = nanosecond_speeds();
    settings.tiers[0].bandwidth = Bandwidth::unlimited();
    const Report report = run_on(fabric_of("star:4", settings), at_once({{1, 0, 1'000'000}, {2, 0, 1'000'000}, {3, 0, 0}}));
    CHECK(report.completion == 1'500_ns);
    CHECK(completion(report, 1) == 1_us);
    CHECK(report.busiest_links(1).front().bytes == Bytes(2'000'000));
  }
  SECTION("on one link of the route: the other decides: 1 us + 2·0.4 us + 10 us") {
    const Fabric fabric = line({speed(Bandwidth::unlimited()), speed(1_GBps)});
    CHECK(run_on(fabric, at_once({{0, 2, 10'000}})).completion == 11'800_ns);
  }
  SECTION("no latency either: no time at all") {
    FabricSettings settings;
    settings.tiers = {LinkSpeed{.bandwidth = Bandwidth::unlimited(), .latency = Time()}};
    const Report report = run_on(fabric_of("ring:4", settings), at_once({{0, 2, 1'000}, {2, 0, 1'000}, {1, 2, 5}}));
    CHECK(report.completion == Time());
    CHECK(report.messages() == 3);
  }
}

TEST_CASE("the overhead of sending occupies the rank, the start-up latency does not") {
  // o = 2 us, α = 1 us: the k-th message starts at k·o + α. 1,000 B each to other ranks of a full mesh: they do not meet.
  FabricSettings settings = nanosecond_speeds();
  settings.send_overhead = 2_us;
  const Report report = run_on(fabric_of("fullmesh:4", settings), at_once({{0, 1, 1'000}, {0, 2, 1'000}, {0, 3, 1'000}}));
  CHECK(completion(report, 1) == 1 * 2_us + 1_us + 1_us + 400_ns);
  CHECK(completion(report, 2) == 2 * 2_us + 1_us + 1_us + 400_ns);
  CHECK(completion(report, 3) == 3 * 2_us + 1_us + 1_us + 400_ns);
  CHECK(completion(report, 0) == 3 * 2_us + 1_us + 1_us);
}

TEST_CASE("the overhead of receiving occupies the rank once messages are there") {
  // α + m/B + L = 2.4 us for each of three messages, then 3·o = 9 us
  FabricSettings settings = nanosecond_speeds();
  settings.recv_overhead = 3_us;
  const Report report = run_on(fabric_of("fullmesh:4", settings), at_once({{1, 0, 1'000}, {2, 0, 1'000}, {3, 0, 1'000}}));
  CHECK(completion(report, 0) == 2'400_ns + 3 * 3_us);
  CHECK(completion(report, 1) == 2_us);
}

TEST_CASE("local work takes gamma per byte, one piece after another on all tasks of a rank") {
  // γ = 1 ns, 1,000 B: reduce_into 1 us, copy 1 us; two tasks: 4 us for the rank
  FabricSettings settings = nanosecond_speeds();
  settings.gamma = 1e-9;
  const int tasks = GENERATE(1, 2, 3);
  CAPTURE(tasks);
  const Report report = run_on(fabric_of("ring:2", settings), [tasks](Communicator& comm) {
    if (comm.rank() == Rank(1)) return;
    comm.concurrently(tasks, [](int, Communicator& task) {
      std::vector<std::int32_t> into(250, 1), from(250, 2);
      task.reduce_into(into, from, ReduceOp::sum());
      task.copy(from, into);
      if (from != std::vector<std::int32_t>(250, 3)) throw std::runtime_error("1 + 2 is not 3");
    });
  });
  CHECK(completion(report, 0) == tasks * 2_us);
  CHECK(completion(report, 1) == Time());
}

TEST_CASE("bytes, busy time and the most messages at once, by link") {
  // star:3. Into rank 2 (link 3 -> 2): a (4,000 B) and b (2,000 B) from 1 us, 1/2 each: b drains at 5 us, a at 7 us.
  // Then, in a second round, c (1,000 B) from rank 0 when its a has drained: from 7 us + α = 8 us to 9 us.
  const Fabric fabric = fabric_of("star:3");
  const Report report = run_on(fabric, [](Communicator& comm) {
    carry(comm, {{0, 2, 4'000}, {1, 2, 2'000}});
    if (comm.rank() != Rank(1)) carry(comm, {{0, 2, 1'000}});
  });
  const LinkReport& into = link_between(report, fabric, 3, 2);
  CHECK(into.bytes == Bytes(7'000));
  CHECK(into.busy == 6_us + 1_us);
  CHECK(into.peak_flows == 2);
  const LinkReport& out = link_between(report, fabric, 0, 3);
  CHECK(out.bytes == Bytes(5'000));
  CHECK(out.busy == 6_us + 1_us);
  CHECK(out.peak_flows == 1);
  const LinkReport& unused = link_between(report, fabric, 2, 3);
  CHECK(unused.bytes == Bytes(0));
  CHECK(unused.busy == Time());
  CHECK(unused.peak_flows == 0);
  REQUIRE(report.rounds_max() == 2);
  CHECK(report.rounds[0].peak_flows == 2);
  CHECK(report.rounds[1].peak_flows == 1);
}

TEST_CASE("what would take over 46 days is refused") {
  FabricSettings settings = nanosecond_speeds();
  SECTION("one message: 1,000 B at 10^-4 B/s are 116 days") {
    settings.tiers[0].bandwidth = Bandwidth(1e-4);
    CHECK_THROWS_AS(run_on(fabric_of("ring:2", settings), at_once({{0, 1, 1'000}})), InputError);
    CHECK_THROWS_WITH(run_on(fabric_of("ring:2", settings), at_once({{0, 1, 1'000}})), Catch::Contains("46 days"));
  }
  SECTION("many, each of which would be quick enough: four times 35 days") {
    settings.tiers[0].bandwidth = Bandwidth(1e-4);
    const auto four_in_turn = [](Communicator& comm) {
      for (int i = 0; i < 4; ++i) carry(comm, {{0, 1, 300}});
    };
    CHECK_THROWS_AS(run_on(fabric_of("ring:2", settings), four_in_turn), InputError);
  }
}

}  // namespace heddle
