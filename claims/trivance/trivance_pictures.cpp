// SPDX-License-Identifier: Apache-2.0
#include "claims/trivance/trivance_pictures.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "claims/trivance/trivance_comparison.hpp"
#include "core/units.hpp"

namespace heddle::claims::trivance_parts {

// A namespace of its own: claims have settings, sizes and figures of the same names.
namespace drawn {

namespace {

using pictures::Chart;
using pictures::ChartAxis;
using pictures::ChartLine;
using pictures::ChartMark;
using pictures::ChartPanel;

using Sizes = std::vector<std::string>;

/// Those that were simulated: 32 B and four times as much, again and again.
const Sizes kSizes = {"32B", "128B", "512B", "2KiB", "8KiB", "32KiB", "128KiB", "512KiB", "2MiB", "8MiB", "32MiB", "128MiB"};
const std::vector<std::string> kFamilies = {"Trivance", "Bruck", "Swing", "recursive doubling", "bucket"};
const std::string kBest = "best of the others";
constexpr auto kAtLeast = ChartMark::Bound::at_least;
constexpr auto kAtMost = ChartMark::Bound::at_most;
constexpr double kHighest = 70;  ///< of what is drawn, in per cent: who takes longer is far behind

double bytes_of(const std::string& size) { return static_cast<double>(parse_bytes(size).count()); }

ChartMark mark(const std::string& line, const std::string& size, double y, ChartMark::Bound bound = ChartMark::Bound::none) {
  return {.line = line, .at = {bytes_of(size), y}, .bound = bound};
}

ChartMark range(const std::string& size, double low, double high) {
  return {.line = kBest, .at = {bytes_of(size), (low + high) / 2, low, high}};
}

ChartPanel empty_panel(std::string title) {
  return {.title = std::move(title),
          .x = {.title = "Size of the vector", .is_log = true, .labels = ChartAxis::Labels::bytes},
          .y = {.title = "Time beyond Trivance's (%)", .most = kHighest},
          .lines = {}};
}

/// How much longer each family takes, by its better variant; what was too slow to be run again is left out.
ChartPanel families_beyond(Lab& lab, const std::string& topology, const std::vector<std::string>& families,
                           const Sizes& sizes) {
  ChartPanel panel = empty_panel(topology);
  for (const std::string& family : families) panel.lines.push_back({.name = family, .points = {}});
  Comparison comparison(lab, topology, families);
  for (const std::string& size : sizes) {
    const std::vector<Standing> standings = comparison.at(size);
    for (std::size_t f = 0; f < families.size(); ++f)
      if (!standings[f].at_least)
        panel.lines[f].points.push_back({bytes_of(size), 100 * lead_over(standings, standings[f].family)});
  }
  return panel;
}

void print_first(ChartPanel& panel, const std::string& line, const Sizes& sizes) {
  for (const std::string& size : sizes) panel.printed_first.push_back({bytes_of(size), line});
}

const Sizes kTo2MiB = {"32B", "128B", "512B", "2KiB", "8KiB", "32KiB", "128KiB", "512KiB", "2MiB"};

Chart figure_6a(Lab& lab) {
  ChartPanel panel = families_beyond(lab, "ring:8", kFamilies, kSizes);
  panel.printed = {mark("Swing", "32B", 20, kAtLeast), mark("recursive doubling", "32B", 20, kAtLeast),
                   mark(kBest, "128KiB", 15), mark("Swing", "512KiB", 0)};
  print_first(panel, "Trivance", {"32B", "128B", "512B", "2KiB", "8KiB", "32KiB", "128KiB"});
  print_first(panel, "Swing", {"2MiB"});
  print_first(panel, "bucket", {"8MiB", "32MiB", "128MiB"});
  return {.title = "Trivance, Figure 6(a): ring of 8", .panels = {panel}};
}

Chart figure_6b(Lab& lab) {
  ChartPanel panel = families_beyond(lab, "ring:64", kFamilies, kSizes);
  for (const char* size : {"32B", "128B", "512B", "2KiB", "8KiB"}) panel.printed.push_back(mark(kBest, size, 10));
  print_first(panel, "Trivance", {"32B", "128B", "512B", "2KiB", "8KiB", "128KiB"});
  print_first(panel, kBest, {"2MiB", "8MiB", "32MiB", "128MiB"});
  return {.title = "Trivance, Figure 6(b): ring of 64", .panels = {panel}};
}

Chart figure_7a(Lab& lab) {
  ChartPanel panel = families_beyond(lab, "torus:8x8", kFamilies, kSizes);
  for (const char* size : {"32KiB", "128KiB", "512KiB", "2MiB"}) panel.printed.push_back(mark(kBest, size, 25, kAtMost));
  print_first(panel, "Trivance", kTo2MiB);
  print_first(panel, kBest, {"8MiB", "32MiB", "128MiB"});
  return {.title = "Trivance, Figure 7(a): torus of 8 x 8", .panels = {panel}};
}

Chart figure_7b(Lab& lab) {
  ChartPanel panel = families_beyond(lab, "torus:32x32", kFamilies, kSizes);
  print_first(panel, "Trivance", kTo2MiB);
  print_first(panel, kBest, {"32MiB", "128MiB"});
  return {.title = "Trivance, Figure 7(b): torus of 32 x 32", .panels = {panel}};
}

Chart figure_8(Lab& lab) {
  ChartPanel panel = empty_panel("torus:32x32, the best of Bruck, Swing and bucket");
  const Sizes sizes = {"32B", "8KiB", "128KiB", "512KiB", "2MiB", "8MiB", "32MiB", "128MiB"};
  for (const int gigabits : {200, 400, 800, 2400, 3200}) {
    Comparison comparison(lab, "torus:32x32", {"Trivance", "Bruck", "Swing", "bucket"},
                          fmt::format("--preset trivance --bw {}Gbps", gigabits));
    ChartLine line{.name = fmt::format("{} Gb/s", gigabits), .points = {}};
    for (const std::string& size : sizes) line.points.push_back({bytes_of(size), 100 * lead_over_best(comparison.at(size))});
    panel.lines.push_back(std::move(line));
  }
  for (const char* size : {"32B", "8KiB", "128KiB", "512KiB", "2MiB"}) panel.printed.push_back(range(size, 6, 14));
  for (const char* line : {"2400 Gb/s", "3200 Gb/s"}) panel.printed.push_back(mark(line, "32MiB", 0, kAtLeast));
  return {.title = "Trivance, Figure 8: from 200 Gb/s to 3.2 Tb/s", .panels = {panel}};
}

Chart figure_9(Lab& lab) {
  ChartPanel panel = families_beyond(lab, "torus:27x27", {"Trivance", "Bruck", "bucket"}, kSizes);
  panel.y.most = 120;
  panel.printed = {mark("Bruck", "32B", 5)};
  for (const auto& [size, least] : {std::pair{"128KiB", 10.0}, {"512KiB", 10}, {"2MiB", 50}, {"8MiB", 50}, {"32MiB", 40}})
    panel.printed.push_back(mark(kBest, size, least, kAtLeast));
  panel.printed.push_back(mark("bucket", "128MiB", 0));
  print_first(panel, "Trivance", {"32B", "128KiB", "512KiB", "2MiB", "8MiB", "32MiB"});
  return {.title = "Trivance, Figure 9: torus of 27 x 27", .panels = {panel}};
}

Chart figure_10(Lab& lab) {
  ChartPanel panel =
      families_beyond(lab, "torus:16x16x16", kFamilies, {"32B", "128KiB", "512KiB", "2MiB", "8MiB", "32MiB", "128MiB"});
  for (const char* size : {"32B", "128KiB", "512KiB", "2MiB", "8MiB", "32MiB"}) panel.printed.push_back(range(size, 5, 15));
  panel.printed.push_back(mark("Swing", "128MiB", 8));
  print_first(panel, "Trivance", {"32B", "128KiB", "512KiB", "2MiB", "8MiB", "32MiB", "128MiB"});
  return {.title = "Trivance, Figure 10: torus of 16 x 16 x 16", .panels = {panel}};
}

void add_all(std::span<Claim> claims) {
  const auto add = [&](const char* name, const char* fabric, auto chart) {
    set_figure(claims, name,
               {.shows = fmt::format("How much longer others take than Trivance on a {}, by size, and what is printed", fabric),
                .chart = chart});
  };
  add("trivance/fig-6a", "ring of 8", figure_6a);
  add("trivance/fig-6b", "ring of 64", figure_6b);
  add("trivance/fig-7a", "torus of 8 x 8", figure_7a);
  add("trivance/fig-7b", "torus of 32 x 32", figure_7b);
  add("trivance/fig-8", "torus of 32 x 32 at several bandwidths", figure_8);
  add("trivance/fig-9", "torus of 27 x 27", figure_9);
  add("trivance/fig-10", "torus of 16 x 16 x 16", figure_10);
}

}  // namespace

}  // namespace drawn

void add_pictures(std::span<Claim> claims) { drawn::add_all(claims); }

}  // namespace heddle::claims::trivance_parts
