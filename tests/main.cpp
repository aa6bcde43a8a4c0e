// SPDX-License-Identifier: Apache-2.0
// The tests' main: effort and seed are chosen and printed before the first case runs.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

#include "tests/effort.hpp"
#define CATCH_CONFIG_RUNNER
#include "tests/catch.hpp"

namespace heddle::testing {

namespace {

Effort read_effort() {
  const char* variable = std::getenv("HEDDLE_TEST_EFFORT");
  const std::string word = variable == nullptr ? "quick" : variable;
  for (const Effort effort : {Effort::quick, Effort::thorough})
    if (word == to_string(effort)) return effort;
  std::fprintf(stderr, "HEDDLE_TEST_EFFORT '%s': there are quick and thorough\n", word.c_str());
  std::exit(2);
}

}  // namespace

std::string_view to_string(Effort effort) { return effort == Effort::thorough ? "thorough" : "quick"; }

Effort effort() {
  static const Effort from_environment = read_effort();
  return from_environment;
}

}  // namespace heddle::testing

int main(int argc, char** argv) {
  using namespace heddle::testing;
  // RapidCheck reads it when the first property is checked; what is set by hand stays.
  setenv("RC_PARAMS", ("seed=1 max_success=" + std::to_string(sample(sampled(100, 50, 30), 1000))).c_str(), 0);
  std::cout << "effort " << to_string(effort()) << ", properties with " << std::getenv("RC_PARAMS") << std::endl;
  return Catch::Session().run(argc, argv);
}
