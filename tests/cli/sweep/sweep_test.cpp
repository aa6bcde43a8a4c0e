// SPDX-License-Identifier: Apache-2.0
// A sweep as its user sees it: what it prints and writes, the same bytes whatever the order, the cores and the interruptions.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/commands/run_command.hpp"
#include "lab/sweep/sweep_document.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/cli/sweep/small_sweep.hpp"
#include "tests/cli/temporary_directory.hpp"
#include "tests/drawn.hpp"

namespace heddle {

using namespace test;
using Json = nlohmann::json;

TEST_CASE("a sweep's outputs are the same bytes for any number of jobs and any memory") {
  const TemporaryDirectory directory("jobs");
  const Outputs one = run_sweep_in(directory, "--jobs 1");
  CHECK(run_sweep_in(directory, "--jobs 2") == one);
  CHECK(run_sweep_in(directory, "--jobs 3 --memory 1MiB") == one);
  CHECK_THAT(one.out, Catch::Contains("#topology   placement  algorithm "));
  CHECK_THAT(one.out, Catch::Contains("\n torus:2x3  random:3   ring "));
  CHECK_THAT(one.out, Catch::Contains("# left out: bucket: it needs a grid (on star:6, linear; star:6, random:3)\n"));
  CHECK_THAT(one.out, Catch::EndsWith("# 30 results right\n"));
}

TEST_CASE("a sweep's runs measure what single runs measure") {
  const TemporaryDirectory directory("single");
  const Json sweep = Json::parse(run_sweep_in(directory, "").json);
  CHECK(sweep["complete"] == true);
  CHECK(sweep["planned"] == 30);
  REQUIRE(sweep["runs"].size() == 30);
  for (const Json& run : sweep["runs"]) {
    INFO(run.dump());
    const CommandResult result =
        run_heddle(fmt::format("run allreduce --algo {} --topo {} --placement {} --size {} --data-memory 16KiB --json -",
                               run["algorithm"].get<std::string>(), run["topology"].get<std::string>(),
                               run["placement"].get<std::string>(), run["bytes"].get<std::int64_t>()));
    REQUIRE(result.status == 0);
    const Json alone = Json::parse(result.out)["runs"][0];
    for (const std::string key :
         {"collective", "algorithm", "topology", "ranks", "bytes", "count", "datatype", "op", "root", "seed", "time_s",
          "algbw_Bps", "busbw_Bps", "wrong", "rounds", "messages", "sent_bytes_max", "payload_scale"})
      CHECK(run[key] == alone[key]);
    CHECK_FALSE(run.contains("host"));
  }
}

TEST_CASE("the critical path's parts add up to the time in a sweep's report") {
  const TemporaryDirectory directory("path");
  const Json report = Json::parse(run_sweep_in(directory, "").json);
  for (const Json& run : report["runs"]) {
    double sum = 0;
    for (const auto& [part, seconds] : run["critical_path"].items()) sum += seconds.get<double>();
    CHECK(sum == Approx(run["time_s"].get<double>()).epsilon(1e-9));
    CHECK(run["contention_free_s"].get<double>() > 0);
  }
}

TEST_CASE("every row of the CSV has all columns, and its context") {
  const TemporaryDirectory directory("csv");
  const std::vector<std::string> lines = lines_of(run_sweep_in(directory, "").csv);
  REQUIRE(lines.size() == 31);
  CHECK_THAT(lines[0],
             Catch::StartsWith("run,fabric,collective,algorithm,topology,ranks,placement,bytes,count,datatype,op,root,"
                               "status,time_s,algbw_Bps,busbw_Bps,rounds,messages,"));
  CHECK_THAT(lines[1], Catch::StartsWith("1,\"torus:2x3, linear\",allreduce,ring,torus:2x3,6,linear,1024,256,i32,sum,-1,ok,"));
  for (const std::string& line : lines) {
    bool is_quoted = false;
    int commas = 0;
    for (const char c : line) {
      is_quoted ^= c == '"';
      commas += c == ',' && !is_quoted;
    }
    CHECK(commas == std::ranges::count(lines[0], ','));
  }
}

TEST_CASE("the table fits 128 columns with every algorithm and many sizes") {
  const CommandResult result = run_heddle("sweep allreduce --topo torus:2x2 --size 4:1MiB:x2 --data-memory 4KiB");
  CHECK(result.status == 0);
  for (const std::string& line : lines_of(result.out)) CHECK(line.size() <= 128);
}

TEST_CASE("the table marks the best and says where it changes") {
  const CommandResult result = run_heddle(
      "sweep allreduce --algo ring,recursive_doubling --topo ring:16 --size 64,16MiB --bw 100Gbps --latency 1us --data-memory "
      "64KiB");
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::Matches("(.|\n)*\n ring +[0-9.]+us +[0-9.]+ms\\*\n(.|\n)*"));
  CHECK_THAT(result.out, Catch::Matches("(.|\n)*\n recursive_doubling +[0-9.]+us\\* +[0-9.]+ms\n(.|\n)*"));
  CHECK_THAT(result.out, Catch::Matches("(.|\n)*\n# the best changes between 64B and 16MiB: ring instead of recursive_doubling "
                                        "from about [0-9.]+(B|KiB|MiB) on\n(.|\n)*"));
}

TEST_CASE("JSON or CSV on standard output are alone there") {
  const CommandResult json = run_heddle(kSweep + " --json -");
  CHECK(Json::parse(json.out)["complete"] == true);
  CHECK_THAT(run_heddle(kSweep + " --csv -").out, Catch::StartsWith("run,fabric,"));
  CHECK_THAT(run_heddle(kSweep + " --csv - --json -").err,
             Catch::Equals("heddle: --json and --csv: both would write '-'; give each a file of its own\n"));
}

TEST_CASE("a full disk at the end is one line, and nothing is lost") {
  const TemporaryDirectory directory("full");
  const CommandResult result = run_heddle(fmt::format("{} --json {} --csv /dev/full", kSweep, directory / "s.json"));
  CHECK(result.status == 1);
  CHECK(lines_of(result.err).size() == 1);
  CHECK_THAT(result.err, Catch::StartsWith("heddle: --csv '/dev/full': cannot be written: No space left on device"));
  CHECK_THAT(result.err, Catch::Contains("; go on with: heddle sweep --resume " + (directory / "s.json.partial")));
  CHECK(Json::parse(file_content(directory / "s.json"))["complete"] == true);
  CHECK(lines_of(file_content(directory / "s.json.partial")).size() == 31);
  CHECK_THAT(result.out, Catch::EndsWith("# 30 results right\n"));
}

TEST_CASE("what cannot be written is refused before anything runs") {
  const CommandResult result = run_heddle(kSweep + " --json /nowhere/s.json");
  CHECK(result.status == 2);
  CHECK(result.out == "");
  CHECK_THAT(result.err, Catch::StartsWith("heddle: --json '/nowhere/s.json': cannot be written: No such file or directory"));
}

TEST_CASE("a second call that would send the same messages once more is made once") {
  // A ring's 4 ranks hold 256 elements each at all sizes and take 6 rounds. Trees cut more bytes into more segments.
  SweepFlags options;
  CLI::App app;
  add_sweep_flags(*app.add_subcommand("sweep"), options);
  app.parse("sweep allreduce --algo ring,double_binary_tree --topo ring:4 --size 1KiB,1MiB,4MiB --data-memory 4KiB --jobs 1");
  std::map<std::pair<std::string, std::int64_t>, bool> again;
  std::map<std::int64_t, int> rounds_of_tree;
  const RunFunction noting = [&](const Setup& setup, const Algorithm& algorithm) {
    again[{algorithm.name, setup.bytes()}] = setup.call(algorithm).calls == 2;
    if (algorithm.name == "ring")
      CHECK(setup.call(algorithm).sampled == 256);
    else
      rounds_of_tree[setup.bytes()] = algorithm.rounds(setup.shape());
    return run_algorithm(setup, algorithm);
  };
  std::ostringstream out;
  std::ostringstream err;
  CHECK(sweep_command(options, out, err, noting) == 0);
  CHECK(again[{"ring", 1 << 10}]);
  CHECK_FALSE(again[{"ring", 1 << 20}]);
  CHECK_FALSE(again[{"ring", 4 << 20}]);
  CHECK(again[{"double_binary_tree", 1 << 10}]);
  REQUIRE(rounds_of_tree[1 << 10] != rounds_of_tree[1 << 20]);
  CHECK(again[{"double_binary_tree", 1 << 20}]);
}

TEST_CASE("a failed check is reported, kept and not run again") {
  const TemporaryDirectory directory("failed");
  SweepFlags options;
  CLI::App app;
  add_sweep_flags(*app.add_subcommand("sweep"), options);
  const std::string json = directory / "s.json";
  app.parse(fmt::format("sweep allreduce --algo ring,rabenseifner --topo ring:4 --size 1KiB,4KiB --json {}", json));
  const RunFunction faulty = [](const Setup& setup, const Algorithm& algorithm) -> Outcome {
    if (algorithm.name == "ring" && setup.bytes() == 1024)
      return {std::make_shared<const Algorithm>(algorithm),
              Failure{CheckError::Kind::wrong_result, "rank 2, element 7: 1, not 2"}};
    return run_algorithm(setup, algorithm);
  };
  std::ostringstream out;
  std::ostringstream err;
  CHECK(sweep_command(options, out, err, faulty) == 1);
  CHECK(err.str() == "heddle: ring failed on ring:4 with 1KiB: wrong_result: rank 2, element 7: 1, not 2\n");
  CHECK_THAT(out.str(), Catch::Contains("\n ring           FAILED"));
  CHECK_THAT(out.str(), Catch::EndsWith("# 3 results right, 1 FAILED\n"));
  const std::string report = file_content(json);
  CHECK(Json::parse(report)["runs"][0]["error"]["kind"] == "wrong_result");

  options.resume = json;
  CHECK(sweep_command(options, out, err, [](const Setup&, const Algorithm&) -> Outcome { throw std::logic_error("again"); }) ==
        1);
  CHECK(file_content(json) == report);
}

TEST_CASE("what stops a sweep early keeps what is finished") {
  const TemporaryDirectory directory("early");
  SweepFlags options;
  CLI::App app;
  add_sweep_flags(*app.add_subcommand("sweep"), options);
  options.words = {"sweep"};
  app.parse(
      fmt::format("sweep allreduce --algo ring --topo ring:4 --size 1KiB:8KiB:+1KiB --jobs 1 --json {}", directory / "s.json"));
  int runs = 0;
  std::ostringstream out;
  std::ostringstream err;
  const RunFunction failing = [&](const Setup& setup, const Algorithm& algorithm) {
    if (++runs == 4) throw std::bad_alloc();
    return run_algorithm(setup, algorithm);
  };
  CHECK(sweep_command(options, out, err, failing) == 2);
  CHECK_THAT(err.str(), Catch::StartsWith("heddle: out of memory; "));
  CHECK_THAT(err.str(), Catch::Contains("; 3 of 8 runs are finished; go on with: heddle sweep --resume "));
  CHECK_THAT(out.str(), Catch::EndsWith("# 3 results right; incomplete: 5 runs not run\n"));
  // The small sizes came first. Of the others nobody knows the best.
  CHECK_THAT(out.str(), Catch::Contains("# runs are missing: no best at 4KiB, 5KiB, 6KiB, 7KiB, 8KiB\n"));
  const Json report = Json::parse(file_content(directory / "s.json"));
  CHECK(report["complete"] == false);
  CHECK(report["runs"].size() == 3);
}

TEST_CASE("a result is the same after it was written and read") {
  testing::property([] {
    SweepResult run;
    run.run = drawn::number(1, 1000);
    for (const char letter : drawn::list([] { return drawn::number<char>(1, 127); })) run.fabric += letter;
    run.algorithm = "ring";
    run.bytes = drawn::number<std::int64_t>(0, std::int64_t{1} << 50);
    const auto time = [] { return Time::ps(drawn::number<std::int64_t>(0, std::int64_t{1} << 50)); };
    if (drawn::any<bool>()) {
      SweepMeasurement measured;
      measured.time = time();
      if (drawn::any<bool>()) measured.algbw = static_cast<double>(drawn::number(1, 1 << 30)) / 7;
      measured.messages = drawn::number<std::int64_t>(0, std::int64_t{1} << 50);
      measured.path = {time(), time(), time(), time(), time(), time()};
      measured.contention_free = time();
      measured.byte_scale = 1.0 / drawn::number(1, 1000);
      if (drawn::any<bool>()) measured.switch_precision = "f16";
      run.measured = measured;
    } else {
      run.failure = Failure{CheckError::Kind::deadlock, "rank 1\nrank 2"};
    }
    const nlohmann::ordered_json fabric = {
        {"collective", "allreduce"}, {"datatype", "i32"}, {"op", "sum"}, {"root", -1}, {"seed", 1}};
    const std::string line = line_of(json_of(run, fabric));
    RC_ASSERT(line.find('\n') == std::string::npos);
    RC_ASSERT(result_from_json(nlohmann::ordered_json::parse(line)) == run);
  });
}

TEST_CASE("a sweep that cannot be is refused in one line before anything runs") {
  const std::string sweep = "sweep allreduce --topo torus:4x4 --size 1KiB ";
  const std::string example = "; try: heddle sweep allreduce --topo torus:8x8 --size 32B:128MiB:x4\n";
  expect_refused("sweep", "the collective is missing" + example);
  expect_refused("sweep allreduce --size 1KiB", "--topo is missing" + example);
  expect_refused("sweep allreduce --topo ring:4", "--size is missing" + example);
  expect_refused("sweep allreduce --topo ring:4,tours:8x8 --size 1KiB",
                 "--topo: topology 'tours:8x8': unknown family 'tours': did you mean 'torus'?");
  expect_refused(sweep + "--ranks 8,17", "--ranks '17': not a whole number from 1 to 16, the endpoints of torus:4x4\n");
  expect_refused(sweep + "--ranks 8:4", "--ranks '8:4': ends before it begins\n");
  expect_refused(sweep + "-b 4", "--size and nccl-tests' flags for sizes (-b, -e, -f, -i): one or the other\n");
  expect_refused(sweep + "--algo rnig", "--algo");
  expect_refused("sweep allreduce --topo ring:5 --size 1KiB --algo in_network", "--algo 'in_network': fits nowhere, ");
  expect_refused(sweep + "--placement linear,rnadom", "--placement: placement 'rnadom' is unknown");
  expect_refused(sweep + "--preset trivance,swnig", "--preset");
  expect_refused(sweep + "--bw 100Gbps --bw 3parsecs", "--bw '3parsecs'");
  expect_refused(sweep + "--jobs 0", "--jobs '0': not a whole number from 1 to 1024\n");
  expect_refused(sweep + "--memory lots", "--memory 'lots': not a size; try 64KiB\n");
  expect_refused(sweep + "--shard 3/2", "--shard '3/2': not a part of a whole; try 1/4 (up to 4/4)\n");
  expect_refused(sweep + "--shard 2", "--shard '2': not a part of a whole; try 1/4 (up to 4/4)\n");
  expect_refused(sweep + "--isolated-groups 3", "--isolated-groups is no flag of 'heddle sweep'");
}

TEST_CASE("a barrier has one point per fabric, and ranks may vary") {
  const CommandResult result = run_heddle("sweep barrier --topo ring:8 --ranks 2:5,8 --algo dissemination");
  CHECK_THAT(result.out, Catch::Contains("\n# buffering eager, seed 1; "));  // nothing of data, which it has not
  CHECK(result.err == "");
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::Contains("# 5 fabrics: ranks (5); placement linear\n"));
  CHECK_THAT(result.out, Catch::EndsWith("# 5 results right\n"));
}

}  // namespace heddle
