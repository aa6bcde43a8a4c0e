// SPDX-License-Identifier: Apache-2.0
// --groups: which ranks call together, and what a run of groups reports.
#include "cli/rank_groups.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "core/errors.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"

namespace heddle {

using test::CommandResult;
using test::run_heddle;
using Json = nlohmann::json;

TEST_CASE("groups: consecutive ranks and every n-th") {
  CHECK(parse_groups("4", 8, nullptr) == RankGroups{{0, 1, 2, 3}, {4, 5, 6, 7}});
  CHECK(parse_groups("8", 8, nullptr) == RankGroups{{0, 1, 2, 3, 4, 5, 6, 7}});
  CHECK(parse_groups("1", 3, nullptr) == RankGroups{{0}, {1}, {2}});
  CHECK(parse_groups("strided:4", 8, nullptr) == RankGroups{{0, 4}, {1, 5}, {2, 6}, {3, 7}});
  CHECK(parse_groups("strided:1", 3, nullptr) == RankGroups{{0, 1, 2}});
}

TEST_CASE("groups: lines of the grid, in the order of their coordinates") {
  const Grid grid({2, 3}, true);
  CHECK(parse_groups("rows", 6, &grid) == RankGroups{{0, 1, 2}, {3, 4, 5}});
  CHECK(parse_groups("columns", 6, &grid) == RankGroups{{0, 3}, {1, 4}, {2, 5}});
  CHECK(parse_groups("dim:0", 6, &grid) == parse_groups("columns", 6, &grid));
  const Grid cube({2, 2, 2}, true);
  CHECK(parse_groups("dim:0", 8, &cube) == RankGroups{{0, 4}, {1, 5}, {2, 6}, {3, 7}});
  CHECK(parse_groups("columns", 8, &cube) == parse_groups("dim:1", 8, &cube));
  const Grid shuffled({2, 2}, true, {3, 0, 2, 1});  // rank 1 is at (0,0), 3 at (0,1), 2 at (1,0), 0 at (1,1)
  CHECK(parse_groups("rows", 4, &shuffled) == RankGroups{{1, 3}, {2, 0}});
}

TEST_CASE("groups: lists, and several kinds at once") {
  CHECK(parse_groups("0-3;4-7;2-5", 8, nullptr) == RankGroups{{0, 1, 2, 3}, {4, 5, 6, 7}, {2, 3, 4, 5}});
  CHECK(parse_groups("5,2,0-1", 8, nullptr) == RankGroups{{5, 2, 0, 1}});
  CHECK(parse_groups("2+strided:2", 4, nullptr) == RankGroups{{0, 1}, {2, 3}, {0, 2}, {1, 3}});
}

TEST_CASE("groups that there are not") {
  const Grid ring({6}, true);
  const auto refusal = [&](std::string_view text, const Grid* grid) {
    try {
      parse_groups(text, 6, grid);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(refusal("4", nullptr) == "6 ranks are no multiple of 4");
  CHECK(refusal("strided:5", nullptr) == "6 ranks are no multiple of 5");
  CHECK(refusal("0", nullptr) == "'0': not a whole number from 1 to 6");
  CHECK(refusal("rows", nullptr) == "'rows': these ranks fill no grid");
  CHECK(refusal("columns", &ring) == "'columns': the grid has one dimension; try rows");
  CHECK(refusal("dim:1", &ring) == "'1': not a whole number from 0 to 0");
  CHECK(refusal("0-6", nullptr) == "'6': not a whole number from 0 to 5");
  CHECK(refusal("3-1", nullptr) == "'1': not a whole number from 3 to 5");
  CHECK(refusal("0,1,0", nullptr) == "'0,1,0': a rank is in one group twice");
  CHECK_THAT(refusal("planes", nullptr), Catch::StartsWith("'planes': no groups of ranks; groups are 4 (consecutive ranks), "));
  CHECK_THAT(refusal("", nullptr), Catch::StartsWith("'': no groups"));
  CHECK_THAT(refusal("0-1;", nullptr), Catch::Contains("not a whole number"));
  CHECK_THAT(refusal("2+", nullptr), Catch::StartsWith("'': no groups"));
}

TEST_CASE("a run of groups tells when each was done") {
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
