// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.hpp"
#include "tests/catch.hpp"

namespace heddle {

TEST_CASE("what is for programs, and --wide, has lines as long as they are") {
  CHECK(keeps_long_lines({"run", "allreduce", "--wide"}));
  CHECK(keeps_long_lines({"sweep", "allreduce", "--csv", "-"}));
  CHECK(keeps_long_lines({"export", "goal"}));
  CHECK_FALSE(keeps_long_lines({"export", "--help"}));
  CHECK_FALSE(keeps_long_lines({"run", "allreduce", "--json", "out.json"}));
}

}  // namespace heddle
