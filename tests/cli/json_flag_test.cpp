// SPDX-License-Identifier: Apache-2.0
// Every command that prints results prints them as JSON too, by one flag.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands/compiler_command.hpp"
#include "heddle/version.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/cli/sweep/small_sweep.hpp"
#include "tests/cli/temporary_directory.hpp"

namespace heddle {

using namespace test;

namespace {

/// Of commands that can be run, as help lists them below `parent`: "run", "export openmpi".
std::vector<std::string> commands_below(const std::string& parent) {
  std::vector<std::string> commands;
  bool is_list = false;
  for (const std::string& line : lines_of(run_heddle(parent + " --help").out)) {
    const bool is_entry = line.starts_with("  ") && line.size() > 2 && line[2] != ' ';
    if (is_list && is_entry) {
      const std::string name = line.substr(2, line.find(' ', 2) - 2);
      if (is_compiler_command(name)) continue;  // the compiler would take this process's place
      const std::string command = parent.empty() ? name : parent + " " + name;
      const std::vector<std::string> own = commands_below(command);
      if (own.empty()) commands.push_back(command);
      commands.insert(commands.end(), own.begin(), own.end());
    }
    if (!line.starts_with(' ')) is_list = line == "Subcommands:";
  }
  return commands;
}

/// What they print is a text alone, another program's, or a schedule in somebody else's format.
bool has_no_results(std::string_view command) {
  // mpirun: the results are the program's own.
  constexpr std::array<std::string_view, 5> kWithout = {"help", "launch", "mpirun", "export msccl", "export goal"};
  return std::ranges::find(kWithout, command) != kWithout.end();
}

/// A line of each command that prints results; {0} is a sweep's file, {1} a tuning file of MPICH's, {2} what runs over a network wrote.
const std::map<std::string, std::string>& lines_with_results() {
  static const std::map<std::string, std::string> kLines = {
      {"run", "run allreduce --algo ring --topo ring:4 --size 1KiB"},
      {"sweep", "sweep allreduce --algo ring --topo ring:4 --size 1KiB"},
      {"merge", "merge {0}"},
      {"compare", "compare {0} {0}"},
      {"list", "list --collective barrier"},
      {"topo", "topo torus:2x2"},
      {"traffic", "traffic allreduce --algo ring,bine_small --topo fattree:k=4 --ranks 4 --placements 5"},
      {"credits", "credits allreduce --algo ring --ranks 3"},
      {"claims", "claims traeff/theorem-1"},
      {"fuzz", "fuzz barrier --cases 5 --max-ranks 4"},
      {"export openmpi", "export openmpi {0}"},
      {"export mpich", "export mpich {0} --base {1}"},
      {"export nccl", "export nccl {0}"},
      {"fit", "fit {2} --topo star:2"},
  };
  return kLines;
}

void check_document(const std::string& text) {
  const nlohmann::json document = nlohmann::json::parse(text, nullptr, false);
  REQUIRE(document.is_object());
  CHECK(document["context"]["version"] == version());
}

}  // namespace

TEST_CASE("every command that prints results has --json FILE and --json -") {
  const TemporaryDirectory directory("json_flag");
  const std::string sweep = directory / "sweep.json";
  REQUIRE(run_heddle("sweep allreduce --algo ring --topo ring:4 --size 1KiB,1MiB --json " + sweep).status == 0);
  const std::string base = directory / "base.json";
  write_file(base, R"({"collective=allreduce": {"comm_type=intra": {"algorithm=MPIR_x": {}}}})");
  const std::string measured = std::string(HEDDLE_SOURCE_DIR) + "/examples/measured/namespaces_2.json";
  const bool has_claims = run_heddle("claims --list").status == 0;

  const std::vector<std::string> commands = commands_below("");
  CHECK(commands.size() == lines_with_results().size() + 5);
  for (const std::string& command : commands) {
    if (has_no_results(command)) continue;
    INFO(command);
    CHECK_THAT(run_heddle(command + " --help").out, Catch::Contains("\n  --json FILE "));
    CHECK(run_heddle("complete " + command + " --json out").out == ":files \n");
    CHECK(run_heddle(command + " --json").err == "heddle: --json: its file is missing; '--json -' prints to standard output\n");
    const auto line = lines_with_results().find(command);
    REQUIRE(line != lines_with_results().end());
    if (command == "claims" && !has_claims) continue;

    const std::string words = fmt::format(fmt::runtime(line->second), sweep, base, measured);
    const CommandResult alone = run_heddle(words + " --json -");
    CHECK(alone.status == 0);
    check_document(alone.out);
    const std::string path = directory / "out.json";
    const CommandResult beside = run_heddle(fmt::format("{} --json {}", words, path));
    CHECK(beside.status == 0);
    CHECK(beside.out.size() > 0);
    CHECK(nlohmann::json::parse(beside.out, nullptr, false).is_discarded() == (command != "export mpich"));
    check_document(file_content(path));
    CHECK(run_heddle(words + " --json /nowhere/out.json")
              .err.starts_with("heddle: --json '/nowhere/out.json': cannot be written: "));
  }
}

TEST_CASE("the JSON of one fuzz case says how it ended") {
  const std::string right = "allreduce --algo ring --topo star:3 --size 28";
  const CommandResult result = run_heddle(std::vector<std::string>{"fuzz", "--case", right, "--json", "-"});
  CHECK(result.status == 0);
  const nlohmann::json document = nlohmann::json::parse(result.out);
  CHECK(document["context"]["case"] == right);
  CHECK(document["verdict"] == "right");
  CHECK(document["failure"].is_null());
}

}  // namespace heddle
