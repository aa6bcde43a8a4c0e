// SPDX-License-Identifier: Apache-2.0
// Rings of neighbours: both ways round all ranks, and along the dimensions of a grid. First how blocks pass round a ring, then
// the algorithms.
#include "algorithms/families/grid_rings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/errors.hpp"
#include "heddle/registry.hpp"

namespace heddle::plans {

namespace {

/// The rounds of one phase, from `first` on.
class RingRounds final : public ExchangePlan {
 public:
  RingRounds(const RingPlace& place, const RingBlocks& blocks, int first, const Reduction& reduction = {})
      : ExchangePlan(place.positions - 1, reduction), place_(place), blocks_(blocks), first_(first) {}

  Exchange at(int step) override {
    const int passing = ring_block_passed(place_.position, first_ + step, place_.positions, place_.direction);
    const int gotten = ring_block_gotten(place_.position, first_ + step, place_.positions, place_.direction);
    return {place_.next, blocks_.parts(passing, passed_), place_.previous, blocks_.parts(gotten, gotten_)};
  }

 private:
  RingPlace place_;
  RingBlocks blocks_;
  int first_;
  RingBlocks::Pool<ConstVectorView> passed_;
  RingBlocks::Pool<VectorView> gotten_;
};

}  // namespace

std::int64_t RingBlocks::count(int position) const {
  const std::int64_t mine = first + position * blocks_each;
  if (block_at.empty()) return partition.size(mine, blocks_each);
  std::int64_t sum = 0;
  for (std::int64_t i = mine; i < mine + blocks_each; ++i) sum += partition.size(block_at[static_cast<std::size_t>(i)]);
  return sum;
}

std::int64_t RingBlocks::longest(int positions) const {
  std::int64_t longest = 0;
  for (int position = 0; position < positions; ++position) longest = std::max(longest, count(position));
  return longest;
}

template <class View>
std::span<const View> RingBlocks::parts(int position, Pool<View>& pool) const {
  const std::int64_t mine = first + position * blocks_each;
  if (block_at.empty()) {
    pool.one = partition.blocks(vector, mine, blocks_each);
    return std::span(&pool.one, 1);
  }
  pool.several.clear();
  for (std::int64_t i = mine; i < mine + blocks_each;) {
    const std::int64_t run = block_at[static_cast<std::size_t>(i)];
    std::int64_t n = 1;
    while (i + n < mine + blocks_each && block_at[static_cast<std::size_t>(i + n)] == run + n) ++n;
    pool.several.push_back(partition.blocks(vector, run, n));
    i += n;
  }
  return pool.several;
}

template std::span<const ConstVectorView> RingBlocks::parts(int, Pool<ConstVectorView>&) const;
template std::span<const VectorView> RingBlocks::parts(int, Pool<VectorView>&) const;

void ring_reduce_scatter(Communicator& comm, const RingPlace& place, const RingBlocks& blocks, VectorView scratch,
                         const ReduceOp& op) {
  comm.phase("reduce-scatter");
  comm.exchange(*std::make_unique<RingRounds>(place, blocks, 0, Reduction{.op = &op, .scratch = scratch}));
}

void ring_allgather(Communicator& comm, const RingPlace& place, const RingBlocks& blocks) {
  comm.phase("allgather");
  comm.exchange(*std::make_unique<RingRounds>(place, blocks, place.positions - 1));
}

std::vector<RingPlace> grid_rings(const Lattice& lattice, Rank rank, int first_dimension, int direction) {
  std::vector<RingPlace> rings;
  for (int i = 0; i < lattice.dimensions(); ++i) {
    const int dimension = (first_dimension + i) % lattice.dimensions();
    const int positions = lattice.size(dimension);
    const int position = lattice.coordinate(rank, dimension);
    rings.push_back({.positions = positions,
                     .position = position,
                     .direction = direction,
                     .next = lattice.neighbor(rank, dimension, (position + positions + direction) % positions),
                     .previous = lattice.neighbor(rank, dimension, (position + positions - direction) % positions)});
  }
  return rings;
}

GridRings::GridRings(Communicator& comm, std::vector<RingPlace> rings, VectorView vector)
    : comm_(comm),
      rings_(std::move(rings)),
      whole_{.vector = vector, .partition = BlockPartition(vector.count(), comm.size()), .blocks_each = comm.size()} {}

GridRings::GridRings(Communicator& comm, const Lattice& lattice, VectorView vector, BlockPartition blocks)
    : comm_(comm),
      rings_(grid_rings(lattice, comm.rank(), 0, +1)),
      ranks_in_order_(
          comm.shared_plan<std::vector<int>>("ranks in the order of the grid", [&] { return lattice.ranks_in_order(); })),
      whole_{.vector = vector, .partition = std::move(blocks), .blocks_each = comm.size(), .block_at = *ranks_in_order_} {}

RingBlocks GridRings::share_along(int dimension) const {
  RingBlocks share = whole_;
  for (int d = 0; d < dimension; ++d) {
    share.blocks_each /= ring(d).positions;
    share.first += ring(d).position * share.blocks_each;
  }
  share.blocks_each /= ring(dimension).positions;
  return share;
}

void GridRings::reduce_scatter_along(int dimension, const ReduceOp& op) {
  const RingBlocks share = share_along(dimension);
  Buffer scratch(share.vector.type(), share.longest(ring(dimension).positions));
  ring_reduce_scatter(comm_, ring(dimension), share, scratch.view(), op);
}

void GridRings::allgather_along(int dimension) { ring_allgather(comm_, ring(dimension), share_along(dimension)); }

void GridRings::reduce_scatter(const ReduceOp& op) {
  for (int d = 0; d < dimensions(); ++d) reduce_scatter_along(d, op);
}

void GridRings::allgather() {
  for (int d = dimensions() - 1; d >= 0; --d) allgather_along(d);
}

}  // namespace heddle::plans

namespace heddle::allreduce {

// ring_bidirectional: two rings at once, each on half of the vector, one to the right and one to the left.
//
// A rank has two neighbours and a cable is full duplex, yet `ring` uses one direction of it. So the vector is cut in two; the
// first half goes round as in `ring`, the second the same way backwards. Each half is half as long: the bandwidth term halves.
//
// Picture, p = 4, round 0; a: blocks of the first half, b: of the second.
//
//        a3 ->   a0 ->   a1 ->   a2 ->
//      0       1       2       3
//     <- b1   <- b2   <- b3   <- b0
//
// Rounds:  2(p-1), the two rings at the same time.
// Bytes:   2(p-1)/p · M sent by each rank, half of it each way.
// Time:    2(p-1)·α + (p-1)/p · M·β on a ring.
// Limits:  as `ring`. Two ranks are each other's left and right neighbour: where they share one cable, nothing is gained.
// Source:  Swing (De Sensi et al.) §2.3.1 (one ring per port); explainer 01 (Lu) §5.1 (the ring).

namespace {

void ring_bidirectional(Communicator& comm, VectorView inout, const ReduceOp& op) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  const Rank right((rank + 1) % p);
  const Rank left((rank + p - 1) % p);
  plans::on_ports(comm, 2, inout, [&](int port, Communicator& task, VectorView half) {
    const bool rightwards = port == 0;
    const plans::RingPlace place{.positions = p,
                                 .position = rank,
                                 .direction = rightwards ? +1 : -1,
                                 .next = rightwards ? right : left,
                                 .previous = rightwards ? left : right};
    const plans::RingBlocks blocks{.vector = half, .partition = BlockPartition(half.count(), p)};
    Buffer scratch(half.type(), blocks.partition.size(0));
    plans::ring_reduce_scatter(task, place, blocks, scratch.view(), op);
    plans::ring_allgather(task, place, blocks);
  });
}

}  // namespace

std::vector<Algorithm> ring_bidirectional_entries() {
  return {entry({.name = "ring_bidirectional",
                 .summary = "Two rings at once in opposite directions, each on half of the vector.",
                 .source = "[swing] §2.3.1; [explainer-01] §5.1",
                 .needs = {.commutative = true},
                 .rounds = formulas::two_rounds_per_peer(),
                 .bytes = formulas::all_blocks_twice(),
                 .messages_a_round = formulas::message_per_port,
                 .block_count = [](const Shape& shape) { return 2 * std::int64_t{shape.ranks}; }},
                ring_bidirectional)};
}

// bucket: rings along the dimensions of a grid, one dimension after the other, on all 2D ports at once.
//
// One bucket: a ring reduce-scatter along the first dimension leaves a rank with its coordinate's share of the vector; another
// along the second cuts that share again; after D dimensions a rank holds one complete block. Ring allgathers along the same
// dimensions in reverse give everybody everything. All messages go to neighbours, and what is sent shrinks by the size of a
// dimension with each dimension.
//
// A grid of D dimensions has 2D ports, so the vector is cut into 2D slices and each runs a bucket of its own: slice i starts in
// dimension i and goes up, slice D + i starts there and goes down. In each round each port carries one slice's message.
//
// Picture: a 4x4 grid, slice 0; the share of the vector that the rank at (row 2, column 1) holds after each dimension.
//
//   start   [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15]
//   rows                     [8 9 10 11]               3 rounds among the ranks of column 1, 4 blocks each
//   columns                     [9]                    3 rounds among the ranks of row 2, 1 block each
//
// Unequal dimensions: slices that start in a short dimension run ahead into links that others still use. With stages=sync a
// rank begins the next dimension of all its slices when the present one of all is done, so that no two slices share a link, and
// each stage takes as many rounds as the longest dimension asks for (Swing §5.2).
//
// Dimensions of size 1 have no links and count neither in D nor in the order.
//
// Rounds:  2·Σ(dᵢ-1) over the dimensions; with stages=sync 2·D·(max dᵢ-1).
// Bytes:   2(p-1)/p · M sent by each rank, evenly over its ports.
// Time:    2·Σ(dᵢ-1)·α + 2(p-1)/p · M·β/(2D) on a square torus.
// Limits:  needs a grid; rounds grow with the sizes' sum. Sums start at different ranks: the op must be commutative. On a mesh
//          the ring closes over the whole line.
// Source:  Swing (De Sensi et al.) §2.3.4 and §5.2.

namespace {

constexpr auto kFree = "free";
constexpr auto kSync = "sync";

std::vector<Parameter> bucket_parameters() {
  return {{.name = "stages",
           .default_value = kFree,
           .meaning = "free: each slice goes on to its next dimension by itself; sync: when all slices of the rank are there",
           .examples = {kSync},
           .candidates = candidates_anywhere({kSync})}};
}

bool is_synchronous(const Options& options) {
  const std::string& stages = options.text("stages");
  if (stages != kFree && stages != kSync) throw InputError(fmt::format("stages={}: free or sync", stages));
  return stages == kSync;
}

void bucket(Communicator& comm, VectorView inout, const ReduceOp& op, bool is_synchronous) {
  const plans::Lattice lattice(comm.grid(), comm.size());
  const int dimensions = lattice.dimensions();
  const auto on_slices = [&](const std::function<void(plans::GridRings&)>& work) {
    plans::on_ports(comm, 2 * dimensions, inout, [&](int port, Communicator& task, VectorView slice) {
      const int direction = port < dimensions ? +1 : -1;
      plans::GridRings rings(task, plans::grid_rings(lattice, task.rank(), port % dimensions, direction), slice);
      work(rings);
    });
  };
  if (!is_synchronous) {
    on_slices([&](plans::GridRings& rings) {
      rings.reduce_scatter(op);
      rings.allgather();
    });
    return;
  }
  for (int d = 0; d < dimensions; ++d) on_slices([&](plans::GridRings& rings) { rings.reduce_scatter_along(d, op); });
  for (int d = dimensions - 1; d >= 0; --d) on_slices([&](plans::GridRings& rings) { rings.allgather_along(d); });
}

Algorithm bucket_entry(const Options& options) {
  const bool sync = is_synchronous(options);
  return entry(
      {.name = "bucket",
       .summary = "Rings along one dimension of the grid after the other, on all 2D ports: least bytes to neighbours only.",
       .source = "[swing] §2.3.4, §5.2",
       .needs = {.commutative = true, .grid = true},
       .rounds = sync ? formulas::two_longest_ring_rounds() : formulas::two_ring_rounds(),
       .bytes = formulas::all_blocks_twice(),
       .messages_a_round = formulas::message_per_port,
       .block_count = formulas::block_per_rank_and_port,
       .tasks_share_credits = true},
      with(bucket, sync));
}

}  // namespace

std::vector<Algorithm> bucket_entries() { return {configurable(bucket_parameters(), bucket_entry)}; }

// torus_ring: ring reduce-scatters along the dimensions of a grid, one after the other, then ring allgathers back.
//
// A reduce-scatter along the first dimension leaves a rank with its coordinate's share of the vector, summed over its ring;
// another along the second cuts that share again and sums over the plane; after the last dimension a rank holds one complete
// block. Allgathers along the same dimensions in reverse give everybody everything. A flat ring takes 2(p-1) rounds for the
// same bytes.
//
// Picture: a 2x2x2 grid; what the rank at (1,0,1) holds after each phase, and with whom it exchanged half of what it held.
//
//   start   [0 1 2 3 4 5 6 7]                      last phase  [0 1 2 3 4 5 6 7]
//   x               [4 5 6 7]    with (0,0,1)      x, back             [4 5 6 7]
//   y               [4 5]        with (1,1,1)      y, back             [4 5]
//   z                 [5]        with (1,0,0)      z, back               [5]
//
// It is one of the 2D buckets of `bucket`, with the whole vector: one port is busy at a time. Dimensions of size 1 do not
// count; without a grid there is one dimension of p, and this is `ring`.
//
// Rounds:  2·Σ(dᵢ-1).
// Bytes:   2(p-1)/p · M sent by each rank.
// Time:    2·Σ(dᵢ-1)·α + 2(p-1)/p · M·β: all messages go to neighbours, and no link carries two at once.
// Limits:  one of 2D ports. Sums start at different ranks: the op must be commutative. On a mesh the ring closes over the whole
//          line, in the direction that the other messages leave free: one message per round travels d-1 hops.
// Source:  explainer 02 (Lu) §3.1, §3.4; mesh: §4.2.

namespace {

void torus_ring(Communicator& comm, VectorView inout, const ReduceOp& op) {
  const plans::Lattice lattice(comm.grid(), comm.size());
  plans::GridRings rings(comm, plans::grid_rings(lattice, comm.rank(), 0, +1), inout);
  rings.reduce_scatter(op);
  rings.allgather();
}

}  // namespace

std::vector<Algorithm> torus_ring_entries() {
  return {entry(
      {.name = "torus_ring",
       .summary = "Rings along one dimension of the grid after the other through one port: least bytes to neighbours only.",
       .source = "[explainer-02] §3.1, §3.4, §4.2",
       .needs = {.commutative = true},
       .rounds = formulas::two_ring_rounds(),
       .bytes = formulas::all_blocks_twice(),
       .block_count = formulas::block_per_rank},
      torus_ring)};
}

}  // namespace heddle::allreduce

namespace heddle::reduce_scatter {

// torus_ring: ring reduce-scatters along the dimensions of a grid, one after the other.
//
// Along the first dimension a rank passes on, round by round, the sums of all blocks whose owners have one coordinate there,
// and keeps those whose owners have its own; along the second it does the same with what is left. After the last dimension that
// is its own block, complete.
//
// Picture: a 3x2 grid; the blocks whose sums the rank at (1,0), number 2, holds.
//
//   start     0 1 2 3 4 5
//   rows          2 3          2 rounds among ranks 0, 2, 4; two blocks passed on in each
//   columns       2            1 round with rank 3; one block
//
// Ranks need not count row-major: a message then has several pieces. Blocks may have any sizes. Without a grid there is one
// dimension of p.
//
// Rounds:  Σ(dᵢ-1).
// Bytes:   (p-1)/p · M sent by each rank where blocks are equal; else all blocks but its own.
// Time:    Σ(dᵢ-1)·α + (p-1)/p · M·β, to neighbours only.
// Limits:  one of 2D ports. Sums start at different ranks: the op must be commutative. On a mesh the ring closes over the whole
//          line, in the direction that the other messages leave free. With unequal blocks the longest share of each round
//          counts.
// Source:  explainer 02 (Lu) §3.5.

namespace {

void torus_ring(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  plans::GridRings(comm, plans::Lattice(comm.grid(), comm.size()), inout, blocks).reduce_scatter(op);
}

}  // namespace

std::vector<Algorithm> torus_ring_entries() {
  return {entry({.name = "torus_ring",
                 .summary = "Rings along one dimension of the grid after the other: to neighbours only, through one port.",
                 .source = "[explainer-02] §3.5",
                 .needs = {.commutative = true},
                 .rounds = formulas::ring_rounds(),
                 .bytes = formulas::other_blocks_once(),
                 .block_count = formulas::block_per_rank},
                torus_ring)};
}

}  // namespace heddle::reduce_scatter

namespace heddle::allgather {

// torus_ring: the reduce-scatter backwards: ring allgathers along the dimensions of a grid, the last dimension first.
//
// Along the last dimension a rank passes its own block on and then what it gets, until it has the blocks of its ring; along the
// one before it passes on all these as one; after the first dimension it has everything.
//
// Rounds:  Σ(dᵢ-1).
// Bytes:   (p-1)/p · M sent by each rank where blocks are equal; else, in each
//          dimension, all that its ring has but the next one's share.
// Time:    that of the reduce-scatter.
// Limits:  one of 2D ports. On a mesh the ring closes over the whole line, in the direction that the other messages leave free.
//          With unequal blocks the longest share of each round counts.
// Source:  explainer 02 (Lu) §3.5.

namespace {

void torus_ring(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  plans::GridRings(comm, plans::Lattice(comm.grid(), comm.size()), vector, blocks).allgather();
}

}  // namespace

std::vector<Algorithm> torus_ring_entries() {
  return {entry({.name = "torus_ring",
                 .summary = "Rings along one dimension of the grid after the other: to neighbours only, through one port.",
                 .source = "[explainer-02] §3.5",
                 .rounds = formulas::ring_rounds(),
                 .bytes = formulas::other_blocks_once(),
                 .block_count = formulas::block_per_rank},
                torus_ring)};
}

}  // namespace heddle::allgather
