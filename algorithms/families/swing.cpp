// SPDX-License-Identifier: Apache-2.0
// Swing: partners at distance 1, 1, 3, 5, 11, … to alternating sides. First the partner function and what follows from it: who
// gets which blocks, who exchanges whole vectors, sizes that are no power of two. Then the algorithms.
#include "algorithms/families/swing.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "algorithms/executors/vectors.hpp"
#include "algorithms/executors/windows.hpp"
#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/registry.hpp"

namespace heddle::plans {

int swing_partner(int coordinate, int step, int size, Swing swing) {
  const bool forward = (coordinate % 2 == 0) == (swing == Swing::plain);
  const std::int64_t to = coordinate + (forward ? swing_rho(step) : -swing_rho(step));
  return static_cast<int>((to % size + size) % size);
}

int swing_steps(int size) {
  const int even = size - size % 2;
  return even == 0 ? 0 : std::bit_width(static_cast<unsigned>(even - 1));
}

// Sizes that are no power of two: odd ones exchange directly with one coordinate, even ones keep two sums of whole vectors.

DirectShare swing_direct_share(int step, int size) {
  const int others = size - 1;
  const int left = others >> step;  // halving, the share rounded up, leaves the half rounded down
  const bool last = step == swing_steps(size) - 1;
  return {others - left, last ? left : left - left / 2};
}

int swing_direct_step(int coordinate, int size) {
  int step = 0;
  for (DirectShare share = swing_direct_share(0, size); coordinate >= share.first + share.count;) {
    share = swing_direct_share(++step, size);
  }
  return step;
}

WindowPlan swing_windows(int size) {
  std::vector<std::vector<WindowPart>> steps;
  Window window{0, 1};
  for (int step = 0; step < swing_steps(size); ++step) {
    const int places = std::min(window.count, size - window.count);
    const int first = step % 2 == 0 ? window.end() : window.first - places;
    steps.push_back({{static_cast<int>(swing_rho(step)), {first, places}}});
    window = {std::min(window.first, first), window.count + places};
  }
  return WindowPlan(steps, true);
}

namespace {

using Target = BlockPlan::Target;

/// Every rank's coordinate in every dimension: block sets of odd dimensions ask for them often.
class CoordinateTable {
 public:
  explicit CoordinateTable(const Lattice& lattice) {
    for (int dimension = 0; dimension < lattice.dimensions(); ++dimension) {
      std::vector<int>& row = rows_.emplace_back();
      for (int rank = 0; rank < lattice.ranks(); ++rank) row.push_back(lattice.coordinate(Rank(rank), dimension));
    }
  }

  /// By rank.
  const std::vector<int>& in(int dimension) const { return rows_[static_cast<std::size_t>(dimension)]; }

 private:
  std::vector<std::vector<int>> rows_;
};

/// Coordinates 0 … n-1 of an odd dimension of size n + 1 swing among themselves; they and coordinate n exchange directly. What
/// goes directly is only what ends there.
void add_targets_in_odd_dimension(const Lattice& lattice, const std::vector<int>& coordinates, DimensionStep at, Swing swing,
                                  Rank rank, std::vector<Target>& targets) {
  const int size = lattice.size(at.dimension);
  const int n = size - 1;
  const auto coordinate_of = [&coordinates](int block) { return coordinates[static_cast<std::size_t>(block)]; };
  const auto add_direct = [&](int coordinate) {
    targets.push_back({lattice.neighbor(rank, at.dimension, coordinate).value(),
                       [coordinate_of, coordinate](int block) { return coordinate_of(block) == coordinate; }});
  };

  const int mine = coordinate_of(rank.value());
  if (mine == n) {
    const DirectShare share = swing_direct_share(at.step, size);
    for (int i = 0; i < share.count; ++i) add_direct(share.first + i);
    return;
  }
  const int partner = swing_partner(mine, at.step, n, swing);
  targets.push_back({lattice.neighbor(rank, at.dimension, partner).value(),
                     [coordinate_of, n](int block) { return coordinate_of(block) != n; }});
  if (swing_direct_step(mine, size) == at.step) add_direct(n);
}

}  // namespace

BlockPlan swing_block_plan(const Lattice& lattice, SwingPort port, BlockPlan::Layout layout) {
  std::vector<int> steps;
  std::transform(lattice.sizes().begin(), lattice.sizes().end(), std::back_inserter(steps), swing_steps);
  const std::vector<DimensionStep> order = interleaved_steps(steps, port.first_dimension);
  const CoordinateTable table(lattice);

  const auto targets = [&](int rank, int step, std::vector<Target>& found) {
    const DimensionStep& at = order[static_cast<std::size_t>(step)];
    const std::vector<int>& coordinates = table.in(at.dimension);
    const int size = lattice.size(at.dimension);
    if (size % 2 != 0) return add_targets_in_odd_dimension(lattice, coordinates, at, port.swing, Rank(rank), found);
    const int partner = swing_partner(coordinates[static_cast<std::size_t>(rank)], at.step, size, port.swing);
    found.push_back({lattice.neighbor(Rank(rank), at.dimension, partner).value()});
  };
  return BlockPlan(lattice.ranks(), static_cast<int>(order.size()), targets, layout);
}

VectorPlan swing_vector_plan(const Lattice& lattice, SwingPort port, Rank rank, bool (*leaves_out)(int size)) {
  return vector_plan(
      lattice, port.first_dimension, rank,
      [&port](int position, int step, int positions) { return swing_partner(position, step, positions, port.swing); },
      leaves_out);
}

void swing_vectors(Communicator& comm, const Lattice& lattice, SwingPort port, VectorView vector, const ReduceOp& op) {
  for (int i = 0; i < lattice.dimensions(); ++i) {
    const int dimension = (port.first_dimension + i) % lattice.dimensions();
    const int size = lattice.size(dimension);
    if (!swings_by_windows(size)) continue;
    const auto windows = comm.shared_plan<WindowPlan>("swing_latency, windows of " + std::to_string(size),
                                                      [size] { return swing_windows(size); });
    const int mine = lattice.coordinate(comm.rank(), dimension);
    const bool counts_forwards = (mine % 2 == 0) == (port.swing == Swing::plain);
    allreduce_by_windows(comm, *windows, vector, op, [&](int place) {
      const int away = counts_forwards ? place : -place;
      return lattice.neighbor(comm.rank(), dimension, ((mine + away) % size + size) % size);
    });
  }
  const auto others = swing_vector_plan(lattice, port, comm.rank(), swings_by_windows);
  exchange_vectors(comm, others, vector, op);
}

int swing_vector_rounds(int size) {
  return swings_by_windows(size) ? swing_steps(size) : formulas::floor_log2(size) + 2 * formulas::folds(size);
}

int swing_vectors_sent(int size) {
  return swings_by_windows(size) ? swing_windows(size).vectors() : formulas::floor_log2(size) + formulas::folds(size);
}

namespace {

/// Runs `collective` for each of the 2D ports (two where there is no grid) as tasks of this rank, on a piece of every block.
void on_swing_ports(Communicator& comm, VectorView vector, const BlockPartition& blocks,
                    const std::function<void(BlockExchange&)>& collective) {
  const Lattice lattice(comm.grid(), comm.size());
  const int ports = 2 * lattice.dimensions();
  comm.concurrently(ports, [&](int port, Communicator& task) {
    if (port >= blocks.longest()) return;  // no block has a piece for this port
    const auto steps = task.shared_plan<BlockPlan>("swing in rank order, port " + std::to_string(port), [&] {
      return swing_block_plan(lattice, swing_port(port, lattice.dimensions()), BlockPlan::Layout::rank_order);
    });
    BlockExchange exchange(task, *steps, vector, blocks, {port, ports});
    collective(exchange);
  });
}

formulas::Rounds swing_rounds() {
  return {"Σ⌈log2 dᵢ⌉; ⌈log2(dᵢ-1)⌉ where dᵢ is odd",
          [](const Shape& shape) { return formulas::sum_over_dimensions(shape, swing_steps); }};
}
formulas::Rounds two_swing_rounds() {
  return {"2Σ⌈log2 dᵢ⌉; ⌈log2(dᵢ-1)⌉ where dᵢ is odd", [](const Shape& shape) { return 2 * swing_rounds()(shape); }};
}

}  // namespace

}  // namespace heddle::plans

namespace heddle::allreduce {

// swing_bandwidth: a reduce-scatter, then an allgather, both in log2 p steps along Swing's short cuts, on all ports.
//
// The vector is cut into p blocks. In step s a rank exchanges with its partner at distance δ(s) = |ρ(s)| = 1, 1, 3, 5, 11, …
// to alternating sides: it sends the sums of all blocks that the partner, or those whom the partner will reach later, are to
// have, half of what it holds, and adds what it gets to the half that it keeps. After the last step it holds its own block,
// complete. The allgather takes the same steps backwards.
//
// The rounds, on a ring and by one port. What runs has π from swing_partner and derives the block sets from it; a test holds
// that they are those of Listing 1.
//
//   ρ(s)          = Σ_{i=0..s} (-2)^i = 1, -1, 3, -5, 11, …
//   π(r, s)       = r + ρ(s) for even r, r - ρ(s) for odd r, modulo p                              eq. 2
//   reached(r, s) = the π(r, k), and reached(π(r, k), k + 1), for all steps k ≥ s                  Listing 1
//   step s:         r sends q = π(r, s) the blocks {q} ∪ reached(q, s + 1), less reached(r, s + 1) App. A.2
//
// Picture, p = 8 on a ring: the blocks that rank 0 holds and what it sends.
//
//   step 0   holds 0 1 2 3 4 5 6 7   sends 1 2 5 6 to rank 1
//   step 1   holds 0     3 4     7   sends     4 7 to rank 7
//   step 2   holds 0     3           sends       3 to rank 3
//   done     holds 0
//
// A rank's blocks are not side by side in rank order, so they are laid out in another, in which they are; an allreduce
// need not care (executors/blocks.hpp, which also derives the block sets from the partners).
//
// On a grid the steps take turns over the dimensions, and the vector is cut into 2D slices, each with a collective of its own:
// D plain ones, each starting in another dimension, and D mirrored ones that swing to the other side. In each step every port
// carries one slice, until the shorter dimensions have no steps left. Without a grid: one dimension of p, two slices.
//
// Even sizes that are no power of two: some blocks could reach a rank in two steps; they are sent in the later one only.
// Odd sizes: the last coordinate exchanges directly with the others, one block each way, a share of them in each step; the
// others swing as if it were not there.
//
// Rounds:  2·log2 p; in general 2·Σ⌈log2 eᵢ⌉, eᵢ the size of a dimension or one less where that is odd.
// Bytes:   2(p-1)/p · M sent by each rank, for every p: each block but its own once per phase.
// Time:    2·log2 p · α + Ξ·2(p-1)/p · M·β/(2D) on a square torus, Ξ at most 1.19 for D = 2, 1.03 for D = 3; on a ring step s
//          has δ(s) flows on a link.
// Limits:  the op must be commutative. Unequal dimensions leave ports idle at the end. Where sizes are no power of two,
//          messages are gathered from several pieces of the vector.
// Source:  Swing (De Sensi et al.) §3.1.1, §3.2 and Fig. 3, §4, App. A.2; Ξ: Table 2.

namespace {

void swing_bandwidth(Communicator& comm, VectorView inout, const ReduceOp& op) {
  const plans::Lattice lattice(comm.grid(), comm.size());
  const int ports = 2 * lattice.dimensions();
  plans::exchange_on_ports(comm, ports, inout, [&](int port, Communicator& task, VectorView slice) {
    const auto blocks = task.shared_plan<plans::BlockPlan>("swing_bandwidth, port " + std::to_string(port), [&] {
      return plans::swing_block_plan(lattice, plans::swing_port(port, lattice.dimensions()));
    });
    return plans::allreduce_in_blocks(task, blocks, slice, op);
  });
}

}  // namespace

std::vector<Algorithm> swing_bandwidth_entries() {
  return {entry(
      {.name = "swing_bandwidth",
       .summary = "Reduce-scatter and allgather along Swing's short cuts through all 2D ports: least bytes in few rounds.",
       .source = "[swing] §3.1.1, §3.2, §4, App. A",
       .needs = {.commutative = true},
       .rounds = plans::two_swing_rounds(),
       .bytes = formulas::all_blocks_twice(),
       .messages_a_round = formulas::message_per_port,
       .block_count = formulas::block_per_rank_and_port,
       .tasks_share_credits = true},
      swing_bandwidth)};
}

// swing_latency and swing_latency_multiport: recursive doubling along Swing's short cuts.
//
// As in recursive doubling, everyone exchanges its whole vector in each step and adds, and after log2 p steps has the sum over
// all. The partners differ: distance δ(s) = 1, 1, 3, 5, 11, … to alternating sides instead of 1, 2, 4, 8, …, a third less way
// in all, so that messages share fewer links (families/swing.hpp). On a grid the steps take turns over the
// dimensions.
//
// Picture, p = 8 on a ring: partners of step 0, 1 and 2.
//
//   0 1 2 3 4 5 6 7       0 1 2 3 4 5 6 7       0 1 2 3 4 5 6 7
//   +-+ +-+ +-+ +-+      -+ +-+ +-+ +-+ +-      +-----+ +-----+
//                                              ---+ +-----+ +---
//
// Even sizes that are no power of two: the last step wants only a part of the partner's sum, that over those who are missing. A
// sum cannot be taken apart, so everyone keeps two from the start (executors/windows.hpp). Partners and number
// of steps stay Swing's; in some steps between the second and the last both sums go.
//
//   p = 6    rank 0 sums 0 1, then 4 5 0 1, then all: the last step brings 2 3 from rank 3, which has 2 3 4 5
//
// Such a dimension is done from first to last step before the others take turns: two sums in each of two dimensions at once
// would be four. Odd sizes: neighbours fold before the first step and unfold after the last (executors/lattice.hpp), so
// that a power of two swings. Without a grid: one dimension of p.
//
// swing_latency uses one port. swing_latency_multiport cuts the vector into 2D slices and runs one such allreduce on each at
// the same time: D plain ones, each starting in another dimension, and D mirrored ones that swing to the other side. In each
// step every port carries one slice, until the shorter dimensions have no steps left. (Swing §3.1.2 speaks of all ports, but
// counts Ψ = D·log2 p, which is that of one: hence two algorithms.)
//
// Rounds:  Σ⌈log2 dᵢ⌉ for even sizes; ⌊log2 dᵢ⌋ + 2 where dᵢ is odd.
// Bytes:   log2 p · M sent by each rank at powers of two; at other even sizes at most (2⌈log2 dᵢ⌉ - 3) · M for the dimension; a
//          rank that is a partner in the fold of an odd one sends (⌊log2 dᵢ⌋ + 1) · M.
// Time:    log2 p · α + M·β·Σ over steps of the flows on the busiest link: on a ring ⌈δ(s)/2⌉ with one port; with
//          both, slices of M/2 and δ(s).
// Limits:  sends log2 p times the vector: for short vectors. Sums grow round the ring on both sides: the op must be
//          commutative. Ranks add up in different orders, so floats may differ in their last bits from rank to rank.
// Source:  Swing (De Sensi et al.) §3.1.2, §4; congestion: Trivance (Jürß et al.) App. B.1; two sums: heddle's own.

namespace {

void swing_latency(Communicator& comm, VectorView inout, const ReduceOp& op) {
  const plans::Lattice lattice(comm.grid(), comm.size());
  plans::swing_vectors(comm, lattice, plans::swing_port(0, lattice.dimensions()), inout, op);
}

void swing_latency_multiport(Communicator& comm, VectorView inout, const ReduceOp& op) {
  const plans::Lattice lattice(comm.grid(), comm.size());
  plans::on_ports(comm, 2 * lattice.dimensions(), inout, [&](int port, Communicator& task, VectorView slice) {
    plans::swing_vectors(task, lattice, plans::swing_port(port, lattice.dimensions()), slice, op);
  });
}

int swing_latency_rounds(const Shape& shape) { return formulas::sum_over_dimensions(shape, plans::swing_vector_rounds); }

std::int64_t swing_latency_bytes(const Shape& shape) {
  return shape.bytes * formulas::sum_over_dimensions(shape, plans::swing_vectors_sent);
}

}  // namespace

std::vector<Algorithm> swing_latency_entries() {
  return {
      entry({.name = "swing_latency",
             .summary = "Whole vectors exchanged along Swing's short cuts, dimension by dimension in turn, through one port.",
             .source = "[swing] §3.1.2, §4",
             .needs = {.commutative = true},
             .rounds = {"Σ⌈log2 dᵢ⌉; ⌊log2 dᵢ⌋ + 2 where dᵢ is odd", swing_latency_rounds},
             .bytes = {"Σ⌈log2 dᵢ⌉ · M, up to Σ(2⌈log2 dᵢ⌉ - 3) where dᵢ is even and no power of two", swing_latency_bytes},
             .block_count = formulas::one_element,
             .same_bits = false},
            swing_latency),
      entry({.name = "swing_latency_multiport",
             .summary = "Whole slices exchanged along Swing's short cuts through all 2D ports, plain and mirrored.",
             .source = "[swing] §3.1.2, §4",
             .needs = {.commutative = true, .grid = true},
             .rounds = {"Σ⌈log2 dᵢ⌉; ⌊log2 dᵢ⌋ + 2 where dᵢ is odd", swing_latency_rounds},
             .bytes = {"Σ⌈log2 dᵢ⌉ · M, up to Σ(2⌈log2 dᵢ⌉ - 3) where dᵢ is even and no power of two", swing_latency_bytes},
             .messages_a_round = formulas::message_per_port,
             .block_count = formulas::element_per_port,
             .tasks_share_credits = true,
             .same_bits = false},
            swing_latency_multiport)};
}

}  // namespace heddle::allreduce

namespace heddle::reduce_scatter {

// swing: the first half of swing_bandwidth with every block in its place, on all ports.
//
// Every rank ends with its own block, so the blocks lie in rank order and a message is gathered from several runs of the
// vector; the allreduce lays them out so that it is one. Every block is cut into 2D pieces, one for each port (two without a
// grid). Partners, rounds, picture and other sizes: those of swing_bandwidth.
//
// Rounds:  log2 p; in general Σ⌈log2 eᵢ⌉, eᵢ the size of a dimension or one less where that is odd.
// Bytes:   (p-1)/p · M sent by each rank, for every p.
// Time:    log2 p · α + Ξ·(p-1)/p · M·β/(2D) on a square torus, Ξ at most 1.19 for D = 2, 1.03 for D = 3; on a ring step s has
//          δ(s) flows on a link.
// Limits:  the op must be commutative. Unequal dimensions leave ports idle at the end.
// Source:  Swing (De Sensi et al.) §3.1.1, §3.2 and Fig. 3, §4, App. A.2; Ξ: Table 2.

namespace {

void swing(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  plans::on_swing_ports(comm, inout, blocks, [&op](plans::BlockExchange& exchange) { exchange.reduce_scatter(op); });
}

}  // namespace

std::vector<Algorithm> swing_entries() {
  return {entry({.name = "swing",
                 .summary = "Blocks exchanged along Swing's short cuts through all 2D ports.",
                 .source = "[swing] §3.1.1, §3.2, §4, App. A",
                 .needs = {.commutative = true},
                 .rounds = plans::swing_rounds(),
                 .bytes = formulas::other_blocks_once(),
                 .messages_a_round = formulas::message_per_port,
                 .block_count = formulas::block_per_rank_and_port,
                 .tasks_share_credits = true},
                swing)};
}

}  // namespace heddle::reduce_scatter

namespace heddle::allgather {

// swing: the reduce-scatter backwards, the farthest partners first, each sending what it would have received there.
//
// Picture, p = 8 on a ring: the blocks that rank 0 has and what it gets.
//
//   start    has 0
//   step 0   has 0     3             gets       3 from rank 3
//   step 1   has 0     3 4     7     gets     4 7 from rank 7
//   step 2   has 0 1 2 3 4 5 6 7     gets 1 2 5 6 from rank 1
//
// Rounds:  those of the reduce-scatter.
// Bytes:   (p-1)/p · M sent by each rank, for every p.
// Time:    that of the reduce-scatter.
// Limits:  unequal dimensions leave ports idle at the beginning.
// Source:  Swing (De Sensi et al.) §3.1.1, §3.2 and Fig. 3, §4, App. A.2; Ξ: Table 2.

namespace {

void swing(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  plans::on_swing_ports(comm, vector, blocks, [](plans::BlockExchange& exchange) { exchange.allgather(); });
}

}  // namespace

std::vector<Algorithm> swing_entries() {
  return {entry({.name = "swing",
                 .summary = "Blocks exchanged along Swing's short cuts through all 2D ports.",
                 .source = "[swing] §3.1.1, §3.2, §4, App. A",
                 .rounds = plans::swing_rounds(),
                 .bytes = formulas::other_blocks_once(),
                 .messages_a_round = formulas::message_per_port,
                 .block_count = formulas::block_per_rank_and_port,
                 .tasks_share_credits = true},
                swing)};
}

}  // namespace heddle::allgather
