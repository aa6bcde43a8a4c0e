// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"

namespace heddle {

TEST_CASE("launch refuses in a line what it cannot start") {
  const auto refusal = [](const std::vector<std::string>& words) {
    const test::CommandResult result = test::run_heddle(words);
    CHECK(result.status == 2);
    return result.err;
  };
  CHECK(refusal({"launch", "--", "true"}) == "heddle: -n, how many ranks, is missing; try: heddle launch -n 4 -- ./program\n");
  CHECK(refusal({"launch", "-n", "0", "--", "true"}) == "heddle: -n '0': not a number of ranks; try one from 1 to 4096\n");
  CHECK(refusal({"launch", "-n", "2"}) == "heddle: the program is missing; try: heddle launch -n 4 -- ./program\n");
  CHECK_THAT(refusal({"launch", "-n", "2", "--hosts", "no-such-file", "--", "true"}),
             Catch::StartsWith("heddle: --hosts 'no-such-file': "));
  const test::TemporaryFile hosts("hosts");
  CHECK(test::run_heddle({"launch", "-n", "1", "--", "sh", "-c", "echo node1 slots=1 > " + hosts.path()}).status == 0);
  CHECK(refusal({"launch", "-n", "2", "--hosts", hosts.path(), "--", "true"}) ==
        "heddle: " + hosts.path() + ": has 1 slots for 2 ranks; raise slots=N, or lower -n\n");
}

TEST_CASE("launch has the program's flags left alone, and the exit status of the rank that fails") {
  CHECK(test::run_heddle({"launch", "-n", "2", "--", "test", "-n", "--json"}).status == 0);
  const test::CommandResult failed = test::run_heddle({"launch", "-n", "2", "--", "sh", "-c", "exit $((4 * HEDDLE_RANK))"});
  CHECK(failed.status == 4);
  CHECK(failed.err == "heddle: rank 1 ended with status 4\n");
}

}  // namespace heddle
