// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "emu/switches/in_network.hpp"
#include "heddle/registry.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

using namespace test;

namespace {

/// Column of a row of a --wide table: size count type redop root algorithm time algbw busbw #wrong rounds messages sent peak
/// contention scale.
constexpr std::size_t kAlgorithm = 5;
constexpr std::size_t kTime = 6;
constexpr std::size_t kWrong = 9;
constexpr std::size_t kColumns = 16;

/// The lines of a run's table that are not about the run, split into cells.
std::vector<std::vector<std::string>> rows_of(const std::string& out) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : test::lines_of(out))
    if (!line.starts_with('#')) rows.push_back(words_of(line));
  return rows;
}

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::ranges::sort(names);
  return names;
}

}  // namespace

TEST_CASE("a run prints one checked row for each algorithm that fits, and says of the others why not") {
  const std::string spec =
      GENERATE("ring:7", "torus:3x5", "torus:2x4", "mesh:4x4x2", "fullmesh:6", "star:13", "star:4,alu,multicast", "torus:1");
  const CommandResult result =
      run_heddle(fmt::format("run allreduce --topo {} --size 4KiB --preset swing-nsdi24 --wide", spec));
  INFO(result.out << result.err);
  CHECK(result.status == 0);
  CHECK(result.err == "");

  const auto topology = parse_topology(spec);
  Shape shape{.ranks = topology->endpoints(), .dims = {}, .count = 1024, .bytes = 4096};
  if (topology->grid() != nullptr) shape.dims = topology->grid()->dims();
  shape.in_network =
      InNetworkQuestion(Fabric(topology, {}), linear_placement(topology->endpoints(), *topology), Datatype::i32());
  std::vector<std::string> fitting;
  for (const Algorithm* algorithm : algorithms_of(Collective::allreduce)) {
    const std::string reason = why_not(*algorithm, shape, ReduceOp::sum());
    if (reason.empty())
      fitting.push_back(std::string(algorithm->name));
    else
      CHECK_THAT(result.out, Catch::Contains(fmt::format("\n# left out: {}: {}\n", algorithm->name, reason)));
  }

  std::vector<std::string> printed;
  for (const std::vector<std::string>& row : rows_of(result.out)) {
    REQUIRE(row.size() == kColumns);
    printed.push_back(row[kAlgorithm]);
    CHECK(row[kWrong] == "0");
  }
  // Equivalent algorithms have a line with both names in place of a row.
  std::vector<std::string> missing;
  std::ranges::set_difference(sorted(fitting), sorted(printed), std::back_inserter(missing));
  for (const std::string& name : missing) CHECK_THAT(result.out, Catch::Contains(fmt::format("\n# {} = ", name)));
  std::erase_if(fitting, [&](const std::string& name) { return std::ranges::find(missing, name) != missing.end(); });
  CHECK(printed == fitting);
}

TEST_CASE("a row says what was called and what it took") {
  // Ring allreduce of 4 ranks, M = 4 KiB: 2(p-1) = 6 rounds of a 1 KiB block over one link of 1 us and 1 GB/s, unshared:
  // 6·(1 us + 1.024 us) = 12.144 us; algbw 4096/12.144 us = 0.337 GB/s, busbw 1.5 times that; 6 messages and 6 KiB from each
  // rank.
  const CommandResult result =
      run_heddle("run allreduce --algo ring --topo ring:4 -b 4KiB -d float -o max --bw 1GB/s --latency 1us --wide");
  REQUIRE(result.status == 0);
  const auto rows = rows_of(result.out);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0] == words_of("4096 1024 f32 max -1 ring 12.144 0.34 0.51 0 6 24 6144 1 1.00 1"));
}

TEST_CASE("a run on several tiers names their speeds") {
  const std::string flags = "run allreduce --algo ring --topo superpod:pods=2,gpus=8,trays=2 --size 1KiB --preset superpod";
  CHECK_THAT(run_heddle(flags).out,
             Catch::Contains("# preset superpod: NVLink 900GB/s, 250ns; NIC to leaf 50GB/s, 1us; hop 0ps;"));
  const auto json = nlohmann::json::parse(run_heddle(flags + " --eta-beta 1,0.5 --json -").out);
  REQUIRE(json["context"]["tiers"].size() == 2);
  CHECK(json["context"]["tiers"][1]["name"] == "NIC to leaf");
  CHECK(json["context"]["tiers"][1]["latency_s"] == 1e-6);
  CHECK(json["context"]["tiers"][1]["eta_beta"] == 0.5);
}

TEST_CASE("ranks scattered over the leaves of a Clos meet no rank of their own leaf") {
  // A ring of 4 ranks, each on a leaf of its own: 2·3 steps of 256 B over four links of 1 us: 6·(4 us + 0.256 us)
  const CommandResult result = run_heddle(
      "run allreduce --algo ring --topo clos:hosts=4,leaves=4,spines=4 --ranks 4 --placement scattered --size 1KiB "
      "--bw 1GB/s --latency 1us");
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::Contains(" 25.536 "));
}

TEST_CASE("a placement by groups says how many ranks there are") {
  const CommandResult result = run_heddle("run allreduce --algo ring --topo star:8 --size 1KiB --placement groups:5");
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::Contains("allreduce on star:8, 5 ranks, placement groups:5,"));
  CHECK(run_heddle("run allreduce --topo star:8 --size 1KiB --ranks 4 --placement groups:5").err ==
        "heddle: --placement: the groups have 5 ranks together, not 4\n");
  CHECK(run_heddle("run allreduce --topo star:8 --size 1KiB --placement groups:9").err ==
        "heddle: --placement: 9 ranks do not fit on star:8, which has 8 endpoints\n");
}

TEST_CASE("the lines above the table name fabric, ranks, speeds, scale and seed") {
  const CommandResult result = run_heddle(
      "run allreduce --algo ring --topo torus:2x3 --ranks 5 --size 1MiB --preset trivance --gamma 1ps --buffering 2 "
      "--placement random:7 --data-memory 1KiB --seed 3 --order-seed 9");
  REQUIRE(result.status == 0);
  for (const std::string part : {"allreduce on torus:2x3, 5 ranks", "placement random:7", "buffering 2",
                                 "preset trivance: links 100GB/s, 100ns; hop 100ns; alpha 1.5us", "gamma 1e-12s per byte",
                                 "# 262144 x i32, redop sum, in place; payload 1KiB, scale 5242.88; seed 3, order seed 9"})
    CHECK_THAT(result.out, Catch::Contains(part));
}

TEST_CASE("nccl-tests' flags are understood") {
  const CommandResult result = run_heddle("run reduce --algo binomial_halving --topo ring:4 -b 4K -d int32 -o sum -r 0 -c 1");
  CHECK(result.status == 0);
  CHECK(rows_of(result.out).at(0).at(0) == "4096");
}

TEST_CASE("less than an element, one rank, free links: rows without a rate") {
  const CommandResult less = run_heddle("run allreduce --algo ring --topo ring:4 --size 3");
  const auto rows = rows_of(less.out);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0][0] == "4");
  CHECK_THAT(less.out, Catch::Contains("# --size 3B: rounded up to 4B, one element\n"));
  const CommandResult blocks = run_heddle("run alltoall --algo pairwise --topo ring:4 --size 9 --datatype double");
  CHECK(rows_of(blocks.out).at(0).at(0) == "32");
  CHECK_THAT(blocks.out, Catch::Contains("# --size 9B: rounded up to 32B, one element in each block\n"));
  const CommandResult swept = run_heddle("sweep allreduce --algo ring --topo ring:4 --size 1B:8B:x2");
  CHECK_THAT(swept.out, Catch::Contains("# rounded up to one element, or one in each block: 1B to 4B, 2B to 4B\n") &&
                            Catch::Contains("# 2 results right"));
  CHECK(rows_of(run_heddle("run allreduce --algo ring --topo ring:4 --size 0").out).at(0).at(0) == "0");
  const auto free = rows_of(run_heddle("run allreduce --algo ring --topo ring:4 --size 4KiB --bw inf --latency 0 --wide").out);
  REQUIRE(free.size() == 1);
  CHECK(free[0][kTime] == "0.000");
  CHECK(free[0][kTime + 1] == "-");
  CHECK(free[0][kTime + 2] == "-");
}

TEST_CASE("a non-commutative operation runs on the algorithms that keep rank order") {
  const CommandResult result = run_heddle("run allreduce --op affine --topo star:6 --size 4KiB --wide");
  CHECK(result.status == 0);
  CHECK_FALSE(rows_of(result.out).empty());
  for (const std::vector<std::string>& row : rows_of(result.out))
    CHECK_FALSE(find_algorithm(Collective::allreduce, row.at(kAlgorithm)).needs.commutative);
}

TEST_CASE("several algorithms by name run in the order asked for") {
  const auto rows = rows_of(run_heddle("run allreduce --algo recursive_doubling,ring --topo ring:4 --size 1KiB --wide").out);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0][kAlgorithm] == "recursive_doubling");
  CHECK(rows[1][kAlgorithm] == "ring");
}

TEST_CASE("every collective runs, checked, wherever the root is and however the vector is cut") {
  struct Flags {
    std::string text;
    std::string root;
  };
  for (const Collective collective : all_collectives()) {
    const std::string name = to_string(collective);
    for (const Flags& flags :
         {Flags{"--topo ring:7 --size 64KiB", "0"}, Flags{"--topo ring:1 --size 1KiB", "0"},
          Flags{"--topo torus:2x4 --size 0 --out-of-place", "7"}, Flags{"--topo star:5 --size 4 --in-place", "4"}}) {
      std::string text = flags.text;
      if (collective == Collective::barrier) text.resize(text.find(" --size"));
      if (has_root(collective)) text += " --root " + flags.root;
      const CommandResult result = run_heddle("run " + name + " " + text + " --wide");
      INFO(name << " " << flags.text << "\n" << result.out << result.err);
      CHECK(result.status == 0);
      CHECK_FALSE(rows_of(result.out).empty());
      for (const auto& row : rows_of(result.out)) {
        CHECK(row.at(3) == (reduces(collective) ? "sum" : "none"));
        CHECK(row.at(4) == (has_root(collective) ? flags.root : "-1"));
      }
    }
    if (!has_blocks(collective)) continue;
    for (const std::string blocks : {"3,1,0,4", "random:5 --size 1KiB"}) {
      const CommandResult result = run_heddle("run " + name + " --topo star:4 --blocks " + blocks);
      INFO(name << " " << blocks << "\n" << result.out << result.err);
      CHECK(result.status == 0);
      CHECK_FALSE(rows_of(result.out).empty());
    }
  }
}

TEST_CASE("a root, a block of each rank and their rates") {
  // Star of 4, rank 2 sends 1 KiB to each of three others at once through one port of 1 GB/s: 3·1.024 us + 2·1 us; busbw is
  // 3/4.
  const auto rows =
      rows_of(run_heddle("run scatter --algo linear --topo star:4 -b 4KiB -r 2 --bw 1GB/s --latency 1us --wide").out);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0] == words_of("4096 1024 i32 none 2 linear 5.072 0.81 0.61 0 1 3 3072 3 1.68 1"));
}

TEST_CASE("an alltoall takes equal blocks and says of how many bytes") {
  // 1000 bytes are 250 elements, of which 7 ranks can have 35 of each other: 245.
  const CommandResult result = run_heddle("run alltoall --algo linear --topo ring:7 --size 1000");
  REQUIRE(result.status == 0);
  CHECK(rows_of(result.out).at(0).at(0) == "980");
  CHECK_THAT(result.out, Catch::Contains("# 245 x i32, out of place; "));
}

TEST_CASE("a barrier needs no size and has no bandwidth") {
  const auto rows = rows_of(run_heddle("run barrier --algo dissemination --topo ring:7 --latency 100ns --wide").out);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0] == words_of("0 0 i32 none -1 dissemination 0.600 - - 0 3 21 0 0 1.00 1"));
}

TEST_CASE("an algorithm's options stand in its name") {
  const auto rows = rows_of(run_heddle("run broadcast --algo chain:segments=8,chain --topo ring:4 --size 1KiB --wide").out);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0][kAlgorithm] == "chain:segments=8");
  CHECK(rows[1][kAlgorithm] == "chain");
}

TEST_CASE("the lines above the table say how vectors lie and are cut") {
  const CommandResult in = run_heddle("run allgather --algo ring --topo ring:4 --blocks 1,2,3,4");
  CHECK_THAT(in.out, Catch::Contains("# 10 x i32, in place; blocks 1,2,3,4; payload"));
  const CommandResult out = run_heddle("run allgather --algo ring --topo ring:4 --size 1KiB --out-of-place");
  CHECK_THAT(out.out, Catch::Contains("# 256 x i32, out of place; payload 64MiB, scale 1; seed 1\n"));
}

TEST_CASE("what is for programs, and --wide, has lines as long as they are") {
  CHECK(keeps_long_lines({"run", "allreduce", "--wide"}));
  CHECK(keeps_long_lines({"sweep", "allreduce", "--csv", "-"}));
  CHECK(keeps_long_lines({"export", "goal"}));
  CHECK_FALSE(keeps_long_lines({"export", "--help"}));
  CHECK_FALSE(keeps_long_lines({"run", "allreduce", "--json", "out.json"}));
}

// ---- heddle run --transport, as far as one process sees it; tests/net has the processes.

TEST_CASE("a network that is not there is refused in one line") {
  const auto refusal = [](const std::string& arguments) {
    const auto result = test::run_heddle("run allreduce --size 1KiB " + arguments);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    return result.err;
  };
  CHECK(refusal("--transport token_ring") ==
        "heddle: --transport 'token_ring': no network that heddle knows; try mpi or tcp\n");
  CHECK(refusal("--transport mpi").find("start it with an MPI's launcher, as in mpirun -n 4 heddle") != std::string::npos);
  CHECK(refusal("--transport tcp").find("HEDDLE_RANK") != std::string::npos);
  CHECK(refusal("--topo ring:4 --reference ring:4") ==
        "heddle: --reference: nothing is compared with it; it goes with --transport\n");
}

}  // namespace heddle
