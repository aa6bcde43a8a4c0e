// SPDX-License-Identifier: Apache-2.0
#include "lab/plugin/load_plugins.hpp"

#include "heddle/errors.hpp"
#include "tests/catch.hpp"

namespace heddle {

TEST_CASE("rows are selected by collective and name, of any collective that has the name") {
  const std::vector<Algorithm> rows = all_rows({}, std::nullopt);
  CHECK(rows.size() == registry().size());
  CHECK(select_entries(rows, {}).size() == rows.size());
  CHECK(select_entries(rows, {.collective = Collective::allreduce}).size() == algorithms_of(Collective::allreduce).size());
  const auto rings = select_entries(rows, {.algorithm = "ring"});
  CHECK(rings.size() > 1);
  CHECK(select_entries(rows, {.collective = Collective::allreduce, .algorithm = "ring"}).size() == 1);
  CHECK_THROWS_WITH(select_entries(rows, {.collective = Collective::allreduce, .algorithm = "rink"}),
                    Catch::StartsWith("--algo: unknown algorithm 'rink': did you mean 'ring'?"));
  const auto in_python = Catch::StartsWith("--algo 'python:mine:ring' is an algorithm in Python, which only the program");
  CHECK_THROWS_WITH(select_entries(rows, {.algorithm = "python:mine:ring"}), in_python);
  CHECK_THROWS_WITH(select_with_options(rows, {.algorithm = "python:mine:ring"}), in_python);
}

TEST_CASE("a row that is selected with options has them") {
  const std::vector<Algorithm> rows = all_rows({}, std::nullopt);
  const std::vector<Algorithm> chains =
      select_with_options(rows, {.collective = Collective::broadcast, .algorithm = "chain:segments=3"});
  REQUIRE(chains.size() == 1);
  CHECK(chains.front().name == "chain:segments=3");
  CHECK_THROWS_AS(select_with_options(rows, {.collective = Collective::broadcast, .algorithm = "chain:sections=3"}),
                  InputError);
}

}  // namespace heddle
