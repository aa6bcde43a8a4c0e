// SPDX-License-Identifier: Apache-2.0
// Schedules wherever an algorithm is named, and exported.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/cli/sweep/small_sweep.hpp"
#include "tests/cli/temporary_directory.hpp"

namespace heddle {

using namespace test;

namespace {

/// Exported into the directory: its name as an algorithm.
std::string exported(const TemporaryDirectory& directory, const std::string& name, const std::string& what) {
  CHECK(run_heddle(fmt::format("export msccl {} --out {}", what, directory / name)).status == 0);
  return "msccl:" + (directory / name);
}

void check_schedule_refused(const std::string& command, const std::string& expected) {
  const CommandResult result = run_heddle(command);
  CHECK(result.status == 2);
  CHECK(result.out == "");
  CHECK_THAT(result.err, Catch::Contains(expected));
}

}  // namespace

TEST_CASE("run, sweep, credits, list and fuzz take a schedule, beside others or alone") {
  const TemporaryDirectory directory("schedules");
  const std::string ring = exported(directory, "ring.xml", "allreduce --algo ring --topo star:4");
  const std::string other = exported(directory, "other.xml", "allreduce --algo recursive_doubling --topo star:4");
  const std::string on_star = " --topo star:4 --size 4KiB";

  const CommandResult run = run_heddle(fmt::format("run allreduce --algo ring,{},{}{} --json -", ring, other, on_star));
  CHECK(run.status == 0);
  const nlohmann::json results = nlohmann::json::parse(run.out)["runs"];
  REQUIRE(results.size() == 3);
  CHECK(results[1]["algorithm"] == ring);
  CHECK(results[1]["time_s"] == results[0]["time_s"]);
  CHECK(results[1]["same_messages_as"] == "ring");
  CHECK_THAT(run_heddle(fmt::format("run allreduce --algo all,{}{}", other, on_star)).out, Catch::Contains(other));

  const std::string sweep =
      fmt::format("sweep allreduce --algo ring,{} --ranks 3,4 --topo star:4 --size 4KiB,8KiB --json ", ring);
  CHECK(run_heddle(sweep + (directory / "sweep.json")).status == 0);
  const nlohmann::json swept = nlohmann::json::parse(file_content(directory / "sweep.json"));
  CHECK(swept["runs"].size() == 2 + 4);
  CHECK(swept["context"]["fingerprint"].size() == 1);

  CHECK(run_heddle(fmt::format("credits allreduce --algo {} --topo star:4", ring)).status == 0);
  CHECK_THAT(run_heddle("list --algo " + ring).out, Catch::Contains(ring));
  CHECK_THAT(run_heddle(fmt::format("fuzz --algo {},{} --cases 30", ring, other)).out, Catch::Contains("30 cases right"));
}

TEST_CASE("traffic counts what a schedule sends, at its number of ranks") {
  const TemporaryDirectory directory("schedules");
  const std::string ring = exported(directory, "ring.xml", "allreduce --algo ring --topo star:8");
  const std::string traffic = fmt::format("traffic allreduce --algo ring,{} --topo fattree:k=4 --placements 20 --ranks ", ring);
  const CommandResult counted = run_heddle(traffic + "8 --json -");
  CHECK(counted.status == 0);
  const nlohmann::json algorithms = nlohmann::json::parse(counted.out)["studies"][0]["algorithms"];
  REQUIRE(algorithms.size() == 2);
  CHECK(algorithms[1]["algorithm"] == ring);
  CHECK(algorithms[1]["mean_vectors_between_groups"] == algorithms[0]["mean_vectors_between_groups"]);
  check_schedule_refused(traffic + "8,16", "does not fit, it is made for 8 ranks");
  check_schedule_refused("traffic barrier --algo dissemination,binomial --topo fattree:k=4 --ranks 4",
                         "barrier: it sends no data that could be counted");
  check_schedule_refused(traffic + "8,17",
                         "--ranks '8,17': 17 ranks do not fit on fattree:k=4, which has 16 endpoints; try --ranks 2:16:x2");
}

TEST_CASE("what is wrong with a schedule is in the finding of a fuzz session") {
  const TemporaryDirectory directory("schedules");
  const std::string ring = exported(directory, "ring.xml", "allreduce --algo ring --topo star:4");
  std::string text = file_content(directory / "ring.xml");
  const std::size_t at = text.rfind("type=\"r\"");
  const std::size_t offset = text.find("dstoff=\"", at) + 8;
  text[offset] = text[offset] == '0' ? '1' : '0';
  write_file(directory / "wrong.xml", text);
  const CommandResult fuzz = run_heddle(fmt::format("fuzz --algo msccl:{} --cases 30", directory / "wrong.xml"));
  CHECK(fuzz.status == 1);
  CHECK_THAT(fuzz.err + fuzz.out, Catch::Contains("which comes first is chance"));  // it writes what another thread still sends
  CHECK_THAT(fuzz.err + fuzz.out, Catch::Contains("wrong.xml:"));
}

TEST_CASE("GOAL comes with the sizes of the call") {
  const CommandResult goal = run_heddle("export goal broadcast --algo chain --topo ring:3 --size 12");
  CHECK(goal.status == 0);
  CHECK(goal.out ==
        "num_ranks 3\nrank 0 {\nl1: send 12b to 1 tag 0\n}\nrank 1 {\nl1: recv 12b from 0 tag 0\nl2: send 12b to 2 tag 0\n"
        "l2 requires l1\n}\nrank 2 {\nl1: recv 12b from 1 tag 0\n}\n");
}

TEST_CASE("what cannot be exported, or read, is one line") {
  check_schedule_refused("export msccl",
                         "the collective or its one algorithm is missing; try: heddle export msccl allreduce --algo ring");
  check_schedule_refused("export msccl allreduce --topo star:4", "the collective or its one algorithm is missing");
  check_schedule_refused("export msccl barrier --algo dissemination --topo star:4", "barrier: its messages carry nothing");
  check_schedule_refused("export msccl allreduce --algo in_network --topo star:4,alu --size 4KiB", "in_network");
  check_schedule_refused("run allreduce --algo msccl:/no/such.xml --topo star:4 --size 4KiB", "--algo");
  const TemporaryDirectory directory("schedules");
  const std::string ring = exported(directory, "ring.xml", "allreduce --algo ring --topo star:4");
  check_schedule_refused(fmt::format("run allreduce --algo {} --topo star:5 --size 4KiB", ring), "it is made for 4 ranks");
  check_schedule_refused(fmt::format("run allgather --algo {} --topo star:4 --size 4KiB", ring), "and allgather is asked for");
}

TEST_CASE("every command says the same of a schedule that is wrong") {
  const TemporaryDirectory directory("schedules");
  std::string cycle = file_content(HEDDLE_SOURCE_DIR "/examples/schedules/pairs.xml");
  const auto change = [&cycle](int line, const std::string& from, const std::string& to) {
    std::size_t at = 0;
    for (int i = 1; i < line; ++i) at = cycle.find('\n', at) + 1;
    cycle.replace(cycle.find(from, at), from.size(), to);
  };
  // tb 1 waits for tb 3 before its first step, and tb 3 waits for its second.
  change(85, R"(depid="-1" deps="-1")", R"(depid="3" deps="2")");
  change(88, R"(hasdep="0")", R"(hasdep="1")");
  change(97, R"(depid="0" deps="1")", R"(depid="1" deps="1")");
  write_file(directory / "cycle.xml", cycle);
  struct Wrong {
    std::string file;
    std::string words;
  };
  const std::string in_repository = HEDDLE_SOURCE_DIR "/";
  for (const auto& [file, words] : std::vector<Wrong>{
           {directory / "cycle.xml", "gpu 3, tb 3, step 0 (re) waits for step 1 of tb 1"},
           {in_repository + "examples/schedules/race.xml",
            "gpu 1, tb 3, step 2 reads s[2], which tb 2, step 1 (line 42) writes"},
           {in_repository + "examples/schedules/wrong_offset.xml", "gpu 1, tb 0, step 4 puts chunk 1 where chunk 2 is"}}) {
    for (const std::string command :
         {"run allreduce --topo star:4 --size 64KiB --algo {}", "sweep allreduce --topo star:4 --size 64KiB --algo {}",
          "credits allreduce --topo star:4 --algo {}", "export msccl allreduce --topo star:4 --algo {}",
          "export goal allreduce --topo star:4 --algo {}", "fuzz --cases 3 --algo {}",
          "traffic allreduce --topo clos:hosts=2,leaves=2,spines=1 --ranks 4 --algo ring,{}"}) {
      const CommandResult result = run_heddle(fmt::format(fmt::runtime(command), "msccl:" + file));
      INFO(command << ' ' << file << '\n' << result.out << result.err);
      CHECK(result.status != 0);
      CHECK_THAT(result.out + result.err, Catch::Contains(words));
      // What comes of a race is chance: nothing is said of it.
      if (words.find("reads s[2]") != std::string::npos) CHECK_THAT(result.out + result.err, !Catch::Contains("holds"));
    }
  }
}

TEST_CASE("sizes that a schedule is not made for are said below the table, in JSON and in a sweep") {
  const TemporaryDirectory directory("schedules");
  std::string text = file_content(HEDDLE_SOURCE_DIR "/examples/schedules/pairs.xml");
  text.replace(text.find("maxBytes=\"0\""), 12, "maxBytes=\"8192\"");
  write_file(directory / "small.xml", text);
  const std::string name = "msccl:" + (directory / "small.xml");
  const std::string words = "made for 0B to 8KiB (minBytes, maxBytes): MSCCL would not choose it here";
  const std::string run = fmt::format("run allreduce --topo star:4 --algo {} --size ", name);
  CHECK_THAT(run_heddle(run + "8KiB").out, !Catch::Contains("made for"));
  CHECK_THAT(run_heddle(run + "16KiB").out,
             Catch::Contains(fmt::format("# {}: made for 0B to 8KiB", name)));  // lines are wrapped
  CHECK(nlohmann::json::parse(run_heddle(run + "16KiB --json -").out)["runs"][0]["remark"] == words);
  const CommandResult swept =
      run_heddle(fmt::format("sweep allreduce --topo star:4 --algo ring,{} --size 4KiB,16KiB,32KiB", name));
  CHECK_THAT(swept.out, Catch::Contains(fmt::format("# at 16KiB, 32KiB: {}: made for 0B", name)));
}

}  // namespace heddle
