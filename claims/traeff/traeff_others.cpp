// SPDX-License-Identifier: Apache-2.0
// What Algorithm 1 is good for beside equal blocks: irregular ones, allreduce, alltoall, rooted collectives.
#include <fmt/format.h>

#include <algorithm>

#include "algorithms/registry/formulas.hpp"
#include "claims/traced_sum.hpp"
#include "claims/traeff/traeff_claims.hpp"

namespace heddle::claims::traeff_parts {

namespace {

using formulas::ceil_log2;

std::string command_of(const std::string& arguments) { return "heddle run " + arguments; }

// §1: what was known.
std::vector<Finding> known_algorithms(Lab& lab) {
  const auto traffic = [&](const char* algorithm, int p) {
    return count_blocks(lab.run(one_element_blocks("reduce_scatter", algorithm, p)));
  };
  std::vector<Finding> findings = {at_each(
      fmt::format("ring, {}", kManyRankCounts), "p−1 rounds, p−1 blocks",
      [&](int p) { return traffic("ring", p).rounds == p - 1 && traffic("ring", p).sent == p - 1; },
      command_of(one_element_blocks("reduce_scatter", "ring", 22)))};
  for (const int p : {8, 64, 256}) {
    const Traffic butterfly = traffic("recursive_halving", p);
    findings.push_back(compare_words(fmt::format("butterfly, p = {}", p),
                                     fmt::format("{} rounds, {} blocks", ceil_log2(p), p - 1),
                                     fmt::format("{} rounds, {} blocks", butterfly.rounds, butterfly.sent),
                                     butterfly.rounds == ceil_log2(p) && butterfly.sent == p - 1,
                                     command_of(one_element_blocks("reduce_scatter", "recursive_halving", p))));
  }
  const std::string odd = one_element_blocks("reduce_scatter", "recursive_halving", 22);
  const int rounds = lab.run(odd).rounds_max();
  findings.push_back(compare_words("butterfly, p = 22, by reduction to the nearest power of two", "not in ⌈log₂p⌉ = 5 rounds",
                                   fmt::format("{} rounds", rounds), rounds > 5, command_of(odd)));
  return findings;
}

/// One block, the last rank's, has all m bytes.
std::string one_block_run(int ranks, std::int64_t bytes, std::string_view gamma) {
  std::string blocks;
  for (int block = 0; block + 1 < ranks; ++block) blocks += "0,";
  return fmt::format(
      "reduce_scatter --algo circulant --topo star:{} --size {}B --blocks {}{} --alpha 1us --latency 0 --bw 1GB/s --gamma {}",
      ranks, bytes, blocks, bytes / 4, gamma);
}

std::vector<Finding> corollary_3(Lab& lab) {
  constexpr std::int64_t kBytes = 1'000'000;
  std::vector<Finding> findings;
  const auto check = [&](std::string subject, const std::string& arguments, double bound, double shortest) {
    const double measured = lab.microseconds(arguments);
    const bool holds = measured <= bound * (1 + 1e-9) && measured >= shortest;
    findings.push_back(compare_words(std::move(subject), fmt::format("at most {:.0f} us", bound),
                                     fmt::format("{:.3f} us", measured), holds, command_of(arguments),
                                     "Longer than the bound, or shorter than any run can be."));
  };
  // In units: α = 1 us, βm = 1000 us, γm = 100 us.
  for (const int p : {7, 22, 32})
    check(fmt::format("p = {}, all in one block, γ = 0", p), one_block_run(p, kBytes, "0"), ceil_log2(p) * 1001.0, 1001);
  for (const int p : {7, 22, 32})
    check(fmt::format("p = {}, all in one block, with the initial copy's γm", p), one_block_run(p, kBytes, "0.1ns"),
          ceil_log2(p) * 1101.0 + 100, 1101);
  for (const int seed : {1, 2, 3})
    check(
        fmt::format("p = 22, blocks drawn by chance, seed {}", seed),
        fmt::format("reduce_scatter --algo circulant --topo star:22 --size {}B --blocks random:{} --alpha 1us --latency 0 --bw "
                    "1GB/s --gamma 0.1ns",
                    kBytes, seed),
        ceil_log2(22) * 1101.0, 0);
  return findings;
}

std::vector<Finding> theorem_2(Lab& lab) {
  const auto run_of = [](int p) { return one_element_blocks("allreduce", "circulant", p); };
  std::vector<std::string> runs;
  for (const int p : many_rank_counts()) runs.push_back(run_of(p));
  lab.prepare(runs);
  const auto traffic = [&](int p) { return count_blocks(lab.run(run_of(p))); };
  const Algorithm algorithm = find_algorithm(Collective::allreduce, "circulant");
  return {
      at_each(
          fmt::format("{}: rounds", kManyRankCounts), "2⌈log₂p⌉", [&](int p) { return traffic(p).rounds == 2 * ceil_log2(p); },
          command_of(run_of(22))),
      at_each(
          fmt::format("{}: blocks that each rank sends and receives", kManyRankCounts), "2(p−1)",
          [&](int p) { return traffic(p).sent == 2 * (p - 1) && traffic(p).received == 2 * (p - 1); }, command_of(run_of(22))),
      at_each(
          fmt::format("{}: applications of ⊕ to blocks by each rank", kManyRankCounts), "p−1",
          [&](int p) {
            return std::ranges::all_of(trace_sums(algorithm, p), [p](auto& rank) { return rank.applications == p - 1; });
          },
          command_of(run_of(22)))};
}

/// Blocks that each rank sends in the first round, where all send as many.
std::int64_t first_round_blocks(Lab& lab, const char* skips, int ranks) {
  const Report& report = lab.run(one_element_blocks("reduce_scatter", fmt::format("circulant:skips={}", skips), ranks));
  return report.rounds.front().bytes.count() / 4 / ranks;
}

std::vector<Finding> section_3(Lab& lab) {
  std::vector<Finding> findings = {at_each(
      fmt::format("halves, {}: partial results that are added to", kManyRankCounts), "at most ⌈p/2⌉ blocks",
      [&](int p) { return p - first_round_blocks(lab, "halving", p) <= (p + 1) / 2; },
      command_of(one_element_blocks("reduce_scatter", "circulant", 22)))};
  const std::int64_t straight = 22 - first_round_blocks(lab, "power_of_two", 22);
  findings.push_back(compare_words("powers of two, p = 22", "more than ⌈p/2⌉ = 11", fmt::format("{} blocks", straight),
                                   straight > 11,
                                   command_of(one_element_blocks("reduce_scatter", "circulant:skips=power_of_two", 22))));
  return findings;
}

std::vector<Finding> all_to_all(Lab& lab) {
  const auto run_of = [](int p) { return fmt::format("alltoall --algo circulant --topo star:{} --size {}B", p, 4 * p); };
  std::vector<Finding> findings = {at_each(
      fmt::format("{}: rounds", kManyRankCounts), "⌈log₂p⌉",
      [&](int p) { return lab.run(run_of(p)).rounds_max() == ceil_log2(p); }, command_of(run_of(22)))};
  return findings;
}

std::vector<Finding> rooted(Lab& lab) {
  std::vector<Finding> findings;
  for (const char* collective : {"scatter", "gather", "reduce", "broadcast"}) {
    const auto run_of = [&](int p) { return one_element_blocks(collective, "circulant", p); };
    findings.push_back(at_each(
        fmt::format("{}, {}: rounds", collective, kManyRankCounts), "at most ⌈log₂p⌉",
        [&](int p) { return lab.run(run_of(p)).rounds_max() <= ceil_log2(p); }, command_of(run_of(22))));
  }
  return findings;
}

}  // namespace

std::vector<Claim> other_claims() {
  return {
      {.name = "traeff/known-algorithms",
       .section = "§1",
       .statement =
           "A ring takes p−1 rounds for the fewest blocks, p−1; a butterfly log₂p for as many, but readily only where p is a "
           "power of two.",
       .check = known_algorithms},
      {.name = "traeff/corollary-3",
       .section = "§2.1, Corollary 3",
       .statement =
           "With blocks of any sizes Algorithm 1 takes at most ⌈log₂p⌉(α + βm + γm): at worst all elements are in one block "
           "and all of them go in every round.",
       .check = corollary_3},
      {.name = "traeff/theorem-2",
       .section = "§2.2, Theorem 2",
       .statement =
           "Algorithm 2 solves allreduce for any p in 2⌈log₂p⌉ rounds; each rank sends and receives 2(p−1) blocks and applies "
           "the operation to p−1 blocks.",
       .check = theorem_2},
      {.name = "traeff/half-of-the-blocks",
       .section = "§3",
       .statement =
           "On halves no sequence of partial results is longer than ⌈p/2⌉ blocks, so that half of the copies can be avoided; "
           "straight doubling does not have this property.",
       .check = section_3},
      {.name = "traeff/all-to-all",
       .section = "§1, §4",
       .statement = "With concatenation as its operation the reduce-scatter is an all-to-all in as many rounds, ⌈log₂p⌉.",
       .check = all_to_all},
      {.name = "traeff/rooted",
       .section = "§2.1, §4",
       .statement = "Scatter, gather, reduce and broadcast follow by specialisation, in ⌈log₂p⌉ rounds at most.",
       .check = rooted},
  };
}

}  // namespace heddle::claims::traeff_parts
