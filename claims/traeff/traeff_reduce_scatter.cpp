// SPDX-License-Identifier: Apache-2.0
// Theorem 1: its counts, its proof, its example; Corollary 1.
#include <fmt/format.h>

#include <set>

#include "algorithms/families/circulant.hpp"
#include "algorithms/registry/formulas.hpp"
#include "claims/traced_sum.hpp"
#include "claims/traeff/traeff_claims.hpp"

namespace heddle::claims::traeff_parts {

namespace {

using formulas::ceil_log2;

const Algorithm& circulant() {
  static const Algorithm algorithm = find_algorithm(Collective::reduce_scatter, "circulant");
  return algorithm;
}

std::string run_of(int ranks) { return one_element_blocks("reduce_scatter", "circulant", ranks); }

std::vector<Finding> theorem_1(Lab& lab) {
  std::vector<std::string> runs;
  for (const int p : many_rank_counts()) runs.push_back(run_of(p));
  lab.prepare(runs);
  const auto blocks = [&](int p) { return count_blocks(lab.run(run_of(p))); };
  const auto applications_are_p_minus_1 = [](int p) {
    for (const TracedSum& rank : trace_sums(circulant(), p))
      if (rank.applications != p - 1) return false;
    return true;
  };
  const std::string command = "heddle " + ("run " + run_of(22));
  std::vector<Finding> findings = {at_each(
                                       fmt::format("{}: rounds", kManyRankCounts), "⌈log₂p⌉",
                                       [&](int p) { return blocks(p).rounds == ceil_log2(p); }, command),
                                   at_each(
                                       fmt::format("{}: blocks that each rank sends", kManyRankCounts), "p−1",
                                       [&](int p) { return blocks(p).sent == p - 1; }, command),
                                   at_each(
                                       fmt::format("{}: blocks that each rank receives", kManyRankCounts), "p−1",
                                       [&](int p) { return blocks(p).received == p - 1; }, command),
                                   at_each(fmt::format("{}: applications of ⊕ to blocks by each rank", kManyRankCounts), "p−1",
                                           applications_are_p_minus_1, command)};
  return findings;
}

std::vector<Finding> proof_of_theorem_1(Lab&) {
  const std::vector<int> skips = schedule::CirculantSkips().for_ranks(22);
  const auto q = static_cast<int>(skips.size());
  return {compare_words("p = 22: skips", "11, 6, 3, 2, 1", fmt::format("{}", fmt::join(skips, ", ")),
                        skips == std::vector{11, 6, 3, 2, 1},
                        "heddle list --collective reduce_scatter --algo circulant --schedule p=22"),
          compare_exactly("p = 22: q", 5, q),
          // s₀ = p, so that skips[k] is s_(k+1).
          compare_exactly(
              "p = 22: s_(q−1), with s₀ = p", 1, skips[static_cast<std::size_t>(q - 2)], "",
              contradiction("`p = s_0 > s_1 > … > s_{q-1} = 1`; `q = ⌈log2 p⌉ roughly halving steps are needed`",
                            "A slip of an index: with s₀ = p = 22 the skips are s₁ = 11, s₂ = 6, s₃ = 3, s₄ = 2, s₅ = 1, "
                            "so it is s_q that is 1 after q = ⌈log₂p⌉ rounds, and the sum of s_k − s_(k+1) runs to k = "
                            "q−1. The counts of Theorem 1 hold as printed."))};
}

/// "21+10+…" as rank r's, in terms of rank 21's: every summand moved on by 21 - r.
std::string as_of_last_rank(const std::string& sum, int rank, int ranks) {
  std::string moved;
  for (std::size_t i = 0; i < sum.size();) {
    if (sum[i] < '0' || sum[i] > '9') {
      moved += sum[i++];
      continue;
    }
    std::size_t end = i;
    while (end < sum.size() && sum[end] >= '0' && sum[end] <= '9') ++end;
    moved += fmt::to_string((std::stoi(sum.substr(i, end - i)) + ranks - 1 - rank) % ranks);
    i = end;
  }
  return moved;
}

std::vector<Finding> order_at_22(Lab&) {
  const std::string printed = "21+10+(15+4)+(18+7+(12+1))+(19+8+(13+2)+(16+5))+(20+9+(14+3)+(17+6+(11+0)))";
  const std::vector<TracedSum> traced = trace_sums(circulant(), 22);
  std::set<std::string> orders;
  for (int rank = 0; rank < 22; ++rank) orders.insert(as_of_last_rank(traced[static_cast<std::size_t>(rank)].sum, rank, 22));
  const std::string& measured = traced[21].sum;
  // Each bracket of the outermost level is what one round brought.
  std::vector<int> summands = {0};
  int depth = 0;
  for (std::size_t i = measured.find('+'); i < measured.size(); ++i) {
    if (measured[i] == '+' && depth == 0) summands.push_back(1);
    if (measured[i] == '+' && depth > 0) ++summands.back();
    depth += measured[i] == '(' ? 1 : measured[i] == ')' ? -1 : 0;
  }
  summands.erase(summands.begin());
  const std::string by_round = fmt::format("{}", fmt::join(summands, ", "));
  return {
      compare_words("rank 21: the sum, brackets are what one message brought", printed, measured, measured == printed,
                    "heddle list --collective reduce_scatter --algo circulant --schedule p=22"),
      compare_words("rank 21: contributions that the five rounds bring, from 10, 15, 18, 19 and 20", "1, 2, 4, 6, 8", by_round,
                    by_round == "1, 2, 4, 6, 8"),
      compare_words("all ranks", "add in the same order, moved round by their distance",
                    orders.size() == 1 ? "in the same order" : fmt::format("in {} orders", orders.size()), orders.size() == 1)};
}

std::vector<Finding> corollary_1(Lab& lab) {
  // α = 1 us, β = 1 ns/B, γ = 0.1 ns/B; blocks of 100,000 B.
  std::vector<Finding> findings;
  for (const int p : {2, 7, 22, 64, 100}) {
    const std::string arguments = fmt::format(
        "reduce_scatter --algo circulant --topo star:{} --size {}B --alpha 1us --latency 0 --bw 1GB/s --gamma 0.1ns", p,
        p * 100'000);
    const double formula = ceil_log2(p) + (p - 1) * 100.0 + (p - 1) * 10.0;
    findings.push_back(compare(fmt::format("p = {}, m = {}·100 kB", p, p), formula, 3, lab.microseconds(arguments), "us", 0,
                               "heddle run " + arguments, "The run is not in lockstep."));
  }
  return findings;
}

}  // namespace

std::vector<Claim> reduce_scatter_claims() {
  return {
      {.name = "traeff/theorem-1",
       .section = "§2.1, Theorem 1",
       .statement =
           "Algorithm 1 solves the reduce-scatter problem for any p in ⌈log₂p⌉ rounds; each rank sends and receives p−1 "
           "partial blocks and applies the operation to p−1 blocks.",
       .check = theorem_1},
      {.name = "traeff/theorem-1-proof",
       .section = "§2.1, proof of Theorem 1",
       .statement = "The skips are p halved, rounded up, until 1: p = s₀ > s₁ > … > s_(q−1) = 1, q = ⌈log₂p⌉.",
       .check = proof_of_theorem_1},
      {.name = "traeff/p22-order",
       .section = "§2.1, Example and Figure 1",
       .statement =
           "At p = 22 rank 21 adds up the contributions x_i in the order of a depth-first walk through the tree of the "
           "skips 11, 6, 3, 2, 1, and so do all ranks.",
       .check = order_at_22},
      {.name = "traeff/corollary-1",
       .section = "§2.1, Corollary 1",
       .statement = "Where a round costs α + βm/p per block and a reduction γm/p per block, Algorithm 1 takes "
                    "α⌈log₂p⌉ + β(p−1)/p·m + γ(p−1)/p·m. In place: no initial copy.",
       .check = corollary_1},
  };
}

}  // namespace heddle::claims::traeff_parts
