// SPDX-License-Identifier: Apache-2.0
#include "show/terminal/progress.hpp"

#include <sstream>

#include "tests/catch.hpp"

namespace heddle {

TEST_CASE("progress is a bar, a count, and what is gone and left") {
  CHECK(progress_text(5, 10, "runs", 40.2, 65) == "[############.............]  5 of 10 runs, 0:41 gone, about 1:05 left");
  CHECK(progress_text(0, 10, "cases", 3600, std::nullopt) == "[.........................]  0 of 10 cases, 1:00:00 gone");
  CHECK(seconds_left(0.25, 10) == 30);
  CHECK_FALSE(seconds_left(0, 10));
}

TEST_CASE("where standard error is no terminal nobody says how far it is") {
  std::ostringstream err;
  {
    WorkProgress progress(err, "runs", 3);
    progress.finish_one();
    progress.pause();
    progress.resume();
  }
  CHECK(err.str().empty());
}

}  // namespace heddle
