// SPDX-License-Identifier: Apache-2.0
// What algorithms send between groups of ranks, and how that is spread over placements.
#include "lab/studies/traffic.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "topo/placement/placement.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {
namespace {

double between_groups(Collective collective, std::string_view algorithm, const std::vector<int>& group) {
  return traffic_between_groups(count_rank_traffic(find_algorithm(collective, algorithm), static_cast<int>(group.size())),
                                group);
}

}  // namespace

TEST_CASE("eight ranks, two to a leaf: a broadcast sends 6n between leaves with distances doubling, 3n halving") {
  // Bine (De Sensi et al.), Fig. 1.
  const std::vector<int> leaf = {0, 0, 1, 1, 2, 2, 3, 3};
  CHECK(between_groups(Collective::broadcast, "binomial_doubling", leaf) == 6);
  CHECK(between_groups(Collective::broadcast, "binomial_halving", leaf) == 3);
}

TEST_CASE("every element counts once for each message that carries it between groups") {
  // An allreduce round a ring of p ranks sends 2(p-1)/p vectors over each of its p hops; those of two halves cross twice.
  CHECK(between_groups(Collective::allreduce, "ring", {0, 0, 0, 0, 1, 1, 1, 1}) == Approx(2 * 2 * 7 / 8.0));
  CHECK(between_groups(Collective::allreduce, "ring", {0, 1, 0, 1, 0, 1, 0, 1}) == Approx(8 * 2 * 7 / 8.0));
  // An alltoall sends the block of each pair once: 2·4·4 blocks of 1/8.
  CHECK(between_groups(Collective::alltoall, "pairwise", {0, 0, 0, 0, 1, 1, 1, 1}) == 32 / 8.0);
  CHECK(between_groups(Collective::allreduce, "ring", {5, 5, 5}) == 0);
}

TEST_CASE("an algorithm that cannot serve a flat fabric is refused") {
  CHECK_THROWS_AS(count_rank_traffic(find_algorithm(Collective::allreduce, "bucket"), 8), InputError);
}

TEST_CASE("quartiles lie between values where they must") {
  const Quartiles odd = quartiles_of({5, 1, 3, 2, 4});
  CHECK(odd.least == 1);
  CHECK(odd.first == 2);
  CHECK(odd.median == 3);
  CHECK(odd.third == 4);
  CHECK(odd.most == 5);
  // Definition 7 of four values: 1 + 0.75, between the second and the third, 3 + 0.25.
  const Quartiles even = quartiles_of({4, 3, 2, 1});
  CHECK(even.first == 1.75);
  CHECK(even.median == 2.5);
  CHECK(even.third == 3.25);
  CHECK(quartiles_of({7}).median == 7);
}

TEST_CASE("Bine sends less between the groups of large jobs; a third less bounds butterflies, not single trees") {
  // Bine (De Sensi et al.), §2.4.2 and Fig. 5, over 100 fragmented placements on a dragonfly of 24 groups of 124.
  const auto dragonfly = parse_topology("dragonfly:groups=24,routers=31,hosts=4");
  const TrafficQuestion question{
      .topology = *dragonfly, .tier = 1, .place = fragmented_placement, .placements = 100, .first_seed = 1};
  const auto compare = [&](Collective collective, std::string_view baseline, std::string_view bine, int ranks) {
    const std::vector<Algorithm> algorithms = {find_algorithm(collective, baseline), find_algorithm(collective, bine)};
    return study_traffic(algorithms, ranks, question).comparisons[1];
  };
  for (const int ranks : {256, 512, 1024}) {
    INFO(ranks << " ranks");
    const TrafficComparison allreduce = compare(Collective::allreduce, "recursive_doubling", "bine_small", ranks);
    CHECK(allreduce.reduction->median > 0.08);
    CHECK(allreduce.reduction->most <= 1.0 / 3);
  }
  CHECK(compare(Collective::allreduce, "recursive_doubling", "bine_small", 64).more > 10);  // small jobs may lose
  // Steps of distance 2 become steps of distance 1, half as far.
  CHECK(compare(Collective::broadcast, "binomial_halving", "bine_halving", 1024).reduction->most > 1.0 / 3);
}

TEST_CASE("traffic compares algorithms over placements, the same ones each time") {
  const std::string command =
      "traffic broadcast --algo binomial_halving,binomial_doubling --topo dragonfly:groups=4,routers=3,hosts=2 --ranks 8,16 ";
  const test::CommandResult result = test::run_heddle(command + "--placements 20 --placement random --json -");
  REQUIRE(result.status == 0);
  const auto json = nlohmann::json::parse(result.out);
  CHECK(json["context"]["placements"] == 20);
  REQUIRE(json["studies"].size() == 2);
  const auto& study = json["studies"][1];
  CHECK(study["ranks"] == 16);
  CHECK(study["mean_groups"] == 4.0);
  const auto& reduction = study["algorithms"][1]["reduction"];
  CHECK(reduction["least"] <= reduction["median"]);
  CHECK(reduction["median"] <= reduction["most"]);
  CHECK(test::run_heddle(command + "--placements 20 --placement random --json -").out == result.out);
  CHECK(test::run_heddle(command + "--placements 20 --placement random --seed 2 --json -").out != result.out);

  const test::CommandResult table = test::run_heddle(command + "--placements 20");
  CHECK(table.status == 0);
  CHECK_THAT(table.out, Catch::Contains("% less than binomial_halving") && Catch::Contains("binomial_doubling"));
}

TEST_CASE("traffic counts over recorded jobs, whose groups are the machine's") {
  // Bine (De Sensi et al.), Fig. 5: these are among its jobs.
  const test::CommandResult result = test::run_heddle(
      "traffic allreduce --algo rabenseifner,bine_large --placement jobs:leonardo --ranks 64,128,256 --json -");
  REQUIRE(result.status == 0);
  const auto json = nlohmann::json::parse(result.out);
  CHECK(json["context"]["placement"] == "jobs:leonardo");
  CHECK(json["studies"][0]["placements"] == 45);
  CHECK(json["studies"][0]["placements_in_one_group"] == 0);
  CHECK(json["studies"][0]["algorithms"][1]["placements_with_more"] == 6);
  CHECK(json["studies"][1]["placements"] == 44);
  CHECK(json["studies"][1]["algorithms"][1]["placements_with_more"] == 3);
  CHECK(json["studies"][2]["placements"] == 8);
}

TEST_CASE("bad input to traffic gets one line that says what would be right") {
  const auto refused = [](const std::string& arguments, const std::string& with) {
    const test::CommandResult result = test::run_heddle("traffic " + arguments);
    INFO(result.err);
    CHECK(result.status == 2);
    CHECK_THAT(result.err, Catch::Contains(with));
    CHECK(test::lines_of(result.err).size() == 1);
  };
  refused("--algo ring", "the collective is missing");
  refused("allreduce --topo star:8", "--algo is missing");
  refused("allreduce --algo ring,bine_small", "--topo is missing");
  refused("allreduce --algo ring,bine_small --topo star:64", "has no groups");
  const std::string dragonfly = " --topo dragonfly:groups=4,routers=3,hosts=2";
  refused("allreduce --algo ring" + dragonfly + " --ranks 8", "name at least two");
  refused("allreduce --algo ring,bucket" + dragonfly + " --ranks 8", "it needs a grid");
  refused("allreduce --algo ring,bine_small" + dragonfly, "1024 ranks do not fit");
  refused("allreduce --algo ring,bine_small" + dragonfly + " --ranks 8:4:x2", "the first count is above the last");
  refused("allreduce --algo ring,bine_small" + dragonfly + " --ranks 8:16", "not a range of rank counts");
  refused("allreduce --algo ring,bine_small" + dragonfly + " --ranks 8 --placement fragmentd", "did you mean 'fragmented'");
  refused("allreduce --algo ring,bine_small" + dragonfly + " --ranks 8 --tier 2", "--tier '2'");
  refused("allreduce --algo ring,bine_small" + dragonfly + " --placement jobs:lumi", "leave --topo and --tier out");
  refused("allreduce --algo ring,bine_small --placement jobs:lumo", "did you mean 'lumi'");
  refused("allreduce --algo ring,bine_small --placement jobs:lumi --ranks 3", "no recorded job of lumi has 3");
}

TEST_CASE("a plan of traffic has its numbers of ranks, its algorithms, and the largest groups that are not all") {
  TrafficRequest request{.collective = "allreduce", .algorithms = "recursive_doubling,bine_small", .topology = "fattree:k=4"};
  request.ranks = "4:16:x2";
  request.placements = "3";
  const TrafficPlan plan = plan_traffic(request);
  CHECK(plan.counts == std::vector<int>{4, 8, 16});
  CHECK(plan.title == "vectors between groups of fattree:k=4 (tier 1); 3 fragmented placements, seeds from 1");
  CHECK(plan.parameters["tier"] == 1);
  REQUIRE(plan.algorithms.size() == 2);
  const TrafficStudy study = plan.study(8);
  CHECK(study.placements == 3);
  CHECK(study.comparisons.size() == 2);
  request.algorithms = "bine_small";
  CHECK_THROWS_WITH(plan_traffic(request), "--algo 'bine_small': name at least two, to compare the others with the first");
  request.tier = "2";
  CHECK_THROWS_WITH(plan_traffic(request), Catch::StartsWith("--tier '2': "));
}

}  // namespace heddle
