// SPDX-License-Identifier: Apache-2.0
// Who talks to whom in Swing, as heddle's schedules have it, beside what §3, §4 and Appendix A say.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "algorithms/families/swing.hpp"
#include "claims/swing/swing_claims.hpp"
#include "claims/traced_sum.hpp"
#include "core/grid.hpp"

namespace heddle::claims {

namespace {

using schedule::Swing;
using schedule::swing_partner;

/// The most messages at once on a link, round by round.
std::string peaks(Lab& lab, const std::string& arguments, std::size_t rounds) {
  std::vector<int> most;
  const Report& report = lab.run(arguments);
  for (std::size_t i = 0; i < rounds; ++i) most.push_back(report.rounds.at(i).peak_flows);
  return fmt::format("{}", fmt::join(most, ", "));
}

std::vector<Finding> check_first_steps(Lab& lab) {
  std::vector<Finding> findings;
  const auto row = [&](const std::string& what, const std::string& algorithm, const std::string& printed) {
    const std::string arguments = fmt::format("allreduce --algo {} --topo ring:16 --size 64KiB", algorithm);
    const std::string measured = peaks(lab, arguments, 3);
    findings.push_back(compare_words(what + ", messages on the busiest link in steps 0, 1, 2", printed, measured,
                                     measured == printed, "heddle run " + arguments));
  };
  row("Swing", "swing_latency", "1, 1, 2");
  row("recursive doubling", "torus_recursive_doubling", "1, 2, 4");
  return findings;
}

/// π(r, s) by Eq. 2, with ρ(s) summed up.
int partner_as_printed(int rank, int step, int ranks) {
  std::int64_t rho = 0;
  for (std::int64_t i = 0, power = 1; i <= step; ++i, power *= -2) rho += power;
  const std::int64_t to = rank + (rank % 2 == 0 ? rho : -rho);
  return static_cast<int>(((to % ranks) + ranks) % ranks);
}

/// By rank, of a run: its partner in each step.
std::vector<std::vector<int>> partners_of_run(int ranks) {
  std::vector<std::vector<int>> partners;
  for (const TracedSum& traced : trace_sums(find_algorithm(Collective::allreduce, "swing_latency"), ranks)) {
    partners.emplace_back();
    const std::vector<std::vector<int>> messages = messages_of(traced.sum);
    for (std::size_t i = 1; i < messages.size(); ++i) partners.back().push_back(messages[i].front());
  }
  return partners;
}

std::string schedule_of(int ranks) {
  return fmt::format("heddle list --collective allreduce --algo swing_latency --schedule ring:{}", ranks);
}

std::vector<Finding> check_partners(Lab&) {
  std::vector<Finding> findings;
  for (const int ranks : {16, 64, 256}) {
    const std::vector<std::vector<int>> partners = partners_of_run(ranks);
    std::int64_t same = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const std::vector<int>& of_rank = partners[static_cast<std::size_t>(rank)];
      for (std::size_t step = 0; step < of_rank.size(); ++step)
        same += of_rank[step] == partner_as_printed(rank, static_cast<int>(step), ranks) ? 1 : 0;
    }
    findings.push_back(compare_exactly(fmt::format("p = {}: pairs (r, s) whose partner in a run is Eq. 2's", ranks),
                                       std::int64_t{schedule::swing_steps(ranks)} * ranks, same, schedule_of(ranks)));
  }
  std::vector<std::int64_t> printed;
  std::vector<std::int64_t> measured;
  bool is_below = true;
  const std::vector<int> of_first = partners_of_run(256).front();
  for (std::size_t step = 0; step < of_first.size(); ++step) {
    const std::int64_t power = std::int64_t{1} << (step + 1);
    printed.push_back((power - (step % 2 == 0 ? -1 : 1)) / 3);
    measured.push_back(std::min(of_first[step], 256 - of_first[step]));
    is_below = is_below && measured.back() <= power / 2 && (step <= 1 || measured.back() < power / 2);
  }
  findings.push_back(compare_words("delta(0) ... delta(7), in a run on a ring of 256",
                                   fmt::format("{}", fmt::join(printed, ", ")), fmt::format("{}", fmt::join(measured, ", ")),
                                   printed == measured, schedule_of(256)));
  findings.push_back(compare_words("delta(s) beside 2^s", "at most 2^s, less for s > 1",
                                   is_below ? "at most 2^s, less for s > 1" : "not so", is_below, schedule_of(256)));
  return findings;
}

/// How often each rank's contribution has come to rank 0 after the steps of a latency-optimal Swing.
std::vector<int> times_reached(int ranks, int steps) {
  std::vector<std::vector<int>> held(static_cast<std::size_t>(ranks), std::vector<int>(static_cast<std::size_t>(ranks), 0));
  for (std::size_t r = 0; r < held.size(); ++r) held[r][r] = 1;
  for (int step = 0; step < steps; ++step) {
    const std::vector<std::vector<int>> before = held;
    for (int r = 0; r < ranks; ++r) {
      const std::vector<int>& theirs = before[static_cast<std::size_t>(swing_partner(r, step, ranks, Swing::plain))];
      for (std::size_t i = 0; i < theirs.size(); ++i) held[static_cast<std::size_t>(r)][i] += theirs[i];
    }
  }
  return held.front();
}

std::vector<Finding> check_reached_once(Lab&) {
  std::vector<Finding> findings;
  for (const int ranks : {2, 4, 8, 16, 64, 256}) {
    std::int64_t complete = 0;
    for (const TracedSum& traced : trace_sums(find_algorithm(Collective::allreduce, "swing_latency"), ranks)) {
      std::vector<int> contributions;
      for (const std::vector<int>& message : messages_of(traced.sum))
        contributions.insert(contributions.end(), message.begin(), message.end());
      std::sort(contributions.begin(), contributions.end());
      std::vector<int> each_once(static_cast<std::size_t>(ranks));
      std::iota(each_once.begin(), each_once.end(), 0);
      complete += contributions == each_once ? 1 : 0;
    }
    findings.push_back(compare_exactly(fmt::format("p = {}: nodes that in a run add up each contribution exactly once", ranks),
                                       ranks, complete, schedule_of(ranks)));
  }
  return findings;
}

std::vector<Finding> check_parity(Lab&) {
  std::vector<Finding> findings;
  for (const int ranks : {16, 64, 256}) {
    const std::vector<std::vector<int>> partners = partners_of_run(ranks);
    std::int64_t other_parity = 0;
    for (int rank = 0; rank < ranks; ++rank)
      for (const int partner : partners[static_cast<std::size_t>(rank)]) other_parity += partner % 2 != rank % 2 ? 1 : 0;
    findings.push_back(compare_exactly(fmt::format("p = {}: partners of the other parity, in a run", ranks),
                                       std::int64_t{schedule::swing_steps(ranks)} * ranks, other_parity, schedule_of(ranks)));
  }
  return findings;
}

std::vector<Finding> check_last_step(Lab&) {
  std::vector<Finding> findings;
  for (const int ranks : {6, 10, 12, 20}) {
    const int steps = schedule::swing_steps(ranks);
    const int below = 1 << (steps - 1);  // p'
    const std::vector<int> times = times_reached(ranks, steps - 1);
    const int reached = static_cast<int>(std::count(times.begin(), times.end(), 1)) - 1;  // itself apart
    findings.push_back(compare_exactly(fmt::format("p = {}: reached after the second-last step", ranks), below - 1, reached));
    findings.push_back(compare_exactly(
        fmt::format("p = {}: left for the last step", ranks), ranks - below - 1, ranks - 1 - reached, "",
        contradiction("the data sent by each node reached p' - 1 nodes … each node reaches the remaining p - p' - 1 nodes",
                      fmt::format("p' - 1 = {} of the p - 1 = {} others are reached by then, so p - p' = {} are left",
                                  below - 1, ranks - 1, ranks - below))));
  }
  return findings;
}

/// Blocks that the busiest rank sends in a reduce-scatter along Swing's partners.
std::vector<Finding> check_even_sizes(Lab& lab) {
  std::vector<Finding> findings;
  for (const int ranks : {6, 10, 12, 20, 24, 48}) {
    const std::int64_t count = std::int64_t{4} * ranks * ranks;
    const std::string arguments = fmt::format("allreduce --algo swing_bandwidth --topo ring:{} --size {}", ranks, 4 * count);
    const Report& report = lab.run(arguments);
    findings.push_back(compare_exactly(fmt::format("p = {}: bytes that a node sends, 2(p-1)/p n", ranks),
                                       8 * count * (ranks - 1) / ranks, report.sent_max().count(), "heddle run " + arguments));
    findings.push_back(compare_exactly(fmt::format("p = {}: steps", ranks), 2 * schedule::swing_steps(ranks),
                                       report.rounds_max(), "heddle run " + arguments));
  }
  return findings;
}

std::vector<Finding> check_odd_sizes(Lab& lab) {
  std::vector<Finding> findings;
  std::vector<std::string> shares;
  std::vector<int> counts;
  for (int step = 0; step < schedule::swing_steps(7); ++step) {
    const schedule::DirectShare share = schedule::swing_direct_share(step, 7);
    std::vector<int> nodes;
    for (int i = 0; i < share.count; ++i) nodes.push_back(share.first + i);
    shares.push_back(fmt::format("{}", fmt::join(nodes, " ")));
    counts.push_back(share.count);
  }
  const std::string list = fmt::format("list --schedule ring:7 --collective allreduce --algo swing_bandwidth");
  const std::string measured = fmt::format("{}", fmt::join(shares, "; "));
  findings.push_back(compare_words("p = 7: node 6 exchanges in steps 0, 1, 2 with (Fig. 3)", "0 1 2; 3 4; 5", measured,
                                   measured == "0 1 2; 3 4; 5", "heddle " + list));
  const std::string sent = fmt::format("{}", fmt::join(counts, ", "));
  findings.push_back(compare_words(
      "p = 7: how many of its blocks it sends in steps 0, 1, 2, (p-1)/2^s", "6, 3, 1.5", sent, sent == "6, 3, 1.5",
      "heddle " + list,
      contradiction(
          "node p − 1 at each step sends (p−1)/2^s of its blocks … At step 0 the last node sends … to nodes 0, 1, and 2",
          "The formula gives all p-1 = 6 blocks to step 0 already. The paper's own example sends 3, "
          "2, 1: (p-1)/2^(s+1), rounded up from what is left, which is what heddle sends.")));
  for (const int ranks : {7, 21, 63}) {
    const std::int64_t count = std::int64_t{4} * ranks * ranks;
    const std::string arguments = fmt::format("allreduce --algo swing_bandwidth --topo ring:{} --size {}", ranks, 4 * count);
    const double optimal = 8.0 * static_cast<double>(count) * (ranks - 1) / ranks;
    const double psi = static_cast<double>(lab.run(arguments).sent_max().count()) / optimal;
    findings.push_back(compare(
        fmt::format("p = {}: bandwidth deficiency, 1 + 1/p", ranks), 1 + 1.0 / ranks, 3, psi, "", 0, "heddle run " + arguments,
        refuted("This slightly increases the bandwidth deficiency (by a 1/p additive factor).",
                fmt::format("Counted in bytes that the busiest node sends, nothing is added: the last node "
                            "sends each of the others its block once, {} of n/p, and each of these one in place "
                            "of a block that it would send on. What grows is the number of messages at once.",
                            ranks - 1))));
  }
  return findings;
}

/// Where rank 0 sends in a step of each of the 2D collectives.
std::vector<int> partners_of_ports(const std::vector<int>& dims, int rank, int step) {
  const Grid grid(dims, true);
  const schedule::Lattice lattice(&grid, grid.size());
  const int dimensions = lattice.dimensions();
  std::vector<int> partners;
  for (int port = 0; port < 2 * dimensions; ++port) {
    const schedule::BlockSchedule blocks = schedule::swing_block_schedule(lattice, schedule::swing_port(port, dimensions));
    partners.push_back(blocks.sends(rank, step).front().peer);
  }
  return partners;
}

/// Steps in which two of a rank's collectives go through the same port; `square` grids only.
int shared_ports(const std::vector<int>& dims) {
  const Grid grid(dims, true);
  const schedule::Lattice lattice(&grid, grid.size());
  const int dimensions = lattice.dimensions();
  std::vector<schedule::BlockSchedule> ports;
  for (int port = 0; port < 2 * dimensions; ++port)
    ports.push_back(schedule::swing_block_schedule(lattice, schedule::swing_port(port, dimensions)));
  int shared = 0;
  for (int step = 0; step < ports.front().steps(); ++step) {
    for (int rank = 0; rank < grid.size(); ++rank) {
      std::set<std::pair<int, bool>> used;  // dimension, upwards
      for (const schedule::BlockSchedule& port : ports) {
        const int peer = port.sends(rank, step).front().peer;
        for (int d = 0; d < dimensions; ++d) {
          const int size = lattice.size(d);
          const int ahead = (lattice.coordinate(Rank(peer), d) - lattice.coordinate(Rank(rank), d) + size) % size;
          if (ahead != 0) used.emplace(d, 2 * ahead < size);
        }
      }
      shared += used.size() == ports.size() ? 0 : 1;
    }
  }
  return shared;
}

std::vector<Finding> check_ports(Lab&) {
  std::vector<Finding> findings;
  const std::string first = fmt::format("{}", fmt::join(partners_of_ports({4, 4}, 0, 0), " "));
  // heddle numbers rows first: dimension 0 is vertical.
  findings.push_back(compare_words("4x4, node 0 in step 0: plain vertical, horizontal, mirrored vertical, horizontal (Fig. 4)",
                                   "4 1 12 3", first, first == "4 1 12 3",
                                   "heddle list --collective allreduce --algo swing_bandwidth --schedule torus:4x4"));
  for (const std::vector<int>& dims : {std::vector<int>{4, 4}, {8, 8}, {16, 16}, {4, 4, 4}}) {
    findings.push_back(compare_exactly(
        fmt::format("{}: (node, step) in which two of the {} collectives use one port", fmt::join(dims, "x"), 2 * dims.size()),
        0, shared_ports(dims)));
  }
  std::vector<int> last = partners_of_ports({2, 4}, 0, 2);
  const bool horizontal = std::all_of(last.begin(), last.end(), [](int peer) { return peer < 4; });
  findings.push_back(
      compare_words("2x4, node 0 in step 2: all four collectives along the row (Fig. 5)", "all in the row",
                    fmt::format("{}, to nodes {}", horizontal ? "all in the row" : "not all in the row", fmt::join(last, " ")),
                    horizontal, "heddle list --collective allreduce --algo swing_bandwidth --schedule torus:2x4"));
  return findings;
}

}  // namespace

std::vector<Claim> swing_pattern_claims() {
  return {
      {.name = "swing/figure-1",
       .section = "§1, Fig. 1",
       .statement = "On a ring of 16, at most 1, 1 and 2 of Swing's messages share a link in the first three steps, 1, 2 and 4 "
                    "of recursive doubling's.",
       .check = check_first_steps},
      swing_cycle_note(),
      {.name = "swing/eq-2",
       .section = "§3.1.1, Eq. 2",
       .statement = "Node r exchanges in step s with r + ρ(s) if r is even, r - ρ(s) if it is odd, at distance δ(s) = (2^(s+1) "
                    "- (-1)^(s+1))/3 ≤ 2^s.",
       .check = check_partners},
      {.name = "swing/lemma-a.2",
       .section = "App. A.1, Lemmas A.1 and A.2",
       .statement = "ρ and δ are odd, so that even nodes talk to odd ones only, and the reverse.",
       .check = check_parity},
      {.name = "swing/theorem-a.5",
       .section = "App. A.1, Theorem A.5",
       .statement = "For p a power of two, each node's contribution reaches every other exactly once in log₂ p steps.",
       .check = check_reached_once},
      {.name = "swing/even-nodes",
       .section = "§3.2",
       .statement = "For p even and no power of two, leaving out what would come twice keeps both deficiencies as they are: "
                    "2(p-1)/p·n bytes of each node in 2⌈log₂ p⌉ steps.",
       .check = check_even_sizes},
      {.name = "swing/appendix-a.2",
       .section = "App. A.2",
       .statement = "With p' the largest power of two below an even p, the data of a node has reached p' - 1 others before the "
                    "last step, which reaches the remaining p - p' - 1.",
       .check = check_last_step},
      {.name = "swing/odd-nodes",
       .section = "§3.2, Fig. 3",
       .statement =
           "For p odd, node p - 1 exchanges (p-1)/2^s blocks directly in step s, which adds 1/p to the bandwidth deficiency.",
       .check = check_odd_sizes},
      {.name = "swing/ports",
       .section = "§4.1, Fig. 4; §4.2, Fig. 5",
       .statement = "D plain and D mirrored collectives use all 2D ports, each another in each step of a square torus; on an "
                    "oblong one the last steps all go along the longer dimension.",
       .check = check_ports},
  };
}

}  // namespace heddle::claims
