// SPDX-License-Identifier: Apache-2.0
// Pictures of loads in letters, line by line.
#include "show/drawing/heatmap.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::pictures {

namespace {

/// What follows the table of results.
std::string picture_of(const std::string& run) {
  const test::CommandResult result = test::run_heddle(run + " --heatmap - --heatmap-of bytes");
  INFO(result.err);
  REQUIRE(result.status == 0);
  const std::size_t end = result.out.find("result right\n");
  REQUIRE(end != std::string::npos);
  return result.out.substr(end + std::string("result right\n").size());
}

}  // namespace

TEST_CASE("letters: a grid with what leaves each endpoint") {
  CHECK(picture_of("run broadcast --algo chain:segments=1 --topo torus:2x3 --size 9000") == R"(
broadcast by chain:segments=1 on torus:2x3: 1.5us
6 ranks, 9KB (2250 i32 elements); placement linear

  <. 0 9>  <. 1 9>  <. 2 .>
    v.       v.       v9

    ^.       ^.       ^.
  <. 3 9>  <. 4 9>  <. 5 9>

  <9 0 9>: what endpoint 0, by its rank, sends to either side
  digit d: at most d/9 of 9KB over a link, one way; '.': nothing

  direction                links  carrying       least        mean        most    together
  dimension 0, upwards         3         1          0B         3KB         9KB         9KB
  dimension 0, downwards       3         0          0B          0B          0B          0B
  dimension 1, upwards         6         5          0B       7500B         9KB        45KB
  dimension 1, downwards       6         0          0B          0B          0B          0B

  most loaded   (0,2)->(1,2)           9000 B  links  50GB/s
                (0,0)->(0,1)           9000 B  links  50GB/s
                (0,1)->(0,2)           9000 B  links  50GB/s
                (1,0)->(1,1)           9000 B  links  50GB/s
                (1,1)->(1,2)           9000 B  links  50GB/s
                (1,2)->(1,0)           9000 B  links  50GB/s
)");
}

TEST_CASE("letters: a switch with those below it") {
  CHECK(picture_of("run scatter --algo linear --topo star:5 --size 20KiB") == R"(
scatter by linear on star:5: 527.7ns
5 ranks, 20KiB (5120 i32 elements); placement linear
  s0  up 9....  down .3333
  a digit for each of those below a switch, in order: up what it gets from them, down what it sends them
  digit d: at most d/9 of 16KiB over a link, one way; '.': nothing

  direction                  links  carrying       least        mean        most    together
  endpoint to switch, up         5         1          0B       3277B       16KiB       16KiB
  endpoint to switch, down       5         4          0B       3277B        4KiB       16KiB

  most loaded   0->s0          16384 B  endpoint to switch  50GB/s
                s0->1           4096 B  endpoint to switch  50GB/s
                s0->2           4096 B  endpoint to switch  50GB/s
                s0->3           4096 B  endpoint to switch  50GB/s
                s0->4           4096 B  endpoint to switch  50GB/s
)");
  CHECK(
      picture_of(
          "run allgather --algo recursive_doubling --topo clos:hosts=2,leaves=4,spines=2 --size 64KiB --placement scattered") ==
      R"(
allgather by recursive_doubling on clos:hosts=2,leaves=4,spines=2: 2.147us
8 ranks, 64KiB (16384 i32 elements); placement scattered
  spine0  up 4444  down 4444
  spine1  up 4444  down 4444
  leaf0   up 99  down 99
  leaf1   up 99  down 99
  leaf2   up 99  down 99
  leaf3   up 99  down 99
  a digit for each of those below a switch, in order: up what it gets from them, down what it sends them
  digit d: at most d/9 of 56KiB over a link, one way; '.': nothing

  direction             links  carrying       least        mean        most    together
  host to leaf, up          8         8       56KiB       56KiB       56KiB      448KiB
  host to leaf, down        8         8       56KiB       56KiB       56KiB      448KiB
  leaf to spine, up         8         8       24KiB       24KiB       24KiB      192KiB
  leaf to spine, down       8         8       24KiB       24KiB       24KiB      192KiB

  most loaded   0->leaf0          57344 B  host to leaf  50GB/s
                leaf0->0          57344 B  host to leaf  50GB/s
                1->leaf0          57344 B  host to leaf  50GB/s
                leaf0->1          57344 B  host to leaf  50GB/s
                2->leaf1          57344 B  host to leaf  50GB/s
                leaf1->2          57344 B  host to leaf  50GB/s
                3->leaf1          57344 B  host to leaf  50GB/s
                leaf1->3          57344 B  host to leaf  50GB/s
)");
}

TEST_CASE("letters: who sends to whom over links of their own") {
  CHECK(picture_of("run broadcast --algo chain:segments=1 --topo fullmesh:4 --size 4KiB") == R"(
broadcast by chain:segments=1 on fullmesh:4: 545.8ns
4 ranks, 4KiB (1024 i32 elements); placement linear
        0   9..
        1  . 9.
        2  .. 9
        3  ...
  a row for each sender, by its rank; a column for each receiver, in the same order
  digit d: at most d/9 of 4KiB over a link, one way; '.': nothing

  direction   links  carrying       least        mean        most    together
  links          12         3          0B        1KiB        4KiB       12KiB

  most loaded   0->1           4096 B  links  50GB/s
                1->2           4096 B  links  50GB/s
                2->3           4096 B  links  50GB/s
)");
}

TEST_CASE("letters: never wider than 128 columns, plain ASCII, for any fabric") {
  for (const char* spec : {"ring:3",
                           "ring:70",
                           "ring:5000",
                           "mesh:9",
                           "torus:8x8",
                           "torus:12x13",
                           "torus:40x50",
                           "torus:150x220",
                           "torus:4x4x4",
                           "hypercube:6",
                           "fullmesh:7",
                           "fullmesh:64",
                           "fullmesh:70",
                           "star:72",
                           "star:300",
                           "clos:hosts=4,leaves=4,spines=2",
                           "clos:hosts=16,leaves=80,spines=16",
                           "fattree:k=8",
                           "superpod:pods=2",
                           "dragonfly:groups=9,routers=4,hosts=2",
                           "hxmesh:board=2x2,grid=2x2",
                           "hyperx:4x4"}) {
    INFO(spec);
    const std::shared_ptr<const Topology> topology = parse_topology(spec);
    Report report;
    for (LinkId link = 0; link < topology->links(); ++link) report.links.push_back({link, Bytes(link % 11 * 1'000'003), {}, 0});
    const std::string text = ascii_heatmap(LinkLoads(report), Fabric(topology, FabricSettings{}),
                                           linear_placement(topology->endpoints(), *topology));
    CHECK(std::ranges::all_of(text, [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
    const std::vector<std::string> lines = test::lines_of(text);
    CHECK(lines.size() < 220);
    CHECK(lines.size() > 10);
    for (const std::string& line : lines) {
      if (line.size() > 128 || line.ends_with(' ')) FAIL(line);
    }
  }
}

TEST_CASE("letters: nothing carried") {
  CHECK_THAT(picture_of("run allreduce --algo ring --topo ring:1 --size 4KiB"), Catch::EndsWith("  No link carried a byte.\n"));
}

}  // namespace heddle::pictures
