// SPDX-License-Identifier: Apache-2.0
// Bine at numbers of ranks that are no power of two, and on tori (Appendices C and D, Figures 15 to 18).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "claims/sources/bine_schedules.hpp"

namespace heddle::claims {

namespace bine {

namespace {

/// A tree as Figure 15 draws it: every rank that has the data sends in every later step, to whoever is there.
struct DrawnTree {
  Rounds rounds;                          ///< all of them
  std::map<int, std::vector<int>> heard;  ///< by rank, the steps in which it is reached
  Rounds kept;                            ///< without the subtrees reached later
};

DrawnTree draw_tree(int ranks) {
  int steps = 0;
  while ((1 << steps) < ranks) ++steps;
  struct Holder {
    int rank;
    bool is_kept;
  };
  std::vector<Holder> holders = {{0, true}};
  DrawnTree tree;
  tree.heard[0].push_back(-1);
  for (int step = 0; step < steps; ++step) {
    const int distance = alternating_sum(steps - step - 1);
    std::vector<Message> all;
    std::vector<Message> kept;
    for (std::size_t i = 0, before = holders.size(); i < before; ++i) {
      const Holder from = holders[i];
      const int to = ((from.rank + (from.rank % 2 == 0 ? distance : -distance)) % ranks + ranks) % ranks;
      const std::vector<int>& earlier = tree.heard[to];
      const bool is_kept = from.is_kept && earlier.empty();
      all.push_back({from.rank, to});
      if (is_kept) kept.push_back({from.rank, to});
      holders.push_back({to, is_kept});
    }
    for (const Message& m : all) tree.heard[m.to].push_back(step);
    std::sort(all.begin(), all.end());
    std::sort(kept.begin(), kept.end());
    tree.rounds.push_back(std::move(all));
    tree.kept.push_back(std::move(kept));
  }
  return tree;
}

std::string reached_twice(const DrawnTree& tree) {
  std::vector<std::string> texts;
  for (const auto& [rank, steps] : tree.heard)
    if (steps.size() > 1) texts.push_back(fmt::format("{} in steps {}", rank, fmt::join(steps, " and ")));
  return joined(texts, ", ");
}

/// Whatever the step: a recorded round counts the messages before it, and a rank may have nobody to send to in a step.
std::vector<Message> edges_of(const Rounds& rounds) {
  std::vector<Message> edges;
  for (const std::vector<Message>& round : rounds) edges.insert(edges.end(), round.begin(), round.end());
  std::sort(edges.begin(), edges.end());
  return edges;
}

void check_figure_15(Lab&, const ClaimData&, Findings& findings) {
  findings.same("6 ranks: reached twice", "4 in steps 1 and 2, 5 in steps 1 and 2", reached_twice(draw_tree(6)));
  const DrawnTree ten = draw_tree(10);
  findings.same("10 ranks: node 8 is reached in step", "3", joined(ten.heard.at(8), " and "));
  findings.same("10 ranks: node 5 is reached in steps", "0 and 3", joined(ten.heard.at(5), " and "));
  for (const int ranks : {6, 10}) {
    const std::string where = fmt::format("p={}", ranks);
    findings.push_back(compare_rounds(fmt::format("{} ranks: the tree that is left", ranks), draw_tree(ranks).kept,
                                      messages_of(recorded(Collective::broadcast, "bine_halving", where)),
                                      drawing(Collective::broadcast, "bine_halving", where)));
  }
  for (const int ranks : {12, 14, 20, 24, 48, 96}) {
    const std::string where = fmt::format("p={}", ranks);
    const std::vector<Message> printed = edges_of(draw_tree(ranks).kept);
    const std::vector<Message> measured = edges_of(messages_of(recorded(Collective::broadcast, "bine_halving", where)));
    std::vector<Message> same;
    std::set_intersection(printed.begin(), printed.end(), measured.begin(), measured.end(), std::back_inserter(same));
    findings.exactly(fmt::format("{} ranks: edges that are left, one to each rank but the root", ranks), ranks - 1,
                     static_cast<std::int64_t>(same.size()), drawing(Collective::broadcast, "bine_halving", where));
  }
}

void check_bine_on_even_sizes(Lab& lab, const ClaimData& data, Findings& findings) {
  for (const int ranks : {6, 10, 14, 22, 24}) {
    const std::int64_t count = std::int64_t{8} * ranks;
    const std::string blocks =
        fmt::format("reduce_scatter --algo bine_block_by_block --topo ring:{} --size {}", ranks, 4 * count);
    findings.exactly(fmt::format("{} ranks, reduce-scatter: bytes of each, n(p-1)/p", ranks), 4 * count * (ranks - 1) / ranks,
                     lab.run(blocks).sent_max().count(), "heddle run " + blocks);
    int steps = 0;
    while ((1 << steps) < ranks) ++steps;
    const std::string vectors = fmt::format("allreduce --algo bine_small --topo ring:{} --size {}", ranks, 4 * count);
    findings.exactly(fmt::format("{} ranks, small allreduce: steps, as if p were a power of two", ranks), steps,
                     lab.run(vectors).rounds_max(), "heddle run " + vectors);
    const auto sent = static_cast<double>(lab.run(vectors).sent_max().count());
    findings.push_back(
        compare(fmt::format("{} ranks, small allreduce: bytes of each, as if p were a power of two, in vectors", ranks), steps,
                0, sent / (4.0 * static_cast<double>(count)), "", 0, "heddle run " + vectors, data.reason("whole vectors")));
  }
}

/// Blocks that ranks receive in a reduce-scatter, as a run shows it, over the p - 1 of each rank where nothing folds.
struct Received {
  double most = 0;  ///< of a rank
  double mean = 0;
};

Received received_in_reduce_scatter(std::string_view algorithm, int ranks) {
  const Schedule schedule = recorded(Collective::reduce_scatter, algorithm, fmt::format("p={}", ranks));
  std::vector<double> received(static_cast<std::size_t>(ranks));
  for (const std::vector<Transfer>& round : schedule.rounds)
    for (const Transfer& transfer : round)
      received[static_cast<std::size_t>(transfer.dest)] += static_cast<double>(transfer.carried.size());
  const double least = ranks - 1;
  double sum = 0;
  for (const double blocks : received) sum += blocks;
  return {*std::max_element(received.begin(), received.end()) / least, sum / ranks / least};
}

void check_bine_on_odd_sizes(Lab&, const ClaimData& data, Findings& findings) {
  for (const int ranks : {7, 13, 63}) {
    const Received of = received_in_reduce_scatter("bine_block_by_block", ranks);
    const std::string command = drawing(Collective::reduce_scatter, "bine_block_by_block", fmt::format("p={}", ranks));
    findings.value(fmt::format("{} ranks: what the busiest rank receives, over n(p-1)/p", ranks), 2, 0, of.most, "", 0.2,
                   command);
    findings.value(fmt::format("{} ranks: what all receive together, over n(p-1)", ranks), 2, 0, of.mean, "", 0.05, command,
                   data.reason("blocks fold", of.most));
  }
}

/// With whom each rank exchanges one slice in the allgather of bine_torus, step by step.
std::vector<std::vector<int>> partners_of_slice(const Schedule& schedule, int slices, int slice) {
  const std::int64_t blocks = schedule.blocks / slices;
  std::vector<std::vector<int>> partners;
  for (std::size_t i = schedule.rounds.size() / 2; i < schedule.rounds.size(); ++i) {
    std::vector<int>& round = partners.emplace_back(static_cast<std::size_t>(schedule.ranks), -1);
    for (const Transfer& transfer : schedule.rounds[i])
      for (const Transfer::Carried& carried : transfer.carried)
        if (carried.block / blocks == slice) round[static_cast<std::size_t>(transfer.source)] = transfer.dest;
  }
  return partners;
}

std::vector<int> of_rank(const std::vector<std::vector<int>>& partners, std::size_t rank) {
  std::vector<int> found;
  for (const std::vector<int>& round : partners) found.push_back(round[rank]);
  return found;
}

/// The ranks of the tree below `rank`, which hears before step `step`: each after all below it.
void postorder(const std::vector<std::vector<int>>& partners, int rank, std::size_t step, std::vector<int>& order) {
  for (; step < partners.size(); ++step) postorder(partners, partners[step][static_cast<std::size_t>(rank)], step + 1, order);
  order.push_back(rank);
}

void check_figure_16(Lab&, const ClaimData&, Findings& findings) {
  // The plain tree on 16 ranks: rank 0's distances, to the left below 0.
  std::vector<int> distances;
  for (const std::vector<Message>& round : messages_of(recorded(Collective::broadcast, "bine_halving", "p=16")))
    for (const Message& m : round)
      if (m.from == 0) distances.push_back(m.to > 8 ? m.to - 16 : m.to);
  findings.same("plain tree of 16: distances of rank 0's messages", "-5, 3, -1, 1", joined(distances, ", "),
                drawing(Collective::broadcast, "bine_halving", "p=16"));
  const std::string command = drawing(Collective::allreduce, "bine_torus", "torus:4x4");
  const Schedule schedule = recorded(Collective::allreduce, "bine_torus", "torus:4x4");
  const std::vector<std::vector<int>> first = partners_of_slice(schedule, 4, 0);
  findings.same("4x4: with whom rank 0 exchanges, distances halving", "3, 12, 1, 4", joined(of_rank(first, 0), ", "), command);
  std::vector<int> order;
  postorder(first, 0, 0, order);
  findings.same("4x4: the first two of the depth-first postorder", "10, 14", fmt::format("{}, {}", order[0], order[1]),
                command);
  findings.exactly("4x4: ranks that the postorder has once", 16, [&] {
    std::sort(order.begin(), order.end());
    return std::unique(order.begin(), order.end()) - order.begin();
  }());
}

void check_figure_17(Lab& lab, const ClaimData&, Findings& findings) {
  for (const std::string topology : {"torus:2x6", "torus:6x10"}) {
    const int ranks = topology == "torus:2x6" ? 12 : 60;
    const std::int64_t count = std::int64_t{16} * ranks * ranks;
    const std::string arguments = fmt::format("allreduce --algo bine_torus --topo {} --size {}", topology, 4 * count);
    const Report& report = lab.run(arguments);
    findings.exactly(topology + ": bytes of each rank, 2n(p-1)/p", 8 * count * (ranks - 1) / ranks, report.sent_max().count(),
                     "heddle run " + arguments);
    findings.exactly(topology + ": steps, twice the sum of ceil(log2 d)", topology == "torus:2x6" ? 8 : 14, report.rounds_max(),
                     "heddle run " + arguments);
  }
}

void check_figure_18(Lab&, const ClaimData&, Findings& findings) {
  const std::string command = drawing(Collective::allreduce, "bine_torus", "torus:4x4");
  const Schedule schedule = recorded(Collective::allreduce, "bine_torus", "torus:4x4");
  const std::map<int, char> directions = {{1, 'E'}, {12, 'N'}, {3, 'W'}, {4, 'S'}};
  std::vector<std::string> orders;
  for (int slice = 0; slice < 4; ++slice) {
    std::vector<int> partners = of_rank(partners_of_slice(schedule, 4, slice), 0);
    std::reverse(partners.begin(), partners.end());  // the reduce-scatter's steps
    std::string order;
    for (const int partner : partners) order += directions.at(partner);
    orders.push_back(order);
  }
  std::sort(orders.begin(), orders.end());
  std::vector<std::string> printed = {"ENWS", "NWSE", "WSEN", "SENW"};
  std::sort(printed.begin(), printed.end());
  findings.words("4x4: directions of rank 0's messages, quarter by quarter", joined(printed, ", "), joined(orders, ", "),
                 printed == orders, command);
}

}  // namespace

}  // namespace bine

Vocabulary bine_size_vocabulary() {
  using namespace bine;
  return {.checks = {{"figure 15", check_figure_15},
                     {"even sizes", check_bine_on_even_sizes},
                     {"odd sizes", check_bine_on_odd_sizes},
                     {"figure 16", check_figure_16},
                     {"figure 17", check_figure_17},
                     {"figure 18", check_figure_18}}};
}

}  // namespace heddle::claims
