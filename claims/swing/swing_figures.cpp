// SPDX-License-Identifier: Apache-2.0
#include "claims/swing/swing_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "claims/swing/swing_comparison.hpp"
#include "core/units.hpp"

namespace heddle::claims {

// A namespace of its own: claims have settings, sizes and figures of the same names.
namespace drawn {

namespace {

using pictures::Chart;
using pictures::ChartAxis;
using pictures::ChartFirst;
using pictures::ChartLevel;
using pictures::ChartLine;
using pictures::ChartMark;
using pictures::ChartPanel;

using Sizes = std::vector<std::string>;

const Sizes kSizes = {"32B", "2KiB", "32KiB", "128KiB", "512KiB", "2MiB", "8MiB", "32MiB", "128MiB", "512MiB"};
const Sizes kTo2GiB = {"32B", "2KiB", "32KiB", "128KiB", "512KiB", "2MiB", "8MiB", "32MiB", "128MiB", "512MiB", "2GiB"};

double bytes_of(const std::string& size) { return static_cast<double>(parse_bytes(size).count()); }

ChartAxis by_size() { return {.title = "Size of the vector", .is_log = true, .labels = ChartAxis::Labels::bytes}; }

/// What the paper draws: bytes of the vector over time.
ChartPanel goodput(const std::vector<Comparison>& comparisons, std::string title) {
  ChartPanel panel{.title = std::move(title), .x = by_size(), .y = {.title = "Goodput (Gb/s)"}, .lines = {}};
  for (const std::string family : {"Swing", "recursive doubling", "bucket", "rings"}) {
    ChartLine line{.name = family, .points = {}};
    for (const Comparison& comparison : comparisons) {
      const bool has_run = std::ranges::find(comparison.entries, family, &Entry::family) != comparison.entries.end();
      const double bytes = bytes_of(comparison.size);
      if (has_run) line.points.push_back({bytes, 8e-3 * bytes / comparison.best(family).microseconds});
    }
    if (!line.points.empty()) panel.lines.push_back(std::move(line));
  }
  return panel;
}

void print_first(ChartPanel& panel, const std::string& line, const Sizes& sizes) {
  for (const std::string& size : sizes) panel.printed_first.push_back({bytes_of(size), line});
}

ChartLine gain_line(const std::string& name, const std::vector<Comparison>& comparisons) {
  ChartLine line{.name = name, .points = {}};
  for (const Comparison& comparison : comparisons) line.points.push_back({bytes_of(comparison.size), 100 * comparison.gain()});
  return line;
}

ChartPanel gains(std::vector<ChartLine> lines, std::vector<ChartMark> printed) {
  return {.title = "Swing's gain over the best of the others",
          .x = by_size(),
          .y = {.title = "Gain in goodput (%)"},
          .lines = std::move(lines),
          .printed = std::move(printed)};
}

ChartMark mark(const std::string& line, const std::string& size, double y, ChartMark::Bound bound = ChartMark::Bound::none) {
  return {.line = line, .at = {bytes_of(size), y}, .bound = bound};
}

constexpr auto kAtLeast = ChartMark::Bound::at_least;
constexpr auto kAtMost = ChartMark::Bound::at_most;
const std::string kGain = "Swing's gain";

Setting on(std::string topology, bool latency_optimal_always = true, Rings rings = Rings::none) {
  return {.topology = std::move(topology), .rings = rings, .latency_optimal_always = latency_optimal_always};
}

Chart square_torus(Lab& lab) {
  const auto comparisons =
      run_comparisons(lab, on("torus:64x64", false), {"32B", "2KiB", "32KiB", "512KiB", "2MiB", "32MiB", "128MiB", "512MiB"});
  ChartPanel main = goodput(comparisons, "Goodput, peak 800 Gb/s");
  main.printed = {mark("Swing", "512MiB", 0.77 * 800)};
  print_first(main, "Swing", {"32B", "2KiB", "32KiB", "512KiB", "2MiB", "32MiB"});
  print_first(main, "bucket", {"128MiB", "512MiB"});
  return {.title = "Swing, Figure 6: allreduce on a torus of 64 x 64",
          .panels = {main, gains({gain_line(kGain, comparisons)}, {mark(kGain, "32B", 50), mark(kGain, "2MiB", 120)})}};
}

/// Gains of several fabrics or speeds in one panel.
Chart gains_of(Lab& lab, std::string title, const std::vector<std::pair<std::string, Setting>>& settings, const Sizes& sizes,
               std::vector<ChartMark> printed) {
  std::vector<ChartLine> lines;
  for (const auto& [name, setting] : settings) lines.push_back(gain_line(name, run_comparisons(lab, setting, sizes)));
  return {.title = std::move(title), .panels = {gains(std::move(lines), std::move(printed))}};
}

Chart scaling(Lab& lab) {
  std::vector<ChartMark> printed;
  for (const char* size : {"32B", "32KiB", "2MiB", "32MiB"}) printed.push_back(mark("", size, 0, kAtLeast));
  for (const char* size : {"128MiB", "512MiB"}) printed.push_back(mark("", size, 0, kAtMost));
  printed.push_back(mark("", "512MiB", -20, kAtLeast));
  return gains_of(lab, "Swing, Figure 7: square tori", {{"8x8", on("torus:8x8")}, {"16x16", on("torus:16x16")}}, kSizes,
                  std::move(printed));
}

Chart bandwidths(Lab& lab) {
  std::vector<std::pair<std::string, Setting>> settings;
  for (const std::string rate : {"100Gbps", "200Gbps", "400Gbps", "800Gbps", "1600Gbps", "3200Gbps"}) {
    Setting setting = on("torus:8x8", true, Rings::run);
    setting.flags += " --bw " + rate;
    settings.emplace_back(fmt::format("{} Gb/s", rate.substr(0, rate.size() - 4)), std::move(setting));
  }
  return gains_of(lab, "Swing, Figure 8: 8 x 8 from 100 Gb/s to 3.2 Tb/s", settings, kSizes,
                  {mark("3200 Gb/s", "32MiB", 0, kAtLeast), mark("3200 Gb/s", "128MiB", 0, kAtLeast),
                   mark("3200 Gb/s", "512MiB", 0, kAtLeast)});
}

Chart oblong(Lab& lab, const std::vector<std::string>& shapes, const Sizes& sizes, std::vector<ChartMark> printed_gains) {
  Chart chart{.title = "Swing, Figure 10: oblong tori", .panels = {}};
  std::vector<ChartLine> lines;
  for (const std::string& shape : shapes) {
    const auto comparisons = run_comparisons(lab, on("torus:" + shape, false, Rings::closed_form), sizes);
    ChartPanel panel = goodput(comparisons, shape);
    for (const std::string& size : sizes)
      if (bytes_of(size) <= bytes_of("32MiB")) print_first(panel, "Swing", {size});
    print_first(panel, "rings", {"2GiB"});
    chart.panels.push_back(std::move(panel));
    lines.push_back(gain_line("gain on " + shape, comparisons));
  }
  chart.panels.push_back(gains(std::move(lines), std::move(printed_gains)));
  return chart;
}

/// Goodput on one fabric after another, Swing printed as the first at `first`, then the gains.
Chart fabrics(Lab& lab, std::string title, const std::vector<std::pair<std::string, Setting>>& settings, const Sizes& sizes,
              const std::vector<std::string>& first, const std::vector<ChartMark>& printed_gains,
              const std::vector<ChartLevel>& printed_most = {}) {
  Chart chart{.title = std::move(title), .panels = {}};
  std::vector<ChartLine> lines;
  for (const auto& [name, setting] : settings) {
    const auto comparisons = run_comparisons(lab, setting, sizes);
    chart.panels.push_back(goodput(comparisons, name));
    print_first(chart.panels.back(), "Swing", first);
    lines.push_back(gain_line(settings.size() == 1 ? kGain : "gain on " + name, comparisons));
  }
  chart.panels.push_back(gains(std::move(lines), printed_gains));
  chart.panels.back().printed_most = printed_most;
  return chart;
}

struct Meshes {
  const char* figure;
  const char* what;
  const char* small;  ///< 256 nodes
  const char* large;  ///< 4,096
  Sizes small_first;  ///< where Swing is printed as the first
  Sizes large_first;
  std::vector<ChartMark> gains;
  std::vector<ChartLevel> most;
};

const Sizes kSmallSizes = {"32B", "2KiB", "32KiB", "512KiB", "2MiB", "8MiB", "32MiB", "128MiB", "512MiB"};
const Sizes kLargeSizes = {"32B", "32KiB", "2MiB", "32MiB", "512MiB"};

std::vector<Meshes> meshes() {
  const Sizes small_but_largest = {"32B", "2KiB", "32KiB", "512KiB", "2MiB", "8MiB", "32MiB"};
  return {{"12",
           "a HammingMesh of 2x2 boards",
           "hxmesh:board=2x2,grid=8x8",
           "hxmesh:board=2x2,grid=32x32",
           kSmallSizes,
           kLargeSizes,
           {mark(kGain, "2MiB", 150)},
           {}},
          {"13",
           "a HammingMesh of 4x4 boards",
           "hxmesh:board=4x4,grid=4x4",
           "hxmesh:board=4x4,grid=16x16",
           small_but_largest,
           {"32B", "32KiB", "2MiB", "32MiB"},
           {},
           {{kGain, 150}}},
          {"14", "a HyperX", "hyperx:16x16", "hyperx:64x64", kSmallSizes, kLargeSizes, {}, {{kGain, 200}}}};
}

void add_mesh_figures(std::span<Claim> claims) {
  for (const Meshes& mesh : meshes()) {
    set_figure(
        claims, fmt::format("swing/figure-{}", mesh.figure),
        {.shows = fmt::format("Goodput by size on {} of 256 nodes, and Swing's gain", mesh.what), .chart = [mesh](Lab& lab) {
           return fabrics(lab, fmt::format("Swing, Figure {}: {}", mesh.figure, mesh.what),
                          {{"256 nodes, the figure has 4,096", on(mesh.small)}}, kSmallSizes, mesh.small_first, {});
         }});
    set_figure(
        claims, fmt::format("swing/figure-{}-4096", mesh.figure),
        {.shows = fmt::format("Goodput by size on {} of 4,096 nodes, and Swing's gain", mesh.what), .chart = [mesh](Lab& lab) {
           return fabrics(lab, fmt::format("Swing, Figure {}: {}", mesh.figure, mesh.what),
                          {{"4,096 nodes", on(mesh.large, false)}}, kLargeSizes, mesh.large_first, mesh.gains, mesh.most);
         }});
  }
}

void add_all(std::span<Claim> claims) {
  set_figure(
      claims, "swing/figure-6",
      {.shows = "Goodput by size on a torus of 64 x 64, and Swing's gain: beside the printed 50 %, 120 % and 77 % of the peak",
       .chart = square_torus});
  set_figure(claims, "swing/figure-7", {.shows = "Swing's gain by size on square tori", .chart = scaling});
  set_figure(claims, "swing/figure-8",
             {.shows = "Swing's gain by size at bandwidths from 100 Gb/s to 3.2 Tb/s", .chart = bandwidths});
  set_figure(claims, "swing/figure-10",
             {.shows = "Goodput by size on oblong tori of 256 nodes, and Swing's gain", .chart = [](Lab& lab) {
                return oblong(lab, {"32x8", "64x4"}, {"32B", "32KiB", "512KiB", "2MiB", "8MiB", "32MiB", "512MiB", "2GiB"}, {});
              }});
  set_figure(claims, "swing/figure-10-1024",
             {.shows = "Goodput by size on oblong tori of 1,024 nodes, and Swing's gain", .chart = [](Lab& lab) {
                return oblong(lab, {"64x16", "128x8", "256x4"}, {"32KiB", "2MiB", "32MiB", "512MiB", "2GiB"},
                              {mark("gain on 128x8", "2MiB", 200), mark("gain on 256x4", "2MiB", 200),
                               mark("gain on 256x4", "512MiB", -60)});
              }});
  set_figure(claims, "swing/figure-11", {.shows = "Goodput by size on 8x8 and 8x8x8, and Swing's gain", .chart = [](Lab& lab) {
                                           return fabrics(lab, "Swing, Figure 11: more dimensions",
                                                          {{"8x8", on("torus:8x8")}, {"8x8x8", on("torus:8x8x8")}}, kTo2GiB, {},
                                                          {}, {{"gain on 8x8x8", 100}});
                                         }});
  set_figure(claims, "swing/figure-11-4096", {.shows = "Goodput by size on 8x8x8x8, and Swing's gain", .chart = [](Lab& lab) {
                                                return fabrics(lab, "Swing, Figure 11: more dimensions",
                                                               {{"8x8x8x8", on("torus:8x8x8x8", false)}},
                                                               {"32B", "32KiB", "2MiB", "32MiB", "512MiB"},
                                                               {"32B", "32KiB", "2MiB", "32MiB", "512MiB"}, {}, {{kGain, 100}});
                                              }});
  add_mesh_figures(claims);
}

}  // namespace

}  // namespace drawn

void add_swing_figures(std::span<Claim> claims) { drawn::add_all(claims); }

}  // namespace heddle::claims
