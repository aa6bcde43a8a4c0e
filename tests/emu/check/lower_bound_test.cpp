// SPDX-License-Identifier: Apache-2.0
#include "emu/check/lower_bound.hpp"

#include <algorithm>

#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::emu {

namespace {

using namespace heddle::literals;

/// B = 50 GB/s, ℓ = 100 ns, h = 300 ns, α = 1 µs.
Fabric fabric(std::string_view spec, Bandwidth bandwidth = Bandwidth(50e9)) {
  FabricSettings settings;
  settings.tiers = {{.bandwidth = bandwidth, .latency = 100_ns}};
  settings.hop = 300_ns;
  settings.alpha = 1_us;
  return Fabric(parse_topology(spec), settings);
}

/// Of a collective with M = `bytes` on these endpoints. An element has a byte.
LowerBound bound(const Fabric& on, const Placement& placement, double bytes, Collective collective = Collective::allreduce,
                 int root = 0, std::vector<std::int64_t> blocks = {}) {
  const auto ranks = static_cast<int>(placement.size());
  return lower_bound(on, placement, CallLayout(collective, ranks, static_cast<std::int64_t>(bytes), blocks, Rank(root)), 1);
}

LowerBound bound(const Fabric& on, double bytes, Collective collective = Collective::allreduce, int root = 0,
                 std::vector<std::int64_t> blocks = {}) {
  return bound(on, linear_placement(on.topology().endpoints(), on.topology()), bytes, collective, root, std::move(blocks));
}

}  // namespace

TEST_CASE("lower bound: two ranks exchange their vectors") {
  // α + (ℓ + h) + 2(p-1)·M / (2·B) = 1 + 0.4 + 2·10^6/10^11·10^6 = 21.4 µs
  CHECK(bound(fabric("ring:2"), 1e6).seconds == Approx(21.4e-6));
}

TEST_CASE("lower bound: ports of a star") {
  // In: α + (ℓ + h) + 2·3·M / (4·B) = 1 + 0.4 + 30 µs. Out is 0.3 µs less: endpoints have no h.
  const LowerBound star = bound(fabric("star:4"), 1e6);
  CHECK(star.seconds == Approx(31.4e-6));
  CHECK_THAT(star.reason, Catch::Contains("6 times the vector") && Catch::Contains("enter"));
}

TEST_CASE("lower bound: ports of a torus") {
  // 64 endpoints of degree 4: α + (ℓ + h) + 2·63·M / (256·B) = 1 + 0.4 + 126·10^6/(1.28·10^13)·10^6 = 11.24375 µs
  CHECK(bound(fabric("torus:8x8"), 1e6).seconds == Approx(11.24375e-6));
}

TEST_CASE("lower bound: the end of a line has one port") {
  // α + (ℓ + h) + M/B = 21.4 µs; all ports together: 2·2·M/(4·B) = M/B as well, so that the line's three ranks tie.
  CHECK(bound(fabric("mesh:3"), 1e6).seconds == Approx(21.4e-6));

  // mesh:1x5 with ranks on 0 and 2: together they have 3 ports, 2·M/(3·B) = 13.3 µs; rank 0 alone needs M/B = 20 µs.
  const LowerBound two = bound(fabric("mesh:5"), {0, 2}, 1e6);
  CHECK(two.seconds == Approx(21.4e-6));
  CHECK_THAT(two.reason, Catch::Contains("the endpoint of rank 0"));
}

TEST_CASE("lower bound: a narrow middle") {
  // Ranks 3 and 4 of a line of 8: their ports need 2·M/(4·B) = 10 µs, the one cable between them M/B = 20 µs.
  const LowerBound line = bound(fabric("mesh:8"), {3, 4}, 1e6);
  CHECK(line.seconds == Approx(21.4e-6));
  CHECK_THAT(line.reason, Catch::Contains("middle of dimension 0"));
  // On one side of the middle, nothing must cross it: 10 µs and the latency.
  CHECK(bound(fabric("mesh:8"), {1, 2}, 1e6).seconds == Approx(11.4e-6));
}

TEST_CASE("lower bound: small vectors wait for the farthest rank") {
  // Diameter 2 + 2 on torus:4x4: α + 4·(ℓ + h) = 1 + 1.6 = 2.6 µs
  const LowerBound torus = bound(fabric("torus:4x4"), 8);
  CHECK(torus.seconds == Approx(2.6e-6));
  CHECK_THAT(torus.reason, Catch::Contains("farthest"));
  // A claim of 2.5 µs is refused as well. One of α + 4·(ℓ + h) there and as much back is seen to be possible from one rank.
  const auto claimed = [on = fabric("torus:4x4")](double seconds) {
    const CallLayout layout(Collective::allreduce, 16, 8, {}, Rank(0));
    return lower_bound(on, linear_placement(16, on.topology()), layout, 1, Arithmetic::ranks, seconds).seconds;
  };
  CHECK(claimed(2.5e-6) == torus.seconds);
  CHECK(claimed(4.2e-6 + 1e-12) < torus.seconds);
  // Star: ℓ + (ℓ + h) = 0.5 µs
  CHECK(bound(fabric("star:9"), 8).seconds == Approx(1.5e-6));
  // Unlimited bandwidth leaves the latency: mesh:4x4 has diameter 6.
  CHECK(bound(fabric("mesh:4x4", Bandwidth::unlimited()), 1e12).seconds == Approx(3.4e-6));
}

TEST_CASE("lower bound: what must leave and enter each rank, by collective") {
  // Star: out α + ℓ = 1.1 µs, in α + ℓ + h = 1.4 µs, M/B = 20 µs of 1 MB. Five ranks; blocks of 1/10, 0, 2/10, 3/10, 4/10.
  const Fabric star = fabric("star:5");
  const std::vector<std::int64_t> blocks{100'000, 0, 200'000, 300'000, 400'000};
  const auto of = [&](Collective collective, int root = 0, bool with_blocks = false) {
    return bound(star, 1e6, collective, root, with_blocks ? blocks : std::vector<std::int64_t>{});
  };
  CHECK(of(Collective::broadcast, 3).seconds == Approx(21.4e-6));
  CHECK_THAT(of(Collective::broadcast, 3).reason, Catch::Contains("the whole vector must enter the endpoint of rank 0"));
  CHECK(of(Collective::reduce, 3).seconds == Approx(21.4e-6));
  CHECK_THAT(of(Collective::reduce, 3).reason, Catch::Contains("the whole vector must enter the endpoint of rank 3"));
  // 4/5 of M each way, and p - 1 vectors over p ports, which is the same.
  CHECK(of(Collective::allgather).seconds == Approx(17.4e-6));
  CHECK(of(Collective::reduce_scatter).seconds == Approx(17.4e-6));
  CHECK_THAT(of(Collective::reduce_scatter).reason, Catch::Contains("4 times the vector must enter the ranks' endpoints"));
  CHECK(of(Collective::alltoall).seconds == Approx(17.4e-6));
  CHECK(of(Collective::gather, 2).seconds == Approx(17.4e-6));
  CHECK_THAT(of(Collective::gather, 2).reason, Catch::Contains("0.8 of the vector must enter the endpoint of rank 2"));
  CHECK(of(Collective::scatter, 2).seconds == Approx(17.1e-6));
  CHECK_THAT(of(Collective::scatter, 2).reason, Catch::Contains("must leave the endpoint of rank 2"));

  // Rank 1 has no block: it needs all of an allgather and gives all to a reduce_scatter.
  CHECK(of(Collective::allgather, 0, true).seconds == Approx(21.4e-6));
  CHECK(of(Collective::reduce_scatter, 0, true).seconds == Approx(21.1e-6));
  CHECK(of(Collective::gather, 4, true).seconds == Approx(13.4e-6));
  CHECK(of(Collective::scatter, 1, true).seconds == Approx(21.1e-6));
  // The block from i to itself has size number 2i mod 5; number 1 is empty, that of rank 3.
  CHECK(of(Collective::alltoall, 0, true).seconds == Approx(21.4e-6));
}

TEST_CASE("lower bound: what must cross the middle of a line, by collective") {
  // Ranks 3 and 4 of a line of 8, a cable of 50 GB/s between them: M/B = 20 µs, α + (ℓ + h) = 1.4 µs.
  const Fabric line = fabric("mesh:8");
  const auto of = [&](Collective collective, std::vector<std::int64_t> blocks = {}) {
    return bound(line, {3, 4}, 1e6, collective, 0, std::move(blocks)).seconds;
  };
  CHECK(of(Collective::broadcast) == Approx(21.4e-6));
  CHECK(of(Collective::reduce) == Approx(21.4e-6));
  for (const Collective collective :
       {Collective::reduce_scatter, Collective::allgather, Collective::gather, Collective::scatter, Collective::alltoall}) {
    INFO(to_string(collective));
    CHECK(of(collective) == Approx(11.4e-6));  // one block of two
  }
  // The second rank's block of 7/10 goes one way in an allgather, the first one's the other way in a reduce_scatter.
  CHECK(of(Collective::allgather, {300'000, 700'000}) == Approx(15.4e-6));
  CHECK(of(Collective::reduce_scatter, {300'000, 700'000}) == Approx(15.4e-6));
  CHECK(of(Collective::gather, {300'000, 700'000}) == Approx(15.4e-6));
  CHECK(of(Collective::gather, {700'000, 300'000}) == Approx(7.4e-6));
  CHECK(of(Collective::scatter, {700'000, 300'000}) == Approx(7.4e-6));
  // Sizes 3/10 from 0 to 0 and, as 1 + 1 = 0 mod 2, from 1 to 1; 7/10 between the two.
  CHECK(of(Collective::alltoall, {300'000, 700'000}) == Approx(15.4e-6));
}

TEST_CASE("lower bound: an alltoall's halves of a ring") {
  // ring:16, M = 1 MB: 8·8 blocks of M/16 cross each way over two cables: 4·M / (2·B) = 40 µs; ports: 15/16·M/(2·B).
  const LowerBound ring = bound(fabric("ring:16"), 1.6e6, Collective::alltoall);
  CHECK(ring.seconds == Approx(1.4e-6 + 4 * 1.6e6 / 100e9));
  CHECK_THAT(ring.reason, Catch::Contains("4 times the vector must cross the middle of dimension 0"));
}

TEST_CASE("lower bound: the halves of a grid whose lines pass switches") {
  // Two boards of 8 in a line, two ports of each on the line's switch: the same over two cables, 64 µs and a link's latency.
  const LowerBound line = bound(fabric("hxmesh:board=1x8,grid=1x2"), 1.6e6, Collective::alltoall);
  CHECK(line.seconds == Approx(1.4e-6 + 4 * 1.6e6 / 100e9));
  CHECK_THAT(line.reason, Catch::Contains("4 times the vector must cross the middle of dimension 1"));
  // Halved across the rows, each row's switch is with its row: what crosses are the ports of one side, 2 cables a column.
  const LowerBound square = bound(fabric("hxmesh:board=4x4,grid=2x2"), 6.4e6, Collective::alltoall);
  CHECK(square.seconds == Approx(1.4e-6 + 32 * 32 / 64.0 * 6.4e6 / (8 * 2 * 50e9)));
}

TEST_CASE("lower bound: latency between those that depend on each other") {
  // Ranks 0 … 7 of a line, 400 ns a cable. A root at rank 1 is at most 6 cables away; any two ranks are at most 7.
  const Fabric line = fabric("mesh:8", Bandwidth::unlimited());
  for (const Collective collective : all_collectives()) {
    INFO(to_string(collective));
    const double farthest = has_root(collective) ? 6 : 7;
    CHECK(bound(line, 800, collective, 1).seconds == Approx(1e-6 + farthest * 400e-9));
  }
  // Only ranks 2 and 3 have blocks: rank 3 is 3 cables from rank 0 and 4 from rank 7, rank 2 is 5 from rank 7.
  const std::vector<std::int64_t> blocks{0, 0, 100, 100, 0, 0, 0, 0};
  CHECK(bound(line, 200, Collective::allgather, 0, blocks).seconds == Approx(1e-6 + 5 * 400e-9));
  CHECK(bound(line, 200, Collective::reduce_scatter, 0, blocks).seconds == Approx(1e-6 + 5 * 400e-9));
  CHECK(bound(line, 200, Collective::gather, 1, blocks).seconds == Approx(1e-6 + 2 * 400e-9));
  CHECK(bound(line, 200, Collective::scatter, 1, blocks).seconds == Approx(1e-6 + 2 * 400e-9));
  // Sizes number 2 and 3: between ranks whose sum is 2, 3, 10 or 11. 3 and 7 are 4 apart, 0 and 3 are 3; 4 and 7, 2 and 0, …
  CHECK(bound(line, 200, Collective::alltoall, 0, blocks).seconds == Approx(1e-6 + 4 * 400e-9));
  // A root that has everything already, and one that nobody sends anything to.
  CHECK(bound(line, 200, Collective::gather, 2, {0, 0, 200, 0, 0, 0, 0, 0}).seconds == 0);
  CHECK(bound(line, 200, Collective::scatter, 2, {0, 0, 200, 0, 0, 0, 0, 0}).seconds == 0);
}

TEST_CASE("latencies from a vertex and to it") {
  // A star's endpoints have no h, its switch has.
  const Fabric star = fabric("star:4");
  const Latencies from(star, Latencies::Way::from);
  const Latencies to(star, Latencies::Way::to);
  CHECK(from.of(0)[1] == 500_ns);
  CHECK(to.of(0)[1] == 500_ns);
  CHECK(from.of(0)[4] == 100_ns);  // the switch
  CHECK(to.of(0)[4] == 400_ns);
}

TEST_CASE("lower bound: a barrier waits for the farthest rank and needs no data") {
  CHECK(bound(fabric("torus:4x4"), 0, Collective::barrier).seconds == Approx(2.6e-6));
  CHECK(bound(fabric("torus:1"), 0, Collective::barrier).seconds == 0);
}

TEST_CASE("lower bound: nothing to do takes no time") {
  for (const Collective collective : all_collectives()) {
    INFO(to_string(collective));
    CHECK(bound(fabric("torus:1"), 1e6, collective).seconds == 0);
    if (collective != Collective::barrier) CHECK(bound(fabric("ring:8"), 0, collective).seconds == 0);
  }
}

TEST_CASE("longest latency is that of the longest shortest route") {
  testing::property("the maximum over all pairs of ranks, on grids whose routes are shortest", [] {
    const Fabric on = fabric(drawn::one_of<std::string>({"ring:9", "torus:4x5", "mesh:3x2x3", "star:7", "fullmesh:5"}));
    const int ranks = drawn::number(1, on.topology().endpoints() + 1);
    const Placement placement = random_placement(ranks, on.topology(), drawn::any<std::uint64_t>());
    Time longest;
    Route route;
    for (const VertexId from : placement) {
      for (const VertexId to : placement) {
        on.topology().route(from, to, Routing::deterministic(), route);
        for (const Route::Path& path : route.paths()) longest = std::max(longest, on.path_latency(route, path));
      }
    }
    RC_ASSERT(longest_latency(Latencies(on, Latencies::Way::from), placement) == longest);
  });
}

TEST_CASE("longest latency of thousands of ranks is found from a few of them") {
  // Diameters: 63 + 63 on mesh:64x64, 32 + 32 on torus:64x64; 400 ns a link.
  const Fabric mesh = fabric("mesh:64x64");
  CHECK(longest_latency(Latencies(mesh, Latencies::Way::from), linear_placement(4096, mesh.topology())) == 126 * 400_ns);
  const Fabric torus = fabric("torus:64x64");
  CHECK(longest_latency(Latencies(torus, Latencies::Way::from), linear_placement(4096, torus.topology())) == 64 * 400_ns);
}

}  // namespace heddle::emu
