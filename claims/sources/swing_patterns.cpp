// SPDX-License-Identifier: Apache-2.0
// Who talks to whom in Swing, as heddle's schedules have it, beside what §3, §4 and Appendix A say; Hamiltonian cycles on tori that
// the conditions of §2.3.1 leave out.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>

#include "algorithms/families/swing.hpp"
#include "claims/compared_rows.hpp"
#include "claims/traced_sum.hpp"
#include "heddle/grid.hpp"

namespace heddle::claims {

namespace swing {

namespace {

using plans::Swing;
using plans::swing_partner;

/// The most messages at once on a link, round by round.
std::string peaks(Lab& lab, const std::string& arguments, std::size_t rounds) {
  std::vector<int> most;
  const Report& report = lab.run(arguments);
  for (std::size_t i = 0; i < rounds; ++i) most.push_back(report.rounds.at(i).peak_flows);
  return joined(most, ", ");
}

void check_first_steps(Lab& lab, const ClaimData&, Findings& findings) {
  const auto row = [&](const std::string& what, const std::string& algorithm, const std::string& printed) {
    const std::string arguments = fmt::format("allreduce --algo {} --topo ring:16 --size 64KiB", algorithm);
    const std::string measured = peaks(lab, arguments, 3);
    findings.same(what + ", messages on the busiest link in steps 0, 1, 2", printed, measured, "heddle run " + arguments);
  };
  row("Swing", "swing_latency", "1, 1, 2");
  row("recursive doubling", "torus_recursive_doubling", "1, 2, 4");
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

void check_partners(Lab&, const ClaimData&, Findings& findings) {
  for (const int ranks : {16, 64, 256}) {
    const std::vector<std::vector<int>> partners = partners_of_run(ranks);
    std::int64_t same = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const std::vector<int>& of_rank = partners[static_cast<std::size_t>(rank)];
      for (std::size_t step = 0; step < of_rank.size(); ++step)
        same += of_rank[step] == partner_as_printed(rank, static_cast<int>(step), ranks) ? 1 : 0;
    }
    findings.exactly(fmt::format("p = {}: pairs (r, s) whose partner in a run is Eq. 2's", ranks),
                     std::int64_t{plans::swing_steps(ranks)} * ranks, same, schedule_of(ranks));
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
  findings.words("delta(0) ... delta(7), in a run on a ring of 256", joined(printed, ", "), joined(measured, ", "),
                 printed == measured, schedule_of(256));
  findings.words("delta(s) beside 2^s", "at most 2^s, less for s > 1", is_below ? "at most 2^s, less for s > 1" : "not so",
                 is_below, schedule_of(256));
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

void check_reached_once(Lab&, const ClaimData&, Findings& findings) {
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
    findings.exactly(fmt::format("p = {}: nodes that in a run add up each contribution exactly once", ranks), ranks, complete,
                     schedule_of(ranks));
  }
}

void check_parity(Lab&, const ClaimData&, Findings& findings) {
  for (const int ranks : {16, 64, 256}) {
    const std::vector<std::vector<int>> partners = partners_of_run(ranks);
    std::int64_t other_parity = 0;
    for (int rank = 0; rank < ranks; ++rank)
      for (const int partner : partners[static_cast<std::size_t>(rank)]) other_parity += partner % 2 != rank % 2 ? 1 : 0;
    findings.exactly(fmt::format("p = {}: partners of the other parity, in a run", ranks),
                     std::int64_t{plans::swing_steps(ranks)} * ranks, other_parity, schedule_of(ranks));
  }
}

void check_last_step(Lab&, const ClaimData& data, Findings& findings) {
  for (const int ranks : {6, 10, 12, 20}) {
    const int steps = plans::swing_steps(ranks);
    const int below = 1 << (steps - 1);  // p'
    const std::vector<int> times = times_reached(ranks, steps - 1);
    const int reached = static_cast<int>(std::count(times.begin(), times.end(), 1)) - 1;  // itself apart
    findings.exactly(fmt::format("p = {}: reached after the second-last step", ranks), below - 1, reached);
    findings.exactly(fmt::format("p = {}: left for the last step", ranks), ranks - below - 1, ranks - 1 - reached, "",
                     data.reason("one more is left", below - 1, ranks - 1, ranks - below));
  }
}

/// Blocks that the busiest rank sends in a reduce-scatter along Swing's partners.
void check_even_sizes(Lab& lab, const ClaimData&, Findings& findings) {
  for (const int ranks : {6, 10, 12, 20, 24, 48}) {
    const std::int64_t count = std::int64_t{4} * ranks * ranks;
    const std::string arguments = fmt::format("allreduce --algo swing_bandwidth --topo ring:{} --size {}", ranks, 4 * count);
    const Report& report = lab.run(arguments);
    findings.exactly(fmt::format("p = {}: bytes that a node sends, 2(p-1)/p n", ranks), 8 * count * (ranks - 1) / ranks,
                     report.sent_max().count(), "heddle run " + arguments);
    findings.exactly(fmt::format("p = {}: steps", ranks), 2 * plans::swing_steps(ranks), report.rounds_max(),
                     "heddle run " + arguments);
  }
}

void check_odd_sizes(Lab& lab, const ClaimData& data, Findings& findings) {
  std::vector<std::string> shares;
  std::vector<int> counts;
  for (int step = 0; step < plans::swing_steps(7); ++step) {
    const plans::DirectShare share = plans::swing_direct_share(step, 7);
    std::vector<int> nodes;
    for (int i = 0; i < share.count; ++i) nodes.push_back(share.first + i);
    shares.push_back(joined(nodes, " "));
    counts.push_back(share.count);
  }
  const std::string list = fmt::format("list --schedule ring:7 --collective allreduce --algo swing_bandwidth");
  const std::string measured = joined(shares, "; ");
  findings.same("p = 7: node 6 exchanges in steps 0, 1, 2 with (Fig. 3)", "0 1 2; 3 4; 5", measured, "heddle " + list);
  const std::string sent = joined(counts, ", ");
  findings.same("p = 7: how many of its blocks it sends in steps 0, 1, 2, (p-1)/2^s", "6, 3, 1.5", sent, "heddle " + list,
                data.reason("last node"));
  for (const int ranks : {7, 21, 63}) {
    const std::int64_t count = std::int64_t{4} * ranks * ranks;
    const std::string arguments = fmt::format("allreduce --algo swing_bandwidth --topo ring:{} --size {}", ranks, 4 * count);
    const double optimal = 8.0 * static_cast<double>(count) * (ranks - 1) / ranks;
    const double psi = static_cast<double>(lab.run(arguments).sent_max().count()) / optimal;
    findings.value(fmt::format("p = {}: bandwidth deficiency, 1 + 1/p", ranks), 1 + 1.0 / ranks, 3, psi, "", 0,
                   "heddle run " + arguments, data.reason("nothing is added", ranks - 1));
  }
}

/// Where rank 0 sends in a step of each of the 2D collectives.
std::vector<int> partners_of_ports(const std::vector<int>& dims, int rank, int step) {
  const Grid grid(dims, true);
  const plans::Lattice lattice(&grid, grid.size());
  const int dimensions = lattice.dimensions();
  std::vector<int> partners;
  for (int port = 0; port < 2 * dimensions; ++port) {
    const plans::BlockPlan blocks = plans::swing_block_plan(lattice, plans::swing_port(port, dimensions));
    partners.push_back(blocks.sends(rank, step).front().peer);
  }
  return partners;
}

/// Steps in which two of a rank's collectives go through the same port; `square` grids only.
int shared_ports(const std::vector<int>& dims) {
  const Grid grid(dims, true);
  const plans::Lattice lattice(&grid, grid.size());
  const int dimensions = lattice.dimensions();
  std::vector<plans::BlockPlan> ports;
  for (int port = 0; port < 2 * dimensions; ++port)
    ports.push_back(plans::swing_block_plan(lattice, plans::swing_port(port, dimensions)));
  int shared = 0;
  for (int step = 0; step < ports.front().steps(); ++step) {
    for (int rank = 0; rank < grid.size(); ++rank) {
      std::set<std::pair<int, bool>> used;  // dimension, upwards
      for (const plans::BlockPlan& port : ports) {
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

void check_ports(Lab&, const ClaimData&, Findings& findings) {
  const std::string first = joined(partners_of_ports({4, 4}, 0, 0), " ");
  // heddle numbers rows first: dimension 0 is vertical.
  findings.same("4x4, node 0 in step 0: plain vertical, horizontal, mirrored vertical, horizontal (Fig. 4)", "4 1 12 3", first,
                "heddle list --collective allreduce --algo swing_bandwidth --schedule torus:4x4");
  for (const std::vector<int>& dims : {std::vector<int>{4, 4}, {8, 8}, {16, 16}, {4, 4, 4}}) {
    findings.exactly(
        fmt::format("{}: (node, step) in which two of the {} collectives use one port", fmt::join(dims, "x"), 2 * dims.size()),
        0, shared_ports(dims));
  }
  std::vector<int> last = partners_of_ports({2, 4}, 0, 2);
  const bool horizontal = std::all_of(last.begin(), last.end(), [](int peer) { return peer < 4; });
  findings.push_back(
      compare_words("2x4, node 0 in step 2: all four collectives along the row (Fig. 5)", "all in the row",
                    fmt::format("{}, to nodes {}", horizontal ? "all in the row" : "not all in the row", fmt::join(last, " ")),
                    horizontal, "heddle list --collective allreduce --algo swing_bandwidth --schedule torus:2x4"));
}

// ---- cycles ----

/// Two Hamiltonian cycles of a torus that share no edge, by search; the first of them, empty if there is none.
class CyclePair {
 public:
  CyclePair(int rows, int columns) : columns_(columns), next_(static_cast<std::size_t>(rows * columns)) {
    for (int v = 0; v < rows * columns; ++v) {
      const int r = v / columns;
      const int c = v % columns;
      next_[static_cast<std::size_t>(v)] = {r * columns + (c + 1) % columns, ((r + 1) % rows) * columns + c,
                                            r * columns + (c + columns - 1) % columns, ((r + rows - 1) % rows) * columns + c};
    }
    on_path_.resize(next_.size());
    visit(0);
  }

  const std::vector<int>& first() const { return path_; }
  std::string text() const {
    std::vector<std::string> nodes;
    for (const int v : path_) nodes.push_back(fmt::format("({},{})", v / columns_, v % columns_));
    return joined(nodes, " ");
  }

 private:
  /// Extends the path by v; true where it has become a cycle whose other edges are one cycle too.
  bool visit(int v) {
    path_.push_back(v);
    on_path_[static_cast<std::size_t>(v)] = true;
    if (path_.size() == next_.size() && others_are_a_cycle()) return true;
    for (const int to : next_[static_cast<std::size_t>(v)])
      if (!on_path_[static_cast<std::size_t>(to)] && visit(to)) return true;
    on_path_[static_cast<std::size_t>(v)] = false;
    path_.pop_back();
    return false;
  }

  bool others_are_a_cycle() const {
    const auto& back = next_[static_cast<std::size_t>(path_.back())];
    if (std::find(back.begin(), back.end(), path_.front()) == back.end()) return false;
    std::set<std::pair<int, int>> used;
    for (std::size_t i = 0; i < path_.size(); ++i) {
      used.emplace(path_[i], path_[(i + 1) % path_.size()]);
      used.emplace(path_[(i + 1) % path_.size()], path_[i]);
    }
    std::set<int> seen = {0};
    for (int v = 0, last = -1;;) {
      int to = -1;
      for (const int candidate : next_[static_cast<std::size_t>(v)])
        if (candidate != last && !used.contains({v, candidate})) to = candidate;
      if (to < 0 || !seen.insert(to).second) return to == 0 && seen.size() == path_.size();
      last = std::exchange(v, to);
    }
  }

  int columns_;
  std::vector<std::vector<int>> next_;
  std::vector<int> path_;
  std::vector<bool> on_path_;
};

void note_cycle_conditions(Lab&, const ClaimData&, Findings& findings) {
  for (const auto& [rows, columns] : {std::pair{5, 5}, {6, 3}, {4, 3}, {5, 4}}) {
    const CyclePair pair(rows, columns);
    findings.push_back(define(
        fmt::format("{}x{}", rows, columns), "the construction does not apply",
        fmt::format("The conditions are those of the construction that the paper cites; `hamiltonian_rings` is that "
                    "construction and refuses other tori. They are no limit of tori: {}, and every torus has such cycles "
                    "(Kotzig 1973).",
                    pair.first().empty()
                        ? "here a search finds none"
                        : fmt::format("here one cycle is {}, and the edges that it leaves are another", pair.text()))));
  }
}

}  // namespace

}  // namespace swing

Vocabulary swing_pattern_vocabulary() {
  using namespace swing;
  return {.checks = {{"first steps", check_first_steps},
                     {"partners", check_partners},
                     {"parity", check_parity},
                     {"reached once", check_reached_once},
                     {"even sizes", check_even_sizes},
                     {"last step", check_last_step},
                     {"odd sizes", check_odd_sizes},
                     {"ports", check_ports},
                     {"cycle conditions", note_cycle_conditions}}};
}

}  // namespace heddle::claims
