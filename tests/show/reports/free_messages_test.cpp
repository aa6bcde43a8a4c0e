// SPDX-License-Identifier: Apache-2.0
#include "show/reports/run_table.hpp"

#include <vector>

#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"

namespace heddle {

using namespace literals;

TEST_CASE("a hint says why an algorithm of one round wins where messages cost nothing to start") {
  const RunInBrief linear{"linear", 1_us, Time(), 1, 7};
  const RunInBrief binomial{"binomial", 2_us, Time(), 3, 7};
  CHECK_THAT(free_messages_hint(std::vector{binomial, linear}, 8), Catch::StartsWith("# hint: linear sends all"));
  CHECK(free_messages_hint(std::vector{linear}, 8).empty());
  RunInBrief slow = linear;
  slow.time = 3_us;
  CHECK(free_messages_hint(std::vector{binomial, slow}, 8).empty());
  RunInBrief charged = linear;
  charged.startup = 100_ns;
  CHECK(free_messages_hint(std::vector{binomial, charged}, 8).empty());
}

TEST_CASE("run and sweep give the hint, and not where alpha is set") {
  for (const char* command : {"run gather --topo star:16 --size 64", "sweep gather --topo star:16 --size 64"}) {
    CHECK_THAT(test::run_heddle(command).out, Catch::Contains("# hint: linear sends all its messages at once"));
    CHECK_THAT(test::run_heddle(std::string(command) + " --alpha 1us").out, !Catch::Contains("# hint"));
  }
}

}  // namespace heddle
