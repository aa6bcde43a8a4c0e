// SPDX-License-Identifier: Apache-2.0
// The tests that a finding comes with: two of them are part of this program, word for word, and run.
#include "fuzz/reports/pasted_test.hpp"

#include <fstream>
#include <sstream>

#include "tests/catch.hpp"

namespace heddle {

namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  REQUIRE(file);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

FuzzFinding finding_of(std::string_view text) {
  FuzzFinding finding;
  finding.smallest = Experiment::parse(text);
  finding.failure.kind = CheckError::Kind::wrong_result;
  return finding;
}

}  // namespace

TEST_CASE("the test of a finding in heddle's rows compiles as it stands") {
  const FuzzFinding finding = finding_of("allreduce --algo ring --topo star:3 --size 28");
  CHECK(catch2_test(finding, RowSource::registry) == content_of(HEDDLE_SOURCE_DIR "/tests/fuzz/pasted/registry_row.txt"));
}

TEST_CASE("the test of a finding in a plugin compiles as it stands, beside the plugin's source") {
  const FuzzFinding finding = finding_of("broadcast --algo my_chain --topo star:2 --size 4");
  CHECK(catch2_test(finding, RowSource::plugin) == content_of(HEDDLE_SOURCE_DIR "/tests/fuzz/pasted/plugin_row.txt"));
}

}  // namespace heddle
