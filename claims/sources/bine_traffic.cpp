// SPDX-License-Identifier: Apache-2.0
// What Bine saves between groups of nodes: distances (Eq. 2) and the bound that follows; Figure 5 and Tables 3 and 4, counted over
// the recorded jobs of Leonardo and LUMI.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <utility>

#include "claims/sources/bine_schedules.hpp"
#include "lab/studies/traffic.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::claims {

namespace bine {

namespace {

/// The first is the baseline.
struct AlgorithmPair {
  Collective collective;
  std::string baseline;
  std::string bine;
};

struct JobSaving {
  const RecordedJob* job;
  double saving;  ///< 1 - (vectors of Bine's) / (vectors of the baseline), between groups
};

/// What the authors' traffic tracer compares for an allreduce.
AlgorithmPair tracers_pair() { return {Collective::allreduce, "rabenseifner", "bine_large"}; }

/// By number of nodes, powers of two from `least` to `most`: of the jobs that `selection` (`heddle traffic --placement jobs:…`)
/// takes. Numbers of which there are none are left out.
std::map<int, std::vector<JobSaving>> job_savings(const AlgorithmPair& pair, const std::string& selection, int least,
                                                  int most) {
  const Algorithm baseline = find_algorithm(pair.collective, pair.baseline);
  const Algorithm bine = find_algorithm(pair.collective, pair.bine);
  const JobSelection wanted = parse_job_selection(selection);
  std::map<int, std::vector<JobSaving>> savings;
  for (int nodes = least; nodes <= most; nodes *= 2) {
    const std::vector<const RecordedJob*> jobs = selected_jobs(wanted, nodes);
    if (jobs.empty()) continue;
    const std::vector<RankTraffic> usual = count_rank_traffic(baseline, nodes);
    const std::vector<RankTraffic> better = count_rank_traffic(bine, nodes);
    for (const RecordedJob* job : jobs) {
      const std::vector<int> groups = groups_of_ranks(*job);
      const double before = traffic_between_groups(usual, groups);
      if (before > 0) savings[nodes].push_back({job, 1 - traffic_between_groups(better, groups) / before});
    }
  }
  return savings;
}

Quartiles quartiles_of(const std::vector<JobSaving>& savings) {
  std::vector<double> values;
  for (const JobSaving& of : savings) values.push_back(of.saving);
  return heddle::quartiles_of(std::move(values));
}

/// How many of them send more than the baseline.
int count_more(const std::vector<JobSaving>& savings) {
  constexpr double kRounding = 1e-9;  // of sums of thousands of parts
  return static_cast<int>(std::ranges::count_if(savings, [](const JobSaving& of) { return of.saving < -kRounding; }));
}

/// "leonardo/14075154 (32 nodes)"
std::string to_text(const RecordedJob& job) { return fmt::format("{}/{} ({} nodes)", job.system, job.name, job.nodes); }

/// The `heddle traffic` command that counts them.
std::string job_command(const AlgorithmPair& pair, const std::string& selection, int least, int most) {
  return fmt::format("heddle traffic {} --algo {},{} --placement jobs:{} --ranks {}", to_string(pair.collective), pair.baseline,
                     pair.bine, selection, least == most ? fmt::to_string(least) : fmt::format("{}:{}:x2", least, most));
}

/// In per cent and tenths, never -0.0.
double percent_value(double part) { return std::round(1000 * part) / 10 + 0.0; }

/// "10.0 / 15.8 / 20.7 % less"
std::string quartiles_text(const Quartiles& of) {
  return fmt::format("{:.1f} / {:.1f} / {:.1f} % less", percent_value(of.first), percent_value(of.median),
                     percent_value(of.third));
}

// ---- distances and what follows (§2.2, §2.4.1) ----

/// |1/3 - (-2)^k/3| (§2.4.1).
int printed_distance(int k) { return std::abs(alternating_sum(k - 1)); }

/// Of a tree's messages of a step, round the circle.
int distance(const std::vector<Message>& round, int ranks) {
  const int apart = std::abs(round.front().from - round.front().to);
  return std::min(apart, ranks - apart);
}

void check_distances(Lab&, const ClaimData& data, Findings& findings) {
  constexpr int kRanks = 256;
  constexpr int kSteps = 8;
  const Rounds bine = messages_of(recorded(Collective::broadcast, "bine_halving", "p=256"));
  const Rounds binomial = messages_of(recorded(Collective::broadcast, "binomial_halving", "p=256"));
  const std::string command = drawing(Collective::broadcast, "bine_halving", "p=256");
  bool halves = true;
  for (int i = 0; i < kSteps; ++i) {
    const auto step = static_cast<std::size_t>(i);
    const int near = distance(bine[step], kRanks);
    const int far = distance(binomial[step], kRanks);
    if (i + 1 < kSteps) halves = halves && std::abs(near - 2 * distance(bine[step + 1], kRanks)) <= 1;
    findings.exactly(fmt::format("256 ranks, step {}: distance, |1/3 - (-2)^(s-i)/3|", i), printed_distance(kSteps - i), near,
                     command);
    findings.value(fmt::format("256 ranks, step {}: {} / {}", i, near, far), 2.0 / 3, 2, static_cast<double>(near) / far, "",
                   0.07, command,
                   data.reason("the limit for long ways",
                               static_cast<double>(distance(bine.front(), kRanks)) / distance(binomial.front(), kRanks)));
  }
  findings.words("256 ranks: distances halve up to 1 (footnote 3)", "differ by at most 1",
                 halves ? "differ by at most 1" : "differ by more", halves);
}

void check_bound(Lab&, const ClaimData& data, Findings& findings) {
  const auto row = [&](const AlgorithmPair& pair, const std::string& system, int most_nodes) {
    const JobSaving* best = nullptr;
    std::size_t above = 0;
    std::size_t jobs = 0;
    const auto savings = job_savings(pair, system, 4, most_nodes);
    for (const auto& [nodes, of] : savings) {
      for (const JobSaving& job : of) {
        if (best == nullptr || job.saving > best->saving) best = &job;
        above += job.saving > 1.0 / 3 + 1e-9 ? 1 : 0;
        ++jobs;
      }
    }
    findings.words(fmt::format("{}, {}: {} against {}", system, to_string(pair.collective), pair.bine, pair.baseline),
                   "at most 33 %",
                   fmt::format("at most {:.1f} %, {}; above in {} of {} jobs", percent_value(best->saving), to_text(*best->job),
                               above, jobs),
                   above == 0, job_command(pair, system, 4, most_nodes), data.reason("no bound of a step"));
  };
  const AlgorithmPair tree{Collective::broadcast, "binomial_halving", "bine_halving"};
  row(tracers_pair(), "leonardo", 256);
  row(tracers_pair(), "lumi", 2048);
  row(tree, "leonardo", 256);
  row(tree, "lumi", 2048);
}

void check_other_placements(Lab&, const ClaimData&, Findings& findings) {
  const std::string fabric = "dragonfly:groups=24,routers=31,hosts=4";
  const std::shared_ptr<const Topology> topology = parse_topology(fabric);
  const std::vector<Algorithm> pair = {find_algorithm(Collective::allreduce, "recursive_doubling"),
                                       find_algorithm(Collective::allreduce, "bine_small")};
  for (const int ranks : {64, 1024}) {
    const TrafficQuestion question{.topology = *topology,
                                   .tier = topology->group_tiers() - 2,
                                   .place = random_placement,
                                   .placements = 500,
                                   .first_seed = 1};
    const TrafficComparison of = study_traffic(pair, ranks, question).comparisons[1];
    findings.words(
        fmt::format("{}, {} ranks at random", fabric, ranks), "no saving (within 2 %)", quartiles_text(*of.reduction),
        std::abs(of.reduction->median) < 0.02,
        fmt::format("heddle traffic allreduce --algo recursive_doubling,bine_small --topo {} --ranks {} --placement random",
                    fabric, ranks));
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
  findings.words("8 ranks on two groups of four, broadcast: vectors between them",
                 "counterexamples exist where a binomial tree sends less",
                 fmt::format("bine_halving {}, binomial_halving {}", bine, binomial), binomial < bine);
}

// ---- Figure 5: jobs that were on Leonardo and LUMI ----

/// What §2.4.2 says of a system's jobs.
struct System {
  std::string name;
  std::int64_t jobs;
  int most_nodes;
};

const System kLeonardo = {"leonardo", 1116, 256};
const System kLumi = {"lumi", 1914, 2048};
constexpr int kLarge = 64;  // nodes from which on nothing grows, says the text

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
Finding box(const ClaimData& data, const System& system, int nodes, const std::vector<JobSaving>& savings) {
  const Quartiles of = quartiles_of(savings);
  const int more = count_more(savings);
  const bool is_large = nodes >= kLarge;
  return compare_words(fmt::format("{}, {} nodes, {} jobs", system.name, nodes, savings.size()),
                       is_large ? "less, in none more" : "less or as much in most, more in a few",
                       fmt::format("{}; at most {:.1f} %; more in {}", quartiles_text(of), percent_value(of.most), more),
                       is_large ? of.median > 0 && more == 0 : of.median >= 0,
                       job_command(tracers_pair(), system.name, 4, system.most_nodes),
                       data.reason(is_large ? "consistently" : "some send more"));
}

/// All jobs from 64 nodes on.
Finding none_more_from_64(const ClaimData& data, const System& system, const AlgorithmPair& pair, const Savings& savings) {
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
      data.reason("counted", fmt::join(by_nodes, ", "), to_text(*worst(large).job), -percent_value(worst(large).saving)));
}

Finding medians_grow(const ClaimData& data, const System& system, const Savings& savings) {
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
      job_command(tracers_pair(), system.name, 4, system.most_nodes), data.reason("medians fall"));
  if (most_drop > 0 && most_drop <= kMostFall) {
    finding.verdict = Verdict::holds_within;
    finding.within = fmt::format("{:g} percentage point", kMostFall);
    finding.why = finding.quote = {};
  }
  return finding;
}

void figure_5_of(const ClaimData& data, const System& system, Findings& findings) {
  const Savings savings = job_savings(tracers_pair(), system.name, 2, 4096);
  const std::string command = job_command(tracers_pair(), system.name, 4, system.most_nodes);
  const std::vector<JobSaving> all = from(savings, 0);
  findings.exactly(system.name + ": jobs on a power of two of nodes", system.jobs, static_cast<std::int64_t>(all.size()),
                   command);
  findings.exactly(system.name + ": nodes of the largest", system.most_nodes, savings.rbegin()->first);
  findings.words(system.name + ": the largest saving of any job", "at most 33 %",
                 fmt::format("{:.1f} %, {}", percent_value(best(all).saving), to_text(*best(all).job)),
                 best(all).saving <= 1.0 / 3, command, data.reason("one job"));
  for (const auto& [nodes, of] : savings) findings.push_back(box(data, system, nodes, of));
  findings.push_back(none_more_from_64(data, system, tracers_pair(), savings));
  // "Standard binomial and Bine trees" may mean the algorithms for short vectors, too.
  const AlgorithmPair short_vectors{Collective::allreduce, "recursive_doubling", "bine_small"};
  findings.push_back(
      none_more_from_64(data, system, short_vectors, job_savings(short_vectors, system.name, kLarge, system.most_nodes)));
  findings.push_back(medians_grow(data, system, savings));
}

void check_figure_5(Lab&, const ClaimData& data, Findings& findings) {
  figure_5_of(data, kLeonardo, findings);
  figure_5_of(data, kLumi, findings);
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

pictures::Chart chart_figure_5(Lab&, const ClaimData& data) {
  return {.title = data.text("title"), .panels = {panel_of(kLeonardo), panel_of(kLumi)}};
}

// ---- the traffic columns of Tables 3 and 4 ----

constexpr double kPercentPoints = 5;

/// Collective, baseline, Bine's algorithm, average and largest saving in per cent as printed, the most nodes of the paper's runs;
/// `most nodes` of the jobs of `selection`. Compared are mean and largest of the jobs' medians at each number of nodes. The paper's
/// own runs are one placement for each, which it does not name: other jobs can agree with its figures, but not refute them.
Finding traffic_table(Lab&, const ClaimData& row) {
  const AlgorithmPair pair{parse_collective(row.text(0)), row.text(1), row.text(2)};
  const int most_nodes = std::min(row.integer(5), row.integer("most nodes"));
  std::vector<double> medians;
  std::vector<double> largest;
  for (const auto& [nodes, savings] : job_savings(pair, row.text("selection"), 16, most_nodes)) {
    medians.push_back(percent_value(quartiles_of(savings).median));
    largest.push_back(percent_value(quartiles_of(savings).most));
  }
  double mean = 0;
  for (const double median : medians) mean += median / static_cast<double>(medians.size());
  const double most = *std::ranges::max_element(medians);
  const std::string beyond = row.integer(5) > most_nodes ? row.reason("beyond", 2 * most_nodes, row.integer(5)).why : "";
  Finding finding = compare_words(
      fmt::format("{}: {} against {}", row.text(0), pair.bine, pair.baseline),
      fmt::format("{:.0f} % / {:.0f} %", row.number(3), row.number(4)), fmt::format("{:.0f} % / {:.0f} %", mean, most), false,
      job_command(pair, row.text("selection"), 16, most_nodes),
      row.reason("one placement", most_nodes, fmt::join(medians, ", "), fmt::join(largest, ", "), beyond));
  if (std::abs(mean - row.number(3)) <= kPercentPoints && std::abs(most - row.number(4)) <= kPercentPoints) {
    finding.verdict = Verdict::holds_within;
    finding.within = fmt::format("{:g} percentage points", kPercentPoints);
    finding.why = row.reason("means", beyond).why;
  }
  return finding;
}

}  // namespace

}  // namespace bine

Vocabulary bine_traffic_vocabulary() {
  using namespace bine;
  return {.rows = {{"traffic table", traffic_table}},
          .checks = {{"distances", check_distances},
                     {"bound", check_bound},
                     {"other placements", check_other_placements},
                     {"figure 5", check_figure_5}},
          .charts = {{"savings by nodes", chart_figure_5}}};
}

}  // namespace heddle::claims
