// SPDX-License-Identifier: Apache-2.0
// `heddle export`, from a sweep's file to the text of each target.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/cli/sweep/small_sweep.hpp"
#include "tests/cli/temporary_directory.hpp"

namespace heddle {

using namespace test;

namespace {

/// Runs the sweep into a file of the directory and returns its path.
std::string swept(const TemporaryDirectory& directory, const std::string& name, const std::string& what) {
  CHECK(run_heddle(fmt::format("sweep {} --json {}", what, directory / name)).status == 0);
  return directory / name;
}

void check_not_exported(const std::string& command, const std::string& expected) {
  const CommandResult result = run_heddle(command);
  CHECK(result.status == 2);
  CHECK(result.out == "");
  CHECK(result.err == "heddle: " + expected + "\n");
}

}  // namespace

TEST_CASE("a sweep becomes a rules file, and what the target does not have is said") {
  const TemporaryDirectory directory("export");
  const std::string sweep =
      swept(directory, "a.json", "allreduce --algo ring,recursive_doubling,swing_bandwidth --topo torus:2x4 --size 1KiB,1MiB");
  const CommandResult result = run_heddle("export openmpi " + sweep);
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::Contains("\n2  # allreduce\n2  # communicators\n"));
  CHECK_THAT(result.out, Catch::Contains("\n8  # ranks and more: torus:2x4\n2  # rules\n0 3 0 0  # recursive_doubling ("));
  // The lines cross between the two sizes that were run.
  CHECK_THAT(result.out, Catch::Contains(" 4 0 0  # ring (about "));
  CHECK_THAT(result.out,
             Catch::Contains("\n# the speeds of torus:2x4 are assumed, not fitted to measured runs (heddle fit) (links "));
  CHECK_THAT(result.err, Catch::StartsWith("allreduce p=8 1MiB: swing_bandwidth is the fastest ("));
  CHECK_THAT(result.err, Catch::Contains("), but Open MPI has no Swing; ring ("));
  CHECK_THAT(result.err, Catch::EndsWith("\n2 decisions, 1 of them the fastest that was measured\n"));

  const CommandResult to_file = run_heddle(fmt::format("export openmpi {} --out {}", sweep, directory / "rules"));
  CHECK(to_file.out == "");
  CHECK(file_content(directory / "rules") == result.out);
  CHECK(run_heddle(fmt::format("export openmpi {} -O -", sweep)).out == result.out);

  const CommandResult as_json = run_heddle("export openmpi --json - " + sweep);
  CHECK(as_json.err == result.err);
  const nlohmann::json decided = nlohmann::json::parse(as_json.out);
  CHECK(decided["context"]["target"] == "Open MPI");
  const nlohmann::json& of_ranks = decided["collectives"][0]["ranks"][0];
  CHECK(of_ranks["ranks"] == 8);
  const nlohmann::json& measured = of_ranks["decisions"];
  REQUIRE(measured.size() == 3);
  CHECK(measured[0]["bytes"] == 1024);
  CHECK(measured[0]["choice"]["algorithm"] == "recursive_doubling");
  CHECK(measured[0]["choice"]["time_s"].get<double>() < measured[0]["next_best"]["time_s"].get<double>());
  CHECK(measured[1]["missed"]["algorithm"] == "swing_bandwidth");
  CHECK(measured[2]["is_estimated"] == true);
  CHECK(run_heddle(fmt::format("export openmpi {} --json {}", sweep, directory / "decided.json")).out == result.out);
  CHECK(file_content(directory / "decided.json") == as_json.out);
  CHECK(run_heddle("export openmpi --list --json -").err == "heddle: --list is text: leave --json out\n");

  CHECK(run_heddle("export openmpi --margin 300% " + sweep).out.find("is too little ahead") != std::string::npos);
  CHECK(run_heddle("export openmpi --margin much " + sweep).err ==
        "heddle: --margin 'much': not a part of a time; try 1%, or 0\n");

  const CommandResult nccl = run_heddle("export nccl " + sweep);
  CHECK(nccl.status == 0);
  CHECK_THAT(nccl.out, Catch::EndsWith("\nallreduce,0,18446744073709551615,ring,simple,-1,-1,8\n"));
}

TEST_CASE("several sweeps become one file, in any order the same") {
  const TemporaryDirectory directory("exports");
  const std::string a = swept(directory, "a.json", "allreduce --algo ring --topo star:8 --ranks 2,8 --size 1KiB");
  const std::string b = swept(directory, "b.json", "barrier --topo star:8");
  const std::string rules = run_heddle(fmt::format("export openmpi {} {}", a, b)).out;
  CHECK_THAT(rules, Catch::Contains("\n2  # collectives\n"));
  CHECK(run_heddle(fmt::format("export openmpi {} {}", b, a)).out == rules);
}

TEST_CASE("MPICH's file is its base with the decisions in it") {
  const TemporaryDirectory directory("export_mpich");
  const std::string sweep = swept(directory, "a.json", "allgather --algo ring --topo star:8 --size 1KiB");
  write_file(
      directory / "base.json",
      R"({"collective=allreduce": {"algorithm=MPIR_x": {}}, "collective=allgather": {"comm_type=intra": {"algorithm=MPIR_y": {}}}})");
  const CommandResult result = run_heddle(fmt::format("export mpich {} --base {}", sweep, directory / "base.json"));
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Catch::Contains("\"comm_size<=7\": {\n        \"algorithm=MPIR_y\": {}"));
  CHECK_THAT(result.out, Catch::Contains("\"algorithm=MPIR_Allgather_intra_ring\": {}"));
  check_not_exported("export mpich " + sweep,
                     "--base is missing: MPICH's own tuning file, or its library, as /usr/lib/x86_64-linux-gnu/libmpich.so.12 "
                     "(docs/exports.md)");
  check_not_exported(
      fmt::format("export mpich {} --base {}", sweep, sweep),
      fmt::format("--base '{}': is no tuning file of MPICH's algorithms; give libmpich.so, or generic.json of MPICH's sources",
                  sweep));
  check_not_exported(fmt::format("export mpich {} --base /nowhere", sweep),
                     "--base '/nowhere': cannot be read: No such file or directory");
}

TEST_CASE("the list has each row of the registry, and needs no file") {
  for (const std::string target : {"openmpi", "mpich", "nccl"}) {
    const CommandResult result = run_heddle("export " + target + " --list");
    CHECK(result.status == 0);
    CHECK(result.err == "");
    CHECK_THAT(result.out, Catch::Contains("swing_latency, swing_latency_multiport, swing_bandwidth: "));
  }
  CHECK_THAT(run_heddle("export nccl --list").out, Catch::EndsWith("\nThe file has no gather, scatter, alltoall, barrier.\n"));
}

TEST_CASE("what is no whole sweep, or nothing that the target decides, is refused in one line") {
  const TemporaryDirectory directory("export_refused");
  check_not_exported("export", "what to export is missing; try: heddle export openmpi sweep.json");
  check_not_exported("export opnmpi",
                     "unknown export format 'opnmpi': did you mean 'openmpi'? Known: openmpi, mpich, nccl, msccl, goal");
  check_not_exported("export nccl",
                     "the files are missing; try: heddle export nccl sweep.json, which 'heddle sweep --json' wrote");
  check_not_exported("export openmpi /nowhere", "'/nowhere': cannot be read: No such file or directory");
  check_not_exported(
      "export openmpi --lst",
      "--lst is no flag of 'heddle export openmpi'; did you mean --list? 'heddle export openmpi --help' lists them");
  const std::string run = directory / "run.json";
  CHECK(run_heddle(fmt::format("run allreduce --algo ring --topo ring:4 --size 1KiB --json {}", run)).status == 0);
  CHECK(run_heddle("export openmpi " + run).status == 2);
  const std::string part = directory / "part.json";
  CHECK(run_heddle(fmt::format("sweep allreduce --topo ring:4 --size 1KiB --shard 1/2 --json {}", part)).status == 0);
  check_not_exported("export openmpi " + part,
                     fmt::format("'{}': is part 1/2 of a sweep; make it whole with: heddle merge", part));
  const std::string alltoall = swept(directory, "alltoall.json", "alltoall --algo linear --topo ring:4 --size 1KiB");
  check_not_exported(
      "export nccl " + alltoall,
      fmt::format("'{}': NCCL has no decisions about alltoall; it has: broadcast, reduce, allreduce, reduce_scatter, allgather",
                  alltoall));
  const std::string two = swept(directory, "two.json", "allreduce --algo ring --topo star:4,ring:4 --size 1KiB");
  check_not_exported("export openmpi " + two,
                     "allreduce at 4 ranks is on two fabrics, 'star:4' and 'ring:4'; choose one: --fabric 'star:4'");
  CHECK(run_heddle(fmt::format("export openmpi {} --fabric ring:4", two)).status == 0);
  check_not_exported(fmt::format("export openmpi {} --fabric ring:5", two),
                     "--fabric 'ring:5': no result is on it; there are: star:4; ring:4");
}

}  // namespace heddle
