// SPDX-License-Identifier: Apache-2.0
#include "lab/describe/uneven_data.hpp"

#include <cstdio>
#include <fstream>

#include "heddle/errors.hpp"
#include "lab/describe/experiment.hpp"
#include "lab/run/run_algorithm.hpp"
#include "tests/catch.hpp"

namespace heddle {

namespace {

/// A file of these lines, until the test ends.
class CountsFile {
 public:
  explicit CountsFile(const char* text) { std::ofstream(path_) << text; }
  CountsFile(const CountsFile&) = delete;
  CountsFile& operator=(const CountsFile&) = delete;
  ~CountsFile() { std::remove(path_); }
  const char* path() const { return path_; }

 private:
  const char* path_ = "send_counts_test.txt";
};

int zeros_on_one_side(const CountMatrix& counts) {
  int found = 0;
  for (int i = 0; i < counts.ranks(); ++i) {
    for (int j = 0; j < counts.ranks(); ++j) found += counts.at(i, j) == 0 && counts.at(j, i) > 0 ? 1 : 0;
  }
  return found;
}

}  // namespace

TEST_CASE("send counts: written out, and as text") {
  const CountMatrix counts = parse_counts("0,2:1,0", 0, 2);
  CHECK(counts.at(0, 1) == 2);
  CHECK(counts.at(1, 0) == 1);
  CHECK(to_string(counts) == "0,2:1,0");
  CHECK_THROWS_WITH(parse_counts("0,2:1,0", 0, 3), "'0,2:1,0': a matrix of 2 rows for 3 ranks; each rank needs one");
  CHECK_THROWS_WITH(parse_counts("0,2:1", 0, 2), "'0,2:1': row 2: 1 count, 2 are needed: as many as there are rows");
}

TEST_CASE("send counts: a file") {
  const CountsFile file("# from row to column\n0 2 7\n\n1, 0, 0\t# a remark\n0 0 3\n");
  const CountMatrix counts = parse_counts(file.path(), 0, 3);
  CHECK(to_string(counts) == "0,2,7:1,0,0:0,0,3");
}

TEST_CASE("send counts: a file's errors name line and column") {
  const auto read = [](const char* text) {
    const CountsFile file(text);
    parse_counts(file.path(), 0, 2);
  };
  CHECK_THROWS_WITH(read("1 2\n3 x\n"),
                    "send_counts_test.txt:2:3: 'x' is no count; a whole number of elements from 0 to 1125899906842624");
  CHECK_THROWS_WITH(read("1 -2\n3 4\n"),
                    "send_counts_test.txt:1:3: '-2' is no count; a whole number of elements from 0 to 1125899906842624");
  CHECK_THROWS_WITH(read("1 2\n3\n"), "send_counts_test.txt:2: 1 count, 2 are needed: as many as there are rows");
  CHECK_THROWS_WITH(read("# none\n"), "send_counts_test.txt: no counts; a row of them on each line");
  CHECK_THROWS_WITH(parse_counts("nowhere.txt", 0, 2), Catch::StartsWith("'nowhere.txt': cannot be read: No such file"));
}

TEST_CASE("send counts: drawn kinds are what their names say, and no more than asked for") {
  for (const std::string_view kind : kinds_of_counts()) {
    const CountMatrix counts = parse_counts(std::string(kind) + ":3", 1000, 8);
    CHECK(counts.most_sent() <= 1000);
    CHECK(counts.most_sent() > 500);
    CHECK(to_string(counts) == to_string(parse_counts(std::string(kind) + ":3", 1000, 8)));
    CHECK(counts.is_symmetric() == (kind == "symmetric"));
    if (kind == "sparse") CHECK(zeros_on_one_side(counts) > 8);
    if (kind == "giant") CHECK(counts.most_sent() > 700);
  }
  CHECK(parse_counts("random:3", 0, 4).most_sent() == 0);
}

TEST_CASE("send counts: an experiment of them, its text and its rates") {
  const std::string text = "alltoall --algo pairwise --topo star:3 --counts 0,200,0:0,0,0:100,0,50";
  const Experiment what = Experiment::parse(text);
  CHECK(what.text() == text);
  const Outcome outcome = what.run();
  REQUIRE(outcome.report() != nullptr);
  CHECK(outcome.report()->sent_total() == Bytes(1200));
  for (const char* wrong :
       {"alltoall --algo pairwise --topo star:2 --counts 0,1:1,0 --size 8",
        "alltoall --algo pairwise --topo star:2 --counts 0,1:2,0 --in-place",
        "allgather --algo ring --topo star:2 --counts 0,1:2,0", "alltoall --algo bruck --topo star:2 --counts 0,1:2,0",
        "alltoall --algo pairwise --topo star:2 --counts 0,1:2,0 --blocks 1,2"})
    CHECK_THROWS_AS(Experiment::parse(wrong).run(), InputError);
}

TEST_CASE("send counts: every algorithm that takes uneven blocks is right with every kind, in several calls") {
  for (const Algorithm* row : algorithms_of(Collective::alltoall)) {
    if (row->needs.equal_blocks || row->needs.in_network) continue;
    for (const std::string_view kind : kinds_of_counts()) {
      const std::string text = "alltoall --algo " + row->name + " --topo star:5 --size 400 --calls 7 --counts " +
                               std::string(kind) + (kind == "symmetric" ? " --in-place" : "");
      INFO(text);
      const Outcome outcome = Experiment::parse(text).run();
      if (outcome.failure() != nullptr) FAIL(outcome.failure()->explanation);
    }
  }
}

}  // namespace heddle
