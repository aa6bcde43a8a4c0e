// SPDX-License-Identifier: Apache-2.0
#include "lab/results/decisions.hpp"

#include <algorithm>
#include <string>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/lab/results/sweep_of.hpp"

namespace heddle::decisions {

using test::sweep_of;

namespace {

/// "recursive_doubling", or "-" where the target decides by itself.
std::string chosen(const Decision& decision) { return decision.choice ? decision.choice->algorithm : "-"; }

}  // namespace

TEST_CASE("the fastest that the target has is chosen, and what is faster is named with the reason") {
  const auto sweep = sweep_of("allreduce", {{8, 1024, "ring", 9},
                                            {8, 1024, "swing_bandwidth", 3},
                                            {8, 1024, "recursive_doubling", 5},
                                            {8, 65536, "ring", 7},
                                            {8, 65536, "recursive_doubling", 8},
                                            {8, 1 << 20, "bine_large", 7}});
  const Decisions decided = decide(openmpi_target(), {sweep});
  REQUIRE(decided.collectives.size() == 1);
  REQUIRE(decided.collectives[0].ranks.size() == 1);
  const RankDecisions& at = decided.collectives[0].ranks[0];
  CHECK(at.ranks == 8);
  REQUIRE(at.sizes.size() == 3);
  CHECK(chosen(at.sizes[0]) == "recursive_doubling");
  REQUIRE(at.sizes[0].missed);
  CHECK(at.sizes[0].missed->algorithm == "swing_bandwidth");
  CHECK(at.sizes[0].missed->why == "has no Swing");
  CHECK(chosen(at.sizes[1]) == "ring");
  CHECK_FALSE(at.sizes[1].missed);
  CHECK(chosen(at.sizes[2]) == "-");
  CHECK(at.sizes[2].missed->why == "has no Bine trees");
}

TEST_CASE("what failed a check does not count, and is named") {
  const Decisions decided =
      decide(openmpi_target(), {sweep_of("allreduce", {{8, 1024, "ring", 0}, {8, 1024, "rabenseifner", 5}})});
  CHECK(chosen(decided.collectives[0].ranks[0].sizes[0]) == "rabenseifner");
  CHECK(decided.failed == std::vector<std::string>{"allreduce p=8 1KiB: ring failed a check"});
  CHECK_THROWS_WITH(decide(openmpi_target(), {sweep_of("allreduce", {{8, 1024, "ring", 0}})}),
                    "'sweep.json': holds no result that was right");
}

TEST_CASE("an algorithm is not chosen where the target would run another") {
  // 4 elements on 8 ranks: Open MPI's ring is recursive doubling there.
  const Decisions decided =
      decide(openmpi_target(), {sweep_of("allreduce", {{8, 16, "ring", 1}, {8, 16, "recursive_doubling", 5}})});
  const Decision& decision = decided.collectives[0].ranks[0].sizes[0];
  CHECK(chosen(decision) == "recursive_doubling");
  CHECK(decision.missed->why == "takes recursive_doubling where there are fewer than p elements");
}

TEST_CASE("the segment is as long as makes the run's number of segments") {
  // p = 4, chain: P = rounds - p + 2 = 8 of 1024 elements; 5 of 1024: 205 elements and a shorter last one.
  const auto segment_at = [](int rounds) {
    const Decisions decided = decide(openmpi_target(), {sweep_of("broadcast", {{4, 4096, "chain", 5, rounds}})});
    return decided.collectives[0].ranks[0].sizes[0].choice->segment.count();
  };
  CHECK(segment_at(10) == 512);
  CHECK(segment_at(7) == 820);
  CHECK(segment_at(3) == 0);
}

TEST_CASE("reduce_scatter has decisions for both of MPI's") {
  const Decisions decided =
      decide(openmpi_target(), {sweep_of("reduce_scatter", {{8, 1024, "ring", 4}, {8, 1024, "recursive_halving", 5}})});
  REQUIRE(decided.collectives.size() == 2);
  CHECK(decided.collectives[0].collective->name == "reduce_scatter");
  CHECK(chosen(decided.collectives[0].ranks[0].sizes[0]) == "ring");
  CHECK(decided.collectives[1].collective->name == "reduce_scatter_block");
  CHECK(chosen(decided.collectives[1].ranks[0].sizes[0]) == "recursive_halving");
}

TEST_CASE("a decision holds up to the next size, and neighbours that are the same are one") {
  const auto sweep = sweep_of("allreduce", {{8, 64, "recursive_doubling", 1},
                                            {8, 256, "recursive_doubling", 2},
                                            {8, 1024, "bine_large", 1},
                                            {8, 4096, "ring", 3},
                                            {8, 16384, "ring", 3}});
  const Decisions decided = decide(openmpi_target(), {sweep});
  const std::vector<SizeRule> rules = size_rules(decided.collectives[0].ranks[0]);
  REQUIRE(rules.size() == 3);
  CHECK(rules[0].from == 0);
  CHECK(chosen(*rules[0].decision) == "recursive_doubling");
  CHECK(rules[1].from == 1024);
  CHECK(chosen(*rules[1].decision) == "-");
  CHECK(rules[2].from == 4096);
  CHECK(chosen(*rules[2].decision) == "ring");
}

TEST_CASE("sweeps in any order make the same decisions, by collective, ranks and size") {
  const auto a = sweep_of("allreduce", {{8, 1024, "ring", 2}, {4, 64, "ring", 2}, {4, 1024, "rabenseifner", 2}}, "a.json");
  const auto b = sweep_of("broadcast", {{8, 1024, "binomial_doubling", 2}}, "b.json");
  for (const auto& sweeps : {std::vector{a, b}, std::vector{b, a}}) {
    const Decisions decided = decide(openmpi_target(), sweeps);
    REQUIRE(decided.collectives.size() == 2);
    CHECK(decided.collectives[0].collective->name == "bcast");
    const CollectiveDecisions& allreduce = decided.collectives[1];
    REQUIRE(allreduce.ranks.size() == 2);
    CHECK(allreduce.ranks[0].ranks == 4);
    CHECK(allreduce.ranks[0].sizes[0].bytes == 64);
    CHECK(allreduce.ranks[0].sizes[1].bytes == 1024);
  }
}

TEST_CASE("what is on two fabrics at one number of ranks is refused, unless one is chosen") {
  const auto star = sweep_of("allreduce", {{8, 1024, "ring", 2}}, "a.json", "star:8");
  const auto torus = sweep_of("allreduce", {{8, 1024, "rabenseifner", 2}}, "b.json", "torus:2x4");
  CHECK_THROWS_WITH(decide(openmpi_target(), {star, torus}),
                    "allreduce at 8 ranks is on two fabrics, 'star:8, 8 ranks' and 'torus:2x4, 8 ranks'; choose one: --fabric "
                    "'star:8, 8 ranks'");
  CHECK(chosen(decide(openmpi_target(), {star, torus}, "torus:2x4, 8 ranks").collectives[0].ranks[0].sizes[0]) ==
        "rabenseifner");
  CHECK_THROWS_WITH(decide(openmpi_target(), {star, torus}, "ring:8"),
                    "--fabric 'ring:8': no result is on it; there are: star:8, 8 ranks; torus:2x4, 8 ranks");
  auto faster = sweep_of("allreduce", {{8, 1024, "ring", 1}}, "c.json", "star:8");
  faster.document.context["fabrics"][0]["hop_s"] = 1e-9;
  CHECK_THROWS_WITH(
      decide(openmpi_target(), {star, faster}),
      "allreduce at 8 ranks is on two fabrics, both called 'star:8, 8 ranks': those of 'a.json' and 'c.json'; give one "
      "of these files");
}

TEST_CASE("what no rule can say is refused") {
  const auto refused = [](const std::string& key, const nlohmann::ordered_json& value) {
    auto sweep = sweep_of("allreduce", {{8, 1024, "ring", 2}});
    sweep.document.context["fabrics"][0][key] = value;
    try {
      decide(openmpi_target(), {sweep_of("allreduce", {{4, 1024, "ring", 2}}, "first.json"), sweep});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK_THAT(refused("groups", "4"), Catch::StartsWith("'sweep.json': its runs are of several groups at once"));
  CHECK_THAT(refused("blocks", "random"), Catch::StartsWith("'sweep.json': its blocks are uneven"));
  CHECK_THAT(refused("skew", "2 hot"), Catch::StartsWith("'sweep.json': its blocks are uneven"));
  CHECK_THAT(refused("op", "affine"), Catch::StartsWith("'sweep.json': its operation does not commute"));
  CHECK(refused("datatype", "f64") ==
        "'sweep.json': its elements are 'f64', those of 'first.json' are 'i32'; give sweeps of one");
  CHECK_THROWS_WITH(decide(nccl_target(), {sweep_of("alltoall", {{8, 1024, "linear", 2}})}),
                    "'sweep.json': NCCL has no decisions about alltoall; it has: broadcast, reduce, allreduce, reduce_scatter, "
                    "allgather");
}

// NVLink of 300 GB/s, NICs of 25: a ring of one channel crosses by one of eight NICs, and is not what NCCL would run.
TEST_CASE("NCCL's ring and tree are those that enter a node by all of its NICs") {
  const auto decided_on = [](const std::string& topology, double nvlink, double nic, const std::string& placement = "linear") {
    auto sweep = sweep_of("allreduce",
                          {{16, 1024, "double_binary_tree", 1},
                           {16, 1024, "double_binary_tree:segments=4:channels=8", 2},
                           {16, 1024, "ring:channels=8", 3},
                           {16, 1 << 20, "ring", 4},
                           {16, 1 << 20, "ring:channels=4", 5},
                           {16, 1 << 20, "ring:channels=8", 6}},
                          "sweep.json", topology);
    auto& fabric = sweep.document.context["fabrics"][0];
    fabric["tiers"] = {{{"bandwidth_Bps", nvlink}, {"eta_beta", 1.0}}, {{"bandwidth_Bps", nic}, {"eta_beta", 1.0}}};
    fabric["placement"] = placement;
    return decide(nccl_target(), {sweep}).collectives.at(0).ranks.at(0).sizes;
  };
  const std::string pods = "superpod:pods=2,gpus=8,trays=1";
  const auto by_nics = decided_on(pods, 300e9, 25e9);
  CHECK(chosen(by_nics[0]) == "double_binary_tree:segments=4:channels=8");
  CHECK(by_nics[0].choice->mapping->algorithm == "tree");
  REQUIRE(by_nics[0].missed);
  CHECK(by_nics[0].missed->why ==
        "takes rings and trees over all NICs where a node has several and channels are fewer than its ranks");
  CHECK(chosen(by_nics[1]) == "ring:channels=8");
  CHECK(by_nics[1].choice->mapping->algorithm == "ring");
  // Where a NIC is as fast as what is within, one ring loses nothing; of a node's single rank there is one NIC.
  CHECK(chosen(decided_on(pods, 25e9, 25e9)[1]) == "ring");
  CHECK(chosen(decided_on("star:16", 25e9, 25e9)[1]) == "ring");
  CHECK(chosen(decided_on("superpod:pods=16,gpus=8,trays=1", 300e9, 25e9, "scattered")[1]) == "ring");
  // Four ranks a node need four channels.
  CHECK(chosen(decided_on("superpod:pods=4,gpus=4,trays=1", 300e9, 25e9)[1]) == "ring:channels=4");
  // What cannot be known is said.
  CHECK_THROWS_WITH(decided_on("file:nowhere.json", 300e9, 25e9),
                    Catch::StartsWith("'sweep.json': how many NICs a node of its fabric has is not known: "));
}

}  // namespace heddle::decisions
