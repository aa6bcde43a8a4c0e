// SPDX-License-Identifier: Apache-2.0
// `heddle fit`, from the documents of runs over a network to a preset that heddle run takes.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/cli/sweep/small_sweep.hpp"
#include "tests/cli/temporary_directory.hpp"

namespace heddle {

using nlohmann::ordered_json;
using namespace test;

namespace {

constexpr const char* kSpeeds = "--latency 20us --bw 100MB/s --gamma 1ns";

/// What `heddle run --transport` would write on a network that takes what the emulated one does.
ordered_json measured_document(const std::string& algorithms, const std::string& size) {
  const std::string run = fmt::format("run allreduce --algo {} --topo star:4 --size {} {} --json -", algorithms, size, kSpeeds);
  ordered_json document = ordered_json::parse(run_heddle(run).out);
  for (ordered_json& row : document["runs"]) row["wall_clock"] = {{"over", "a network"}, {"times_s", {row["time_s"]}}};
  return document;
}

/// A file of two sizes.
std::string results_in(const TemporaryDirectory& directory,
                       const std::string& algorithms = "ring,recursive_doubling,rabenseifner") {
  const ordered_json documents = {measured_document(algorithms, "4KiB"), measured_document(algorithms, "64KiB")};
  write_file(directory / "results.json", documents.dump(1));
  return directory / "results.json";
}

std::string refusal(const std::string& arguments) {
  const test::CommandResult result = run_heddle("fit " + arguments);
  CHECK(result.status == 2);
  CHECK(result.out.empty());
  CHECK(test::lines_of(result.err).size() == 1);
  return result.err;
}

}  // namespace

TEST_CASE("a fit predicts the algorithms that it was not made of, and its preset runs them") {
  const TemporaryDirectory directory("fit");
  const std::string results = results_in(directory);
  const std::string preset = directory / "mine.json";
  const test::CommandResult fit =
      run_heddle(fmt::format("fit {} --topo star:4 --out {} --json {}", results, preset, directory / "fit.json"));
  CHECK(fit.err == "");
  CHECK(fit.status == 0);
  CHECK_THAT(fit.out,
             Catch::Contains(": speeds of star:4 from 4 of 6 measured runs (ring, recursive_doubling)\n# over a network\n"));
  CHECK_THAT(fit.out, Catch::Contains("# overhead            0 is taken: the runs fitted do not determine it\n"));
  CHECK_THAT(fit.out, Catch::Contains("\n# latency          20us of each link; standard error 0.0 %\n"));
  CHECK_THAT(fit.out, Catch::Contains("\n# bandwidth     100MB/s of each link, one way; standard error 0.0 %\n"));
  CHECK_THAT(fit.out, Catch::Contains("+0.0  predicted\n"));
  CHECK_THAT(fit.out, Catch::EndsWith("\n# predicted rabenseifner: off by 0.0 % in the median, 0.0 % at worst\n"));

  const auto json = ordered_json::parse(test::file_content(directory / "fit.json"));
  CHECK(json["parameters"]["overhead_s"].is_null());
  CHECK(json["parameters"]["gamma_s_per_byte"].get<double>() == Approx(1e-9));
  CHECK(json["runs"].size() == 6);
  CHECK(json["predicted"]["worst"].get<double>() < 1e-3);

  const std::string run = "run allreduce --algo rabenseifner --topo star:4 --size 64KiB --json - ";
  const auto with_preset = ordered_json::parse(run_heddle(run + "--preset file:" + preset).out);
  CHECK(with_preset["context"]["preset"] == "file:" + preset);
  CHECK(with_preset["runs"][0]["time_s"] == json["runs"][5]["emulated_s"]);
  CHECK(run_heddle("topo star:4 --preset file:" + preset).status == 0);
  CHECK(run_heddle("sweep allreduce --algo ring --topo star:4 --size 1KiB --preset nvl72,file:" + preset).status == 0);

  // Decisions made of it say what its speeds were fitted to, as long as no flag sets another.
  const auto rules = [&](const std::string& more) {
    const std::string sweep = directory / "sweep.json";
    run_heddle(fmt::format("sweep allreduce --algo ring --topo star:4 --size 1KiB --preset file:{} {} --json {}", preset, more,
                           sweep));
    return run_heddle("export openmpi " + sweep).out;
  };
  CHECK_THAT(rules(""),
             Catch::Contains("\n# the speeds of star:4 were fitted to 4 of 6 runs of ring, recursive_doubling over a network; "
                             "others are predicted within 0.0 % in the median, 0.0 % at worst\n"));
  CHECK_THAT(rules("--alpha 1us"), Catch::Contains("\n# nothing says that the speeds of star:4 were fitted to measured runs"));
}

TEST_CASE("of what was measured over throttled links, algorithms that were not fitted are predicted within 15 %") {
  const std::string measured = std::string(HEDDLE_SOURCE_DIR) + "/examples/measured/namespaces_";
  const auto json =
      ordered_json::parse(run_heddle(fmt::format("fit {0}2.json {0}4.json --topo star:4 --json -", measured)).out);
  CHECK(json["predicted"]["worst"].get<double>() < 0.15);
  int predicted = 0;
  for (const ordered_json& run : json["runs"]) predicted += run["fitted"] ? 0 : 1;
  CHECK(predicted == 12);
  // 20 Mbit/s, of which TCP leaves 1448 of 1514 bytes.
  CHECK(json["parameters"]["bandwidth_Bps"].get<double>() == Approx(20e6 / 8 * 1448 / 1514).epsilon(0.02));
}

TEST_CASE("the algorithms to fit may be named, and an output may go to standard output alone") {
  const TemporaryDirectory directory("fit_named");
  const std::string fit = fmt::format("fit {} --topo star:4 --algo rabenseifner,ring ", results_in(directory));
  CHECK_THAT(run_heddle(fit).out,
             Catch::Contains("(ring, rabenseifner)\n") && Catch::Contains("\n# predicted recursive_doubling: "));
  CHECK(ordered_json::parse(run_heddle(fit + "--json -").out)["context"]["topology"] == "star:4");
  CHECK(ordered_json::parse(run_heddle(fit + "--out -").out)["tiers"][0]["latency"] == "20us");
  const std::string all =
      fmt::format("fit {} --topo star:4 --algo rabenseifner,recursive_doubling,ring", directory / "results.json");
  CHECK_THAT(
      run_heddle(all).out,
      Catch::EndsWith("\n# no run is left to be predicted: measure more algorithms, or name those to fit with --algo\n"));
}

TEST_CASE("what cannot be fitted is refused in one line") {
  const TemporaryDirectory directory("fit_refusals");
  const std::string results = results_in(directory);
  CHECK(refusal("") == "heddle: the files are missing; try: heddle fit results.json --topo star:8\n");
  CHECK(refusal(results) == "heddle: --topo is missing; try: heddle fit results.json --topo star:8\n");
  CHECK_THAT(refusal(results + " --topo star:3"), Catch::Contains("star:3: 3 endpoints, and the run at " + results + ":"));
  CHECK_THAT(refusal(results + " --topo star:8"), Catch::Contains("no run has as many ranks; runs have 4"));
  CHECK(refusal(results + " --topo star:4 --algo ring,bruck") ==
        "heddle: --algo 'bruck': no run of it was measured; there are ring, recursive_doubling, rabenseifner\n");
  CHECK(refusal(results + " --topo star:4 --times mean") ==
        "heddle: --times 'mean': not one of a run's times; median or least\n");
  CHECK_THAT(refusal(results + " --topo star:4 --out - --json -"), Catch::Contains("--out and --json: both would write"));
  CHECK_THAT(refusal(directory / "none.json" + std::string(" --topo star:4")), Catch::Contains("none.json': cannot be read"));
}

TEST_CASE("what is no document of measured runs is refused with its line") {
  const TemporaryDirectory directory("fit_documents");
  const auto complaint = [&](const std::string& content) {
    const std::string path = directory / "bad.json";
    write_file(path, content);
    const std::string line = refusal(path + " --topo star:4");
    const std::string begin = "heddle: " + path;
    REQUIRE(line.starts_with(begin));
    return line.substr(begin.size());
  };
  CHECK(complaint("").starts_with(": neither what 'heddle run --transport mpi|tcp --json' writes, nor a table "));
  CHECK(complaint("{}") == ":1: the document has no 'context'\n");
  CHECK(complaint("[]") == ": no run that sends messages was measured\n");
  CHECK(complaint("{\"context\": {\"groups\": \"rows\"},\n\"runs\": []}") ==
        ":1: 'groups': a fit takes calls of all ranks, alone on the network\n");
  const std::string emulated = run_heddle("run allreduce --algo ring --topo star:4 --size 1KiB --json -").out;
  CHECK_THAT(complaint(emulated),
             Catch::Contains(": ring was emulated, not measured; what 'heddle run --transport mpi|tcp --json"));

  const auto with = [&](const char* field, const ordered_json& value) {
    ordered_json document = measured_document("ring,recursive_doubling,rabenseifner,swing_bandwidth", "1KiB");
    document["runs"][0][field] = value;
    return complaint(document.dump());
  };
  CHECK(with("time_s", -1) == ":1: 'time_s' must be more than 0, not -1\n");
  CHECK(with("time_s", 1e9) == ":1: a time must be from 1ps to 100000 s, not 1e+09 s\n");
  CHECK(with("collective", "allred").starts_with(":1: 'collective': "));
  CHECK(with("ranks", "four") == ":1: 'ranks' must be a number, not a text\n");
  CHECK(with("op", "plus").starts_with(":1: 'op': "));
  CHECK_THAT(with("algorithm", "rink"), Catch::Contains(":1: ") && Catch::Contains("rink"));
}

}  // namespace heddle
