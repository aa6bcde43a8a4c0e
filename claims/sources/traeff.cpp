// SPDX-License-Identifier: Apache-2.0
// Träff: circulant reduce-scatter and allreduce.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "algorithms/families/circulant.hpp"
#include "algorithms/registry/formulas.hpp"
#include "claims/compared_rows.hpp"
#include "claims/traced_sum.hpp"
#include "heddle/errors.hpp"

namespace heddle::claims {

namespace traeff {

namespace {

using formulas::ceil_log2;

/// All numbers of ranks up to this one are run where a statement is of any p; beyond, the neighbours of powers of two.
constexpr int kAllRanksUpTo = 66;
/// "p = 2 … 66, 127 … 129, 255 … 257" for these.
constexpr std::string_view kManyRankCounts = "p = 2 … 66, 127 … 129, 255 … 257";

std::vector<int> many_rank_counts() {
  std::vector<int> counts;
  for (int p = 2; p <= kAllRanksUpTo; ++p) counts.push_back(p);
  for (const int power : {128, 256}) counts.insert(counts.end(), {power - 1, power, power + 1});
  return counts;
}

/// "reduce_scatter --algo circulant --topo star:22 --size 88B": p blocks of one element each.
std::string one_element_blocks(std::string_view collective, std::string_view algorithm, int ranks) {
  return fmt::format("{} --algo {} --topo star:{} --size {}B", collective, algorithm, ranks, 4 * ranks);
}

/// Whether something holds at each p of many_rank_counts(), which the subject has in its place: "at each" or "not at p = 5, 7".
Finding at_each(const std::string& subject, std::string printed, const std::function<bool(int)>& holds, std::string command) {
  std::vector<int> not_at;
  for (const int p : many_rank_counts())
    if (!holds(p)) not_at.push_back(p);
  return compare_words(fmt::format(fmt::runtime(subject), kManyRankCounts), std::move(printed),
                       not_at.empty() ? "at each" : fmt::format("not at p = {}", fmt::join(not_at, ", ")), not_at.empty(),
                       std::move(command), not_at.empty() ? "" : "Counted in runs at these p.");
}

/// Blocks of one element that every rank sends and receives; -1 where ranks differ.
struct Traffic {
  int rounds;
  std::int64_t sent;
  std::int64_t received;
};
Traffic count_blocks(const Report& report) {
  const auto same = [&](auto member) {
    const std::int64_t first = (report.ranks.front().*member).count();
    for (const RankReport& rank : report.ranks)
      if ((rank.*member).count() != first) return std::int64_t{-1};
    return first / 4;
  };
  return {.rounds = report.rounds_max(), .sent = same(&RankReport::sent), .received = same(&RankReport::received)};
}

// ---- Theorem 1: its counts, its proof, its example; Corollary 1 ----

const Algorithm& circulant() {
  static const Algorithm algorithm = find_algorithm(Collective::reduce_scatter, "circulant");
  return algorithm;
}

std::string circulant_run(int ranks) { return one_element_blocks("reduce_scatter", "circulant", ranks); }

void theorem_1(Lab& lab, const ClaimData&, Findings& findings) {
  std::vector<std::string> runs;
  for (const int p : many_rank_counts()) runs.push_back(circulant_run(p));
  lab.prepare(runs);
  const auto blocks = [&](int p) { return count_blocks(lab.run(circulant_run(p))); };
  const auto applications_are_p_minus_1 = [](int p) {
    for (const TracedSum& rank : trace_sums(circulant(), p))
      if (rank.applications != p - 1) return false;
    return true;
  };
  const std::string command = "heddle " + ("run " + circulant_run(22));
  findings = {at_each(
                  "{}: rounds", "⌈log₂p⌉", [&](int p) { return blocks(p).rounds == ceil_log2(p); }, command),
              at_each(
                  "{}: blocks that each rank sends", "p−1", [&](int p) { return blocks(p).sent == p - 1; }, command),
              at_each(
                  "{}: blocks that each rank receives", "p−1", [&](int p) { return blocks(p).received == p - 1; }, command),
              at_each("{}: applications of ⊕ to blocks by each rank", "p−1", applications_are_p_minus_1, command)};
}

void proof_of_theorem_1(Lab&, const ClaimData& data, Findings& findings) {
  const std::vector<int> skips = plans::CirculantSkips().for_ranks(22);
  const auto q = static_cast<int>(skips.size());
  findings = {compare_words("p = 22: skips", "11, 6, 3, 2, 1", joined(skips, ", "), skips == std::vector{11, 6, 3, 2, 1},
                            "heddle list --collective reduce_scatter --algo circulant --schedule p=22"),
              compare_exactly("p = 22: q", 5, q),
              // s₀ = p, so that skips[k] is s_(k+1).
              compare_exactly("p = 22: s_(q−1), with s₀ = p", 1, skips[static_cast<std::size_t>(q - 2)], "",
                              data.reason("a slip of an index"))};
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

void order_at_22(Lab&, const ClaimData&, Findings& findings) {
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
  const std::string by_round = joined(summands, ", ");
  findings = {
      compare_words("rank 21: the sum, brackets are what one message brought", printed, measured, measured == printed,
                    "heddle list --collective reduce_scatter --algo circulant --schedule p=22"),
      compare_words("rank 21: contributions that the five rounds bring, from 10, 15, 18, 19 and 20", "1, 2, 4, 6, 8", by_round,
                    by_round == "1, 2, 4, 6, 8"),
      compare_words("all ranks", "add in the same order, moved round by their distance",
                    orders.size() == 1 ? "in the same order" : fmt::format("in {} orders", orders.size()), orders.size() == 1)};
}

void corollary_1(Lab& lab, const ClaimData&, Findings& findings) {
  // α = 1 us, β = 1 ns/B, γ = 0.1 ns/B; blocks of 100,000 B.
  for (const int p : {2, 7, 22, 64, 100}) {
    const std::string arguments = fmt::format(
        "reduce_scatter --algo circulant --topo star:{} --size {}B --alpha 1us --latency 0 --bw 1GB/s --gamma 0.1ns", p,
        p * 100'000);
    const double formula = ceil_log2(p) + (p - 1) * 100.0 + (p - 1) * 10.0;
    findings.value(fmt::format("p = {}, m = {}·100 kB", p, p), formula, 3, lab.microseconds(arguments), "us", 0,
                   "heddle run " + arguments, "The run is not in lockstep.");
  }
}

// ---- Corollary 2: other skips than halves, and what Algorithm 1 makes of them as it is printed ----

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

void corollary_2(Lab& lab, const ClaimData& data, Findings& findings) {
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
  const Unless lost = data.reason("lost");
  findings = {count("right results in at most q rounds", at_most_q_rounds),
              count("p−1 blocks sent and received", with_fewest_blocks),
              count("Algorithm 1 as printed adds every contribution once", right_as_printed, lost),
              compare_words("p = 12, skips 5, 3, 2, 1: Algorithm 1 as printed", "every contribution once",
                            hole.empty() ? "every contribution once"
                                         : fmt::format("wrong for those of distance {}", fmt::join(hole, ", ")),
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

void examples(Lab& lab, const ClaimData& data, Findings& findings) {
  const auto rounds = [&](const char* skips, int p) {
    return count_blocks(lab.run(one_element_blocks("reduce_scatter", fmt::format("circulant:skips={}", skips), p))).rounds;
  };
  const auto command = [](const char* skips) {
    return "heddle run " + one_element_blocks("reduce_scatter", fmt::format("circulant:skips={}", skips), 22);
  };
  findings = {at_each(
                  "fully connected, s_k = p, p−1, …, 1; {}: rounds", "p−1", [&](int p) { return rounds("linear", p) == p - 1; },
                  command("linear")),
              at_each(
                  "powers of two; {}: rounds", "⌈log₂p⌉", [&](int p) { return rounds("power_of_two", p) == ceil_log2(p); },
                  command("power_of_two")),
              at_each(
                  "s_k = p − k⌈√p⌉ while above ⌈√p⌉, then halves; {}: rounds", "⌈√p⌉ and the halves of what is left",
                  [&](int p) { return rounds("sqrt", p) == rounds_by_root(p); }, command("sqrt"))};
  for (const int p : {16, 64, 256}) {
    const int root = static_cast<int>(std::lround(std::sqrt(p)));
    const int measured = rounds("sqrt", p);
    findings.push_back({.subject = fmt::format("the same, p = {}: rounds", p),
                        .printed = fmt::format("about √p = {}", root),
                        .measured = fmt::to_string(measured),
                        .difference = static_cast<double>(measured) / root - 1,
                        .verdict = measured == root ? Verdict::holds : Verdict::holds_within,
                        .why = measured == root ? "" : data.reason("twice √p are left").why,
                        .command = "heddle run " + one_element_blocks("reduce_scatter", "circulant:skips=sqrt", p)});
  }
  const std::string affine = "reduce_scatter --algo circulant:skips=linear --topo star:22 --size 352B --op affine";
  lab.run(affine);
  findings.words("fully connected, an operation that is not commutative", "works", "every result right, in rank order", true,
                 "heddle run " + affine);
}

void commutativity(Lab& lab, const ClaimData&, Findings& findings) {
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
  findings = {compare_words("p = 22, rank 0: in rank order", "no", std::ranges::is_sorted(summands) ? "yes" : "no",
                            !std::ranges::is_sorted(summands)),
              compare_words("an operation that is not commutative", "needs another algorithm", refusal, refusal == "refused",
                            "heddle run " + arguments)};
}

// ---- what Algorithm 1 is good for beside equal blocks: irregular ones, allreduce, alltoall, rooted collectives ----

// §1: what was known.
void known_algorithms(Lab& lab, const ClaimData&, Findings& findings) {
  const auto traffic = [&](const char* algorithm, int p) {
    return count_blocks(lab.run(one_element_blocks("reduce_scatter", algorithm, p)));
  };
  findings = {at_each(
      "ring, {}", "p−1 rounds, p−1 blocks",
      [&](int p) { return traffic("ring", p).rounds == p - 1 && traffic("ring", p).sent == p - 1; },
      command_of(one_element_blocks("reduce_scatter", "ring", 22)))};
  for (const int p : {8, 64, 256}) {
    const Traffic butterfly = traffic("recursive_halving", p);
    findings.words(fmt::format("butterfly, p = {}", p), fmt::format("{} rounds, {} blocks", ceil_log2(p), p - 1),
                   fmt::format("{} rounds, {} blocks", butterfly.rounds, butterfly.sent),
                   butterfly.rounds == ceil_log2(p) && butterfly.sent == p - 1,
                   command_of(one_element_blocks("reduce_scatter", "recursive_halving", p)));
  }
  const std::string odd = one_element_blocks("reduce_scatter", "recursive_halving", 22);
  const int rounds = lab.run(odd).rounds_max();
  findings.words("butterfly, p = 22, by reduction to the nearest power of two", "not in ⌈log₂p⌉ = 5 rounds",
                 fmt::format("{} rounds", rounds), rounds > 5, command_of(odd));
}

/// One block, the last rank's, has all m bytes.
std::string one_block_run(int ranks, std::int64_t bytes, std::string_view gamma) {
  std::string blocks;
  for (int block = 0; block + 1 < ranks; ++block) blocks += "0,";
  return fmt::format(
      "reduce_scatter --algo circulant --topo star:{} --size {}B --blocks {}{} --alpha 1us --latency 0 --bw 1GB/s --gamma {}",
      ranks, bytes, blocks, bytes / 4, gamma);
}

void corollary_3(Lab& lab, const ClaimData&, Findings& findings) {
  constexpr std::int64_t kBytes = 1'000'000;
  const auto check = [&](std::string subject, const std::string& arguments, double bound, double shortest) {
    const double measured = lab.microseconds(arguments);
    const bool holds = measured <= bound * (1 + 1e-9) && measured >= shortest;
    findings.words(std::move(subject), fmt::format("at most {:.0f} us", bound), fmt::format("{:.3f} us", measured), holds,
                   command_of(arguments), "Longer than the bound, or shorter than any run can be.");
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
}

void theorem_2(Lab& lab, const ClaimData&, Findings& findings) {
  const auto run_of = [](int p) { return one_element_blocks("allreduce", "circulant", p); };
  std::vector<std::string> runs;
  for (const int p : many_rank_counts()) runs.push_back(run_of(p));
  lab.prepare(runs);
  const auto traffic = [&](int p) { return count_blocks(lab.run(run_of(p))); };
  const Algorithm algorithm = find_algorithm(Collective::allreduce, "circulant");
  findings = {
      at_each(
          "{}: rounds", "2⌈log₂p⌉", [&](int p) { return traffic(p).rounds == 2 * ceil_log2(p); }, command_of(run_of(22))),
      at_each(
          "{}: blocks that each rank sends and receives", "2(p−1)",
          [&](int p) { return traffic(p).sent == 2 * (p - 1) && traffic(p).received == 2 * (p - 1); }, command_of(run_of(22))),
      at_each(
          "{}: applications of ⊕ to blocks by each rank", "p−1",
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

void section_3(Lab& lab, const ClaimData&, Findings& findings) {
  findings = {at_each(
      "halves, {}: partial results that are added to", "at most ⌈p/2⌉ blocks",
      [&](int p) { return p - first_round_blocks(lab, "halving", p) <= (p + 1) / 2; },
      command_of(one_element_blocks("reduce_scatter", "circulant", 22)))};
  const std::int64_t straight = 22 - first_round_blocks(lab, "power_of_two", 22);
  findings.words("powers of two, p = 22", "more than ⌈p/2⌉ = 11", fmt::format("{} blocks", straight), straight > 11,
                 command_of(one_element_blocks("reduce_scatter", "circulant:skips=power_of_two", 22)));
}

void all_to_all(Lab& lab, const ClaimData&, Findings& findings) {
  const auto run_of = [](int p) { return fmt::format("alltoall --algo circulant --topo star:{} --size {}B", p, 4 * p); };
  findings = {at_each(
      "{}: rounds", "⌈log₂p⌉", [&](int p) { return lab.run(run_of(p)).rounds_max() == ceil_log2(p); }, command_of(run_of(22)))};
}

void rooted(Lab& lab, const ClaimData&, Findings& findings) {
  for (const char* collective : {"scatter", "gather", "reduce", "broadcast"}) {
    const auto run_of = [&](int p) { return one_element_blocks(collective, "circulant", p); };
    findings.push_back(at_each(
        fmt::format("{}, {{}}: rounds", collective), "at most ⌈log₂p⌉",
        [&](int p) { return lab.run(run_of(p)).rounds_max() <= ceil_log2(p); }, command_of(run_of(22))));
  }
}

}  // namespace

}  // namespace traeff

Vocabulary traeff_vocabulary() {
  using namespace traeff;
  return {.checks = {{"theorem 1", theorem_1},
                     {"proof of theorem 1", proof_of_theorem_1},
                     {"order at 22", order_at_22},
                     {"corollary 1", corollary_1},
                     {"corollary 2", corollary_2},
                     {"examples", examples},
                     {"commutativity", commutativity},
                     {"known algorithms", known_algorithms},
                     {"corollary 3", corollary_3},
                     {"theorem 2", theorem_2},
                     {"section 3", section_3},
                     {"all to all", all_to_all},
                     {"rooted", rooted}}};
}

}  // namespace heddle::claims
