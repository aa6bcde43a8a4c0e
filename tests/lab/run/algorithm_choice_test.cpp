// SPDX-License-Identifier: Apache-2.0
#include "lab/run/algorithm_choice.hpp"

#include "heddle/errors.hpp"
#include "tests/catch.hpp"

namespace heddle {
namespace {

std::vector<std::string> names_of(std::string_view text) {
  const std::vector<Shape> shapes = {{.ranks = 8, .count = 8, .bytes = 32}};
  std::vector<std::string> names;
  for (const Algorithm& algorithm : choose_algorithms(Collective::allreduce, text, shapes, ReduceOp::sum()).chosen)
    names.push_back(algorithm.name);
  return names;
}

}  // namespace

TEST_CASE("commas part algorithms, and the options of one") {
  CHECK(names_of("ring") == std::vector<std::string>{"ring"});
  CHECK(names_of("ring,rabenseifner") == std::vector<std::string>{"ring", "rabenseifner"});
  CHECK(names_of("hierarchical:inner=circulant,outer=rabenseifner,ring") ==
        std::vector<std::string>{"hierarchical:inner=circulant:outer=rabenseifner", "ring"});
  CHECK(names_of("ring,hierarchical:inner=circulant:outer=rabenseifner") ==
        std::vector<std::string>{"ring", "hierarchical:inner=circulant:outer=rabenseifner"});
}

TEST_CASE("names that are none are refused") {
  CHECK_THROWS_WITH(names_of("ring,"), Catch::Contains("unknown allreduce algorithm ''"));
  CHECK_THROWS_WITH(names_of("ring,rign"), Catch::Contains("did you mean 'ring'"));
  CHECK_THROWS_WITH(names_of("inner=ring"), Catch::Contains("unknown allreduce algorithm 'inner=ring'"));
  CHECK_THROWS_WITH(names_of("hierarchical:iner=ring,outer=ring"), Catch::Contains("did you mean 'inner'?"));
  CHECK_THROWS_WITH(names_of("rabenseifner,inner=ring"), Catch::Contains("'rabenseifner' has no options"));
}

}  // namespace heddle
