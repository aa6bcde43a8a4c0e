// SPDX-License-Identifier: Apache-2.0
// What heat maps show of a link: bytes, the share of its capacity that was used, the time that messages lost there.
#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "lab/run/run_algorithm.hpp"
#include "lab/run/setup.hpp"
#include "show/drawing/heatmap.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/effort.hpp"
#include "tests/other_path.hpp"

namespace heddle::pictures {

using namespace test;

namespace {

Outcome outcome_of(const Setup& setup) { return run_algorithm(setup, setup.algorithms.chosen.front()); }

Setup setup_of(const std::string& topology, const std::string& algorithm, const std::vector<std::string>& background = {}) {
  Experiment experiment = Experiment::parse("allreduce --size 96KiB --topo " + topology);
  experiment.background = background;
  experiment.keep_timeline = true;
  return set_up(experiment, algorithm);
}

/// How many links of a picture have each colour.
std::map<std::string, std::size_t> colors_of(const std::string& path) {
  pugi::xml_document picture;
  REQUIRE(picture.load_file(path.c_str()));
  std::map<std::string, std::size_t> links;
  for (const pugi::xpath_node& group : picture.select_nodes("//g[@id='links']/g"))
    links[group.node().attribute("stroke").value()] += group.node().select_nodes("path/title").size();
  return links;
}

}  // namespace

TEST_CASE("utilisation: bytes over what the link could carry in the time of the run") {
  // Two ranks send each other 96 KiB at 50 GB/s, after 100 ns of latency: 96 * 1024 / (50e9 * time).
  const Setup setup = setup_of("ring:2", "recursive_doubling");
  const Outcome outcome = outcome_of(setup);
  const LinkLoads loads = measured_loads(HeatmapOf::utilisation, outcome);
  CHECK(loads.most() == Approx(96 * 1024 / 50e9 / outcome.report()->completion.seconds()));
  CHECK(loads.most() < 1);
  CHECK(loads.text(0.384) == "38.4%");
}

TEST_CASE("contention: what messages lost is shared out over the links that held them up, and nothing of it is lost") {
  for (const char* topology : {"torus:4x4", "clos:hosts=4,leaves=4,spines=2,cables=1", "star:8", "ring:8", "fattree:k=4"}) {
    INFO(topology);
    const Setup setup = setup_of(topology, "recursive_doubling");
    const Outcome outcome = outcome_of(setup);
    double lost = 0;
    for (const MessageRecord& message : outcome.timeline->messages)
      lost += std::max((message.drained - message.entered - message.full_rate).seconds(), 0.0);
    const std::vector<double> of_links = contention_of_links(*outcome.timeline, setup);
    CHECK(std::accumulate(of_links.begin(), of_links.end(), 0.0) == Approx(lost).epsilon(1e-6).margin(1e-10));
  }
}

TEST_CASE("contention: messages that meet in one link lose their time there and nowhere else") {
  // On a line of four, ranks 0 and 1 exchange with 2 and 3: two messages each way over the link in the middle.
  const Setup setup = setup_of("mesh:4", "recursive_doubling");
  const Outcome outcome = outcome_of(setup);
  const std::vector<double> seconds = contention_of_links(*outcome.timeline, setup);
  const double alone = 96 * 1024 / 50e9;
  for (LinkId link = 0; link < setup.fabric.topology().links(); ++link) {
    const LinkEnds ends = setup.fabric.topology().ends(link);
    const bool middle = std::min(ends.from, ends.to) == 1 && std::max(ends.from, ends.to) == 2;
    INFO(setup.fabric.topology().link_name(link));
    // Each of the two takes twice as long.
    CHECK(seconds[static_cast<std::size_t>(link)] == Approx(middle ? 2 * alone : 0).epsilon(1e-6).margin(1e-12));
  }
}

TEST_CASE("contention: a load in the background costs time where it is") {
  const Setup setup = setup_of("mesh:4", "recursive_doubling", {"2->3@80%"});
  const LinkLoads loads = measured_loads(HeatmapOf::contention, outcome_of(setup));
  const auto load = [&](const std::string& name) {
    for (LinkId link = 0; link < loads.links(); ++link)
      if (setup.fabric.topology().link_name(link) == name) return loads.load(link);
    throw InputError(name);
  };
  CHECK(load("2->3") > 0);
  CHECK(load("3->2") == 0);
  CHECK(load("0->1") == 0);
}

TEST_CASE("swing and recursive doubling on one scale: recursive doubling is the hotter one") {
  const std::vector<std::string> swings = {"swing_bandwidth", "swing_latency"};
  const std::vector<std::string> sizes = {"64KiB", "16MiB"};
  for (const std::string& swing : testing::sampled(swings, {"swing_bandwidth"}))
    for (const std::string& size : testing::sampled(sizes, {"64KiB"}))
      for (const char* what : {"utilisation", "bytes", "contention"}) {
        INFO(swing << ' ' << size << ' ' << what);
        const TemporaryFile file("side.svg");
        const std::string stem = file.path().substr(0, file.path().size() - 4);
        REQUIRE(run_heddle("run allreduce --algo recursive_doubling," + swing + " --topo torus:8x8 --size " + size +
                           " --preset swing-nsdi24 --heatmap " + file.path() + " --heatmap-of " + what)
                    .status == 0);
        const std::string darkest = "#440154";
        CHECK(colors_of(stem + "-recursive_doubling.svg").contains(darkest));
        CHECK_FALSE(colors_of(stem + "-" + swing + ".svg").contains(darkest));
        std::filesystem::remove(stem + "-recursive_doubling.svg");
        std::filesystem::remove(stem + "-" + swing + ".svg");
      }
}

TEST_CASE("of several runs utilisation is over the time of the slowest, and each says what it is over its own") {
  const test::CommandResult both = run_heddle(
      "run allreduce --algo recursive_doubling,swing_bandwidth --topo torus:8x8 --size 1MiB --preset swing-nsdi24 --heatmap -");
  CHECK_THAT(both.out, Catch::Contains("Of what it could carry in 218.3us, the time of the slowest run.\nIn its own 25.3us: at "
                                       "most 44.7%.\nAll pictures of this command have this scale.\n"));
  const test::CommandResult one =
      run_heddle("run allreduce --algo swing_bandwidth --topo torus:8x8 --size 1MiB --preset swing-nsdi24 --heatmap -");
  CHECK_THAT(one.out, Catch::Contains("Of what it could carry in 25.3us.\n") && Catch::Contains("at most d/9 of 44.7%"));
}

TEST_CASE("where links differ in speed, the most loaded are those whose capacity is used, in pictures and in JSON alike") {
  // One NIC of 20 GB/s for each GPU with NVLink at 450 GB/s: NVLink carries more bytes, the NICs are used more.
  const std::string run =
      "run allreduce --algo rabenseifner --topo superpod:pods=4,gpus=8,trays=2 --bw 450GB/s,20GB/s --size 4MiB";
  CHECK_THAT(run_heddle(run + " --heatmap - --heatmap-of bytes").out, Catch::Contains("NVLink  450GB/s\n"));
  const std::string letters = run_heddle(run + " --heatmap -").out;
  CHECK_THAT(letters.substr(letters.find("most loaded")), Catch::Contains("NIC to leaf  20GB/s") && !Catch::Contains("NVLink"));
  const nlohmann::json json = nlohmann::json::parse(run_heddle(run + " --json -").out);
  const nlohmann::json& links = json["runs"][0]["links"];
  REQUIRE(links.size() == 16);
  CHECK(links[0]["tier"] == "NIC to leaf");
  CHECK(links[0]["bandwidth_Bps"] == 20e9);
  CHECK(links[0]["utilisation"].get<double>() ==
        Approx(links[0]["bytes"].get<double>() / 20e9 / json["runs"][0]["time_s"].get<double>()));
  for (std::size_t i = 1; i < links.size(); ++i) CHECK(links[i]["utilisation"] <= links[i - 1]["utilisation"]);
}

TEST_CASE("where there is no load, a sentence says why") {
  const auto last_line = [](const std::string& flags) {
    return test::lines_of(run_heddle("run allreduce --algo ring --topo ring:4 --size 4KiB --heatmap - " + flags).out).back();
  };
  CHECK(last_line("--bw inf") == "  No link has a limit that could be used up.");
  CHECK(last_line("--heatmap-of contention") == "  No message lost time by sharing a link.");
  CHECK(last_line("--ranks 1") == "  No link carried a byte.");
}

TEST_CASE("a picture that ends in .png is one") {
  const TemporaryFile file("loads.png");
  REQUIRE(run_heddle("run allreduce --algo ring --topo ring:4 --size 4KiB --heatmap " + file.path()).status == 0);
  CHECK_THAT(test::file_content(file.path()), Catch::StartsWith("\x89PNG"));
}

TEST_CASE("without librsvg a line says what to install, before anything runs") {
  const test::OtherPath nowhere("/no/such/directory");
  const test::CommandResult result = run_heddle("run allreduce --algo ring --topo ring:4 --size 4KiB --heatmap loads.png");
  CHECK(result.status == 2);
  CHECK(result.out.empty());
  CHECK(test::lines_of(result.err).size() == 1);
  CHECK_THAT(result.err, Catch::Contains("rsvg-convert is not installed") && Catch::Contains("librsvg2-bin"));
  CHECK_FALSE(std::filesystem::exists("loads.png"));
}

TEST_CASE("what a heat map is of: --heatmap-of says what it takes, and needs --heatmap") {
  const auto refused = [](const std::string& flags) {
    const test::CommandResult result = run_heddle("run allreduce --algo ring --topo ring:4 --size 4KiB " + flags);
    CHECK(result.status == 2);
    CHECK(test::lines_of(result.err).size() == 1);
    return result.err;
  };
  CHECK_THAT(refused("--heatmap - --heatmap-of heat"),
             Catch::Contains("--heatmap-of 'heat': bytes, utilisation, contention or, with --model packets, queue or stalled"));
  CHECK_THAT(refused("--heatmap-of bytes"), Catch::Contains("--heatmap-of") && Catch::Contains("--heatmap -"));
}

}  // namespace heddle::pictures
