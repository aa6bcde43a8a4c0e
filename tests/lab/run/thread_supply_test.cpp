// SPDX-License-Identifier: Apache-2.0
#include "lab/run/tasks_ahead.hpp"

#include "tests/catch.hpp"

namespace heddle {

TEST_CASE("threads that can be made are counted, and gone afterwards") {
  CHECK(threads_to_be_had(0) == 0);
  CHECK(threads_to_be_had(-1) == 0);
  for (int i = 0; i < 3; ++i) CHECK(threads_to_be_had(5) == 5);
}

TEST_CASE("as many workers run as were asked for where the system has the threads") {
  CHECK_FALSE(are_threads_short());
  CHECK(workers_to_be_had(1) == 1);
  CHECK(workers_to_be_had(7) == 7);
  CHECK(workers_to_be_had(0) >= 1);
  int called = 0;
  run_on_few_threads([&called] { ++called; });
  CHECK(called == 1);
  CHECK_THROWS_AS(run_on_few_threads([] { throw 7; }), int);
}

}  // namespace heddle
