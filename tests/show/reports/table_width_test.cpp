// SPDX-License-Identifier: Apache-2.0
// No line of `heddle run` is wider than 100 columns, and nothing is lost by it: what has no column stands above the table.
#include <fmt/format.h>

#include <sstream>
#include <string>
#include <vector>

#include "cli/commands/run_command.hpp"
#include "lab/run/setup.hpp"
#include "show/document/document.hpp"
#include "show/reports/run_table.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"

namespace heddle {

using namespace test;

namespace {

void check_width(const std::string& text, std::size_t columns) {
  for (const std::string& line : lines_of(text)) {
    INFO(line);
    CHECK(letters(line) <= columns);
  }
}

/// The lines of a text that are not about the run.
std::vector<std::string> table_rows(const std::string& out) {
  std::vector<std::string> rows;
  for (const std::string& line : lines_of(out))
    if (!line.starts_with('#')) rows.push_back(line);
  return rows;
}

}  // namespace

TEST_CASE("no line of a run is wider than 100 columns") {
  const std::string command = GENERATE(
      "run allreduce --topo torus:4x4 --size 1MiB --data-memory 16KiB --preset swing-nsdi24",
      "run allreduce --algo ring,bine_torus,torus_recursive_doubling_multiport --topo torus:4x4 --size 1GiB --data-memory "
      "16KiB --explain",
      "run allreduce --algo ring,hierarchical,hierarchical:inner=in_network:outer=recursive_doubling "
      "--topo superpod:pods=2,gpus=8,trays=4,alu,multicast --preset superpod --size 16MB --data-memory 16KiB",
      "run alltoall --topo ring:7 --size 64KiB --skew hotspot=2,factor=5",
      "run allgather --topo star:12 --blocks 1,2,3,4,5,6,7,8,9,10,11,100000 -d f64",
      "run allreduce --algo ring --topo torus:4x4 --groups rows+columns --size 64KiB",
      "run allreduce --algo ring --topo ring:12 --size 64KiB "
      "--background 0->5,1->6,2->7,3->8,4->9,5->10,6->11,7->0,8->1,9->2,10->3,11->4@50%,0->6@25%",
      "run allreduce --algo ring --topo ring:4 --size 4KiB --fault rank:0,late=1us --fault rank:1,late=2us --fault "
      "rank:2,late=3us "
      "--fault rank:3,late=4us --fault rank:3,slow=2",
      "run barrier --topo star:5");
  INFO(command);
  const test::CommandResult result = run_heddle(command);
  CHECK(result.status == 0);
  check_width(result.out, TableReporter::kUsualWidth);
}

TEST_CASE("no block of README.md is wider than 100 columns, and README.md is no longer than 150 lines") {
  const std::vector<std::string> lines = lines_of(test::file_content(HEDDLE_SOURCE_DIR "/README.md"));
  CHECK(lines.size() <= 150);
  bool in_block = false;
  for (const std::string& line : lines) {
    if (line.starts_with("```")) in_block = !in_block;
    INFO(line);
    CHECK((!in_block || letters(line) <= TableReporter::kUsualWidth));
  }
}

TEST_CASE("what all rows have in common stands above the table, and --wide has a column for it") {
  const std::string call = "run reduce --algo chain --topo ring:4 --size 4KiB -r 2 -d float -o max";
  const std::string above = "\n# 1024 x f32, redop max, root 2, in place; payload 64MiB, scale 1; seed 1\n";
  const std::string usual = run_heddle(call).out;
  CHECK_THAT(usual, Catch::Contains(above));
  CHECK_THAT(usual, Catch::Contains("\n#   size  algorithm        time   algbw   busbw  #wrong  rounds"));
  CHECK_THAT(usual, !Catch::Contains("redop  root") && !Catch::Contains("not shown"));

  const std::string wide = run_heddle(call + " --wide").out;
  CHECK_THAT(wide, Catch::Contains(above));
  CHECK_THAT(wide, Catch::Contains("count   type  redop  root  algorithm"));
  REQUIRE(table_rows(wide).size() == 1);
  const std::vector<std::string> cells = words_of(table_rows(wide)[0]);
  CHECK(std::vector<std::string>(cells.begin(), cells.begin() + 6) == words_of("4096 1024 f32 max 2 chain"));
  CHECK(cells.size() == 16);
}

TEST_CASE("columns that there is no room for are named above the table") {
  const std::string call = "run allreduce --algo ring,double_binary_tree --topo ring:4 --size 1MiB";
  CHECK_THAT(run_heddle(call).out,
             Catch::Contains("\n# a time is printed only if every check passed; not shown: messages (--wide)\n"));
  CHECK_THAT(run_heddle(call + " --wide").out, Catch::Contains("\n# a time is printed only if every check passed\n"));
}

TEST_CASE("a payload scale is never left out: above the table if all rows have it, else a column") {
  const std::string call = "run allreduce --topo ring:4 --size 1MiB --data-memory 1KiB --algo ";
  CHECK_THAT(run_heddle(call + "ring").out, Catch::Contains("; payload 1KiB, scale 4096; seed 1\n"));
  // Trees cut each half of the vector into segments, of which each has an element.
  const std::string two = run_heddle(call + "ring,double_binary_tree").out;
  CHECK_THAT(two, Catch::Contains("; payload 1KiB; seed 1\n") && Catch::Contains("  scale\n"));
  for (const std::string& row : table_rows(two)) CHECK(words_of(row).back() != "1");
  check_width(two, TableReporter::kUsualWidth);
}

TEST_CASE("a table is as wide as asked for") {
  const Setup setup =
      set_up(Experiment::parse("allreduce --topo torus:4x4 --size 1MiB"), "ring,swing_bandwidth,double_binary_tree");
  for (const std::size_t columns : {70U, 80U, 90U, 100U, 120U, 140U}) {
    std::ostringstream out;
    TableReporter table(out, columns);
    table.begin(setup);
    INFO(out.str());
    check_width(out.str(), columns);
  }
}

TEST_CASE("comments are broken behind clauses, items and words, lists without blanks behind their items") {
  CHECK(break_comments("# short\n  a row that is longer\n", 24) == "# short\n  a row that is longer\n");
  CHECK(break_comments("# one two three four\n#   five six seven\n", 12) ==
        "# one two\n#   three\n#   four\n#   five six\n#     seven\n");
  CHECK(break_comments("# 0->1,1->2,2->3,3->4\n", 14) == "# 0->1,1->2,\n#   2->3,3->4\n");
  CHECK(break_comments("# a 0->1,1->2,2->3\n", 14) == "# a 0->1,1->2,\n#   2->3\n");
  CHECK(break_comments("# of: a_word_that_is_too_long and more\n", 12) == "# of:\n#   a_word_that_is_too_long\n#   and more\n");
  CHECK(break_comments("# a_word_that_is_too_long\n", 12) == "# a_word_that_is_too_long\n");
  CHECK(break_comments("# ⌈⌈⌈⌈ ⌈⌈⌈⌈ ⌈⌈⌈⌈\n", 12) == "# ⌈⌈⌈⌈ ⌈⌈⌈⌈\n#   ⌈⌈⌈⌈\n");
  CHECK(break_comments("# one and two; three, four\n", 24) == "# one and two;\n#   three, four\n");
  CHECK(break_comments("# one; two six, three four\n", 24) == "# one; two six,\n#   three four\n");
  CHECK(break_comments("#", 1) == "#");
}

}  // namespace heddle
