// SPDX-License-Identifier: Apache-2.0
#include "heddle/errors.hpp"

#include "tests/catch.hpp"

namespace heddle {

TEST_CASE("every error of heddle is an Error with its message") {
  const auto message_of = [](const auto& error) {
    try {
      throw error;
    } catch (const Error& caught) {
      return std::string(caught.what());
    }
  };
  CHECK(message_of(InputError("--size '3parsecs': not a size")) == "--size '3parsecs': not a size");
  CHECK(message_of(UsageError("no rank 9")) == "no rank 9");
  CHECK(message_of(CheckError(CheckError::Kind::deadlock, "ranks 0 and 1 wait")) == "ranks 0 and 1 wait");
}

TEST_CASE("a check's kind is one stable word") {
  using Kind = CheckError::Kind;
  CHECK(CheckError(Kind::too_fast, "").kind() == Kind::too_fast);
  CHECK(to_string(Kind::wrong_result) == "wrong_result");
  CHECK(to_string(Kind::input_changed) == "input_changed");
  CHECK(to_string(Kind::order) == "order");
  CHECK(to_string(Kind::different_bits) == "different_bits");
  CHECK(to_string(Kind::run_to_run) == "run_to_run");
  CHECK(to_string(Kind::deadlock) == "deadlock");
  CHECK(to_string(Kind::hygiene) == "hygiene");
  CHECK(to_string(Kind::truncation) == "truncation");
  CHECK(to_string(Kind::usage) == "usage");
  CHECK(to_string(Kind::rank_failed) == "rank_failed");
  CHECK(to_string(Kind::too_fast) == "too_fast");
  CHECK(to_string(Kind::formula) == "formula");
  CHECK(to_string(Kind::damaged) == "damaged");
  CHECK(to_string(Kind::cut) == "cut");
}

}  // namespace heddle
