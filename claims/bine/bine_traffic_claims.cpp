// SPDX-License-Identifier: Apache-2.0
// How much less Bine sends between groups: Eq. 2, Figure 5 and the traffic columns of Tables 3 and 4.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "claims/bine/bine_claims.hpp"
#include "lab/studies/traffic_study.hpp"
#include "topo/fragmented_placement.hpp"

namespace heddle::claims {

namespace {

// The machines, as their papers describe them: 24 groups of 124 nodes, 23 of 180, and a tree of leaves oversubscribed 2:1.
const std::string kLumi = "dragonfly:groups=24,routers=31,hosts=4";
const std::string kLeonardo = "dragonfly+:groups=23,leaves=18,spines=18,hosts=10";
const std::string kClos = "clos:hosts=16,leaves=80,spines=8";
constexpr int kPlacements = 500;

std::vector<Finding> check_distances(Lab&) {
  std::vector<Finding> findings;
  constexpr int kSteps = 8;
  const Rounds bine = messages_of(recorded(Collective::broadcast, "bine_halving", "p=256"));
  const Rounds binomial = messages_of(recorded(Collective::broadcast, "binomial_halving", "p=256"));
  const auto distance = [](const std::vector<Message>& round) {
    const int apart = std::abs(round.front().from - round.front().to);
    return std::min(apart, 256 - apart);
  };
  bool halves = true;
  for (int i = 0; i < kSteps; ++i) {
    const std::vector<Message>& round = bine[static_cast<std::size_t>(i)];
    const int near = distance(round);
    const int far = distance(binomial[static_cast<std::size_t>(i)]);
    if (i + 1 < kSteps) halves = halves && std::abs(near - 2 * distance(bine[static_cast<std::size_t>(i) + 1])) <= 1;
    findings.push_back(compare(
        fmt::format("256 ranks, step {}: {} / {}", i, near, far), 2.0 / 3, 2, static_cast<double>(near) / far, "", 0.07,
        drawing(Collective::broadcast, "bine_halving", "p=256"),
        fmt::format("A limit for long ways: the ratio is 2/3·(1 {} 2^-{}).", (kSteps - i) % 2 == 1 ? "+" : "-", kSteps - i)));
  }
  findings.push_back(compare_words("256 ranks: distances halve up to 1 (footnote 3)", "differ by at most 1",
                                   halves ? "differ by at most 1" : "differ by more", halves));
  return findings;
}

TrafficStudy study(Collective collective, const std::vector<std::string>& algorithms, const std::string& topology, int ranks,
                   const SeededPlacement& place = fragmented_placement, int placements = kPlacements) {
  std::vector<Algorithm> found;
  for (const std::string& name : algorithms) found.push_back(find_algorithm(collective, name));
  const std::shared_ptr<const Topology> fabric = parse_topology(topology);
  return study_traffic(
      found, ranks,
      {.topology = *fabric, .tier = fabric->group_tiers() - 2, .place = place, .placements = placements, .first_seed = 1});
}

std::string command_of(Collective collective, const std::vector<std::string>& algorithms, const std::string& topology,
                       const std::string& ranks, const std::string& placed = "") {
  return fmt::format("heddle traffic {} --algo {} --topo {} --ranks {}{}", to_string(collective), fmt::join(algorithms, ","),
                     topology, ranks, placed);
}

/// In tenths, never -0.0.
double percent_value(double part) { return std::round(1000 * part) / 10 + 0.0; }

std::string less(const Quartiles& of) {
  return fmt::format("{:.1f} / {:.1f} / {:.1f} % less", percent_value(of.first), percent_value(of.median),
                     percent_value(of.third));
}

const std::vector<std::string> kSmallVectors = {"recursive_doubling", "bine_small"};

constexpr const char* kWhyMore =
    "Where few groups share a job, ranks on both sides of a border are near it, and the distance modulo p is not that of a "
    "line. How often that is depends on where the jobs were, which is not published.";
constexpr const char* kWhyNotGrowing =
    "The saving sets in with the number of groups that a job spans, and then falls: only steps about as long as a group has "
    "ranks save anything, longer ones cross in either algorithm, and each doubling of the ranks adds one of those.";

std::vector<Finding> figure_5_on(const std::string& topology) {
  std::vector<Finding> findings;
  double most = 0;
  std::vector<double> medians;
  for (const int ranks : {16, 32, 64, 128, 256, 512, 1024}) {
    const TrafficComparison of = study(Collective::allreduce, kSmallVectors, topology, ranks).comparisons[1];
    if (!of.reduction) continue;
    most = std::max(most, of.reduction->most);
    medians.push_back(percent_value(of.reduction->median));
    const bool small = ranks < 64;
    const bool holds =
        small ? of.reduction->median >= 0 && of.more < kPlacements / 4 : of.reduction->median > 0 && of.more == 0;
    findings.push_back(compare_words(
        fmt::format("{}, {} ranks", topology, ranks), small ? "less or as much, in a few cases more" : "less, never more",
        fmt::format("{}, more in {} of {}", less(*of.reduction), of.more, kPlacements), holds,
        command_of(Collective::allreduce, kSmallVectors, topology, fmt::to_string(ranks)), kWhyMore));
  }
  const std::string command = command_of(Collective::allreduce, kSmallVectors, topology, "16:1024:x2");
  findings.push_back(compare_words(topology + ": the largest saving of any job", "at most 33 %",
                                   fmt::format("{:.1f} %", percent_value(most)), most <= 1.0 / 3, command,
                                   "Single steps can save more than a third (bine/eq-2)."));
  findings.push_back(compare_words(topology + ": medians from 16 to 1,024 ranks", "grow with the ranks",
                                   fmt::format("{:.1f}", fmt::join(medians, ", ")),
                                   std::is_sorted(medians.begin(), medians.end()), command, kWhyNotGrowing));
  return findings;
}

std::vector<Finding> check_figure_5(Lab&) {
  std::vector<Finding> findings;
  for (const std::string& topology : {kLumi, kLeonardo, kClos}) {
    std::vector<Finding> more = figure_5_on(topology);
    findings.insert(findings.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }
  return findings;
}

std::vector<Finding> check_other_placements(Lab&) {
  std::vector<Finding> findings;
  for (const int ranks : {64, 1024}) {
    const TrafficComparison of = study(Collective::allreduce, kSmallVectors, kLumi, ranks, random_placement).comparisons[1];
    findings.push_back(
        compare_words(fmt::format("{}, {} ranks at random", kLumi, ranks), "no saving (within 2 %)", less(*of.reduction),
                      std::abs(of.reduction->median) < 0.02,
                      command_of(Collective::allreduce, kSmallVectors, kLumi, fmt::to_string(ranks), " --placement random")));
  }
  // §2.2 names counterexamples: a line cut in halves.
  const auto across = [](const std::string& algorithm) {
    int crossing = 0;
    for (const std::vector<Message>& round : messages_of(recorded(Collective::broadcast, algorithm, "p=8")))
      for (const Message& m : round) crossing += m.from / 4 != m.to / 4 ? 1 : 0;
    return crossing;
  };
  const int bine = across("bine_halving");
  const int binomial = across("binomial_halving");
  findings.push_back(compare_words("8 ranks on two groups of four, broadcast: vectors between them",
                                   "counterexamples exist where a binomial tree sends less",
                                   fmt::format("bine_halving {}, binomial_halving {}", bine, binomial), binomial < bine));
  return findings;
}

std::vector<Finding> check_bound(Lab&) {
  std::vector<Finding> findings;
  const auto row = [&](Collective collective, const std::vector<std::string>& algorithms) {
    const TrafficComparison of = study(collective, algorithms, kLumi, 1024).comparisons[1];
    findings.push_back(
        compare_words(fmt::format("{}, 1,024 ranks: {} against {}", kLumi, algorithms[1], algorithms[0]), "at most 33 %",
                      fmt::format("at most {:.1f} %, quartiles {}", 100 * of.reduction->most, less(*of.reduction)),
                      of.reduction->most <= 1.0 / 3, command_of(collective, algorithms, kLumi, "1024"),
                      "2/3 is the limit for long ways. The last step but one goes 1 instead of 2, half as far, so that single "
                      "trees can save more (bine/eq-2)."));
  };
  row(Collective::allreduce, kSmallVectors);
  row(Collective::allreduce, {"rabenseifner", "bine_large"});
  row(Collective::broadcast, {"binomial_halving", "bine_halving"});
  return findings;
}

struct TableRow {
  Collective collective;
  std::vector<std::string> algorithms;
  double average;  ///< per cent, printed
  double most;
};

/// Mean and largest of the medians from 16 ranks on, in powers of two.
Finding table_row(const std::string& topology, int most_ranks, const TableRow& row) {
  std::vector<double> medians;
  std::vector<double> groups;
  for (int ranks = 16; ranks <= most_ranks; ranks *= 2) {
    const TrafficStudy counted = study(row.collective, row.algorithms, topology, ranks, fragmented_placement, 100);
    groups.push_back(counted.mean_groups);
    if (const std::optional<Quartiles>& of = counted.comparisons[1].reduction) medians.push_back(percent_value(of->median));
  }
  double mean = 0;
  for (const double median : medians) mean += median / static_cast<double>(medians.size());
  const double most = *std::max_element(medians.begin(), medians.end());
  constexpr double kPoints = 7;
  const bool near = std::abs(mean - row.average) <= kPoints && std::abs(most - row.most) <= kPoints;
  Finding finding{.subject = fmt::format("{}: {} against {}", to_string(row.collective), row.algorithms[1], row.algorithms[0]),
                  .printed = fmt::format("{:.0f} % / {:.0f} %", row.average, row.most),
                  .measured = fmt::format("{:.0f} % / {:.0f} %", mean, most),
                  .difference = std::nullopt,
                  .verdict = near ? Verdict::holds_within : Verdict::run_differs,
                  .why = {},
                  .command = command_of(row.collective, row.algorithms, topology, fmt::format("16:{}:x2", most_ranks),
                                        " --placements 100")};
  finding.why =
      near ? fmt::format("Within {:g} points: mean and largest of the medians of 100 placements at each number of ranks.",
                         kPoints)
           : fmt::format(
                 "Medians from 16 to {} ranks: {:.0f} %. Jobs of so many ranks fall into {:.1f} groups on average here. The "
                 "paper's span from {}; where its small ones were is not published, and while a job spans few groups the "
                 "saving depends on that.",
                 most_ranks, fmt::join(medians, ", "), fmt::join(groups, ", "), topology == kLumi ? "1 to 21" : "3 to 20");
  return finding;
}

std::vector<Finding> check_table(const std::string& topology, int most_ranks, const std::vector<TableRow>& rows) {
  std::vector<Finding> findings;
  for (const TableRow& row : rows) findings.push_back(table_row(topology, most_ranks, row));
  return findings;
}

const std::vector<std::string> kLargeAllreduce = {"rabenseifner", "bine_large"};
const std::vector<std::string> kLargeBroadcast = {"scatter_allgather:allgather=doubling", "bine_scatter_allgather"};
const std::vector<std::string> kAlltoall = {"bruck", "bine"};
const std::vector<std::string> kGather = {"binomial", "bine"};

std::vector<Finding> check_table_3(Lab&) {
  return check_table(kLumi, 1024,
                     {{Collective::allreduce, kLargeAllreduce, 11, 20},
                      {Collective::alltoall, kAlltoall, 15, 20},
                      {Collective::broadcast, kLargeBroadcast, 88, 94},
                      {Collective::gather, kGather, 9, 25},
                      {Collective::scatter, kGather, 9, 25}});
}

std::vector<Finding> check_table_4(Lab&) {
  return check_table(kLeonardo, 1024,
                     {{Collective::allreduce, kLargeAllreduce, 19, 26},
                      {Collective::alltoall, kAlltoall, 15, 15},
                      {Collective::broadcast, kLargeBroadcast, 89, 92},
                      {Collective::gather, kGather, 12, 20},
                      {Collective::scatter, kGather, 12, 20}});
}

}  // namespace

std::vector<Claim> bine_traffic_claims() {
  return {
      {.name = "bine/eq-2",
       .section = "§2.4.1, Eq. 2",
       .statement = "In each step of a Bine tree messages go 2/3 as far as in a binomial tree.",
       .check = check_distances},
      {.name = "bine/bound",
       .section = "§2.4.1, abstract",
       .statement = "Bine saves at most a third of what goes over global links.",
       .check = check_bound},
      {.name = "bine/figure-5",
       .section = "§2.4.2, Fig. 5",
       .statement = "Of an allreduce of real jobs, Bine sends less between groups: more than recursive doubling only in a few "
                    "jobs below 64 nodes, never a third less, and the saving grows with the nodes.",
       .check = check_figure_5},
      {.name = "bine/locality",
       .section = "§2.2, §2.4.2",
       .statement =
           "The saving rests on near ranks being on near nodes, and on distances modulo p, which are not always the true ones.",
       .check = check_other_placements},
      {.name = "bine/table-3-traffic",
       .section = "§5.1.1, Table 3",
       .statement = "LUMI, 16 to 1,024 nodes: average and largest saving between groups, against binomial algorithms.",
       .check = check_table_3},
      {.name = "bine/table-4-traffic",
       .section = "§5.2.1, Table 4",
       .statement = "The same on Leonardo (the paper: 3 to 20 groups, up to 2,048 nodes; here up to 1,024).",
       .check = check_table_4},
  };
}

}  // namespace heddle::claims
