// SPDX-License-Identifier: Apache-2.0
// The tests' main: effort and seed are chosen and printed before the first case runs.
#include <cstdlib>
#include <iostream>
#include <string>

#include "tests/effort.hpp"
#include "tests/sanitizers.hpp"
#define CATCH_CONFIG_RUNNER
#include "tests/catch.hpp"

int main(int argc, char** argv) {
  using namespace heddle::testing;
  // RapidCheck reads it when the first property is checked; what is set by hand stays.
  setenv("RC_PARAMS", ("seed=1 max_success=" + std::to_string(sample(sampled(100, 50, 30), 1000))).c_str(), 0);
  std::cout << "effort " << to_string(effort()) << ", properties with " << std::getenv("RC_PARAMS") << std::endl;
  return Catch::Session().run(argc, argv);
}
