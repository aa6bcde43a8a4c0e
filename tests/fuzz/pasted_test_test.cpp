// SPDX-License-Identifier: Apache-2.0
// The tests that a finding comes with: two of them are part of this program, word for word, and run.
#include "fuzz/reports/fuzz_reports.hpp"

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

std::string pasted(const std::string& name) { return content_of(HEDDLE_SOURCE_DIR "/tests/fuzz/pasted/" + name + ".txt"); }

FuzzFinding finding_of(std::string_view text) {
  FuzzFinding finding;
  finding.smallest = Experiment::parse(text);
  finding.failure.kind = CheckError::Kind::wrong_result;
  return finding;
}

}  // namespace

TEST_CASE("the test of a finding in heddle's rows compiles as it stands") {
  const FuzzFinding finding = finding_of("allreduce --algo ring --topo star:3 --size 28");
  CHECK(pasted_test(finding, RowSource::registry, TestStyle::catch2_v2) == pasted("registry_row"));
}

TEST_CASE("the test of a finding in a plugin compiles as it stands, beside the plugin's source") {
  const FuzzFinding finding = finding_of("broadcast --algo my_chain --topo star:2 --size 4");
  CHECK(pasted_test(finding, RowSource::plugin, TestStyle::catch2_v2) == pasted("plugin_row"));
}

TEST_CASE("tests for other frameworks compile as they stand; what ends its process, or never ends, runs in one of its own") {
  FuzzFinding finding = finding_of("allreduce --algo ring --topo star:3 --size 28");
  finding.failure.kind = CheckError::Kind::deadlock;
  CHECK(pasted_test(finding, RowSource::registry, parse_test_style("catch2-v3")) == pasted("catch2_v3"));
  finding = finding_of("broadcast --algo my_chain --topo star:2 --size 4");
  finding.failure.kind = CheckError::Kind::endless;
  CHECK(pasted_test(finding, RowSource::plugin, parse_test_style("googletest")) == pasted("googletest"));
  finding = finding_of("allreduce --algo ring --topo star:4 --size 16");
  CHECK(pasted_test(finding, RowSource::registry, parse_test_style("plain")) == pasted("plain"));
  CHECK_THROWS_WITH(parse_test_style("gtest"), Catch::Contains("googletest"));
  CHECK(cpp_string("a \"b\" \\") == "\"a \\\"b\\\" \\\\\"");
}

}  // namespace heddle
