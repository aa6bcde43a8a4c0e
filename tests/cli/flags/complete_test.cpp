// SPDX-License-Identifier: Apache-2.0
// `heddle complete`: what the shells' completion scripts ask.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/collective.hpp"
#include "heddle/registry.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/presets/fabric_presets.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle {

namespace {

/// The words that the line can go on with, without their meanings.
std::vector<std::string> offered_at(std::vector<std::string> words) {
  words.insert(words.begin(), "complete");
  const test::CommandResult result = test::run_heddle(words);
  CHECK(result.status == 0);
  CHECK(result.err == "");
  std::vector<std::string> offered;
  for (const std::string& line : test::lines_of(result.out)) offered.push_back(line.substr(0, line.find('\t')));
  return offered;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("every command is offered, and what programs call is not") {
  const Words offered = offered_at({""});
  CHECK(offered == Words{"run", "sweep", "merge", "compare", "list", "topo", "traffic", "credits", "claims", "fuzz", "export",
                         "launch", "fit", "mpicc", "mpicxx", "mpirun", "help"});
  CHECK(offered_at({}) == offered);
  CHECK(offered_at({"help", ""}) == offered);
  CHECK(offered_at({"-"}) == Words{"--help", "--version"});
}

TEST_CASE("a command's own commands are offered behind it, and their flags and files behind these") {
  CHECK(offered_at({"export", ""}) == Words{"openmpi", "mpich", "nccl", "msccl", "goal"});
  CHECK(offered_at({"export", "mp"}) == Words{"mpich"});
  CHECK(offered_at({"export", "openmpi", "sweep"}) == Words{":files "});
  CHECK(offered_at({"export", "mpich", "--ba"}) == Words{"--base"});
  CHECK(offered_at({"export", "nonsense", ""}).empty());
}

TEST_CASE("every algorithm of the line's collective is offered to --algo, and no other") {
  for (const Collective collective : all_collectives()) {
    Words expected = {"all"};
    for (const Algorithm* algorithm : algorithms_of(collective)) expected.push_back(algorithm->name);
    CHECK(offered_at({"run", to_string(collective), "--algo", ""}) == expected);
    expected.erase(expected.begin());
    CHECK(offered_at({"list", "--collective", to_string(collective), "--algo", ""}) == expected);
  }
  const Words of_any = offered_at({"run", "--algo", ""});
  for (const Algorithm& algorithm : registry()) CHECK(std::ranges::count(of_any, algorithm.name) == 1);
}

TEST_CASE("names follow commas, options follow an algorithm's colon") {
  CHECK(offered_at({"run", "allreduce", "--algo", "ring,rabens"}) == Words{"ring,rabenseifner"});
  CHECK(offered_at({"run", "allreduce", "--algo", "rabenseifner,rabens"}).empty());
  CHECK(offered_at({"run", "broadcast", "--algo", "chain:"}) == Words{"chain:segments=", "chain:channels="});
  CHECK(offered_at({"run", "broadcast", "--algo=chain:s"}) == Words{"--algo=chain:segments="});
}

TEST_CASE("presets and families are offered by name, a family's example behind its colon") {
  Words names;
  for (const FabricPreset& preset : fabric_presets()) names.emplace_back(preset.name);
  names.emplace_back("file:");
  CHECK(offered_at({"topo", "torus:8x8", "--preset", ""}) == names);
  Words families;
  for (const TopologyFamily& family : topology_families()) families.push_back(std::string(family.name) + ":");
  CHECK(offered_at({"run", "allreduce", "--topo", ""}) == families);
  CHECK(offered_at({"topo", ""}) == families);
  CHECK(offered_at({"run", "allreduce", "--topo", "fattree:"}) == Words{"fattree:k=8"});
}

TEST_CASE("files are left to the shell, which gets what stands before them") {
  CHECK(offered_at({"run", "allreduce", "--json", "out"}) == Words{":files "});
  CHECK(offered_at({"run", "allreduce", "--json=out"}) == Words{":files --json="});
  CHECK(offered_at({"run", "allreduce", "--topo", "file:fab"}) == Words{":files file:"});
  CHECK(offered_at({"run", "allreduce", "--topo", "nccl:no"}) == Words{":files nccl:"});
  CHECK(offered_at({"run", "allreduce", "--placement=file:"}) == Words{":files --placement=file:"});
  CHECK(offered_at({"run", "allreduce", "--preset", "file:mi"}) == Words{":files file:"});
  CHECK(offered_at({"sweep", "allreduce", "--preset", "nvl72,file:mi"}) == Words{":files nvl72,file:"});
  CHECK(offered_at({"fit", "resul"}) == Words{":files "});
  CHECK(offered_at({"merge", "a.json", "b.js"}) == Words{":files "});
  CHECK(offered_at({"compare", "old.json", "ne"}) == Words{":files "});
  CHECK(offered_at({"launch", "-n", "4", "./pro"}) == Words{":files "});
}

TEST_CASE("flags that are given are not offered again, unless they can be repeated") {
  const Words rest = offered_at({"run", "allreduce", "-b", "1MiB", "--fault", "rank:3,late=1us", "--in-place", "--"});
  CHECK(std::ranges::count(rest, "--size") == 0);
  CHECK(std::ranges::count(rest, "--in-place") == 0);
  CHECK(std::ranges::count(rest, "--fault") == 1);
  CHECK(std::ranges::count(rest, "--topo") == 1);
}

TEST_CASE("each word that is offered to a flag is one that the flag takes") {
  for (const std::string flag : {"--op", "--datatype", "--placement", "--clock", "--buffering", "--model", "--threads",
                                 "--routing", "--isolated-groups", "--data-memory", "--groups", "--preset"}) {
    const Words offered = offered_at({"run", "allreduce", flag, ""});
    CHECK_FALSE(offered.empty());
    for (const std::string& word : offered) {
      if (word.ends_with(':') || word == "wall") continue;  // begins a value; takes real time
      const std::string topology = flag == "--groups" ? "torus:2x2" : "clos:hosts=2,leaves=2,spines=1";
      Words line = {"run", "allreduce", "--topo", topology, "--size", "64", flag, word};
      if (flag == "--isolated-groups") line.insert(line.end(), {"--groups", "2"});
      INFO(flag << ' ' << word);
      CHECK(test::run_heddle(line).status == 0);
    }
  }
  for (const std::string& word : offered_at({"run", "allgather", "--blocks", ""}))
    CHECK(test::run_heddle("run allgather --algo ring --topo ring:4 --size 64 --blocks " + word).status == 0);
  for (const std::string& word : offered_at({"fuzz", "--test-style", ""}))
    CHECK(test::run_heddle("fuzz barrier --cases 1 --max-ranks 2 --test-style " + word).status == 0);
  CHECK(offered_at({"fuzz", "--test-style", ""}).size() == 4);
  const Words kinds_of_counts = offered_at({"run", "alltoall", "--counts", ""});
  CHECK(kinds_of_counts.size() == 6);
  for (const std::string& word : kinds_of_counts)
    CHECK(test::run_heddle("run alltoall --algo linear --topo ring:4 --size 64 --counts " + word).status == 0);
}

TEST_CASE("nothing is offered, and nothing complained about, where nothing is known") {
  CHECK(offered_at({"nonsense", ""}).empty());
  CHECK(offered_at({"run", "allreduce", "--size", ""}).empty());
  CHECK(offered_at({"run", "allreduce", "--nonsense="}).empty());
  CHECK(offered_at({"run", "allreduce", "surplus"}).empty());
}

}  // namespace heddle
