// SPDX-License-Identifier: Apache-2.0
#include "claims/explainer/explainer_figures.hpp"

#include <fmt/format.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "claims/explainer/explainer_rows.hpp"
#include "core/units.hpp"

namespace heddle::claims::explainer_notes {

namespace drawn {

namespace {

using pictures::Chart;
using pictures::ChartAxis;
using pictures::ChartLine;
using pictures::ChartMark;
using pictures::ChartPanel;

// ---- by number of ranks ----

struct Ladder {
  std::string name;
  std::string algorithm;
  std::string fabric;  ///< "star", or "torus" of three equal dimensions
};

/// What the source prints of one of them.
struct Rung {
  std::string name;
  double ranks;
  double n_alpha;
  double n_beta;
};

std::string fabric_of(const Ladder& ladder, int ranks, int side) {
  return ladder.fabric == "torus" ? fmt::format("torus:{0}x{0}x{0}", side) : fmt::format("{}:{}", ladder.fabric, ranks);
}

/// Two panels: steps, and vectors that pass a port one after the other.
Chart costs_by_ranks(Lab& lab, std::string title, const std::vector<Ladder>& ladders,
                     const std::vector<std::pair<int, int>>& ranks_and_sides, const std::vector<Rung>& printed) {
  const ChartAxis by_ranks = {.title = "Ranks", .is_log = true};
  ChartPanel steps{.title = "Steps", .x = by_ranks, .y = {.title = "Steps, each of α", .is_log = true}, .lines = {}};
  ChartPanel bytes{.title = "Bytes", .x = by_ranks, .y = {.title = "Time of the bytes (M/BW)"}, .lines = {}};
  for (const Ladder& ladder : ladders) {
    ChartLine alpha{.name = ladder.name, .points = {}};
    ChartLine beta = alpha;
    for (const auto& [ranks, side] : ranks_and_sides) {
      const Cost cost = cost_of(
          lab, {.subject = ladder.name,
                .n_alpha = 0,
                .n_beta = 0,
                .call = fmt::format("allreduce --algo {} --topo {}", ladder.algorithm, fabric_of(ladder, ranks, side))});
      alpha.points.push_back({static_cast<double>(ranks), cost.n_alpha});
      beta.points.push_back({static_cast<double>(ranks), cost.n_beta});
    }
    steps.lines.push_back(std::move(alpha));
    bytes.lines.push_back(std::move(beta));
  }
  for (const Rung& rung : printed) {
    steps.printed.push_back({.line = rung.name, .at = {rung.ranks, rung.n_alpha}});
    bytes.printed.push_back({.line = rung.name, .at = {rung.ranks, rung.n_beta}});
  }
  return {.title = std::move(title), .panels = {std::move(steps), std::move(bytes)}};
}

const Ladder kRing = {"ring", "ring", "star"};

Chart software(Lab& lab) {
  return costs_by_ranks(lab, "Explainer, notes 00 and 01: allreduces in software on a star",
                        {kRing,
                         {"Rabenseifner", "rabenseifner", "star"},
                         {"recursive doubling", "recursive_doubling", "star"},
                         {"double binary tree, uncut", "double_binary_tree:segments=1", "star"}},
                        {{4, 0}, {8, 0}, {16, 0}, {32, 0}, {64, 0}, {72, 0}},
                        {{"ring", 4, 6, 1.5},
                         {"ring", 8, 14, 1.75},
                         {"ring", 72, 142, 1.972},
                         {"Rabenseifner", 8, 6, 1.75},
                         {"recursive doubling", 8, 3, 3},
                         {"double binary tree, uncut", 8, 6, 2}});
}

Chart tori(Lab& lab) {
  return costs_by_ranks(lab, "Explainer, note 02: allreduces by topology",
                        {{"star, ring", "ring", "star"},
                         {"torus d x d x d, a ring per dimension", "torus_ring", "torus"},
                         {"torus d x d x d, Rabenseifner per dimension", "torus_rabenseifner", "torus"}},
                        {{8, 2}, {64, 4}, {512, 8}},
                        {{"star, ring", 64, 126, 1.969},
                         {"torus d x d x d, a ring per dimension", 64, 18, 1.969},
                         {"torus d x d x d, Rabenseifner per dimension", 64, 12, 1.969}});
}

// ---- by size ----

Chart network(Lab& lab) {
  ChartPanel panel{.title = "512 ranks, 900 GB/s, 0.5 us",
                   .x = {.title = "Size of the vector (MB)", .is_log = true},
                   .y = {.title = "Time (us)", .is_log = true},
                   .lines = {}};
  const std::string kHalving = "star, halving and doubling";
  const std::string kNetwork = "star, in the network";
  const std::string kTorus = "torus 8x8x8, rings";
  const std::string kStarRing = "star, ring";
  const std::vector<std::string> sizes = {"10KB", "100KB", "1MB", "16MB", "100MB", "1GB"};
  const auto add = [&](const std::string& name, const std::string& call, const std::vector<std::string>& at) {
    ChartLine line{.name = name, .points = {}};
    for (const std::string& size : at)
      line.points.push_back(
          {static_cast<double>(parse_bytes(size).count()) / 1e6,
           lab.microseconds(fmt::format("allreduce --algo {} --preset explainer-n512 --size {}", call, size))});
    panel.lines.push_back(std::move(line));
  };
  add(kStarRing, "ring --topo star:512", {"10KB", "1MB", "16MB"});
  add(kTorus, "torus_ring --topo torus:8x8x8", {"10KB", "1MB", "16MB"});
  add(kHalving, "rabenseifner --topo star:512", sizes);
  add(kNetwork, "in_network --topo star:512,alu,multicast", sizes);
  const auto print = [&](const std::string& name, double bytes, double microseconds) {
    panel.printed.push_back({.line = name, .at = {bytes / 1e6, microseconds}});
  };
  for (const auto& [bytes, halving, in_network] :
       {std::tuple{1e4, 9.02, 1.01}, {1e6, 11.2, 2.1}, {16e6, 45.0, 18.8}, {1e9, 2230.0, 1110.0}}) {
    print(kHalving, bytes, halving);
    print(kNetwork, bytes, in_network);
  }
  print(kStarRing, 16e6, 546);
  print(kTorus, 16e6, 57);
  return {.title = "Explainer, note 04: allreduces of 512 ranks", .panels = {std::move(panel)}};
}

void add_all(std::span<Claim> claims) {
  set_figure(claims, "explainer/00-algorithms",
             {.shows = "Steps and time of the bytes of four allreduces on a star, by number of ranks, and what is printed",
              .chart = software});
  set_figure(
      claims, "explainer/02-summary",
      {.shows = "Steps and time of the bytes of allreduces on a star and on tori, by number of ranks, and what is printed",
       .chart = tori});
  set_figure(claims, "explainer/04-ladder",
             {.shows = "Time of allreduces among 512 ranks by size, and what is printed", .chart = network});
}

}  // namespace

}  // namespace drawn

void add_ladders(std::span<Claim> claims) { drawn::add_all(claims); }

}  // namespace heddle::claims::explainer_notes
