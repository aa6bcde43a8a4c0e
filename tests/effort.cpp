// SPDX-License-Identifier: Apache-2.0
#include "tests/effort.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

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
