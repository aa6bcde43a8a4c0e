// SPDX-License-Identifier: Apache-2.0
// --groups: which ranks call together, and what a run of groups reports.
#include "lab/describe/rank_groups.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

using namespace test;
using Json = nlohmann::json;

namespace {

using Groups = std::vector<std::vector<int>>;

/// Of ranks on all endpoints.
RankGroups groups_on(std::string_view topology, std::string_view text) {
  const auto parsed = parse_topology(topology);
  return parse_groups(text, linear_placement(parsed->endpoints(), *parsed), *parsed);
}

Groups members(std::string_view text, std::string_view topology) { return groups_on(topology, text).members; }

std::string group_refusal(std::string_view text, std::string_view topology) {
  try {
    groups_on(topology, text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("groups: consecutive ranks and every n-th") {
  CHECK(members("4", "star:8") == Groups{{0, 1, 2, 3}, {4, 5, 6, 7}});
  CHECK(members("8", "star:8") == Groups{{0, 1, 2, 3, 4, 5, 6, 7}});
  CHECK(members("1", "star:3") == Groups{{0}, {1}, {2}});
  CHECK(members("strided:4", "star:8") == Groups{{0, 4}, {1, 5}, {2, 6}, {3, 7}});
  CHECK(members("strided:1", "star:3") == Groups{{0, 1, 2}});
}

TEST_CASE("groups: lines of the grid, in the order of their coordinates") {
  CHECK(members("rows", "torus:2x3") == Groups{{0, 1, 2}, {3, 4, 5}});
  CHECK(members("columns", "torus:2x3") == Groups{{0, 3}, {1, 4}, {2, 5}});
  CHECK(members("dim:0", "torus:2x3") == members("columns", "torus:2x3"));
  CHECK(members("dim:0", "torus:2x2x2") == Groups{{0, 4}, {1, 5}, {2, 6}, {3, 7}});
  CHECK(members("columns", "torus:2x2x2") == members("dim:1", "torus:2x2x2"));
  const auto torus = parse_topology("torus:2x2");  // rank 1 is at (0,0), 3 at (0,1), 2 at (1,0), 0 at (1,1)
  CHECK(parse_groups("rows", {3, 0, 2, 1}, *torus).members == Groups{{1, 3}, {2, 0}});
}

TEST_CASE("groups: parts of a line, x the first dimension") {
  CHECK(members("2 along x", "torus:4x2") == Groups{{0, 2}, {4, 6}, {1, 3}, {5, 7}});
  CHECK(members("2 along y", "torus:4x2") == Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}});
  CHECK(members("4 along 0", "torus:4x2") == members("dim:0", "torus:4x2"));
  CHECK(members("8 along x", "torus:16x3").size() == 6);
}

TEST_CASE("groups: drawn by seed, each rank in one of them, a group's ranks in their order") {
  const Groups drawn = members("random:8,seed=3", "star:32");
  REQUIRE(drawn.size() == 4);
  std::vector<int> all;
  for (const std::vector<int>& group : drawn) {
    CHECK(group.size() == 8);
    CHECK(std::is_sorted(group.begin(), group.end()));
    all.insert(all.end(), group.begin(), group.end());
  }
  std::sort(all.begin(), all.end());
  for (int rank = 0; rank < 32; ++rank) CHECK(all[static_cast<std::size_t>(rank)] == rank);
  CHECK(members("random:8,seed=3", "star:32") == drawn);
  CHECK(members("random:8,seed=4", "star:32") != drawn);
  CHECK(members("random:8", "star:32") == members("random:8,seed=1", "star:32"));
}

TEST_CASE("groups: by the fabric's tiers") {
  CHECK(members("tier:0", "star:3") == Groups{{0, 1, 2}});  // the one switch
}

TEST_CASE("groups: lists, and several kinds at once") {
  CHECK(members("0-3;4-7;2-5", "star:8") == Groups{{0, 1, 2, 3}, {4, 5, 6, 7}, {2, 3, 4, 5}});
  CHECK(members("5,2,0-1", "star:8") == Groups{{5, 2, 0, 1}});
  CHECK(members("2+strided:2", "star:4") == Groups{{0, 1}, {2, 3}, {0, 2}, {1, 3}});
}

TEST_CASE("groups: names distinguish sets") {
  const RankGroups named = groups_on("torus:2x2", "tp:2 along x + dp: rows + 4");
  CHECK(named.members == Groups{{0, 2}, {1, 3}, {0, 1}, {2, 3}, {0, 1, 2, 3}});
  CHECK(named.names == std::vector<std::string>{"tp", "tp", "dp", "dp", ""});
  CHECK(groups_on("star:4", "ep_1:0,2;1,3").names == std::vector<std::string>{"ep_1", "ep_1"});
}

TEST_CASE("groups that there are not") {
  CHECK(group_refusal("4", "star:6") == "6 ranks are no multiple of 4");
  CHECK(group_refusal("strided:5", "star:6") == "6 ranks are no multiple of 5");
  CHECK(group_refusal("0", "star:6") == "'0': not a whole number from 1 to 6");
  CHECK(group_refusal("rows", "star:6") == "'rows': these ranks fill no grid");
  CHECK(group_refusal("columns", "ring:6") == "'columns': the grid has one dimension; try rows");
  CHECK(group_refusal("dim:1", "ring:6") == "'1': not a whole number from 0 to 0");
  CHECK(group_refusal("0-6", "star:6") == "'6': not a whole number from 0 to 5");
  CHECK(group_refusal("3-1", "star:6") == "'1': not a whole number from 3 to 5");
  CHECK(group_refusal("0,1,0", "star:6") == "'0,1,0': a rank is in one group twice");
  CHECK_THAT(group_refusal("planes", "star:6"),
             Catch::StartsWith("'planes': no groups of ranks; groups are 4 (consecutive ranks), "));
  CHECK_THAT(group_refusal("", "star:6"), Catch::StartsWith("'': no groups"));
  CHECK_THAT(group_refusal("0-1;", "star:6"), Catch::Contains("not a whole number"));
  CHECK_THAT(group_refusal("2+", "star:6"), Catch::StartsWith("'': no groups"));
  CHECK(group_refusal("2 along x", "star:6") == "'2 along x': these ranks fill no grid");
  CHECK(group_refusal("4 along x", "ring:6") == "'4 along x': its lines of 6 ranks are no multiple of 4");
  CHECK(group_refusal("7 along x", "ring:6") == "'7': not a whole number from 1 to 6");
  CHECK(group_refusal("2 along y", "ring:6") == "'y': the grid has one dimension, x");
  CHECK(group_refusal("2 along z", "torus:2x2") == "'z': the grid has dimensions x to y");
  CHECK(group_refusal("2 along 2", "torus:2x2") == "'2': the grid has dimensions x to y");
  CHECK(group_refusal("2 along q", "torus:2x2") == "'q': the grid has dimensions x to y");
  CHECK(group_refusal("random:4", "star:6") == "6 ranks are no multiple of 4");
  CHECK(group_refusal("random:2,sed=3", "star:6") == "'random:2,sed=3': 'sed=3' is no seed; try random:8,seed=3");
  CHECK(group_refusal("random:2,seed=-1", "star:6") == "'-1': not a seed; try a whole number from 0 to 2^64-1");
  CHECK(group_refusal("tier:1", "star:6") == "'1': not a whole number from 0 to 0");
  CHECK(group_refusal("stride:2", "star:6") ==
        "'stride:2': did you mean strided:? A set of groups needs a name less like that");
  CHECK_THAT(group_refusal("tp:", "star:6"), Catch::StartsWith("'': no groups"));
}

TEST_CASE("a run of groups reports when each was done") {
  // ring:8, 50 GB/s, 100 ns: neighbours exchange 4000 B in 100 + 80 ns; those three apart meet others on the way.
  const CommandResult result =
      run_heddle("run allreduce --algo recursive_doubling --topo mesh:8 --groups 0-1;2,4;3,5 --size 4000");
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::Contains("\n# 3 groups of 2 ranks (0-1;2,4;3,5) at once; time is that of the last\n"));
  // 2-4 and 3-5 share the link 3-4: 2·100 ns + 2·80 ns.
  CHECK_THAT(result.out, Catch::Contains("\n#   by group (us): 0.180 0.360 0.360\n"));

  const Json json = Json::parse(
      run_heddle("run allreduce --algo recursive_doubling --topo mesh:8 --groups 0-1;2,4;3,5 --size 4000 --json -").out);
  CHECK(json["context"]["groups"] == "0-1;2,4;3,5");
  CHECK(json["runs"][0]["time_s"] == 360e-9);
  const Json& groups = json["runs"][0]["groups"];
  REQUIRE(groups.size() == 3);
  CHECK(groups[1]["ranks"] == std::vector<int>{2, 4});
  CHECK(groups[0]["time_s"] == 180e-9);
  CHECK(groups[0]["algbw_Bps"].get<double>() == Approx(4000 / 180e-9));
  CHECK(groups[2]["busbw_Bps"].get<double>() == Approx(4000 / 360e-9));  // 2(p-1)/p = 1
  CHECK(Json::parse(run_heddle("run allreduce --algo ring --topo ring:4 --size 1KiB --json -").out)["context"]["groups"]
            .is_null());
}

TEST_CASE("a run of groups reports each one's time alone and the (eta_alpha, eta_beta) that the others cost it") {
  // mesh:4, 50 GB/s, 100 ns: 0-2 and 1-3 exchange 4000 B over two links each, 200 + 80 ns alone, and meet on the middle one:
  // 200 + 160 ns. Bytes parts 80 and 160 ns: eta_beta = 1/2. Latency parts 200 and 200 ns: eta_alpha = 1.
  const std::string run = "run allreduce --algo recursive_doubling --topo mesh:4 --size 4000 --groups ";
  const CommandResult result = run_heddle(run + "far:0,2;1,3");
  CHECK_THAT(result.out,
             Catch::Contains("\n#   far (us): 0.360 (all 2)\n#   alone (us): 0.280 (all 2)\n#   slowdown: 1.29 (all 2)\n"
                             "#   (eta_alpha, eta_beta): (1, 0.5) (all 2)\n"));
  const Json groups = Json::parse(run_heddle(run + "far:0,2;1,3 --json -").out)["runs"][0]["groups"];
  CHECK(groups[0]["name"] == "far");
  CHECK(groups[0]["contention"]["alone_s"] == 280e-9);
  CHECK(groups[0]["contention"]["slowdown"].get<double>() == Approx(360.0 / 280));
  CHECK(groups[0]["contention"]["latency_s"] == 200e-9);
  CHECK(groups[0]["contention"]["latency_alone_s"] == 200e-9);
  CHECK(groups[1]["contention"]["eta_alpha"] == 1.0);
  CHECK(groups[1]["contention"]["eta_beta"] == 0.5);
  // Sets of groups apart; those that need not be, by one line.
  CHECK_THAT(run_heddle({"run", "allreduce", "--algo", "ring", "--topo", "mesh:4", "--size", "4000", "--groups",
                         "far:0,2;1,3 + near:2"})
                 .out,
             Catch::Contains("\n#   far (us): ") && Catch::Contains("\n#   near (us): "));
  // One group has nobody beside it.
  CHECK(run_heddle(run + "0,2").out.find("alone") == std::string::npos);
}

TEST_CASE("how many groups run alone is a flag's choice") {
  const std::string run = "run allreduce --algo ring --topo ring:8 --size 4000 --groups 2 --json - --isolated-groups ";
  const auto alone = [&](const std::string& how) {
    std::vector<bool> measured;
    const Json json = Json::parse(run_heddle(run + how).out);
    for (const Json& group : json["runs"][0]["groups"]) measured.push_back(!group["contention"].is_null());
    return measured;
  };
  CHECK(alone("all") == std::vector<bool>{true, true, true, true});
  CHECK(alone("2") == std::vector<bool>{false, true, false, true});
  CHECK(alone("none") == std::vector<bool>{false, false, false, false});
  CHECK(run_heddle(run + "some").err ==
        "heddle: --isolated-groups 'some': how many groups to run alone as well; all, none or a number\n");
  CHECK_THAT(run_heddle("run allreduce --algo ring --topo ring:8 --size 4000 --groups 2 --isolated-groups 2").out,
             Catch::Contains("\n#   alone (us, 2 of 4 groups): "));
}

TEST_CASE("a run of groups takes the algorithms that fit each group, and grids where they are boxes") {
  const CommandResult rows = run_heddle("run allreduce --topo torus:3x4 --groups rows+columns --size 4KiB");
  CHECK(rows.status == 0);
  CHECK_THAT(rows.out, Catch::Contains(" bucket "));
  const CommandResult odd = run_heddle("run allreduce --algo bucket --topo torus:3x4 --groups 0-3;0,5,10 --size 4KiB");
  CHECK(odd.status == 2);
  CHECK_THAT(odd.err, Catch::StartsWith("heddle: --algo 'bucket': does not fit, it needs a grid; these do: ring,"));
}

TEST_CASE("a run of groups: sizes, roots and blocks suit every group") {
  // An alltoall's blocks are equal in groups of 2 and of 3: a multiple of 6.
  const Json json =
      Json::parse(run_heddle("run alltoall --algo linear --topo star:5 --groups 0-1;2-4 --size 100 --json -").out);
  CHECK(json["runs"][0]["count"] == 24);
  CHECK(run_heddle("run broadcast --algo binomial_halving --topo star:5 --groups 0-1;2-4 --size 64 --root 2").err ==
        "heddle: --root '2': not a whole number from 0 to 1\n");
  CHECK(run_heddle("run allgather --algo ring --topo star:5 --groups 0-1;2-4 --size 64 --blocks random").err ==
        "heddle: --blocks random: one size for each rank needs groups of as many ranks each\n");
  CHECK(run_heddle("run allgather --algo ring --topo star:6 --groups 3 --size 64 --blocks random").status == 0);
  CHECK(run_heddle("run barrier --topo star:6 --groups 3+2").status == 0);
  CHECK_THAT(run_heddle("run barrier --topo star:6 --groups 4").err,
             Catch::StartsWith("heddle: --groups: 6 ranks are no multiple"));
}

}  // namespace heddle
