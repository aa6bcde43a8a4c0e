// SPDX-License-Identifier: Apache-2.0
// Bruck's algorithm for k ports, and those that are it with one port: in each step k peers, k + 1 times as far as before. First
// the distances and what follows from them, then the algorithms.
#include "algorithms/families/bruck.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>

#include "algorithms/executors/blocks.hpp"
#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/registry.hpp"

namespace heddle::plans {

int bruck_steps(int n, int ports) {
  int steps = 0;
  for (std::int64_t reached = 1; reached < n; reached *= std::int64_t{ports} + 1) ++steps;
  return steps;
}

SkipRounds bruck_skips(int n, int ports) {
  SkipRounds steps;
  for (std::int64_t distance = 1; distance < n; distance *= std::int64_t{ports} + 1) {
    std::vector<int>& skips = steps.emplace_back();
    for (std::int64_t j = 1; j <= ports && j * distance < n; ++j) skips.push_back(static_cast<int>(j * distance));
  }
  return steps;
}

SkipPaths bruck_paths(int n, int ports) {
  const std::int64_t radix = std::int64_t{ports} + 1;
  SkipPaths paths{{}, {{0, n}}};
  std::int64_t distance = 1;
  for (const std::vector<int>& skips : bruck_skips(n, ports)) {
    // After the steps before, offsets are multiples of the distance; those with digit j here go j times the distance.
    std::vector<SkipSend>& sends = paths.rounds.emplace_back();
    for (const int skip : skips) {
      SkipSend& send = sends.emplace_back(SkipSend{skip, {}});
      for (std::int64_t offset = skip; offset < n; offset += distance * radix)
        append(send.offsets, {static_cast<std::int32_t>(offset), 1});
    }
    distance *= radix;
  }
  return paths;
}

SkipPattern bruck_pattern(int ports) {
  return {"bruck with " + std::to_string(ports) + " ports", [ports](int n) { return bruck_paths(n, ports); }};
}

WindowPlan bruck_windows(int n, int ports) {
  const int radix = std::min(ports, n) + 1;  // more ports than peers stay idle
  std::vector<int> digits;
  for (int rest = n - 1; rest > 0; rest /= radix) digits.push_back(rest % radix);
  std::reverse(digits.begin(), digits.end());

  std::vector<std::vector<WindowPart>> steps;
  int behind = 0;  // t
  for (const int with_itself : digits) {
    std::vector<WindowPart>& parts = steps.emplace_back();
    int end = behind + 1;
    for (int port = 0; port + 1 < radix; ++port) {
      const bool is_with_itself = port < with_itself;
      const int places = behind + (is_with_itself ? 1 : 0);
      if (places == 0) break;
      parts.push_back({is_with_itself ? end : end - 1, {end, places}});
      end += places;
    }
    behind = end - 1;
  }
  return WindowPlan(steps);
}

}  // namespace heddle::plans

namespace heddle {

// The option that every Bruck row has.

namespace {

constexpr int kMostBruckPorts = 1024;

/// Fewer than ranks: more find nobody to send to.
std::vector<std::string> bruck_port_candidates(const Shape& shape) {
  std::vector<std::string> values;
  for (const int ports : {3, 1, 4, 6, 8, 16})
    if (ports < shape.ranks) values.push_back(std::to_string(ports));
  return values;
}

std::vector<Parameter> bruck_parameters() {
  return {{.name = "ports",
           .default_value = "2",
           .meaning = "messages that a rank sends at once in each dimension, 1 … 1024",
           .examples = {"1", "3"},
           .candidates = bruck_port_candidates}};
}

int bruck_ports(const Options& options) { return static_cast<int>(options.number("ports", 1, kMostBruckPorts)); }

}  // namespace

}  // namespace heddle

namespace heddle::formulas {

namespace {

Rounds bruck_rounds(int ports) {
  return {"Σ⌈log_{k+1} dᵢ⌉, k ports", [ports](const Shape& shape) {
            return sum_over_dimensions(shape, [ports](int size) { return plans::bruck_steps(size, ports); });
          }};
}
Rounds two_bruck_rounds(int ports) {
  return {"2Σ⌈log_{k+1} dᵢ⌉, k ports", [ports](const Shape& shape) { return 2 * bruck_rounds(ports)(shape); }};
}

}  // namespace

}  // namespace heddle::formulas

namespace heddle::allreduce {

// bruck_bandwidth: a reduce-scatter, then an allgather, with k ranks ahead at once, k + 1 times as far in each step.
//
// The vector is cut into p blocks, and a block is named by its offset, how far from the rank its owner is. Written in base k +
// 1 the offset's digits are the way: in step i all blocks whose digit i is j go to the rank j·(k+1)^i ahead, as sums, where
// they are added to those at hand. What is left has one digit less; in the end only offset 0 is, the rank's own block. The
// allgather takes the same steps backwards.
//
// Picture, p = 9, two ports: the blocks that rank 0 holds and what it sends.
//
//   step 0   holds 0 1 2 3 4 5 6 7 8   sends 1 4 7 to rank 1, 2 5 8 to rank 2
//   step 1   holds 0     3     6       sends     3 to rank 3,     6 to rank 6
//   done     holds 0
//
// These are Trivance's blocks, but all messages set out in one direction: in step k they meet on 3·3^k links where Trivance's
// meet on 3^k, except in a dimension's last step, as 2·3^k is nearer the other way round. Blocks are laid out so that a message
// is a few runs (executors/skips.hpp). On a grid the steps take turns over the dimensions, one
// collective per dimension on its slice, each with k ports.
//
// Rounds:  2·Σ⌈log_{k+1} dᵢ⌉ for every size.
// Bytes:   2(p-1)/p · M sent by each rank, for every p.
// Time:    2·log3 p · α + 2·log3 p · M·β on a ring for two ports, as the source counts it; a run spends less in the last step.
// Limits:  the op must be commutative.
// Source:  Trivance (Jürß et al.) §2.4, §3.1, App. B; the algorithm is Bruck et al.'s.

namespace {

void bruck_bandwidth(Communicator& comm, VectorView inout, const ReduceOp& op, int ports) {
  plans::allreduce_by_skips(comm, plans::bruck_pattern(ports), inout, op);
}

Algorithm bruck_bandwidth_entry(const Options& options) {
  const int ports = bruck_ports(options);
  return entry(
      {.name = "bruck_bandwidth",
       .summary = "Reduce-scatter and allgather with several ranks ahead at once, by the digits of a block's distance.",
       .source = "[trivance] §2.4, App. B; [bruck-1997]",
       .needs = {.commutative = true},
       .rounds = formulas::two_bruck_rounds(ports),
       .bytes = formulas::all_blocks_twice(),
       .messages_a_round = formulas::message_per_port,
       .block_count = formulas::block_per_rank_and_dimension,
       .tasks_share_credits = true,
       .other_names = {{"two-shot", "ports=p-1"}, {"direct", "ports=p-1"}}},
      with(bruck_bandwidth, ports));
}

}  // namespace

std::vector<Algorithm> bruck_bandwidth_entries() { return {configurable(bruck_parameters(), bruck_bandwidth_entry)}; }

// bruck_latency: whole vectors from k ranks ahead at once, k + 1 times as far in each step.
//
// After some steps a rank has the sum over the t ranks behind it in the ring and itself, its window. It gets the sums of the k
// windows that follow, each of them of a rank further on, and adds them: k + 1 times as many. With two ports, the default, that
// is ⌈log3 p⌉ rounds; with one it is the census algorithm of Bar-Noy et al., in ⌈log2 p⌉.
//
// Picture, p = 9, two ports: the window of rank 0 and what it gets.
//
//   step 0   0 [1] [2]                        from 1 and 2
//   step 1   0 1 2 [3 4 5] [6 7 8]            from 3 and 6
//
// Any p: a window of which only t places are wanted is summed without its own rank, one of t + 1 with it. Each rank keeps both
// sums, and the digits of p - 1 in base k + 1 say how many of which kind go in a step (families/bruck.hpp).
//
// On a grid the vector is cut into D slices, each with an allreduce of its own along one dimension after the other, starting in
// another dimension each. With two ports per dimension that is what 2D ports can send at once. All messages set out in one
// direction, so they go three times as far as Trivance's, except in the last step, where 2·3^k is nearer the other way round.
//
// Rounds:  Σ⌈log_{k+1} dᵢ⌉ for every size.
// Bytes:   k·Σ⌈log_{k+1} dᵢ⌉ · M sent by each rank; the first step of a dimension has as many messages as the first digit says.
// Time:    Σ⌈log3 dᵢ⌉ · α + M/D·β·Σ 3·3^k over the steps before the last of each dimension, for two ports.
// Limits:  sends the whole vector in every step: for short vectors. The window wraps round: the op must be commutative. Ranks
//          add up in different orders, so floats may differ in their last bits from rank to rank.
// Source:  Trivance (Jürß et al.) §2.4, App. B.1; the algorithm is Bruck et al.'s, for any p Bruck and Ho's.

namespace {

void bruck_latency(Communicator& comm, VectorView inout, const ReduceOp& op, int ports) {
  plans::allreduce_by_windows(
      comm, "bruck_latency, ports " + std::to_string(ports), [ports](int size) { return plans::bruck_windows(size, ports); },
      inout, op);
}

Algorithm bruck_latency_entry(const Options& options) {
  const int ports = bruck_ports(options);
  return entry({.name = "bruck_latency",
                .summary = "Whole vectors from several ranks ahead at once, over one dimension of the grid after the other.",
                .source = "[trivance] §2.4, App. B; [bruck-1997]; [bruck-1993] for any p",
                .needs = {.commutative = true},
                .rounds = formulas::bruck_rounds(ports),
                .bytes = {"Σ(k(⌈log_{k+1} dᵢ⌉ - 1) + cᵢ) · M, cᵢ the first digit of dᵢ-1 in base k+1",
                          [ports](const Shape& shape) {
                            return shape.bytes * formulas::sum_over_dimensions(shape, [ports](int size) {
                                     return plans::bruck_windows(size, ports).vectors();
                                   });
                          }},
                .messages_a_round = formulas::message_per_port,
                .block_count = formulas::element_per_dimension,
                .tasks_share_credits = true,
                .same_bits = false,
                .other_names = {{"one-shot", "ports=p-1"}}},
               with(bruck_latency, ports));
}

}  // namespace

std::vector<Algorithm> bruck_latency_entries() { return {configurable(bruck_parameters(), bruck_latency_entry)}; }

// census: whole vectors by doubling windows of ranks, in the fewest rounds that there can be, for any p.
//
// A rank's sum is over a window of ranks that begins with itself. In each round the window doubles, by the sum of the rank
// whose window begins where its own ends. Where p is no power of two, windows would overlap in the end and contributions count
// twice; so some rounds grow from w to 2w - 1 only. What they add is another rank's window without that rank, a second running
// sum that every rank keeps. Halve p, rounded up, until 1: read backwards these are the windows.
//
// Picture, p = 7: the window of rank 0, and what it gets.
//
//   start              0
//   round 0   w → 2w   0 [1]                  the sum of rank 1
//   round 1   w → 2w   0 1 [2 3]              the sum of rank 2
//   round 2   w → 2w-1 0 1 2 3 [4 5 6]        the sum of rank 3 without 3 itself
//
// Every rank does the same, turned. It is bruck_latency with one port (families/bruck.hpp), on ranks in a
// circle whatever the grid. A fold (recursive_doubling) takes one round more where p is no power of two.
//
// Rounds:  ⌈log2 p⌉.
// Bytes:   ⌈log2 p⌉ · M sent by each rank; up to twice as many reduced where p is no power of two.
// Time:    ⌈log2 p⌉ · (α + M·β) where routes share no links.
// Limits:  the op must be commutative: windows go round the circle. Ranks add up in different orders, so floats may differ in
//          their last bits from rank to rank. Many more bytes than a reduce-scatter and an allgather.
// Source:  Bar-Noy, Kipnis and Schieber, An optimal algorithm for computing census functions in message-passing systems (1993),
//          as referred to by Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, §1.

namespace {

void census(Communicator& comm, VectorView inout, const ReduceOp& op) {
  const int p = comm.size();
  const auto windows = comm.shared_plan<plans::WindowPlan>("census", [p] { return plans::bruck_windows(p, 1); });
  const int rank = comm.rank().value();
  plans::allreduce_by_windows(comm, *windows, inout, op, [&](int place) { return Rank(((rank + place) % p + p) % p); });
}

}  // namespace

std::vector<Algorithm> census_entries() {
  return {entry({.name = "census",
                 .summary = "Whole vectors over windows of ranks that double, or double but one: fewest rounds for any p.",
                 .source = "[bar-noy-1993]; [traeff] §1",
                 .needs = {.commutative = true},
                 .rounds = formulas::log2_rounds(),
                 .bytes = formulas::log2_vectors(),
                 .block_count = formulas::one_element,
                 .same_bits = false},
                census)};
}

}  // namespace heddle::allreduce

namespace heddle::reduce_scatter {

// bruck: sums of blocks to k ranks ahead at once, k + 1 times as far in each step.
//
// The first phase of allreduce's bruck_bandwidth: a block's distance from its owner, written in base k + 1, says in which step
// it goes how far. Here blocks lie in rank order and may have any sizes.
//
// Picture, p = 8, one port: what rank 0 holds and sends.
//
//   step 0   holds 0 1 2 3 4 5 6 7   sends 1 3 5 7 to rank 1
//   step 1   holds 0   2   4   6     sends   2   6 to rank 2
//   step 2   holds 0       4         sends       4 to rank 4
//   done     holds 0
//
// On a grid each block is cut into D pieces, and D collectives run at once, each on one piece of every block, each starting in
// another dimension.
//
// Rounds:  Σ⌈log_{k+1} dᵢ⌉ for every size.
// Bytes:   (p-1)/p · M sent by each rank where blocks are equal; else all blocks but its own.
// Time:    Σ⌈log_{k+1} dᵢ⌉ · α + (p-1)/p · M·β/k where k messages at once share no link.
// Limits:  the op must be commutative. Messages are made of many runs.
// Source:  Trivance (Jürß et al.) §2.4; the algorithm is Bruck et al.'s.

namespace {

void bruck(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op, int ports) {
  plans::reduce_scatter_by_skips(comm, plans::bruck_pattern(ports), inout, blocks, op);
}

Algorithm bruck_entry(const Options& options) {
  const int ports = bruck_ports(options);
  return entry({.name = "bruck",
                .summary = "Sums of blocks to several ranks ahead at once, by the digits of a block's distance.",
                .source = "[trivance] §2.4, App. B; [bruck-1997]",
                .needs = {.commutative = true},
                .rounds = formulas::bruck_rounds(ports),
                .bytes = formulas::other_blocks_once(),
                .messages_a_round = formulas::message_per_port,
                .block_count = formulas::block_per_rank_and_dimension,
                .tasks_share_credits = true},
               with(bruck, ports));
}

}  // namespace

std::vector<Algorithm> bruck_entries() { return {configurable(bruck_parameters(), bruck_entry)}; }

}  // namespace heddle::reduce_scatter

namespace heddle::allgather {

// bruck: dissemination; what a rank has doubles in every round, for any p.
//
// In round k every rank has its own block and those of the 2^k - 1 ranks after it. It sends them to the rank 2^k before it and
// gets as many from the rank 2^k after it, which follow on what it has; in the last round only as many as are missing.
//
// Picture, p = 5: the blocks that a rank has.
//
//               0             1             2             3             4
//   start     0             1             2             3             4
//   round 0   0 1           1 2           2 3           3 4           4 0            from the rank 1 after it
//   round 1   0 1 2 3       1 2 3 4       2 3 4 0       3 4 0 1       4 0 1 2        from the rank 2 after it
//   round 2   0 1 2 3 4     1 2 3 4 0     2 3 4 0 1     3 4 0 1 2     4 0 1 2 3      the last one, from the rank 4 after it
//
// Bruck's own version keeps the blocks in this order and turns them round at the end; here each is received in its place, in
// two runs where the ranks' numbers wrap.
//
// Rounds:  ⌈log2 p⌉, the least there is on one port.
// Bytes:   (p-1)/p · M sent by each rank.
// Time:    ⌈log2 p⌉·α + (p-1)/p · M·β where no two messages of a round share a link.
// Limits:  the longest messages go farthest: p/2 links on a ring.
// Source:  Bruck et al., Efficient Algorithms for All-to-All Communications in Multiport Message-Passing Systems (1997);
//          Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms §2.1, whose power-of-two skips it takes
//          backwards.

namespace {

void bruck(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  const int p = comm.size();
  const auto steps = comm.shared_plan<plans::SkipPlan>("bruck", [p] {
    plans::SkipRounds falling;
    for (int skip = 1; skip < p; skip *= 2) falling.insert(falling.begin(), {skip});
    return plans::SkipPlan(p, falling);
  });
  plans::BlockExchange(comm, *steps, vector, blocks).allgather();
}

}  // namespace

std::vector<Algorithm> bruck_entries() {
  return {entry({.name = "bruck",
                 .summary = "Dissemination: all that a rank has, to the ranks 1, 2, 4, … before it; as few rounds for any p.",
                 .source = "[bruck-1997]; [traeff] §2.1",
                 .rounds = formulas::log2_rounds(),
                 .bytes = formulas::other_blocks_once(),
                 .block_count = formulas::block_per_rank},
                bruck)};
}

}  // namespace heddle::allgather

namespace heddle::alltoall {

// bruck: every block goes its way in leaps of powers of two, together with others that make the same leap.
//
// The block from rank r to rank r + way is at index `way` of rank r. In round k all blocks whose index has bit k go to the rank
// 2^k further, in one message, and keep their index there. After ⌈log2 p⌉ rounds the block at index `way` has leapt `way`
// ranks: it is where it belongs.
//
// Picture, p = 4: what is at indices 0 1 2 3 of a rank; 01 is the block from rank 0 to rank 1.
//
//             0              1              2              3
//   start     00 01 02 03    11 12 13 10    22 23 20 21    33 30 31 32
//   round 0   00 30 02 32    11 01 13 03    22 12 20 10    33 23 31 21     indices 1 and 3 came from the rank 1 before
//   round 1   00 30 20 10    11 01 31 21    22 12 02 32    33 23 13 03     indices 2 and 3 came from the rank 2 before
//
// Nothing is turned round before or after, and nothing is copied but a rank's block for itself: a block's first leap starts
// from the caller's input, its last one ends in the caller's output, and in between it changes from scratch to output and back,
// so that no message is received where another is being sent from.
//
// Rounds:  ⌈log2 p⌉.
// Bytes:   M/p times the ones in the numbers 1 … p-1, sent by each rank; log2 p · M/2 at powers of two.
// Time:    log2 p · α + log2 p · M/2 · β where no two messages of a round share a link.
// Limits:  each byte is sent log2 p / 2 times: only for short blocks. All blocks must have the same size, for a rank passes on
//          blocks whose sizes it does not know.
// Source:  explainer 01 (Lu) App. B.5; Bruck et al., Efficient Algorithms for All-to-All Communications in Multiport
//          Message-Passing Systems (1997). Without copies: Träff, Rougier and Hunold, Implementing a Classic: Zero-copy
//          All-to-all Communication with MPI Datatypes (2014).

namespace {

int ones(int number) { return std::popcount(static_cast<unsigned>(number)); }

void bruck(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
           const BlockPartition& received) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  comm.copy(received.block(incoming, rank), sent.block(outgoing, rank));

  Buffer scratch(incoming.type(), p > 3 ? incoming.count() : 0);  // below, no block leaps twice
  const auto landing = [&](int way, int leaps_left) {
    return leaps_left % 2 == 0 ? received.block(incoming, (rank + p - way) % p) : sent.block(scratch.view(), way);
  };
  std::vector<ConstVectorView> leaving;
  std::vector<VectorView> landed;
  for (int distance = 1; distance < p; distance *= 2) {
    leaving.clear();
    landed.clear();
    for (int way = distance; way < p; ++way) {
      if ((way & distance) == 0) continue;
      const int leapt = ones(way & (distance - 1));
      const int left = ones(way) - leapt;
      leaving.push_back(leapt == 0 ? sent.block(outgoing, (rank + way) % p) : landing(way, left));
      landed.push_back(landing(way, left - 1));
    }
    comm.sendrecv(Rank((rank + distance) % p), leaving, Rank((rank + p - distance) % p), landed);
  }
}

std::int64_t bruck_bytes(const Shape& shape) {
  std::int64_t leaps = 0;
  for (int way = 1; way < shape.ranks; ++way) leaps += std::popcount(static_cast<unsigned>(way));
  return formulas::times(shape.bytes, leaps, shape.ranks);
}

}  // namespace

std::vector<Algorithm> bruck_entries() {
  return {entry({.name = "bruck",
                 .summary = "Blocks go their ways in leaps of powers of two, together with others that make the same leap.",
                 .source = "[explainer-01] App. B.5; [bruck-1997]; [traeff-2014] without copies",
                 .needs = {.equal_blocks = true},
                 .rounds = formulas::log2_rounds(),
                 .bytes = {"ones in 1 … p-1 · M/p; log2 p · M/2 at powers of two", bruck_bytes},
                 .block_count = formulas::block_per_rank},
                bruck)};
}

}  // namespace heddle::alltoall
