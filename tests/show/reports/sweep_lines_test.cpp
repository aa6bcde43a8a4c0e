// SPDX-License-Identifier: Apache-2.0
#include "show/reports/sweep_report.hpp"

#include <string>
#include <vector>

#include "lab/describe/equal_runs.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

using Texts = std::vector<std::string>;

SweepResult measured(std::string algorithm, std::int64_t bytes, std::uint64_t digest) {
  SweepResult result;
  result.algorithm = std::move(algorithm);
  result.bytes = bytes;
  result.measured.emplace();
  result.measured->time = Time::ps(100);
  result.measured->messages = 8;
  result.measured->messages_digest = digest;
  return result;
}

const std::vector<std::int64_t> kSizes = {1, 2};

}  // namespace

TEST_CASE("algorithms that are equivalent at all sizes share a line") {
  const std::vector<SweepResult> results = {measured("a", 1, 7), measured("b", 1, 8), measured("c", 1, 7),
                                            measured("a", 2, 9), measured("b", 2, 9), measured("c", 2, 9)};
  const std::vector<SweepLine> lines = sweep_lines(results, kSizes, false);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].names == Texts{"a", "c"});
  CHECK(lines[0].results == std::vector<const SweepResult*>{results.data(), &results[3]});
  CHECK(lines[1].names == Texts{"b"});
}

TEST_CASE("who is left out at a size is not equivalent to who is not, nor is one of which no digest is known") {
  std::vector<SweepResult> results = {measured("a", 1, 7), measured("b", 1, 7), measured("a", 2, 7)};
  CHECK(sweep_lines(results, kSizes, false).size() == 2);
  results.push_back(measured("b", 2, 7));
  CHECK(sweep_lines(results, kSizes, false).size() == 1);
  results.back().measured->messages_digest.reset();
  CHECK(sweep_lines(results, kSizes, false).size() == 2);
  results.back().measured.reset();
  CHECK(sweep_lines(results, kSizes, false).size() == 2);
}

TEST_CASE("the best variants of a row are one line with the row's name") {
  const std::vector<SweepResult> results = {measured("a:x=1", 1, 7), measured("b", 1, 8), measured("a:x=2", 2, 9)};
  const std::vector<SweepLine> lines = sweep_lines(results, kSizes, true);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].names == Texts{"a"});
  CHECK(lines[0].results[1]->algorithm == "a:x=2");
  CHECK(lines[1].results[1] == nullptr);
}

TEST_CASE("two names always stand there, more as far as there is room") {
  CHECK(shared_name({"ring"}, 4) == "ring");
  CHECK(shared_name({"ring", "torus_ring"}, 4) == "ring = torus_ring");
  CHECK(shared_name({"a", "b", "c", "d"}, 9) == "a = b = c = 1 more");
  CHECK(shared_name({"a", "b", "c", "d"}, 100) == "a = b = c = d");
  CHECK(shared_name({"a", "b", "c", "d"}, 1) == "a = b = 2 more");
}

}  // namespace heddle
