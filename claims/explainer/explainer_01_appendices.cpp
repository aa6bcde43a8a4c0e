// SPDX-License-Identifier: Apache-2.0
// Note 01, Appendices A–D: PAT, butterflies, Bruck, pipelining, bus bandwidth.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "claims/explainer/explainer_rows.hpp"

namespace heddle::claims::explainer_notes {

namespace {

/// What each message of a round carries, in parts of the vector: "1/2 1/4".
std::string parts_by_round(const Report& report, double bytes) {
  std::string text;
  for (const RoundReport& round : report.rounds) {
    const double part = bytes * static_cast<double>(round.messages) / static_cast<double>(round.bytes.count());
    text += fmt::format("{}M/{:g}", text.empty() ? "" : ", ", std::round(1000 * part) / 1000);
  }
  return text;
}

Finding payloads(Lab& lab, const std::string& subject, const std::string& call, const std::string& printed, Unless unless) {
  const std::string run = call + " --size 36864kB";
  const std::string measured = parts_by_round(lab.run(run), 36'864'000);
  return compare_words(subject, printed, measured, printed == measured, command_of(run), std::move(unless));
}

Claim pat() {
  const Unless rounds_or_blocks = contradiction(
      "`⌈log2 N⌉ sequential rounds, each shipping M/N bytes per link`; `Total per-rank on-wire volume is (N-1) · M/N`",
      "N-1 blocks must come in: few rounds or M/N in each message, not both. PAT of all blocks has the printed time, and "
      "messages that double; with aggregation=1 messages are M/N and rounds N-1.");
  return {
      .name = "explainer/01-pat",
      .section = "[explainer-01] App. A",
      .statement = "PAT takes ⌈log2 N⌉·α + (N-1)/N·M/BW for an allgather or reduce_scatter, with M/N per link in each round.",
      .check = all_of({
          costs({
              {"allgather, N = 8", 3, 0.875, "allgather --algo pat --topo star:8"},
              {"reduce_scatter, N = 8", 3, 0.875, "reduce_scatter --algo pat --topo star:8"},
          }),
          one([=](Lab& lab) {
            return payloads(lab, "each message of the rounds, N = 8", "allgather --algo pat --topo star:8", "M/8, M/8, M/8",
                            rounds_or_blocks);
          }),
          one([=](Lab& lab) {
            return payloads(lab, "the same, bounded to one block", "allgather --algo pat:aggregation=1 --topo star:8",
                            "M/8, M/8, M/8", rounds_or_blocks);
          }),
          times({{"ring's latency at N = 512, α = 2 us: 'about 1 ms'", 1022, 0,
                  "allgather --algo ring --topo star:512 --size 2KiB --alpha 2us --latency 0 --bw inf"}}),
      })};
}

Claim butterflies() {
  return {
      .name = "explainer/01-butterflies",
      .section = "[explainer-01] App. B.1, B.2, B.4",
      .statement =
          "Recursive doubling takes ⌈log2 N⌉·(α + M/BW), Rabenseifner's 2⌈log2 N⌉·α + 2(N-1)/N·M/BW, each of its halves half "
          "of that.",
      .check = all_of({
          costs({
              {"allreduce, recursive doubling, N = 4", 2, 2, "allreduce --algo recursive_doubling --topo star:4"},
              {"allreduce, recursive doubling, N = 512", 9, 9, "allreduce --algo recursive_doubling --topo star:512"},
              {"allreduce, Rabenseifner, N = 4", 4, 1.5, "allreduce --algo rabenseifner --topo star:4"},
              {"allreduce, Rabenseifner, N = 512", 18, 1.996, "allreduce --algo rabenseifner --topo star:512"},
              {"allgather, recursive doubling, N = 4", 2, 0.75, "allgather --algo recursive_doubling --topo star:4"},
              {"reduce_scatter, recursive halving, N = 4", 2, 0.75, "reduce_scatter --algo recursive_halving --topo star:4"},
          }),
          one([](Lab& lab) {
            return payloads(lab, "Rabenseifner's messages, N = 4 (table of B.2)", "allreduce --algo rabenseifner --topo star:4",
                            "M/2, M/4, M/4, M/2", "its messages differ");
          }),
          one([](Lab& lab) {
            return payloads(lab, "recursive doubling's messages, allgather, N = 8",
                            "allgather --algo recursive_doubling --topo star:8", "M/8, M/4, M/2", "its messages differ");
          }),
      })};
}

Claim any_size() {
  return {
      .name = "explainer/01-powers-of-two",
      .section = "[explainer-01] App. B.2, B.4",
      .statement = "Recursive doubling and halving are for N = 2^k; a fold of the other ranks adds two steps.",
      .check = rounds({
          {"allreduce, recursive doubling, N = 6: 2 + 2", 4, "allreduce --algo recursive_doubling --topo star:6 --size 36kB"},
          {"allreduce, recursive doubling, N = 72: 6 + 2", 8, "allreduce --algo recursive_doubling --topo star:72 --size 36kB"},
          {"allreduce, Rabenseifner, N = 72: 12 + 2", 14, "allreduce --algo rabenseifner --topo star:72 --size 36kB"},
          {"allgather, recursive doubling, N = 72: 6 + 2", 8, "allgather --algo recursive_doubling --topo star:72 --size 36kB"},
      })};
}

/// M/(α·BW) at which L·(1 + x) of recursive doubling is 2L + x + 2√((2L-1)x) of a double binary tree by App. C.3.
double own_crossing(double steps) {
  const double segments = std::sqrt(2 * steps - 1);
  const double root = (segments + std::sqrt(segments * segments + (steps - 1) * steps)) / (steps - 1);
  return root * root;
}

Finding doubling_or_tree(Lab& lab) {
  const std::string speeds = " --topo star:512 --alpha 0.5us --latency 0 --bw 900GB/s";
  const double bytes =
      crossing(lab, "allreduce --algo recursive_doubling" + speeds, "allreduce --algo double_binary_tree" + speeds, 4e6);
  return compare_words(
      "N = 512", "double binary tree is faster from 506 KB", "from " + size_text(bytes), bytes > 480e3 && bytes < 530e3,
      command_of("allreduce --algo recursive_doubling,double_binary_tree" + speeds + fmt::format(" --size {:.0f}", bytes)),
      contradiction(
          "01, App. B.3: `M* = 9/8 · 0.5 μs · 900 GB/s ≈ 506 KB`; 01, §5.2: `The ≈ hides an O(√M) correction of order "
          "2√((2⌈log2 N⌉-1)αM/BW)`",
          fmt::format("At 506 KB what the form hides is {:.1f} us, more than the {:.2f} us of M/BW that it counts. "
                      "With it the source's own form of App. C.3 meets recursive doubling's at {}. (And on one port "
                      "a tree moves 2·M.)",
                      2 * std::sqrt(17 * 0.5 * 506.25e3 / 900e3), 506.25e3 / 900e3,
                      size_text(own_crossing(9) * 0.5e-6 * 900e9))));
}

Claim doubling_before_tree() {
  return {.name = "explainer/01-doubling-or-tree",
          .section = "[explainer-01] App. B.3",
          .statement =
              "Recursive doubling is faster than a double binary tree up to M* = ⌈log2 N⌉/(⌈log2 N⌉-1)·α·BW: 506 KB at N = "
              "512, α = 0.5 us, 900 GB/s.",
          .check = one(doubling_or_tree)};
}

Finding bruck_or_pairs(Lab& lab, int ranks) {
  const std::string speeds = fmt::format(" --topo star:{} --alpha 0.5us --latency 0 --bw 900GB/s", ranks);
  const double bytes = crossing(lab, "alltoall --algo bruck" + speeds, "alltoall --algo pairwise" + speeds, 1e9);
  return compare_words(
      fmt::format("N = {}", ranks), "pairwise is faster from about α·BW = 450 KB", "from " + size_text(bytes),
      bytes > 300e3 && bytes < 675e3,
      command_of("alltoall --algo bruck,pairwise" + speeds + fmt::format(" --size {:.0f}", bytes)),
      contradiction(
          "`At N = 4: 2α + M/BW, compared to pairwise's 3α + (3/4)M/BW`; `the crossover is at M* ∼ α · BW, computed in §7.3`",
          fmt::format("The two forms meet at (N-1-log2 N)/(log2 N/2 - (N-1)/N)·α·BW, {:.3g}·α·BW here: Bruck saves N-1-log2 N "
                      "steps, which grow with N. §7.3 does not compute it.",
                      (ranks - 1 - std::log2(ranks)) / (std::log2(ranks) / 2 - (ranks - 1.0) / ranks))));
}

Claim bruck() {
  return {.name = "explainer/01-bruck",
          .section = "[explainer-01] App. B.5",
          .statement = "Bruck's alltoall takes ⌈log2 N⌉·(α + M/(2·BW)); pairs are faster from M* ~ α·BW on.",
          .check = all_of({
              costs({
                  {"Bruck, N = 4", 2, 1, "alltoall --algo bruck --topo star:4"},
                  {"pairwise, N = 4", 3, 0.75, "alltoall --algo pairwise --topo star:4"},
                  {"Bruck, N = 64", 6, 3, "alltoall --algo bruck --topo star:64"},
              }),
              one([](Lab& lab) { return bruck_or_pairs(lab, 4); }),
              one([](Lab& lab) { return bruck_or_pairs(lab, 64); }),
          })};
}

Claim master_formula() {
  return {.name = "explainer/01-pipelining",
          .section = "[explainer-01] App. C.2, C.3",
          .statement = "L steps in P segments take (L+P-1)(α + M/(P·BW)); the examples have L = 3, here a chain of 4.",
          .check = costs({
              {"P = 1", 3, 3, "broadcast --algo chain:segments=1 --topo star:4", "", 0},
              {"P = 3: 5 slots", 5, 1.67, "broadcast --algo chain:segments=3 --topo star:4", "", 2},
              {"P = 10", 12, 1.2, "broadcast --algo chain:segments=10 --topo star:4", "", 1},
              {"a double binary tree's broadcast, N = 8 (L = 3), P = 10", 12, 1.2,
               "broadcast --algo double_binary_tree:segments=10 --topo star:8", "", 1},
          })};
}

/// α = 0.6 us, M/BW = 4 us: P* = √(6·4/0.6) = 6.3.
constexpr const char* kChainOfEight = " --topo star:8 --size 3.6MB --alpha 0.6us --latency 0 --bw 900GB/s";

Finding best_segments(Lab& lab) {
  int best = 1;
  const auto run = [](int segments) { return fmt::format("broadcast --algo chain:segments={}{}", segments, kChainOfEight); };
  for (int segments = 2; segments <= 16; ++segments)
    if (lab.microseconds(run(segments)) < lab.microseconds(run(best))) best = segments;
  return compare_words("chain, N = 8, α = 0.6 us, M/BW = 4 us, the best of 1 to 16 segments", "P* = 6.3",
                       fmt::format("P = {}", best), best == 6 || best == 7, command_of(run(best)),
                       "another number of segments is faster");
}

Claim best_number_of_segments() {
  return {.name = "explainer/01-best-segments",
          .section = "[explainer-01] §3.1, App. C.3",
          .statement = "The best number of segments is P* = √((L-1)M/(α·BW)), and takes L·α + M/BW + 2√((L-1)αM/BW).",
          .check = all_of({
              one(best_segments),
              // 7·0.6 + 4 + 2√(6·0.6·4).
              times({{"the time at P*, by the printed form", 15.79, 2,
                      std::string("broadcast --algo chain:segments=6") + kChainOfEight,
                      contradiction(
                          "01, App. C: `t_pipe(P) = (L + P - 1)(α + M/(P BW))`; C.3: `t_pipe(P*) = Lα + M/BW + 2√((L-1)αM/BW)`",
                          "One α too many: P* put into the first gives (L-1)·α, 15.19 us here."),
                      0.001}}),
          })};
}

Claim bus_bandwidth() {
  struct Factor {
    const char* call;
    double printed;
    int decimals;
    Unless unless = {};
  };
  const Unless all_of_it = contradiction(
      "BC `(N-1)/N`, `root fans out, leaves receive once`; `C is the algorithm's n_β coefficient (§1)`; 01, §3.1: `n_β = 1`",
      "Each leaf takes in all of M, so that n_β is at least 1; here a little more for the segments that the vector is cut "
      "into. "
      "nccl-tests' PERFORMANCE.md has 1 as well.");
  return {
      .name = "explainer/01-bus-bandwidth",
      .section = "[explainer-01] App. D",
      .statement =
          "busbw is algbw times n_β of the collective, here of runs among 100 in which only bytes take time: 450 GB/s of an "
          "allreduce are 891.",
      .check = [=](Lab& lab) {
        const auto factor = [&](const char* call) {
          return cost_of(lab, {.subject = call, .n_alpha = 0, .n_beta = 0, .call = call}).n_beta;
        };
        std::vector<Finding> findings;
        for (const auto& [call, printed, decimals, unless] :
             {Factor{"allreduce --algo ring --topo star:100", 1.98, 2},
              Factor{"allgather --algo ring --topo star:100", 0.99, 2},
              Factor{"reduce_scatter --algo ring --topo star:100", 0.99, 2},
              Factor{"alltoall --algo pairwise --topo star:100", 0.99, 2},
              Factor{"reduce --algo double_binary_tree:segments=512 --topo star:100", 1, 0},
              Factor{"broadcast --algo double_binary_tree:segments=512 --topo star:100", 0.99, 2, all_of_it}})
          findings.push_back(compare(call, printed, decimals, factor(call), "", 0,
                                     command_of(std::string(call) + " --size 36864kB --alpha 0 --latency 0 --bw 100GB/s"),
                                     unless));
        findings.push_back(compare("busbw of 450 GB/s of an allreduce", 891, 0,
                                   450 * factor("allreduce --algo ring --topo star:100"), "GB/s", 0, ""));
        return findings;
      }};
}

}  // namespace

std::vector<Claim> algorithms_appendices() {
  return {
      pat(),          butterflies(), any_size(), doubling_before_tree(), bruck(), master_formula(), best_number_of_segments(),
      bus_bandwidth()};
}

}  // namespace heddle::claims::explainer_notes
