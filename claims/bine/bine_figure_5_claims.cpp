// SPDX-License-Identifier: Apache-2.0
// Figure 5: what Bine saves between the groups of the jobs that were on Leonardo and LUMI.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "claims/bine/bine_jobs.hpp"

namespace heddle::claims {

namespace {

/// What §2.4.2 says of a system's jobs.
struct System {
  std::string name;
  std::int64_t jobs;
  int most_nodes;
};

const System kLeonardo = {"leonardo", 1116, 256};
const System kLumi = {"lumi", 1914, 2048};
constexpr int kLarge = 64;  // nodes from which on nothing grows, says the text
constexpr const char* kFewBelow64 = "In a few cases, all occurring on less than 64 nodes, Bine trees increase global traffic.";
constexpr const char* kConsistently = "for larger allocations, Bine consistently outperforms standard binomial trees";

using Savings = std::map<int, std::vector<JobSaving>>;

std::vector<JobSaving> from(const Savings& savings, int least) {
  std::vector<JobSaving> found;
  for (auto at = savings.lower_bound(least); at != savings.end(); ++at)
    found.insert(found.end(), at->second.begin(), at->second.end());
  return found;
}

const JobSaving& worst(const std::vector<JobSaving>& savings) {
  return *std::ranges::min_element(savings, {}, &JobSaving::saving);
}
const JobSaving& best(const std::vector<JobSaving>& savings) {
  return *std::ranges::max_element(savings, {}, &JobSaving::saving);
}

/// The box of one number of nodes. The figure's boxes have no numbers; the text says which way they go.
Finding box(const System& system, int nodes, const std::vector<JobSaving>& savings) {
  const Quartiles of = quartiles_of(savings);
  const int more = count_more(savings);
  const bool is_large = nodes >= kLarge;
  return compare_words(
      fmt::format("{}, {} nodes, {} jobs", system.name, nodes, savings.size()),
      is_large ? "less, in none more" : "less or as much in most, more in a few",
      fmt::format("{}; at most {:.1f} %; more in {}", quartiles_text(of), percent_value(of.most), more),
      is_large ? of.median > 0 && more == 0 : of.median >= 0, job_command(tracers_pair(), system.name, 4, system.most_nodes),
      refuted(
          is_large ? kConsistently : kFewBelow64,
          "The median job sends less, some send more; the figure does not show outliers. Where ranks "
          "on both sides of a border between groups are near each other, distances modulo p are not the true ones (§2.2)."));
}

/// All jobs from 64 nodes on.
Finding none_more_from_64(const System& system, const AlgorithmPair& pair, const Savings& savings) {
  const std::vector<JobSaving> large = from(savings, kLarge);
  const int more = count_more(large);
  std::vector<std::string> by_nodes;
  for (const auto& [nodes, of] : savings)
    if (nodes >= kLarge) by_nodes.push_back(fmt::format("{} of {} on {}", count_more(of), of.size(), nodes));
  return compare_words(
      fmt::format("{}, {} against {}: jobs from {} nodes on whose traffic grows", system.name, pair.bine, pair.baseline,
                  kLarge),
      fmt::format("0 of {}", large.size()), fmt::format("{} of {}", more, large.size()), more == 0,
      job_command(pair, system.name, kLarge, system.most_nodes),
      refuted(kFewBelow64,
              fmt::format("Counted over the jobs that the authors publish: {} nodes. Most by {}, {:.1f} %.",
                          fmt::join(by_nodes, ", "), to_text(*worst(large).job), -percent_value(worst(large).saving))));
}

Finding medians_grow(const System& system, const Savings& savings) {
  std::vector<double> medians;
  double most_drop = 0;
  for (const auto& [nodes, of] : savings) {
    const double median = percent_value(quartiles_of(of).median);
    if (!medians.empty()) most_drop = std::max(most_drop, medians.back() - median);
    medians.push_back(median);
  }
  constexpr double kMostFall = 1;
  Finding finding = compare_words(
      fmt::format("{}: medians from {} to {} nodes", system.name, savings.begin()->first, savings.rbegin()->first),
      "grow with the nodes", fmt::format("{:.1f} %", fmt::join(medians, ", ")), most_drop == 0,
      job_command(tracers_pair(), system.name, 4, system.most_nodes),
      refuted("The reduction in global link traffic increases with the number of nodes", "Medians fall by more than a point."));
  if (most_drop > 0 && most_drop <= kMostFall) {
    finding.verdict = Verdict::holds_within;
    finding.within = fmt::format("{:g} percentage point", kMostFall);
    finding.why = finding.quote = {};
  }
  return finding;
}

std::vector<Finding> figure_5_of(const System& system) {
  const Savings savings = job_savings(tracers_pair(), system.name, 2, 4096);
  const std::string command = job_command(tracers_pair(), system.name, 4, system.most_nodes);
  const std::vector<JobSaving> all = from(savings, 0);
  std::vector<Finding> findings;
  findings.push_back(compare_exactly(system.name + ": jobs on a power of two of nodes", system.jobs,
                                     static_cast<std::int64_t>(all.size()), command));
  findings.push_back(compare_exactly(system.name + ": nodes of the largest", system.most_nodes, savings.rbegin()->first));
  findings.push_back(compare_words(system.name + ": the largest saving of any job", "at most 33 %",
                                   fmt::format("{:.1f} %, {}", percent_value(best(all).saving), to_text(*best(all).job)),
                                   best(all).saving <= 1.0 / 3, command,
                                   refuted("No outliers above the theoretical upper bound of 33% were observed", "One job.")));
  for (const auto& [nodes, of] : savings) findings.push_back(box(system, nodes, of));
  findings.push_back(none_more_from_64(system, tracers_pair(), savings));
  // "Standard binomial and Bine trees" may mean the algorithms for short vectors, too.
  const AlgorithmPair short_vectors{Collective::allreduce, "recursive_doubling", "bine_small"};
  findings.push_back(
      none_more_from_64(system, short_vectors, job_savings(short_vectors, system.name, kLarge, system.most_nodes)));
  findings.push_back(medians_grow(system, savings));
  return findings;
}

std::vector<Finding> check_figure_5(Lab&) {
  std::vector<Finding> findings = figure_5_of(kLeonardo);
  std::vector<Finding> more = figure_5_of(kLumi);
  findings.insert(findings.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  return findings;
}

pictures::ChartPanel panel_of(const System& system) {
  pictures::ChartLine line{.name = "median, with quartiles", .points = {}};
  for (const auto& [nodes, of] : job_savings(tracers_pair(), system.name, 2, 4096)) {
    const Quartiles quartiles = quartiles_of(of);
    line.points.push_back({.x = static_cast<double>(nodes),
                           .y = percent_value(quartiles.median),
                           .low = percent_value(quartiles.first),
                           .high = percent_value(quartiles.third)});
  }
  return {.title = fmt::format("{}, {} jobs", system.name, system.jobs),
          .x = {.title = "Nodes", .is_log = true},
          .y = {.title = "Less traffic between groups (%)"},
          .lines = {line},
          .printed_most = {{.line = line.name, .y = 33}}};
}

pictures::Chart chart_figure_5(Lab&) {
  return {.title = "Bine, Figure 5: what bine_large saves of Rabenseifner's traffic",
          .panels = {panel_of(kLeonardo), panel_of(kLumi)}};
}

}  // namespace

std::vector<Claim> bine_figure_5_claims() {
  std::vector<Claim> claims = {
      {.name = "bine/figure-5",
       .section = "§2.4.2, Fig. 5",
       .statement = "Of an allreduce of 1,116 jobs on Leonardo and 1,914 on LUMI Bine sends less between groups: more only in "
                    "a few jobs below 64 nodes, never a third less, and the saving grows with the nodes.",
       .check = check_figure_5}};
  set_figure(
      claims, "bine/figure-5",
      {.shows = "Medians and quartiles of what Bine saves between groups, by the number of nodes", .chart = chart_figure_5});
  return claims;
}

}  // namespace heddle::claims
