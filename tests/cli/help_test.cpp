// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "cli/flags/flag_texts.hpp"
#include "heddle/units.hpp"
#include "heddle/version.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/effort.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/presets/fabric_presets.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

using namespace test;

TEST_CASE("the version is the project's") {
  const CommandResult result = run_heddle("--version");
  CHECK(result.status == 0);
  CHECK(result.out == "heddle " + std::string(version()) + "\n");
  CHECK(result.err == "");
  CHECK(run_heddle("-V").out == result.out);
}

TEST_CASE("without a command there is a short guide, whose commands are right") {
  const CommandResult result = run_heddle("");
  CHECK(result.status == 0);
  CHECK(result.err == "");
  const std::vector<std::string> lines = test::lines_of(result.out);
  CHECK(lines.size() <= 20);
  for (const std::string& line : lines) CHECK(line.size() <= 80);
  for (const FirstCommand& command : first_commands()) {
    CHECK_THAT(result.out, Catch::Contains(std::string(command.line)));
    std::vector<std::string> words = test::words_of(std::string(command.line));
    words.erase(words.begin());
    CHECK_NOTHROW(check_command_line(words));
  }
}

TEST_CASE("help is --help") {
  CHECK(run_heddle("help").out == run_heddle("--help").out);
  for (const std::string command : {"run", "sweep", "merge", "compare", "list", "topo", "traffic", "credits", "claims", "fuzz",
                                    "export", "launch", "fit", "help"}) {
    const CommandResult result = run_heddle("help " + command);
    CHECK(result.status == 0);
    CHECK(result.err == "");
    CHECK(result.out == run_heddle(command + " --help").out);
  }
}

TEST_CASE("help does not list what programs call") {
  for (const std::string hidden : {"manual", "complete"})
    CHECK_THAT(run_heddle("--help").out, !Catch::Contains("\n  " + hidden + " "));
}

TEST_CASE("help names every command, fits a wide terminal and is asked for, not thrown at") {
  for (const std::string command :
       {"", "run ", "sweep ", "merge ", "compare ", "list ", "topo ", "traffic ", "claims ", "fuzz ", "export ",
        "export openmpi ", "export mpich ", "export nccl ", "launch ", "fit "}) {
    const CommandResult result = run_heddle(command + "--help");
    CHECK(result.status == 0);
    CHECK(result.err == "");
    CHECK_THAT(result.out, Catch::Contains("Usage: heddle " + command) || Catch::Contains("Usage: heddle COMMAND"));
    for (const std::string& line : test::lines_of(result.out)) CHECK(line.size() <= 128);
  }
  for (const std::string command :
       {"run", "sweep", "merge", "compare", "list", "topo", "traffic", "claims", "fuzz", "export", "launch", "fit"})
    CHECK_THAT(run_heddle("--help").out, Catch::Contains("\n  " + command + " "));
}

TEST_CASE("help of a run shows presets, defaults and units") {
  const std::string help = run_heddle("run --help").out;
  for (const FabricPreset& preset : fabric_presets()) CHECK_THAT(help, Catch::Contains(std::string(preset.name)));
  CHECK_THAT(help, Catch::Contains(to_string(LinkSpeed{}.bandwidth) + " without a preset"));
  CHECK_THAT(help, Catch::Contains("--placement HOW=linear"));
  CHECK_THAT(help, Catch::Contains("Units:"));
  CHECK_THAT(help, Catch::Contains("Examples:"));
}

TEST_CASE("help of topo lists every family") {
  const std::string help = run_heddle("topo --help").out;
  for (const TopologyFamily& family : topology_families()) {
    CHECK_THAT(help, Catch::Contains(std::string(family.example)));
    CHECK_THAT(help, Catch::Contains(std::string(family.summary)));
  }
}

TEST_CASE("the examples that help gives run") {
  const std::string help = run_heddle("run --help").out + run_heddle("topo --help").out + run_heddle("--help").out;
  int examples = 0;
  for (const std::string& line : test::lines_of(help)) {
    const std::size_t begin = line.find("heddle run ");
    const bool is_whole = begin != std::string::npos && line.find(" --topo ") != std::string::npos;
    if (!is_whole || line.find("--json") != std::string::npos) continue;
    ++examples;
    const bool has_many_ranks = line.find("8x8") != std::string::npos || line.find("star:72") != std::string::npos;
    if (testing::kUnderThreadSanitizer && has_many_ranks) continue;
    std::string command = line.substr(begin + std::string("heddle ").size());
    std::erase(command, '\'');  // they are for a shell, which reads 0->5 as a file's name
    CHECK(run_heddle(command + " --data-memory 16KiB").status == 0);
  }
  CHECK(examples == 12);
}

}  // namespace heddle
