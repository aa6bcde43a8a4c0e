// SPDX-License-Identifier: Apache-2.0
// How far Trivance reaches, in how many steps, with how much: lemmas, the theorem, the small figures.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "algorithms/families/trivance.hpp"
#include "claims/compared_rows.hpp"
#include "claims/traced_sum.hpp"

namespace heddle::claims {

namespace trivance {

namespace {

int three_to(int exponent) { return exponent == 0 ? 1 : 3 * three_to(exponent - 1); }

int ceil_log3(int n) {
  int steps = 0;
  for (int reached = 1; reached < n; reached *= 3) ++steps;
  return steps;
}

/// By step, of a power of three: what is brought by its two messages.
std::vector<std::vector<int>> contributions_by_step(const std::string& sum) {
  const std::vector<std::vector<int>> messages = messages_of(sum);
  std::vector<std::vector<int>> steps;
  for (std::size_t i = 1; i + 1 < messages.size(); i += 2) {
    steps.push_back(messages[i]);
    steps.back().insert(steps.back().end(), messages[i + 1].begin(), messages[i + 1].end());
    std::ranges::sort(steps.back());
  }
  return steps;
}

void lemma_4_1(Lab& lab, const ClaimData&, Findings& findings) {
  for (const int n : {3, 9, 27, 81, 243}) {
    for (const char* collective : {"reduce_scatter", "allgather"}) {
      const std::string arguments = fmt::format("{} --algo trivance --topo ring:{} --size {}B", collective, n, 4 * n);
      const Report& report = lab.run(arguments);
      const bool all_alike = std::ranges::all_of(report.ranks, [n](const RankReport& rank) {
        return rank.sent.count() == 4 * (n - 1) && rank.received.count() == 4 * (n - 1);
      });
      // Shares of the vector that a rank sends to one peer, by step; an allgather goes through the steps backwards.
      bool falls_by_three = true;
      for (int k = 0; k < report.rounds_max(); ++k) {
        const int exponent = collective == std::string_view("allgather") ? report.rounds_max() - k : k + 1;
        const std::int64_t blocks = report.rounds[static_cast<std::size_t>(k)].bytes.count() / 4 / n;
        falls_by_three = falls_by_three && blocks * three_to(exponent) == 2 * n;
      }
      const int steps = ceil_log3(n);
      findings.words(
          fmt::format("{} on ring:{}", collective, n),
          fmt::format("{} steps, m(1 − 1/{}) sent by each, m/3^(k+1) to either side in step k", steps, n),
          fmt::format("{} steps, {}, {}", report.rounds_max(), all_alike ? fmt::format("m(1 − 1/{})", n) : "other bytes",
                      falls_by_three ? "m/3^(k+1)" : "other shares"),
          report.rounds_max() == steps && all_alike && falls_by_three, command_of(arguments), "Counted in this run.");
    }
  }
}

void lemma_4_2(Lab&, const ClaimData&, Findings& findings) {
  const Algorithm latency = find_algorithm(Collective::allreduce, "trivance_latency");
  for (const int n : {27, 81}) {
    const std::vector<TracedSum> traced = trace_sums(latency, n);
    for (int k = 0; k < ceil_log3(n); ++k) {
      const int radius = (three_to(k + 1) - 1) / 2;
      int measured = radius;
      for (int rank = 0; rank < n; ++rank) {
        std::set<int> heard_of = {0};
        const auto steps = contributions_by_step(traced[static_cast<std::size_t>(rank)].sum);
        for (int step = 0; step <= k; ++step)
          for (const int contribution : steps[static_cast<std::size_t>(step)]) heard_of.insert((contribution - rank + n) % n);
        int reach = 0;
        while (heard_of.contains(reach + 1) && heard_of.contains(n - reach - 1) && 2 * (reach + 1) < n) ++reach;
        if (2 * reach + 1 != static_cast<int>(heard_of.size())) reach = -1;
        if (reach != radius) measured = reach;
      }
      findings.push_back(
          compare_exactly(fmt::format("ring:{}, all ranks, after step {}: R_{}", n, k, k), radius, measured,
                          fmt::format("heddle list --collective allreduce --algo trivance_latency --schedule ring:{}", n),
                          "Some rank has heard of others than those within R_k."));
    }
  }
}

void theorem_4_3(Lab& lab, const ClaimData&, Findings& findings) {
  const auto steps_on = [&](const char* what, int n) {
    return lab.run(fmt::format("{} --topo ring:{} --size {}B", what, n, 4 * n)).rounds_max();
  };
  for (const char* what : {"allreduce --algo trivance_latency", "allgather --algo trivance"}) {
    for (const int n : {3, 9, 27, 81, 243})
      findings.exactly(fmt::format("{}, ring:{}: steps", what, n), ceil_log3(n), steps_on(what, n),
                       fmt::format("heddle run {} --topo ring:{} --size {}B", what, n, 4 * n), "Counted in this run.");
    std::vector<int> not_at;
    for (int n = 2; n <= 130; ++n)
      if (steps_on(what, n) != ceil_log3(n)) not_at.push_back(n);
    findings.words(fmt::format("{}, rings of n = 2 … 130 (§4.4): steps", what), "⌈log₃n⌉",
                   not_at.empty() ? "at each" : fmt::format("not at n = {}", fmt::join(not_at, ", ")), not_at.empty(), "",
                   "Counted in runs of these n.");
  }
}

std::string list_of(const std::vector<int>& ranks) { return joined(ranks, ", "); }

void figures_3_and_4(Lab& lab, const ClaimData&, Findings& findings) {
  const Algorithm latency = find_algorithm(Collective::allreduce, "trivance_latency");
  const auto nine = messages_of(trace_sums(latency, 9).front().sum);
  const auto from = [&](const std::vector<std::vector<int>>& messages, int peer) {
    for (std::size_t i = 1; i < messages.size(); ++i)
      if (messages[i].front() == peer) {
        std::vector<int> sorted = messages[i];
        std::ranges::sort(sorted);
        return list_of(sorted);
      }
    return std::string("nothing");
  };
  const char* schedule = "heddle list --collective allreduce --algo trivance_latency --schedule ring:";
  const auto brings = [&](int peer, const char* printed) {
    const std::string measured = from(nine, peer);
    return compare_words(fmt::format("n = 9: rank 0 gets from rank {} what began at", peer), printed, measured,
                         measured == printed, fmt::format("{}9", schedule), "As the run's own sum shows.");
  };
  const int seven = lab.run("allreduce --algo trivance_latency --topo ring:7 --size 28B").rounds_max();
  findings = {brings(1, "1"),
              brings(8, "8"),
              brings(3, "2, 3, 4"),
              brings(6, "5, 6, 7"),
              compare_exactly("n = 7: steps", 2, seven, fmt::format("{}7", schedule), "Counted in this run."),
              compare_exactly("n = 7: distance of the last step", 2, plans::trivance_distance(1, 7),
                              fmt::format("{}7", schedule), "As the schedule shows.")};
}

/// The last step's distance d must bring all that is missing beside the window of radius R: R + d reaches half way round.
int needed_distance(int n) {
  int reached = 1;
  while (3 * reached < n) reached *= 3;
  return (n - reached + 1) / 2;
}

/// Rings up to 130 on which trivance_latency sends more than two vectors a round: a sum cannot be taken apart again, so that
/// some sizes need more than one running sum.
std::vector<int> rings_with_more_sums(Lab& lab) {
  std::vector<int> rings;
  for (int n = 2; n <= 130; ++n) {
    const Report& report = lab.run(fmt::format("allreduce --algo trivance_latency --topo ring:{} --size {}B", n, 4 * n));
    if (report.sent_max().count() > std::int64_t{2} * report.rounds_max() * 4 * n) rings.push_back(n);
  }
  return rings;
}

void last_distance(Lab& lab, const ClaimData& data, Findings& findings) {
  const std::vector<int> more = rings_with_more_sums(lab);
  for (const int n : {7, 32, 64}) {
    int above = 1;
    while (above < n) above *= 3;
    const int reached = above / 3;
    const int printed = (above - n + 1) / 2;
    findings.push_back(
        compare_exactly(fmt::format("n = {}: ⌈(3^⌈log₃n⌉ − n)/2⌉", n), printed, needed_distance(n),
                        fmt::format("heddle list --collective allreduce --algo trivance_latency --schedule ring:{}", n),
                        data.reason("powers have changed places", reached, n - reached, needed_distance(n), more.size(),
                                    fmt::join(more, ", "))));
  }
  findings.exactly("n = 32: blocks missing before the last step", 5, 32 - 27);
}

/// The most messages at once on a link, by round.
std::string congestion_of(const Report& report) {
  std::vector<int> flows;
  for (const RoundReport& round : report.rounds) flows.push_back(round.peak_flows);
  return joined(flows, ", ");
}

void congestion(Lab& lab, const ClaimData& data, Findings& findings) {
  const auto check = [&](const char* algorithm, const char* topology, const char* routing, std::string printed, Unless unless) {
    const std::string arguments =
        fmt::format("allreduce --algo {} --topo {} --size 1MB --alpha 0 --latency 0{}", algorithm, topology, routing);
    const std::string measured = congestion_of(lab.run(arguments));
    const bool holds = measured == printed;
    return compare_words(fmt::format("{} on {}: messages on the busiest link, by step", algorithm, topology),
                         std::move(printed), measured, holds, command_of(arguments), std::move(unless));
  };
  findings = {check("trivance_latency", "ring:81", "", "1, 3, 9, 27", "Counted in this run."),
              check("trivance_latency", "ring:243", "", "1, 3, 9, 27, 81", "Counted in this run."),
              check("bruck_latency", "ring:81", "", "3, 9, 27, 81", data.reason("one way round")),
              check("recursive_doubling", "ring:8", " --routing deterministic", "1, 2, 4", "Counted in this run.")};
}

}  // namespace

}  // namespace trivance

Vocabulary trivance_pattern_vocabulary() {
  using namespace trivance;
  return {.checks = {{"congestion", congestion},
                     {"lemma 4 1", lemma_4_1},
                     {"lemma 4 2", lemma_4_2},
                     {"theorem 4 3", theorem_4_3},
                     {"figures 3 and 4", figures_3_and_4},
                     {"last distance", last_distance}}};
}

}  // namespace heddle::claims
