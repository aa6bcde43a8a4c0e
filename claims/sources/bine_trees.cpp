// SPDX-License-Identifier: Apache-2.0
// Bine's distance-halving trees (§2, Figures 1 to 4) beside the schedules that checked broadcasts recorded.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "claims/sources/bine_schedules.hpp"

namespace heddle::claims {

namespace bine {

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

void check_figure_1(Lab&, const ClaimData&, Findings& findings) {
  const auto row = [&](const std::string& algorithm, const std::string& printed) {
    const std::vector<int> steps = between_leaves(messages_of(recorded(kBroadcast, algorithm, "p=8")));
    int sum = 0;
    for (const int vectors : steps) sum += vectors;
    const std::string measured = fmt::format("{}n: {} in steps 0, 1, 2", sum, fmt::join(steps, ", "));
    findings.same(algorithm + ", 8 ranks on leaves of two: bytes between leaves", printed, measured,
                  drawing(kBroadcast, algorithm, "p=8"));
  };
  row("binomial_doubling", "6n: 0, 2, 4 in steps 0, 1, 2");
  row("binomial_halving", "3n: 1, 2, 0 in steps 0, 1, 2");
}

void check_figure_2(Lab&, const ClaimData&, Findings& findings) {
  const Rounds four = messages_of(recorded(kBroadcast, "binomial_halving", "p=4"));
  const Rounds eight = messages_of(recorded(kBroadcast, "binomial_halving", "p=8"));
  findings = {compare_rounds("4 ranks: A, then B and C", {{{0, 2}}, {{0, 1}, {2, 3}}}, four,
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

void check_figure_3(Lab&, const ClaimData&, Findings& findings) {
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
    findings.exactly(fmt::format("order {}: edges that are the construction's", order), (1 << order) - 1, same,
                     drawing(kBroadcast, "bine_halving", where));
  }
  const LineTree eight = build(3);
  const Message first = messages_of(recorded(kBroadcast, "bine_halving", "p=8")).front().front();
  findings.exactly("8 ranks: distance of the roots of the two halves", 3, first.to - first.from);
  findings.exactly("8 ranks: had the new half gone to the other side", 5, eight.other_side);
  findings.exactly("8 ranks: the rightmost rank, 101 in base -2", nb2rank("101", 8), eight.most);
  findings.exactly("64 ranks: the rightmost rank, 010101 in base -2", 21, build(6).most);
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

void check_codes(Lab&, const ClaimData&, Findings& findings) {
  const std::vector<std::string> eight = codes_of_ways(8);
  const auto row = [&](int rank, const std::string& printed) {
    const std::string& measured = eight[static_cast<std::size_t>(rank)];
    findings.same(fmt::format("8 ranks: the code that a broadcast's messages give rank {}", rank), printed, measured,
                  drawing(kBroadcast, "bine_halving", "p=8"));
  };
  row(2, "110");
  row(6, "010");
  for (const int ranks : {8, 64, 256}) {
    const std::vector<std::string> codes = codes_of_ways(ranks);
    std::int64_t same = 0;
    for (int rank = 0; rank < ranks; ++rank) same += nb2rank(codes[static_cast<std::size_t>(rank)], ranks) == rank ? 1 : 0;
    findings.exactly(fmt::format("{} ranks: codes that are their rank's number in base -2, modulo p", ranks), ranks, same,
                     drawing(kBroadcast, "bine_halving", fmt::format("p={}", ranks)));
  }
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

void check_figure_4(Lab&, const ClaimData&, Findings& findings) {
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
    findings.same(fmt::format("rank {}, {}, hears", rank, rank2nb(rank, 16)), printed, heard(rank), command);
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
  findings.words("ranks below 8: those whose codes begin with 10", joined(printed, " "), joined(below, " "), printed == below,
                 command);
}

}  // namespace

}  // namespace bine

Vocabulary bine_tree_vocabulary() {
  using namespace bine;
  return {.checks = {{"figure 1", check_figure_1},
                     {"figure 2", check_figure_2},
                     {"figure 3", check_figure_3},
                     {"codes", check_codes},
                     {"figure 4", check_figure_4}}};
}

// ---- what the schedules are read with ----

Schedule recorded(Collective collective, std::string_view algorithm, const std::string& where) {
  return record_schedule(find_algorithm(collective, algorithm), parse_schedule(where));
}

Rounds messages_of(const Schedule& schedule) {
  Rounds rounds;
  for (const std::vector<Transfer>& round : schedule.rounds) {
    std::vector<Message>& messages = rounds.emplace_back();
    for (const Transfer& transfer : round) messages.push_back({transfer.source, transfer.dest});
    std::sort(messages.begin(), messages.end());
  }
  return rounds;
}

std::string to_text(const Rounds& rounds) {
  std::vector<std::string> texts;
  for (const std::vector<Message>& round : rounds) {
    std::vector<std::string> messages;
    for (const Message& message : round) messages.push_back(fmt::format("{}>{}", message.from, message.to));
    texts.push_back(joined(messages, " "));
  }
  return joined(texts, "; ");
}

std::string drawing(Collective collective, std::string_view algorithm, const std::string& where) {
  return fmt::format("heddle list --collective {} --algo {} --schedule {}", to_string(collective), algorithm, where);
}

Finding compare_rounds(std::string subject, const Rounds& printed, const Rounds& measured, std::string command) {
  return compare_words(std::move(subject), to_text(printed), to_text(measured), printed == measured, std::move(command),
                       "The recorded schedule has other messages.");
}

std::string rank2nb(int rank, int ranks) {
  const int digits = std::bit_width(static_cast<unsigned>(ranks - 1));
  int greatest = 0;  // ones in all even places
  for (int j = 0; j < digits; j += 2) greatest += 1 << j;
  int rest = rank <= greatest ? rank : rank - ranks;
  std::string text;
  for (int j = 0; j < digits; ++j) {
    const bool one = rest % 2 != 0;
    text.insert(text.begin(), one ? '1' : '0');
    rest = (rest - (one ? 1 : 0)) / -2;
  }
  return text;
}

int nb2rank(const std::string& digits, int ranks) {
  int value = 0;
  for (const char digit : digits) value = -2 * value + (digit == '1' ? 1 : 0);
  return (value % ranks + ranks) % ranks;
}

int alternating_sum(int step) {
  int sum = 0;
  for (int j = 0, power = 1; j <= step; ++j, power *= -2) sum += power;
  return sum;
}

}  // namespace heddle::claims
