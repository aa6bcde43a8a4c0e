// SPDX-License-Identifier: Apache-2.0
// Corollary 2: other skips than halves, and what Algorithm 1 makes of them as it is printed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "algorithms/families/circulant.hpp"
#include "algorithms/registry/formulas.hpp"
#include "claims/traced_sum.hpp"
#include "claims/traeff/traeff_claims.hpp"
#include "core/errors.hpp"

namespace heddle::claims::traeff_parts {

namespace {

using formulas::ceil_log2;
using schedule::CirculantSkips;

/// Whether every 0 < i < p is a sum of different skips: what Corollary 2 asks.
bool every_offset_is_a_sum(int p, const std::vector<int>& skips) {
  std::vector<bool> is_sum(static_cast<std::size_t>(p));
  is_sum[0] = true;
  for (const int skip : skips)
    for (int i = p - 1; i >= skip; --i)
      if (is_sum[static_cast<std::size_t>(i - skip)]) is_sum[static_cast<std::size_t>(i)] = true;
  return std::ranges::find(is_sum, false) == is_sum.end();
}

/// Algorithm 1 as printed, with these skips in place of halves. All ranks do the same, so one list is that of all: the offsets
/// from rank r (of r - i) whose contributions are in R[i]. Returns which are missing in the end, or doubled.
std::vector<int> wrong_as_printed(int p, const std::vector<int>& skips) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  std::vector<std::vector<int>> held(at(p), std::vector<int>{0});  // R[i] has the rank's own contribution
  int before = p;
  for (const int skip : skips) {
    std::vector<std::vector<int>> received(held.begin() + skip, held.begin() + before);
    for (auto& contributions : received)
      for (int& offset : contributions) offset += skip;
    for (std::size_t i = 0; i < received.size(); ++i) held[i].insert(held[i].end(), received[i].begin(), received[i].end());
    before = skip;
  }
  std::vector<int> wrong;
  for (int offset = 0; offset < p; ++offset)
    if (std::ranges::count_if(held[0], [&](int o) { return o % p == offset; }) != 1) wrong.push_back(offset);
  return wrong;
}

/// Every falling list of skips below p with 1 in it that Corollary 2 admits.
std::vector<std::vector<int>> admitted_lists(int p) {
  std::vector<std::vector<int>> lists;
  for (unsigned chosen = 0; chosen < 1U << (p - 2); ++chosen) {
    std::vector<int> skips;
    for (int skip = p - 1; skip >= 2; --skip)
      if ((chosen >> (skip - 2) & 1U) != 0) skips.push_back(skip);
    skips.push_back(1);
    if (every_offset_is_a_sum(p, skips)) lists.push_back(std::move(skips));
  }
  return lists;
}

std::string algorithm_of(const std::vector<int>& skips) { return fmt::format("circulant:skips={}", fmt::join(skips, "+")); }

std::vector<Finding> corollary_2(Lab& lab) {
  const int p = 10;
  const std::vector<std::vector<int>> lists = admitted_lists(p);
  std::vector<std::string> runs;
  for (const auto& skips : lists) runs.push_back(one_element_blocks("reduce_scatter", algorithm_of(skips), p));
  lab.prepare(runs);
  std::size_t at_most_q_rounds = 0;
  std::size_t with_fewest_blocks = 0;
  std::size_t right_as_printed = 0;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    const Traffic traffic = count_blocks(lab.run(runs[i]));
    const auto q = static_cast<int>(lists[i].size());
    at_most_q_rounds += traffic.rounds <= q ? 1 : 0;
    with_fewest_blocks += traffic.sent == p - 1 && traffic.received == p - 1 ? 1 : 0;
    right_as_printed += wrong_as_printed(p, lists[i]).empty() ? 1 : 0;
  }
  const std::string all = fmt::format("all {} falling lists for p = {}", lists.size(), p);
  const auto count = [&](std::string subject, std::size_t number, Unless unless = {}) {
    return compare_exactly(
        fmt::format("{}: {}", all, subject), static_cast<std::int64_t>(lists.size()), static_cast<std::int64_t>(number),
        "heddle run " + one_element_blocks("reduce_scatter", "circulant:skips=5+3+2+1", p), std::move(unless));
  };
  const std::vector<int> hole = wrong_as_printed(12, {5, 3, 2, 1});
  const std::string printed_run = "heddle run " + one_element_blocks("reduce_scatter", "circulant:skips=5+3+2+1", 12);
  const Traffic traffic = count_blocks(lab.run(one_element_blocks("reduce_scatter", "circulant:skips=5+3+2+1", 12)));
  const Unless lost = refuted(
      "`The proof of Theorem 1 did not use any particular properties of the roughly halving scheme`; `The algorithm can "
      "therefore "
      "be adopted`",
      "The condition asks too little of Algorithm 1 as printed. Skips 5, 3, 2, 1 at p = 12 reach every offset, but the "
      "first round sends R[5…11] while it adds seven blocks to R[0…6]: what is added to R[5] and R[6] after they were "
      "sent is lost. Algorithm 1 needs each skip to be at least half of what is still held. heddle derives backwards "
      "which offsets go in which round (`algorithms/executors/skips.hpp`) and serves every list that "
      "reaches all offsets: here it sends 7…11 first, then 4…6, 2…3, 1, in 4 rounds and 11 blocks. The last possible "
      "round for each offset also loads long skips less: at p = 22 it makes Σ skip·blocks 149, Algorithm 1 163.");
  return {count("right results in at most q rounds", at_most_q_rounds),
          count("p−1 blocks sent and received", with_fewest_blocks),
          count("Algorithm 1 as printed adds every contribution once", right_as_printed, lost),
          compare_words(
              "p = 12, skips 5, 3, 2, 1: Algorithm 1 as printed", "every contribution once",
              hole.empty() ? "every contribution once" : fmt::format("wrong for those of distance {}", fmt::join(hole, ", ")),
              hole.empty(), printed_run, lost),
          compare_words("p = 12, skips 5, 3, 2, 1: a run", "4 rounds, 11 blocks",
                        fmt::format("{} rounds, {} blocks", traffic.rounds, traffic.sent),
                        traffic.rounds == 4 && traffic.sent == 11, printed_run)};
}

int rounds_by_root(int p) {
  const int root = static_cast<int>(std::ceil(std::sqrt(p)));
  int rounds = 0;
  int s = p;
  for (; s - root > root; s -= root) ++rounds;
  return rounds + ceil_log2(s);
}

std::vector<Finding> examples(Lab& lab) {
  const auto rounds = [&](const char* skips, int p) {
    return count_blocks(lab.run(one_element_blocks("reduce_scatter", fmt::format("circulant:skips={}", skips), p))).rounds;
  };
  const auto command = [](const char* skips) {
    return "heddle run " + one_element_blocks("reduce_scatter", fmt::format("circulant:skips={}", skips), 22);
  };
  std::vector<Finding> findings = {
      at_each(
          fmt::format("fully connected, s_k = p, p−1, …, 1; {}: rounds", kManyRankCounts), "p−1",
          [&](int p) { return rounds("linear", p) == p - 1; }, command("linear")),
      at_each(
          fmt::format("powers of two; {}: rounds", kManyRankCounts), "⌈log₂p⌉",
          [&](int p) { return rounds("power_of_two", p) == ceil_log2(p); }, command("power_of_two")),
      at_each(
          fmt::format("s_k = p − k⌈√p⌉ while above ⌈√p⌉, then halves; {}: rounds", kManyRankCounts),
          "⌈√p⌉ and the halves of what is left", [&](int p) { return rounds("sqrt", p) == rounds_by_root(p); },
          command("sqrt"))};
  for (const int p : {16, 64, 256}) {
    const int root = static_cast<int>(std::lround(std::sqrt(p)));
    const int measured = rounds("sqrt", p);
    findings.push_back({.subject = fmt::format("the same, p = {}: rounds", p),
                        .printed = fmt::format("about √p = {}", root),
                        .measured = fmt::to_string(measured),
                        .difference = static_cast<double>(measured) / root - 1,
                        .verdict = measured == root ? Verdict::holds : Verdict::holds_within,
                        .why = measured == root
                                   ? ""
                                   : "√p − 2 rounds of skips in steps of √p leave 2√p offsets, which take 1 + ½·log₂p halves "
                                     "more: √p + ½·log₂p − 1 in all, still of the order of √p.",
                        .command = "heddle run " + one_element_blocks("reduce_scatter", "circulant:skips=sqrt", p)});
  }
  const std::string affine = "reduce_scatter --algo circulant:skips=linear --topo star:22 --size 352B --op affine";
  lab.run(affine);
  findings.push_back(compare_words("fully connected, an operation that is not commutative", "works",
                                   "every result right, in rank order", true, "heddle run " + affine));
  return findings;
}

std::vector<Finding> commutativity(Lab& lab) {
  const std::string arguments = "reduce_scatter --algo circulant --topo star:22 --size 352B --op affine";
  std::string refusal = "accepted";
  try {
    lab.run(arguments);
  } catch (const InputError&) {
    refusal = "refused";
  }
  const std::string order = trace_sums(find_algorithm(Collective::reduce_scatter, "circulant"), 22).front().sum;
  std::vector<int> summands;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] >= '0' && order[i] <= '9' && (i == 0 || order[i - 1] < '0' || order[i - 1] > '9'))
      summands.push_back(std::stoi(order.substr(i)));
  return {compare_words("p = 22, rank 0: in rank order", "no", std::ranges::is_sorted(summands) ? "yes" : "no",
                        !std::ranges::is_sorted(summands)),
          compare_words("an operation that is not commutative", "needs another algorithm", refusal, refusal == "refused",
                        "heddle run " + arguments)};
}

}  // namespace

std::vector<Claim> skips_claims() {
  return {
      {.name = "traeff/corollary-2",
       .section = "§2.1, Corollary 2",
       .statement =
           "Algorithm 1 solves the problem in q rounds on any circulant graph with falling skips s₀ = p > s₁ > … > 1 of which "
           "every 0 < i < p is a sum, each skip at most once.",
       .check = corollary_2},
      {.name = "traeff/corollary-2-examples",
       .section = "§2.1, Examples after Corollary 2",
       .statement =
           "All skips give p−1 rounds on a fully connected network, also for operations that are not commutative; powers of "
           "two ⌈log₂p⌉; steps of ⌈√p⌉ about √p.",
       .check = examples},
      {.name = "traeff/commutativity",
       .section = "§2.1, after Corollary 3",
       .statement = "The operation is not applied in rank order; Algorithm 1 relies on its being commutative.",
       .check = commutativity},
  };
}

}  // namespace heddle::claims::traeff_parts
