// SPDX-License-Identifier: Apache-2.0
// Bine's distance-halving trees (§2, Figures 1 to 4) beside the schedules that checked broadcasts recorded.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "claims/bine/bine_claims.hpp"

namespace heddle::claims {

namespace {

constexpr Collective kBroadcast = Collective::broadcast;

/// Vectors that cross between leaves of two ranks each, round by round.
std::vector<int> between_leaves(const Rounds& rounds) {
  std::vector<int> crossing;
  for (const std::vector<Message>& round : rounds)
    crossing.push_back(
        static_cast<int>(std::count_if(round.begin(), round.end(), [](const Message& m) { return m.from / 2 != m.to / 2; })));
  return crossing;
}

std::vector<Finding> check_figure_1(Lab&) {
  std::vector<Finding> findings;
  const auto row = [&](const std::string& algorithm, const std::string& printed) {
    const std::vector<int> steps = between_leaves(messages_of(recorded(kBroadcast, algorithm, "p=8")));
    int sum = 0;
    for (const int vectors : steps) sum += vectors;
    const std::string measured = fmt::format("{}n: {} in steps 0, 1, 2", sum, fmt::join(steps, ", "));
    findings.push_back(compare_words(algorithm + ", 8 ranks on leaves of two: bytes between leaves", printed, measured,
                                     printed == measured, drawing(kBroadcast, algorithm, "p=8")));
  };
  row("binomial_doubling", "6n: 0, 2, 4 in steps 0, 1, 2");
  row("binomial_halving", "3n: 1, 2, 0 in steps 0, 1, 2");
  return findings;
}

std::vector<Finding> check_figure_2(Lab&) {
  const Rounds four = messages_of(recorded(kBroadcast, "binomial_halving", "p=4"));
  const Rounds eight = messages_of(recorded(kBroadcast, "binomial_halving", "p=8"));
  return {compare_rounds("4 ranks: A, then B and C", {{{0, 2}}, {{0, 1}, {2, 3}}}, four,
                         drawing(kBroadcast, "binomial_halving", "p=4")),
          compare_rounds("8 ranks: two trees of 4, roots 4 apart (E)",
                         {{{0, 4}}, {{0, 2}, {4, 6}}, {{0, 1}, {2, 3}, {4, 5}, {6, 7}}}, eight,
                         drawing(kBroadcast, "binomial_halving", "p=8"))};
}

/// A tree on a line around its root at 0, as §2.2 builds it: by order, the mirrored copy of itself beside itself, on the side
/// where the roots are nearer.
struct LineTree {
  int least = 0;
  int most = 0;
  Rounds edges;
  int root_distance = 0;  ///< of the last joint
  int other_side = 0;     ///< what it would have been on the other side
};

LineTree build(int order) {
  LineTree tree;
  for (int k = 0; k < order; ++k) {
    const int left = 1 - 2 * tree.least;
    const int right = 2 * tree.most + 1;
    const int root = left < right ? -left : right;
    Rounds edges = {{{0, root}}};
    for (const std::vector<Message>& round : tree.edges) {
      std::vector<Message>& joined = edges.emplace_back(round);
      for (const Message& m : round) joined.push_back({root - m.from, root - m.to});
    }
    const int least = std::min(tree.least, root - tree.most);
    const int most = std::max(tree.most, root - tree.least);
    tree = {least, most, std::move(edges), std::min(left, right), std::max(left, right)};
  }
  return tree;
}

Rounds on_circle(const LineTree& tree) {
  const int ranks = tree.most - tree.least + 1;
  Rounds rounds = tree.edges;
  for (std::vector<Message>& round : rounds) {
    for (Message& m : round) m = {(m.from + ranks) % ranks, (m.to + ranks) % ranks};
    std::sort(round.begin(), round.end());
  }
  return rounds;
}

std::vector<Finding> check_figure_3(Lab&) {
  std::vector<Finding> findings;
  for (const int order : {1, 2, 3}) {
    const std::string where = fmt::format("p={}", 1 << order);
    findings.push_back(compare_rounds(fmt::format("order {}, built from mirrored trees", order), on_circle(build(order)),
                                      messages_of(recorded(kBroadcast, "bine_halving", where)),
                                      drawing(kBroadcast, "bine_halving", where)));
  }
  for (const int order : {4, 5, 6, 7, 8}) {
    const std::string where = fmt::format("p={}", 1 << order);
    const Rounds printed = on_circle(build(order));
    const Rounds measured = messages_of(recorded(kBroadcast, "bine_halving", where));
    std::int64_t same = 0;
    for (std::size_t i = 0; i < printed.size(); ++i)
      for (const Message& m : printed[i]) same += std::binary_search(measured[i].begin(), measured[i].end(), m) ? 1 : 0;
    findings.push_back(compare_exactly(fmt::format("order {}: edges that are the construction's", order), (1 << order) - 1,
                                       same, drawing(kBroadcast, "bine_halving", where)));
  }
  const LineTree eight = build(3);
  const Message first = messages_of(recorded(kBroadcast, "bine_halving", "p=8")).front().front();
  findings.push_back(compare_exactly("8 ranks: distance of the roots of the two halves", 3, first.to - first.from));
  findings.push_back(compare_exactly("8 ranks: had the new half gone to the other side", 5, eight.other_side));
  findings.push_back(compare_exactly("8 ranks: the rightmost rank, 101 in base -2", nb2rank("101", 8), eight.most));
  findings.push_back(compare_exactly("64 ranks: the rightmost rank, 010101 in base -2", 21, build(6).most));
  return findings;
}

/// The codes that a recorded broadcast from rank 0 gives its ranks: 0…0 to the root, and in step i (§2.3.2) the receiver's are
/// the sender's with the last s - i digits turned over.
std::vector<std::string> codes_of_ways(int ranks) {
  const Rounds rounds = messages_of(recorded(kBroadcast, "bine_halving", fmt::format("p={}", ranks)));
  std::vector<std::string> codes(static_cast<std::size_t>(ranks), std::string(rounds.size(), '0'));
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    for (const Message& m : rounds[i]) {
      std::string code = codes[static_cast<std::size_t>(m.from)];
      for (std::size_t digit = i; digit < code.size(); ++digit) code[digit] = code[digit] == '0' ? '1' : '0';
      codes[static_cast<std::size_t>(m.to)] = std::move(code);
    }
  }
  return codes;
}

std::vector<Finding> check_codes(Lab&) {
  std::vector<Finding> findings;
  const std::vector<std::string> eight = codes_of_ways(8);
  const auto row = [&](int rank, const std::string& printed) {
    const std::string& measured = eight[static_cast<std::size_t>(rank)];
    findings.push_back(compare_words(fmt::format("8 ranks: the code that a broadcast's messages give rank {}", rank), printed,
                                     measured, printed == measured, drawing(kBroadcast, "bine_halving", "p=8")));
  };
  row(2, "110");
  row(6, "010");
  for (const int ranks : {8, 64, 256}) {
    const std::vector<std::string> codes = codes_of_ways(ranks);
    std::int64_t same = 0;
    for (int rank = 0; rank < ranks; ++rank) same += nb2rank(codes[static_cast<std::size_t>(rank)], ranks) == rank ? 1 : 0;
    findings.push_back(compare_exactly(fmt::format("{} ranks: codes that are their rank's number in base -2, modulo p", ranks),
                                       ranks, same, drawing(kBroadcast, "bine_halving", fmt::format("p={}", ranks))));
  }
  return findings;
}

/// §2.3.2: with u equal digits at the end of its code, a rank hears in step s - u, and then sends by Eq. 1.
Rounds by_codes(int ranks) {
  const int steps = static_cast<int>(rank2nb(0, ranks).size());
  const auto hears = [&](int rank) {
    const std::string code = rank2nb(rank, ranks);
    std::size_t u = 1;
    while (u < code.size() && code[code.size() - 1 - u] == code.back()) ++u;
    return steps - static_cast<int>(u);
  };
  Rounds rounds(static_cast<std::size_t>(steps));
  for (int rank = 0; rank < ranks; ++rank) {
    for (int i = rank == 0 ? 0 : hears(rank) + 1; i < steps; ++i) {
      std::string code = rank2nb(rank, ranks);
      for (int bit = 0; bit < steps - i; ++bit) {
        char& digit = code[code.size() - 1 - static_cast<std::size_t>(bit)];
        digit = digit == '0' ? '1' : '0';
      }
      rounds[static_cast<std::size_t>(i)].push_back({rank, nb2rank(code, ranks)});
    }
  }
  for (std::vector<Message>& round : rounds) std::sort(round.begin(), round.end());
  return rounds;
}

std::vector<Finding> check_figure_4(Lab&) {
  std::vector<Finding> findings;
  const Rounds sixteen = messages_of(recorded(kBroadcast, "bine_halving", "p=16"));
  const std::string command = drawing(kBroadcast, "bine_halving", "p=16");
  findings.push_back(compare_rounds("16 ranks: who sends in which step, by Eq. 1", by_codes(16), sixteen, command));
  const auto heard = [&](int rank) {
    for (std::size_t i = 0; i < sixteen.size(); ++i)
      for (const Message& m : sixteen[i])
        if (m.to == rank) return fmt::format("in step {} from {}", i, m.from);
    return std::string("never");
  };
  const auto hears = [&](int rank, const std::string& printed) {
    findings.push_back(compare_words(fmt::format("rank {}, {}, hears", rank, rank2nb(rank, 16)), printed, heard(rank),
                                     printed == heard(rank), command));
  };
  hears(8, "in step 1 from 11");
  hears(7, "in step 2 from 8");
  hears(3, "in step 1 from 0");
  hears(4, "in step 2 from 3");
  // §2.3.3: below 8 are the ranks whose codes begin with 10.
  std::vector<int> below = {8};
  for (const std::vector<Message>& round : sixteen)
    for (const Message& m : round)
      if (std::find(below.begin(), below.end(), m.from) != below.end()) below.push_back(m.to);
  std::sort(below.begin(), below.end());
  std::vector<int> printed;
  for (int rank = 0; rank < 16; ++rank)
    if (rank2nb(rank, 16).substr(0, 2) == "10") printed.push_back(rank);
  findings.push_back(compare_words("ranks below 8: those whose codes begin with 10", fmt::format("{}", fmt::join(printed, " ")),
                                   fmt::format("{}", fmt::join(below, " ")), printed == below, command));
  return findings;
}

}  // namespace

std::vector<Claim> bine_tree_claims() {
  return {
      {.name = "bine/figure-1",
       .section = "§1, Fig. 1",
       .statement = "Broadcast to eight ranks on leaves of two: 6n bytes go between leaves if distances double (0, 2n, 4n), 3n "
                    "if they halve.",
       .check = check_figure_1},
      {.name = "bine/figure-2",
       .section = "§2.1, Fig. 2",
       .statement = "A distance-halving binomial tree joins two of half the size: 0 sends to 2, then 0 to 1 and 2 to 3.",
       .check = check_figure_2},
      {.name = "bine/figure-3",
       .section = "§2.2, §2.3.1, Fig. 3",
       .statement = "A Bine tree joins a Bine tree and its mirror image on the side where the roots are nearer: 3 instead of 5 "
                    "(and 4 of a binomial tree) at 8 ranks.",
       .check = check_figure_3},
      {.name = "bine/negabinary",
       .section = "§2.3.1",
       .statement =
           "Ranks are written in base -2, those right of the root by their number, the others by r - p; 2 of 8 is 110, "
           "6 of 8 is 010.",
       .check = check_codes},
      {.name = "bine/figure-4",
       .section = "§2.3.2, §2.3.3, Fig. 4, Eq. 1",
       .statement = "A rank whose code ends in u equal digits hears in step s - u, and in each step i sends to whom differs in "
                    "its last s - i digits; what is below it shares its first digits.",
       .check = check_figure_4},
  };
}

}  // namespace heddle::claims
