// SPDX-License-Identifier: Apache-2.0
// What becomes of a run when an algorithm is wrong: no time for it, an explanation, and nothing lost of the others.
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/commands/run_command.hpp"
#include "cli/process/process.hpp"
#include "heddle/communicator.hpp"
#include "show/document/reporter.hpp"
#include "show/reports/run_table.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"

namespace heddle {

using test::TemporaryFile;
using Json = nlohmann::json;

namespace {

/// The ring algorithm's row with another function.
Algorithm faulty(std::string_view name, CollectiveFunction function) {
  Algorithm row = find_algorithm(Collective::allreduce, "ring");
  row.name = name;
  row.run = std::move(function);
  return row;
}

/// A run on ring:4 of the given rows, whatever --algo says.
Setup plan_of(std::vector<Algorithm> algorithms) {
  Setup setup = set_up(Experiment::parse("allreduce --topo ring:4 --size 4KiB"), "all");
  setup.algorithms.chosen = std::move(algorithms);
  return setup;
}

/// Fails when it gets the n-th algorithm, as a reporter whose disk is full.
class FailingReporter : public Reporter {
 public:
  explicit FailingReporter(int nth) : nth_(nth) {}
  void add(const Outcome&) override {
    if (--nth_ == 0) throw std::runtime_error("disk full");
  }

 private:
  int nth_;
};

}  // namespace

TEST_CASE("a wrong algorithm gets FAILED instead of a time, and the others still run") {
  const Algorithm idle = faulty("idle", [](Communicator&, const CollectiveArguments&) {});
  const Algorithm ring = find_algorithm(Collective::allreduce, "ring");
  const Setup setup = plan_of({idle, ring});
  std::ostringstream out;
  std::ostringstream json_out;
  std::ostringstream err;
  TableReporter table(out);
  JsonReporter json_reporter(json_out);
  const int workers = GENERATE(1, 3);
  CHECK(execute(setup, std::vector<Reporter*>{&table, &json_reporter}, err, workers) == kExitCheckFailed);

  CHECK_THAT(out.str(), Catch::Matches("(.|\n)*\n +4096 +idle +FAILED wrong_result\n(.|\n)*"));
  CHECK_THAT(out.str(), Catch::Matches("(.|\n)*\n +4096 +ring +[0-9.]+ +[0-9.]+ (.|\n)*"));
  CHECK_THAT(out.str(), Catch::EndsWith("\n# 1 result right, 1 FAILED\n"));
  CHECK_THAT(err.str(), Catch::StartsWith("heddle: idle failed: wrong_result: "));

  const Json json = Json::parse(json_out.str());
  REQUIRE(json["runs"].size() == 2);
  CHECK(json["complete"] == true);
  CHECK(json["runs"][0]["algorithm"] == "idle");
  CHECK(json["runs"][0]["error"]["kind"] == "wrong_result");
  CHECK_THAT(err.str(), Catch::Contains(json["runs"][0]["error"]["explanation"].get<std::string>()));
  for (const std::string measured : {"time_s", "algbw_Bps", "busbw_Bps", "wrong", "host"})
    CHECK_FALSE(json["runs"][0].contains(measured));
  CHECK(json["runs"][1]["algorithm"] == "ring");
  CHECK(json["runs"][1].contains("time_s"));
  CHECK_FALSE(json["runs"][1].contains("error"));
}

TEST_CASE("a deadlock and an exception are reported as what they are") {
  const Algorithm stuck = faulty("stuck", [](Communicator& communicator, const CollectiveArguments& arguments) {
    communicator.recv(Rank((communicator.rank().value() + 1) % communicator.size()), arguments.output, Tag(7));
  });
  const Algorithm thrower = faulty("thrower", [](Communicator& communicator, const CollectiveArguments&) {
    if (communicator.rank() == Rank(2)) throw std::runtime_error("no such neighbour");
  });
  std::ostringstream out;
  std::ostringstream err;
  TableReporter table(out);
  CHECK(execute(plan_of({stuck, thrower}), std::vector<Reporter*>{&table}, err) == kExitCheckFailed);
  CHECK_THAT(out.str(), Catch::Matches("(.|\n)*\n.* stuck +FAILED deadlock\n.* thrower +FAILED rank_failed\n(.|\n)*"));
  CHECK_THAT(err.str(), Catch::Contains("heddle: stuck failed: deadlock: "));
  CHECK_THAT(err.str(), Catch::Contains("no such neighbour"));
}

TEST_CASE("what stops a run early does not lose what is done") {
  const Algorithm ring = find_algorithm(Collective::allreduce, "ring");
  const Setup setup = plan_of({ring, ring, ring});
  const TemporaryFile file("early.json");
  std::ostringstream out;
  std::ostringstream err;
  TableReporter table(out);
  JsonReporter to_file(std::make_unique<OutputFile>(file.path()));
  FailingReporter failing(2);
  const std::vector<Reporter*> reporters = {&table, &to_file, &failing};
  const int workers = GENERATE(1, 3);
  CHECK_THROWS_WITH(execute(setup, reporters, err, workers), "disk full");
  CHECK_THAT(out.str(), Catch::EndsWith("\n# 2 results right\n"));
  CHECK(Json::parse(test::file_content(file.path()))["runs"].size() == 2);
  CHECK(Json::parse(test::file_content(file.path()))["complete"] == false);
}

}  // namespace heddle
