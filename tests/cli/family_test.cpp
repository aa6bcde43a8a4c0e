// SPDX-License-Identifier: Apache-2.0
// Groups that make calls of their own beside each other.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"

namespace heddle {

using namespace test;

namespace {

/// Blanks part words here.
const std::string kFamilies =
    "run allreduce --algo ring --topo clos:hosts=4,leaves=4,spines=4 --groups "
    "tp:tier:0=allreduce@16KiB+dp:strided:4=allgather/recursive_doubling@64KiB ";

nlohmann::json groups_of(const std::string& words) {
  const CommandResult result = run_heddle(words + " --json -");
  INFO(result.err);
  REQUIRE(result.status == 0);
  return nlohmann::json::parse(result.out)["runs"][0]["groups"];
}

}  // namespace

TEST_CASE("each family makes its call, and takes alone what a run of it alone takes") {
  const nlohmann::json groups = groups_of(kFamilies);
  REQUIRE(groups.size() == 8);
  const std::string topology = "--topo clos:hosts=4,leaves=4,spines=4 ";
  const nlohmann::json tp = groups_of("run allreduce --algo ring --size 16KiB --groups tp:tier:0 " + topology);
  const nlohmann::json dp = groups_of("run allgather --algo recursive_doubling --size 64KiB --groups dp:strided:4 " + topology);
  for (std::size_t g = 0; g < 8; ++g) {
    INFO(g);
    const bool is_tp = g < 4;
    const nlohmann::json& alone = is_tp ? tp[g] : dp[g - 4];
    CHECK(groups[g]["name"] == (is_tp ? "tp" : "dp"));
    CHECK(groups[g]["collective"] == (is_tp ? "allreduce" : "allgather"));
    CHECK(groups[g]["algorithm"] == (is_tp ? "ring" : "recursive_doubling"));
    CHECK(groups[g]["bytes"] == (is_tp ? 16384 : 65536));
    CHECK(groups[g]["ranks"] == alone["ranks"]);
    CHECK(groups[g]["contention"]["alone_s"] == alone["contention"]["alone_s"]);
    CHECK(groups[g]["time_s"].get<double>() >= groups[g]["contention"]["alone_s"].get<double>());
  }
}

TEST_CASE("the table tells each family's call, and equal groups once") {
  const CommandResult result = run_heddle(kFamilies);
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::Contains("#   tp, allreduce by ring, 16KiB (us): "));
  CHECK_THAT(result.out, Catch::Contains("#   dp, allgather by recursive_doubling, 64KiB (us): "));
  CHECK_THAT(result.out, Catch::Contains(" (all 4)\n"));
  CHECK_THAT(result.out, Catch::EndsWith("# 1 result right\n"));
}

TEST_CASE("families share one scale within the payload's budget, and take the time of the whole data") {
  const nlohmann::json whole = groups_of(kFamilies + "--data-memory full");
  const nlohmann::json part = groups_of(kFamilies + "--data-memory 64KiB");
  REQUIRE(whole.size() == part.size());
  for (std::size_t g = 0; g < whole.size(); ++g)
    CHECK(part[g]["time_s"].get<double>() == Approx(whole[g]["time_s"].get<double>()).epsilon(1e-6));
}

TEST_CASE("families that all name algorithms need no --algo, and a barrier has no size") {
  const CommandResult result = run_heddle(
      "run allreduce --topo ring:8 --groups 4=allreduce/ring@1KiB+strided:4=barrier/dissemination+0-7=alltoall/pairwise@512");
  CHECK(result.err == "");
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::Contains("#   barrier by dissemination (us): "));
  CHECK_THAT(result.out, Catch::Contains("#   alltoall by pairwise, 512B (us): "));
}

TEST_CASE("a call of groups that cannot be is refused in one line that shows the part") {
  const std::string run = "run allreduce --topo ring:8 ";
  expect_refused(run + "--groups 4=allgather@1KiB", "--groups '4=allgather@1KiB': which allgather?");
  expect_refused(run + "--groups 4=allreduce/rnig@1KiB", "--groups '4=allreduce/rnig@1KiB': --algo: unknown allreduce");
  expect_refused(run + "--groups 4=allreduce", "--groups '4=allreduce': its size is missing");
  expect_refused(run + "--groups 4=allreduce/ring,bucket@1KiB", "--groups '4=allreduce/ring,bucket@1KiB'");
  expect_refused(run + "--groups 4=reduce/binomial@1KiB", "allreduce: no group calls it");
  expect_refused(run + "--groups 4=allreduce/ring@1KiB --algo bucket", "--algo 'bucket': all groups have algorithms");
  expect_refused(run + "--groups 4=allreduce@1KiB --tune options", "--tune: groups with calls of their own");
  expect_refused("sweep allreduce --topo ring:8 --size 1KiB --groups 4=allreduce/ring@1KiB",
                 "--groups '4=allreduce/ring@1KiB': a sweep");
  expect_refused("credits allreduce --topo ring:8 --algo ring --groups 4=allreduce@1KiB", "--groups");
}

}  // namespace heddle
