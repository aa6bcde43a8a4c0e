// SPDX-License-Identifier: Apache-2.0
// Plots of sweeps: the charts, and what is drawn of them.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <vector>

#include "heddle/errors.hpp"
#include "show/drawing/chart.hpp"
#include "show/drawing/picture_file.hpp"
#include "show/drawing/sweep_plot.hpp"
#include "tests/catch.hpp"
#include "tests/cli/run_command_line.hpp"
#include "tests/other_path.hpp"

namespace heddle::pictures {

using namespace literals;

namespace {

SweepResult result_of(const std::string& algorithm, std::int64_t bytes, std::optional<Time> time,
                      const std::string& fabric = "ring:8") {
  SweepResult result;
  result.fabric = fabric;
  result.algorithm = algorithm;
  result.bytes = bytes;
  if (time) {
    result.measured.emplace();
    result.measured->time = *time;
  }
  return result;
}

/// "fast" leads at 1 KiB, "wide" from half-way between 1 and 4 KiB on.
std::vector<SweepResult> two_lines() {
  return {result_of("fast", 1024, 1_us), result_of("wide", 1024, 2_us),   result_of("fast", 4096, 4_us),
          result_of("wide", 4096, 3_us), result_of("fast", 16384, 16_us), result_of("wide", 16384, std::nullopt)};
}

std::vector<std::string> texts_of(const std::string& svg) {
  pugi::xml_document document;
  REQUIRE(document.load_string(svg.c_str()));
  std::vector<std::string> texts;
  for (const pugi::xpath_node& text : document.select_nodes("//text"))
    texts.emplace_back(pugi::xpath_query("string(.)").evaluate_string(text));
  return texts;
}

/// The panel of a plot of time over sizes.
ChartPanel panel_of(const std::vector<SweepResult>& results) { return plot_chart(results, {}, PlotY::time).panels.front(); }

bool any_contains(const std::vector<std::string>& texts, const std::string& part) {
  return std::ranges::any_of(texts, [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("a plot has each line's points, and where the best changes") {
  const ChartPanel panel = panel_of(two_lines());
  REQUIRE(panel.lines.size() == 2);
  CHECK(panel.lines[0].name == "fast");
  CHECK(panel.lines[0].points == std::vector<ChartPoint>{{1024, 1}, {4096, 4}, {16384, 16}});
  CHECK(panel.lines[1].name == "wide");
  CHECK(panel.lines[1].points == std::vector<ChartPoint>{{1024, 2}, {4096, 3}});
  // Half-way in bytes both take 2.5 us; at 16 KiB there is but the other again.
  CHECK(panel.first_best == "the best: fast");
  REQUIRE(panel.changes.size() == 2);
  CHECK(panel.changes[0].at == ChartPoint{2560, 2.5});
  CHECK(panel.changes[0].text == "from 2.5KiB, wide");
  CHECK_FALSE(panel.changes[1].at.has_value());
  CHECK(panel.changes[1].text == "between 4KiB and 16KiB, fast");
  const ChartPanel goodput = plot_chart(two_lines(), {"a title"}, PlotY::goodput).panels.front();
  CHECK(goodput.lines[0].points == std::vector<ChartPoint>{{1024, 1.024}, {4096, 1.024}, {16384, 1.024}});
  CHECK(goodput.changes[0].at == ChartPoint{2560, 1.024});
}

TEST_CASE("a plot names no best alone where others are as fast as long as it is the best") {
  std::vector<SweepResult> results = two_lines();
  // As fast as the first one until that is no longer the best.
  const auto add = [&](const std::string& name, Time at_last) {
    for (const auto& [bytes, time] : {std::pair(1024, 1_us), std::pair(4096, 4_us), std::pair(16384, at_last)})
      results.push_back(result_of(name, bytes, time));
    std::ranges::stable_sort(results, {}, &SweepResult::bytes);
  };
  CHECK(panel_of(results).first_best == "the best: fast");
  add("slow_at_last", 99_us);
  CHECK(panel_of(results).first_best == "the best: fast or slow_at_last");
  CHECK(panel_of(results).changes[1].text == "between 4KiB and 16KiB, fast");
  add("equal", 16_us);
  CHECK(panel_of(results).first_best == "the best: fast or 2 more");
  CHECK(panel_of(results).changes[0].text == "from 2.5KiB, wide");
  CHECK(panel_of(results).changes[1].text == "between 4KiB and 16KiB, fast or equal");
}

TEST_CASE("a plot whose best changes at a size that is not known has no circle") {
  std::vector<SweepResult> results = two_lines();
  for (SweepResult& result : results)
    if (result.measured && result.algorithm == "wide") result.measured->messages = result.bytes;
  const ChartPanel panel = panel_of(results);
  CHECK_FALSE(panel.changes.front().at.has_value());
  const std::vector<std::string> texts = texts_of(chart_svg(plot_chart(results, {}, PlotY::time)));
  CHECK(any_contains(texts, "the best: fast"));
  CHECK(any_contains(texts, "1: between 1KiB and 4KiB, wide"));
}

TEST_CASE("thirty lines differ in colour, point or dashes") {
  std::vector<SweepResult> results;
  for (int i = 0; i < 30; ++i) results.push_back(result_of("a" + std::to_string(i), 1024, Time::ps(1'000'000 + i)));
  pugi::xml_document document;
  REQUIRE(document.load_string(chart_svg(plot_chart(results, {}, PlotY::time)).c_str()));
  // In the key, beside each other: a line and, behind it, its shape.
  std::set<std::string> looks;
  for (const pugi::xpath_node& line : document.select_nodes("/svg/polyline")) {
    const pugi::xml_node shape = line.node().next_sibling();
    looks.insert(std::string(line.node().attribute("stroke").value()) + line.node().attribute("stroke-dasharray").value() +
                 shape.attribute("d").value() + shape.attribute("fill").value());
  }
  CHECK(looks.size() == 30);
}

TEST_CASE("texts are data, whatever is in them") {
  const std::vector<SweepResult> results = {result_of("it's `date`_1", 1024, 1_us), result_of("it's `date`_1", 4096, 2_us)};
  const std::vector<std::string> texts = texts_of(chart_svg(plot_chart(results, {"a 'b' <c> & d_e", "`e` 'f'"}, PlotY::time)));
  CHECK(any_contains(texts, "a 'b' <c> & d_e"));
  CHECK(any_contains(texts, "`e` 'f'"));
  CHECK(any_contains(texts, "it's `date`_1"));
  CHECK(any_contains(texts, "Time (us)"));
}

TEST_CASE("a picture that another program cannot make is one line") {
  CHECK_THROWS_WITH(picture_for("out.pdf", "no picture"), Catch::StartsWith("rsvg-convert failed: "));
  const test::OtherPath nowhere("/no/such/directory");
  CHECK_THROWS_WITH(picture_for("out.png", "<svg/>"), Catch::Contains("rsvg-convert is not installed"));
  CHECK_THROWS_WITH(PlotFiles("out.pdf", PlotY::time, two_lines()), Catch::Contains("librsvg2-bin"));
}

TEST_CASE("plots of several fabrics are several files") {
  const test::TemporaryFile file("plot.svg");
  const std::string stem = file.path().substr(0, file.path().size() - 4);
  std::vector<SweepResult> results = two_lines();
  for (const SweepResult& each : two_lines()) {
    results.push_back(each);
    results.back().fabric = "ring:8, 4 ranks";
  }
  std::vector<SweepResult> planned = results;
  planned.push_back(result_of("fast", 1024, std::nullopt, "ring:9"));
  PlotFiles(file.path(), PlotY::goodput, planned)
      .write(results, [](const std::vector<SweepResult>& runs, const PlotAxes& axes) {
        return PlotTitle{"allreduce on " + axes.plot_of(runs.front()), "details of it"};
      });

  CHECK_FALSE(std::filesystem::exists(file.path()));
  CHECK_FALSE(std::filesystem::exists(stem + "-ring_9.svg"));
  CHECK(any_contains(texts_of(test::file_content(stem + "-ring_8.svg")), "allreduce on ring:8"));
  CHECK(any_contains(texts_of(test::file_content(stem + "-ring_8,_4_ranks.svg")), "allreduce on ring:8, 4 ranks"));
  std::filesystem::remove(stem + "-ring_8.svg");
  std::filesystem::remove(stem + "-ring_8,_4_ranks.svg");
}

TEST_CASE("plots are refused before the sweep") {
  CHECK_THROWS_WITH(PlotFiles("out.gif", PlotY::time, two_lines()), "'out.gif': a plot's file ends in .svg, .png or .pdf");
  CHECK_THROWS_WITH(PlotFiles("/no/such/out.svg", PlotY::time, two_lines()), Catch::Contains("cannot be written"));
  CHECK_THROWS_WITH(parse_plot_y("speed"), "'speed': time or goodput");
  CHECK(parse_plot_y("time") == PlotY::time);
  CHECK(parse_plot_y("goodput") == PlotY::goodput);
  CHECK_THROWS_WITH(plot_chart({result_of("ring", 0, 1_us)}, {}, PlotY::time), Catch::Contains("nothing to draw"));
}

TEST_CASE("a sweep is drawn, and drawn again from its parts") {
  const test::TemporaryFile plot("sweep.svg");
  const std::string sweep = "sweep allreduce --algo ring,swing_latency --topo ring:8 --size 32B:2MiB:x16 --preset trivance";
  const test::CommandResult whole = test::run_heddle(sweep + " --plot " + plot.path());
  INFO(whole.err);
  CHECK(whole.status == 0);
  const std::string picture = test::file_content(plot.path());
  const std::vector<std::string> texts = texts_of(picture);
  CHECK(any_contains(texts, "allreduce on ring:8"));
  CHECK(any_contains(texts, "8 ranks, i32 sum; trivance: links 100GB/s, 100ns"));
  CHECK(any_contains(texts, "the best: swing_latency"));
  CHECK(any_contains(texts, ", ring"));
  const test::TemporaryFile first("first.json");
  const test::TemporaryFile second("second.json");
  CHECK(test::run_heddle(sweep + " --shard 1/2 --json " + first.path()).status == 0);
  CHECK(test::run_heddle(sweep + " --shard 2/2 --json " + second.path()).status == 0);
  CHECK(test::run_heddle("merge " + first.path() + " " + second.path() + " --plot " + plot.path()).status == 0);
  CHECK(test::file_content(plot.path()) == picture);
}

TEST_CASE("a sweep's plot that cannot be is refused before anything runs") {
  const std::string sweep = "sweep allreduce --algo ring --topo ring:8 --size 1KiB ";
  for (const auto& [flags, why] :
       {std::pair<std::string, std::string>{"--plot out.gif", "heddle: --plot 'out.gif': a plot's file"},
        {"--plot /no/such/out.svg", "heddle: --plot '/no/such/out.svg': cannot be written"},
        {"--plot out.svg --plot-y speed", "heddle: --plot-y 'speed': time or goodput"}}) {
    const test::CommandResult result = test::run_heddle(sweep + flags);
    CHECK(result.status == 2);
    CHECK(result.out.empty());
    CHECK_THAT(result.err, Catch::StartsWith(why));
  }
}

TEST_CASE("a plot is over whatever varies: sizes, else ranks, else fabrics") {
  const auto at = [](const std::string& topology, const std::string& fabric, int ranks, std::int64_t bytes) {
    SweepResult result = result_of("ring", bytes, 1_us, fabric);
    result.topology = topology;
    result.ranks = ranks;
    return result;
  };
  const std::vector<SweepResult> sizes = {at("ring:8", "ring:8", 8, 1), at("ring:8", "ring:8", 8, 2),
                                          at("ring:4", "ring:4", 4, 1)};
  CHECK(PlotAxes(sizes).x() == PlotX::size);
  CHECK(PlotAxes(sizes).plot_of(sizes.back()) == "ring:4");

  const std::vector<SweepResult> ranks = {at("star:64", "star:64, 2 ranks, 400Gbps", 2, 1),
                                          at("star:64", "star:64, 4 ranks, 400Gbps", 4, 1)};
  CHECK(PlotAxes(ranks).x() == PlotX::ranks);
  for (const SweepResult& result : ranks) CHECK(PlotAxes(ranks).plot_of(result) == "star:64, 400Gbps");

  const std::vector<SweepResult> grown = {at("ring:4", "ring:4", 4, 1), at("ring:8", "ring:8", 8, 1),
                                          at("mesh:2x2", "mesh:2x2", 4, 1)};
  CHECK(PlotAxes(grown).x() == PlotX::ranks);
  CHECK(PlotAxes(grown).plot_of(grown[0]) == "ring");
  CHECK(PlotAxes(grown).plot_of(grown[1]) == "ring");
  CHECK(PlotAxes(grown).plot_of(grown[2]) == "mesh");

  const std::vector<SweepResult> fabrics = {at("ring:8", "ring:8", 8, 1), at("star:8", "star:8", 8, 1)};
  CHECK(PlotAxes(fabrics).x() == PlotX::fabric);
  CHECK(PlotAxes(fabrics).plot_of(fabrics[0]) == PlotAxes(fabrics).plot_of(fabrics[1]));
  const ChartPanel panel = plot_chart(fabrics, {}, PlotY::time, PlotX::fabric).panels.front();
  CHECK(panel.x.names == std::vector<std::string>{"ring:8", "star:8"});
  CHECK(panel.lines.front().points == std::vector<ChartPoint>{{0, 1}, {1, 1}});
}

TEST_CASE("algorithms that take the same time everywhere are one line with both names") {
  std::vector<SweepResult> results = two_lines();
  for (const SweepResult& each : two_lines())
    if (each.algorithm == "fast") {
      results.push_back(each);
      results.back().algorithm = "swift";
    }
  const ChartPanel panel = panel_of(results);
  REQUIRE(panel.lines.size() == 2);
  CHECK(panel.lines.front().name == "fast = swift");
  CHECK(panel.changes.front().at == ChartPoint{2560, 2.5});
}

TEST_CASE("a plot's area is as large with one line as with thirty, and a long subtitle is wrapped") {
  const auto area_of = [](const std::string& svg) {
    pugi::xml_document document;
    REQUIRE(document.load_string(svg.c_str()));
    const pugi::xml_node area = document.select_node("//rect[@fill='none']").node();
    return std::pair(area.attribute("width").as_int(), area.attribute("height").as_int());
  };
  std::vector<SweepResult> many;
  for (int i = 0; i < 30; ++i)
    many.push_back(result_of("an_algorithm_of_a_long_name_" + std::to_string(i), 1024, Time::ps(1'000'000 + i)));
  const std::string details =
      "64 ranks, i32 sum; a preset: links 100GB/s, 100ns; hop 100ns; alpha 1.5us; send overhead 0ps; "
      "receive overhead 0ps; host link 100ns; routing adaptive";
  const std::string thirty = chart_svg(plot_chart(many, {"a title", details}, PlotY::time));
  CHECK(area_of(chart_svg(plot_chart(two_lines(), {"a title"}, PlotY::time))) == area_of(thirty));
  const std::vector<std::string> texts = texts_of(thirty);
  CHECK(any_contains(texts, "routing adaptive"));
  CHECK_FALSE(any_contains(texts, details));
}

TEST_CASE("an axis has at least two labels, however little it spans") {
  for (const double factor : {1.0, 1.001, 1.3, 3.0, 20.0, 1e6})
    for (const double least : {0.7, 9.3, 1024.0, 31'000.0}) {
      INFO(least << " to " << least * factor);
      for (const ChartAxis::Labels labels : {ChartAxis::Labels::numbers, ChartAxis::Labels::bytes, ChartAxis::Labels::counts}) {
        const ChartAxis axis{.title = {}, .is_log = true, .labels = labels};
        for (const ChartScale& scale : {scale_of_x(axis, {least, least * factor}), scale_of_y(axis, {least, least * factor})}) {
          CHECK(scale.ticks.size() >= 2);
          CHECK(scale.ticks.size() <= 14);
          for (const ChartTick& tick : scale.ticks)
            CHECK((tick.value >= scale.least * 0.999 && tick.value <= scale.most * 1.001));
          CHECK(scale.least <= least);
          CHECK(scale.most >= least * factor);
        }
      }
    }
}

TEST_CASE("a sweep over ranks is one plot over ranks") {
  const test::TemporaryFile plot("ranks.svg");
  const test::CommandResult sweep = test::run_heddle(
      "sweep allreduce --algo ring,recursive_doubling --topo star:16 --ranks 2:16:x2 --size 64KiB --plot " + plot.path());
  INFO(sweep.err);
  CHECK(sweep.status == 0);
  const std::vector<std::string> texts = texts_of(test::file_content(plot.path()));
  CHECK(any_contains(texts, "allreduce on star:16, 64KiB"));
  CHECK(any_contains(texts, "2 to 16 ranks, i32 sum"));
  CHECK(any_contains(texts, "Ranks"));
  for (const char* label : {"2", "4", "8", "16"}) CHECK(any_contains(texts, label));
}

TEST_CASE("plots in other formats") {
  const std::string svg = chart_svg(plot_chart(two_lines(), {"x"}, PlotY::time));
  CHECK_THAT(picture_for("plot.png", svg), Catch::StartsWith("\x89PNG"));
  CHECK_THAT(picture_for("plot.pdf", svg), Catch::StartsWith("%PDF-"));
}

TEST_CASE("measured times are marks beside the lines of their algorithms") {
  std::vector<SweepResult> results = two_lines();
  for (SweepResult& result : results) result.ranks = 8;
  const auto measured = [](const std::string& algorithm, int ranks, std::int64_t bytes, Time time) {
    MeasuredRun run;
    run.time = time;
    run.experiment.algorithm = algorithm;
    run.experiment.ranks = ranks;
    run.experiment.size = Bytes(bytes);
    return run;
  };
  // Of another number of ranks, or of an algorithm without a line, nothing stands there.
  const std::vector<MeasuredRun> runs = {measured("fast", 8, 2048, 3_us), measured("fast", 4, 2048, 3_us),
                                         measured("other", 8, 2048, 3_us)};
  const Chart chart = plot_chart(results, {}, PlotY::time, PlotX::size, runs);
  REQUIRE(chart.panels.front().printed.size() == 1);
  CHECK(chart.panels.front().printed[0].line == "fast");
  CHECK(chart.panels.front().printed[0].at == ChartPoint{2048, 3});
  CHECK(any_contains(texts_of(chart_svg(chart)), "measured"));
  CHECK(plot_chart(results, {}, PlotY::goodput, PlotX::size, runs).panels.front().printed[0].at.y == Approx(2048 / 3e3));
  CHECK_FALSE(any_contains(texts_of(chart_svg(plot_chart(results, {}, PlotY::time))), "measured"));
}

}  // namespace heddle::pictures
