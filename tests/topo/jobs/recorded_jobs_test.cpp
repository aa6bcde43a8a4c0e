// SPDX-License-Identifier: Apache-2.0
// Recorded jobs are whole, and are put on fabrics as they were on their machines.
#include "topo/jobs/recorded_jobs.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <string>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "topo/placement/placement.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {
namespace {

int count_powers_of_two(std::string_view system) {
  return static_cast<int>(std::ranges::count_if(recorded_jobs(), [&](const RecordedJob& job) {
    return job.system == system && std::has_single_bit(static_cast<unsigned>(job.nodes));
  }));
}

int count_selected(std::string_view text) {
  const JobSelection selection = parse_job_selection(text);
  return static_cast<int>(
      std::ranges::count_if(recorded_jobs(), [&](const RecordedJob& job) { return is_selected(job, selection); }));
}

}  // namespace

TEST_CASE("there are as many recorded jobs as Bine's Figure 5 counts") {
  CHECK(recorded_jobs().size() == 4300);
  CHECK(count_powers_of_two("leonardo") == 1116);  // Bine (De Sensi et al.), §2.4.2
  CHECK(count_powers_of_two("lumi") == 1914);
}

TEST_CASE("a recorded job has as many nodes in as many groups as its line says, in at least two, and a name of its own") {
  std::set<std::string> names;
  for (const RecordedJob& job : recorded_jobs()) {
    const std::vector<int> groups = groups_of_ranks(job);
    INFO(job.system << "/" << job.name);
    CHECK(groups.size() == static_cast<std::size_t>(job.nodes));
    CHECK(std::set<int>(groups.begin(), groups.end()).size() == static_cast<std::size_t>(job.groups));
    CHECK(job.groups >= 2);
    CHECK(names.insert(std::string(job.system) + '/' + std::string(job.name)).second);
  }
}

TEST_CASE("a job is found by system and number; what is not there is refused with what is near") {
  const RecordedJob& job = find_recorded_job("leonardo/14323596");
  CHECK(job.nodes == 4);
  CHECK(groups_of_ranks(job) == std::vector<int>{5, 11, 11, 12});
  CHECK_THROWS_WITH(find_recorded_job("leonardo/1432359"),
                    "none of the 1508 recorded jobs of leonardo is '1432359'; try leonardo/14323596");
  CHECK_THROWS_WITH(find_recorded_job("leonardo"), Catch::Contains("none of the 1508 recorded jobs of leonardo is ''"));
  CHECK_THROWS_WITH(find_recorded_job("leonrdo/1"), Catch::Contains("did you mean 'leonardo'? Known: leonardo, lumi"));
}

TEST_CASE("jobs are selected by system, number of groups and groups") {
  CHECK(count_selected("leonardo") == 1508);
  CHECK(count_selected("lumi") == 2792);
  CHECK(count_selected("leonardo,groups=2") + count_selected("leonardo,groups=3-99") == 1508);
  CHECK(count_selected("lumi,on=0-99") + count_selected("lumi,on=100-123") == 2792);
  CHECK(count_selected("lumi,on=100-123,groups=2-21") < count_selected("lumi,on=100-123"));
  CHECK_THROWS_WITH(parse_job_selection("leonardo,groups=5-3"),
                    Catch::Contains("'groups=5-3' is not a range; try groups=3-20"));
  CHECK_THROWS_WITH(parse_job_selection("lumi,on=x"), Catch::Contains("is not a range; try on=3-20"));
  CHECK_THROWS_WITH(parse_job_selection("lumi,below=3"), Catch::Contains("'below=3' is unknown; try groups=3-20"));
  CHECK_THROWS_WITH(parse_job_selection("fugaku"), Catch::Contains("Known: leonardo, lumi"));
}

TEST_CASE("a job's groups are the first groups of the fabric's largest tier, its ranks in order on their first endpoints") {
  // Three groups of two routers with two hosts each: tiers are routers, groups, all.
  const auto dragonfly = parse_topology("dragonfly:groups=3,routers=2,hosts=2");
  CHECK(parse_placement("job:leonardo/14323596", 4, *dragonfly) == Placement{0, 4, 5, 8});
  CHECK(ranks_of_placement("job:leonardo/14323596") == 4);
  const RecordedJob back{.system = "leonardo", .name = "0", .nodes = 5, .groups = 2, .runs = {{7, 2}, {3, 1}, {7, 2}}};
  CHECK(job_placement(back, 5, *dragonfly) == Placement{4, 5, 0, 6, 7});
}

TEST_CASE("a fabric that a job does not fit is refused in one line") {
  const auto refused = [](const std::string& fabric, int ranks, const std::string& with) {
    CHECK_THROWS_WITH(parse_placement("job:leonardo/14323596", ranks, *parse_topology(fabric)), with);
  };
  refused("dragonfly:groups=3,routers=2,hosts=2", 5, "job leonardo/14323596 has 4 nodes, not 5");
  refused("star:8", 4, "star:8 has no groups of endpoints for the 3 groups of job leonardo/14323596");
  refused("clos:hosts=4,leaves=2,spines=2", 4,
          "job leonardo/14323596 is in 3 groups: clos:hosts=4,leaves=2,spines=2 has 2 of tier 0");
  refused("clos:hosts=1,leaves=4,spines=2", 4,
          "job leonardo/14323596 has 2 nodes in one group: group 1 of clos:hosts=1,leaves=4,spines=2 has 1 endpoints");
}

}  // namespace heddle
