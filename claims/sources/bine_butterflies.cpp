// SPDX-License-Identifier: Apache-2.0
// Bine's butterflies, distance-doubling trees and blocks (§3, §4, Appendix A) beside recorded schedules.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "algorithms/families/bine.hpp"
#include "claims/sources/bine_schedules.hpp"

namespace heddle::claims {

namespace bine {

namespace {

/// Eq. 4 and 5: even ranks go Σ_{j ≤ k} (-2)^j further, odd ones as far back; k by step.
Rounds butterfly(int ranks, const std::vector<int>& orders) {
  Rounds rounds;
  for (const int order : orders) {
    std::vector<Message>& round = rounds.emplace_back();
    for (int r = 0; r < ranks; ++r) {
      const int to = r + (r % 2 == 0 ? alternating_sum(order) : -alternating_sum(order));
      round.push_back({r, (to % ranks + ranks) % ranks});
    }
  }
  return rounds;
}

/// The recorded messages without repetitions: two transmissions to one peer are one exchange.
Rounds exchanges(Collective collective, std::string_view algorithm, const std::string& where) {
  Rounds rounds = messages_of(recorded(collective, algorithm, where));
  for (std::vector<Message>& round : rounds) round.erase(std::unique(round.begin(), round.end()), round.end());
  return rounds;
}

void check_bine_figure_6(Lab&, const ClaimData&, Findings& findings) {
  const Rounds halving = exchanges(Collective::allgather, "bine_two_transmissions", "p=8");
  // What is recorded of the last step also has what circles round the ends: an exchange is counted once.
  findings.push_back(compare_rounds("left: distances halving, Eq. 4", butterfly(8, {2, 1, 0}),
                                    exchanges(Collective::reduce_scatter, "bine_two_transmissions", "p=8"),
                                    drawing(Collective::reduce_scatter, "bine_two_transmissions", "p=8")));
  findings.push_back(compare_rounds("right: distances doubling, Eq. 5", butterfly(8, {0, 1, 2}),
                                    exchanges(Collective::reduce_scatter, "bine_permute", "p=8"),
                                    drawing(Collective::reduce_scatter, "bine_permute", "p=8")));
  findings.push_back(compare_rounds("the allgather of the left one, backwards", butterfly(8, {0, 1, 2}), halving,
                                    drawing(Collective::allgather, "bine_two_transmissions", "p=8")));
  for (const int ranks : {16, 64, 256}) {
    std::vector<int> orders;
    for (int k = 0; (1 << k) < ranks; ++k) orders.push_back(k);
    const std::string where = fmt::format("p={}", ranks);
    const Rounds printed = butterfly(ranks, orders);
    const Rounds measured = exchanges(Collective::allreduce, "bine_small", where);
    std::int64_t same = 0;
    for (std::size_t i = 0; i < printed.size(); ++i)
      for (const Message& m : printed[i]) same += std::binary_search(measured[i].begin(), measured[i].end(), m) ? 1 : 0;
    findings.exactly(fmt::format("{} ranks: exchanges that are Eq. 5's", ranks),
                     static_cast<std::int64_t>(printed.size()) * ranks, same,
                     drawing(Collective::allreduce, "bine_small", where));
  }
}

/// v(r) = h(r) xor h(r)/2, h(r) the code of r if r is odd, of p - r if it is even (§3.2.1).
int way(int rank, int ranks) {
  int h = 0;
  if (rank != 0)
    for (const char digit : rank2nb(rank % 2 == 0 ? ranks - rank : rank, ranks)) h = 2 * h + (digit == '1' ? 1 : 0);
  return h ^ (h >> 1);
}

void check_doubling_tree(Lab&, const ClaimData&, Findings& findings) {
  const std::string command = drawing(Collective::broadcast, "bine_doubling", "p=8");
  const Rounds eight = messages_of(recorded(Collective::broadcast, "bine_doubling", "p=8"));
  const auto heard = [&](int rank) {
    for (std::size_t i = 0; i < eight.size(); ++i)
      for (const Message& m : eight[i])
        if (m.to == rank) return fmt::format("in step {} from {}", i, m.from);
    return std::string("never");
  };
  findings.words("8 ranks: v(2), v(5)", "011, 111", fmt::format("{:03b}, {:03b}", way(2, 8), way(5, 8)),
                 way(2, 8) == 0b011 && way(5, 8) == 0b111);
  const auto hears = [&](int rank, const std::string& printed) {
    findings.push_back(
        compare_words(fmt::format("8 ranks: rank {} hears", rank), printed, heard(rank), heard(rank) == printed, command));
  };
  hears(2, "in step 1 from 1");
  hears(5, "in step 2 from 2");
  for (const int ranks : {8, 64, 256}) {
    std::int64_t same = 0;
    const std::string where = fmt::format("p={}", ranks);
    const Rounds rounds = messages_of(recorded(Collective::broadcast, "bine_doubling", where));
    for (std::size_t j = 0; j < rounds.size(); ++j)
      for (const Message& m : rounds[j]) same += way(m.to, ranks) == (way(m.from, ranks) ^ (1 << j)) ? 1 : 0;
    findings.exactly(fmt::format("{} ranks: edges of step j between ranks whose v differ in bit j", ranks), ranks - 1, same,
                     drawing(Collective::broadcast, "bine_doubling", where));
  }
  // Figures 12 and 13: a rank of 2^12 whose h has ones from 0 to 1 and from 6 to 8, or from 2 to 5 and from 9 to 10.
  const auto steps_of = [](int code, int sign) {
    const int value = sign * plans::from_negabinary(static_cast<std::uint32_t>(code));
    std::vector<int> steps;
    const std::uint32_t found = plans::bine_way((value % 4096 + 4096) % 4096, 4096);
    for (int j = 0; j < 12; ++j)
      if ((found >> j) & 1) steps.push_back(j);
    return joined(steps, ", ");
  };
  findings.same("Fig. 12, h = 000111000011: steps on the way", "1, 5, 8", steps_of(0b000111000011, 1));
  findings.same("Fig. 13, h = 011000111100: steps on the way", "1, 5, 8, 10", steps_of(0b011000111100, -1));
}

/// What comes to rank 0 of a gather, round by round: from whom, and which blocks.
std::string comes_to(int rank, const Schedule& schedule) {
  std::vector<std::string> texts;
  for (const std::vector<Transfer>& round : schedule.rounds) {
    for (const Transfer& transfer : round) {
      if (transfer.dest != rank) continue;
      std::vector<std::int64_t> blocks;
      for (const Transfer::Carried& carried : transfer.carried) blocks.push_back(carried.block);
      texts.push_back(fmt::format("{} from {}", fmt::join(blocks, " "), transfer.source));
    }
  }
  return joined(texts, "; ");
}

void check_figure_7(Lab&, const ClaimData&, Findings& findings) {
  const auto row = [&](const std::string& algorithm, int rank, const std::string& printed) {
    const std::string measured = comes_to(rank, recorded(Collective::gather, algorithm, "p=8"));
    findings.same(fmt::format("{}, blocks that come to rank {}, step by step", algorithm, rank), printed, measured,
                  drawing(Collective::gather, algorithm, "p=8"));
  };
  row("binomial", 4, "5 from 5; 6 7 from 6");
  row("bine", 0, "1 from 1; 6 7 from 7; 2 3 4 5 from 3");
}

void check_figure_8(Lab& lab, const ClaimData&, Findings& findings) {
  std::vector<std::int64_t> blocks;
  const Schedule schedule = recorded(Collective::reduce_scatter, "bine_permute", "p=8");
  for (const Transfer& transfer : schedule.rounds.front())
    if (transfer.source == 0)
      for (const Transfer::Carried& carried : transfer.carried) blocks.push_back(carried.block);
  std::sort(blocks.begin(), blocks.end());
  const std::string sent = joined(blocks, " ");
  const std::string command = drawing(Collective::reduce_scatter, "bine_permute", "p=8");
  findings.same("blocks that rank 0 sends in step 0", "1 2 5 6", sent, command);
  std::set<int> positions;
  for (const std::int64_t block : blocks) positions.insert(plans::bine_position(static_cast<int>(block), 8));
  const std::string lie = joined(positions, " ");
  findings.same("where they lie after the permutation", "4 5 6 7", lie);
  findings.exactly("reverse(v(1))", 4, plans::bine_position(1, 8));
  std::vector<int> order(8);
  for (int block = 0; block < 8; ++block) order[static_cast<std::size_t>(plans::bine_position(block, 8))] = block;
  findings.words("\"send\": what rank 0 would send, positions 4 to 7, holds blocks", "1 6 2 5",
                 joined(order.begin() + 4, order.end(), " "),
                 std::vector<int>(order.begin() + 4, order.end()) == std::vector<int>{1, 6, 2, 5});
  for (const int ranks : {8, 64}) {
    const std::int64_t count = std::int64_t{256} * ranks;
    const std::string arguments = fmt::format("reduce_scatter --algo bine_permute --topo ring:{} --size {}", ranks, 4 * count);
    const Report& report = lab.run(arguments);
    findings.exactly(fmt::format("{} ranks: bytes of each, n(p-1)/p", ranks), 4 * count * (ranks - 1) / ranks,
                     report.sent_max().count(), "heddle run " + arguments);
    findings.exactly(fmt::format("{} ranks: steps, log2 p", ranks), ranks == 8 ? 3 : 6, report.rounds_max(),
                     "heddle run " + arguments);
  }
}

std::size_t runs_among(const std::set<int>& positions) {
  std::size_t runs = 0;
  for (const int position : positions) runs += positions.contains(position - 1) ? 0 : 1;
  return runs;
}

/// The gather of a large reduce to rank 0, as a run shows it: in how many pieces of the vector a message is at most, and how far
/// messages go, step by step.
struct Gather {
  std::size_t most_pieces = 0;
  std::vector<int> distances;
};

Gather gather_of_large_reduce(int ranks) {
  const Schedule schedule = recorded(Collective::reduce, "bine_reduce_scatter_gather", fmt::format("p={}", ranks));
  Gather gather;
  for (std::size_t i = schedule.rounds.size() / 2; i < schedule.rounds.size(); ++i) {
    int farthest = 0;
    for (const Transfer& transfer : schedule.rounds[i]) {
      std::set<int> positions;
      for (const Transfer::Carried& carried : transfer.carried) positions.insert(static_cast<int>(carried.block));
      gather.most_pieces = std::max(gather.most_pieces, runs_among(positions));
      const int apart = std::abs(transfer.source - transfer.dest);
      farthest = std::max(farthest, std::min(apart, ranks - apart));
    }
    gather.distances.push_back(farthest);
  }
  return gather;
}

/// The most pieces of a message where the same blocks are gathered along the tree of Figure 7, near ranks first.
std::size_t most_pieces_along_figure_7(int ranks) {
  const plans::Tree tree = plans::bine_tree(ranks, 0, plans::Distances::halving);
  const std::vector<plans::RunSet> below = tree.subtrees();
  std::size_t most = 0;
  for (int rank = 1; rank < ranks; ++rank) {
    std::set<int> positions;
    for (const plans::Run& run : below[static_cast<std::size_t>(rank)])
      for (int r = run.first; r < run.end(); ++r) positions.insert(plans::bine_position(r, ranks));
    most = std::max(most, runs_among(positions));
  }
  return most;
}

void check_large_reduce(Lab&, const ClaimData& data, Findings& findings) {
  for (const int ranks : {8, 64, 256}) {
    const Gather gather = gather_of_large_reduce(ranks);
    const std::string command = drawing(Collective::reduce, "bine_reduce_scatter_gather", fmt::format("p={}", ranks));
    const bool halves = std::is_sorted(gather.distances.rbegin(), gather.distances.rend());
    findings.words(fmt::format("{} ranks: distances of the gather's steps", ranks), "halving", joined(gather.distances, ", "),
                   halves, command);
    findings.exactly(fmt::format("{} ranks: most pieces of a message of the gather", ranks), 1,
                     static_cast<std::int64_t>(gather.most_pieces), command);
    findings.exactly(
        fmt::format("{} ranks: most pieces, had it gathered along the tree that Figure 7 calls distance-halving", ranks), 1,
        static_cast<std::int64_t>(most_pieces_along_figure_7(ranks)), "", data.reason("two things", gather.most_pieces));
  }
}

}  // namespace

}  // namespace bine

Vocabulary bine_butterfly_vocabulary() {
  using namespace bine;
  return {.checks = {{"figure 6", check_bine_figure_6},
                     {"doubling tree", check_doubling_tree},
                     {"figure 7", check_figure_7},
                     {"figure 8", check_figure_8},
                     {"large reduce", check_large_reduce}}};
}

}  // namespace heddle::claims
