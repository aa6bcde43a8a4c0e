// SPDX-License-Identifier: Apache-2.0
// Bine butterflies on blocks: who sends to whom for any size, then reduce-scatters and allgathers. The partner function is in
// bine.hpp.
#include "algorithms/families/bine.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>
#include <vector>

#include "algorithms/executors/blocks.hpp"
#include "algorithms/executors/lattice.hpp"
#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"
#include "heddle/registry.hpp"

namespace heddle::plans {

namespace {

bool is_odd(int size) { return size % 2 != 0; }
bool is_no_power_of_two(int size) { return !std::has_single_bit(static_cast<unsigned>(size)); }

/// Who sends to whom in a reduce-scatter: folds, one dimension after the other; butterflies among the positions; unfolds.
class Butterflies {
 public:
  Butterflies(const Lattice& lattice, BinePort port, Distances distances, bool (*folds)(int size))
      : lattice_(lattice), port_(std::move(port)) {
    std::vector<int> steps;
    for (int dimension = 0; dimension < lattice.dimensions(); ++dimension) {
      const int size = lattice.size(dimension);
      const bool is_folded = folds(size);
      if (is_folded) folded_.push_back(dimension);
      is_folded_.push_back(is_folded);
      steps.push_back(swing_steps(is_folded ? Fold(size).positions() : size));
      std::vector<int>& row = coordinates_.emplace_back();
      for (int rank = 0; rank < lattice.ranks(); ++rank) row.push_back(lattice.coordinate(Rank(rank), dimension));
    }
    exchanges_ = interleaved_steps(steps, port_.first_dimension);
    if (distances == Distances::halving) std::reverse(exchanges_.begin(), exchanges_.end());
  }

  int steps() const { return static_cast<int>(exchanges_.size() + 2 * folded_.size()); }

  void add_target(int rank, int step, std::vector<BlockPlan::Target>& targets) const {
    const int folds = static_cast<int>(folded_.size());
    const int unfold = steps() - 1 - step;
    if (step < folds) return add_fold_target(rank, step, &Fold::is_extra, targets);
    if (unfold < folds) return add_fold_target(rank, unfold, &Fold::is_partner, targets);
    if (is_extra_before(rank, folds)) return;
    const DimensionStep& exchange = exchanges_[at(step - folds)];
    targets.push_back({neighbor(rank, exchange.dimension, partner(rank, exchange))});
  }

 private:
  int coordinate(int rank, int dimension) const { return coordinates_[at(dimension)][at(rank)]; }
  int neighbor(int rank, int dimension, int coordinate) const {
    return lattice_.neighbor(Rank(rank), dimension, coordinate).value();
  }
  Fold fold(int dimension) const { return Fold(lattice_.size(dimension)); }

  /// Whether a rank is an extra rank in one of the first `folds` folds: from there on it has no part until it is unfolded.
  bool is_extra_before(int rank, int folds) const {
    return std::any_of(folded_.begin(), folded_.begin() + folds,
                       [&](int dimension) { return fold(dimension).is_extra(coordinate(rank, dimension)); });
  }

  /// Extra ranks send to partners or partners to extra ranks.
  void add_fold_target(int rank, int number, bool (Fold::*sends)(int) const, std::vector<BlockPlan::Target>& targets) const {
    const int dimension = folded_[at(number)];
    const int mine = coordinate(rank, dimension);
    if (is_extra_before(rank, number) || !(fold(dimension).*sends)(mine)) return;
    targets.push_back({neighbor(rank, dimension, fold(dimension).other(mine))});
  }

  int partner(int rank, DimensionStep exchange) const {
    const int mine = coordinate(rank, exchange.dimension);
    const Swing swing = port_.swings[at(exchange.dimension)];
    if (!is_folded_[at(exchange.dimension)])
      return bine_partner(mine, exchange.step, lattice_.size(exchange.dimension), Distances::doubling, swing);
    const Fold folded = fold(exchange.dimension);
    return folded.member_at(
        bine_partner(folded.position_of(mine), exchange.step, folded.positions(), Distances::doubling, swing));
  }

  const Lattice& lattice_;
  BinePort port_;
  std::vector<int> folded_;  ///< dimensions
  std::vector<bool> is_folded_;
  std::vector<std::vector<int>> coordinates_;  ///< by dimension and rank
  std::vector<DimensionStep> exchanges_;
};

template <class Layout>
BlockPlan make_schedule(const Lattice& lattice, const Butterflies& butterflies, Layout layout) {
  return BlockPlan(
      lattice.ranks(), butterflies.steps(),
      [&](int rank, int step, std::vector<BlockPlan::Target>& targets) { butterflies.add_target(rank, step, targets); },
      std::move(layout));
}

}  // namespace

BinePort bine_port(int port, int dimensions) {
  BinePort result{dimensions == 0 ? 0 : port % dimensions, {}};
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    const int first_turn = (dimension - result.first_dimension + dimensions) % dimensions;
    const int direction = (port + first_turn) % (2 * dimensions);
    result.swings.push_back(direction < dimensions ? Swing::plain : Swing::mirrored);
  }
  return result;
}

BlockPlan bine_block_plan(const Lattice& lattice, const BinePort& port) {
  return make_schedule(lattice, Butterflies(lattice, port, Distances::doubling, is_odd), BlockPlan::Layout::compact);
}

BlockPlan bine_block_plan(int ranks) { return bine_block_plan(Lattice(nullptr, ranks), {}); }

BlockPlan bine_halving_plan(int ranks) {
  const Lattice circle(nullptr, ranks);
  return make_schedule(circle, Butterflies(circle, {}, Distances::halving, is_odd), BlockPlan::Layout::rank_order);
}

BlockPlan bine_by_ways_plan(int ranks) {
  const Fold fold(ranks);
  std::vector<int> in_order(at(fold.positions()));
  for (int position = 0; position < fold.positions(); ++position)
    in_order[at(bine_position(position, fold.positions()))] = position;
  std::vector<int> order;
  for (const int position : in_order) {
    const int member = fold.member_at(position);
    order.push_back(member);
    if (fold.is_partner(member)) order.push_back(fold.other(member));
  }
  const Lattice circle(nullptr, ranks);
  return make_schedule(circle, Butterflies(circle, {}, Distances::doubling, is_no_power_of_two), std::move(order));
}

std::shared_ptr<const BlockPlan> shared_bine_block_plan(Communicator& comm) {
  return comm.shared_plan<BlockPlan>("bine, compact", [&] { return bine_block_plan(comm.size()); });
}
std::shared_ptr<const BlockPlan> shared_bine_halving_plan(Communicator& comm) {
  return comm.shared_plan<BlockPlan>("bine, halving", [&] { return bine_halving_plan(comm.size()); });
}
std::shared_ptr<const BlockPlan> shared_bine_by_ways_plan(Communicator& comm) {
  return comm.shared_plan<BlockPlan>("bine, by ways", [&] { return bine_by_ways_plan(comm.size()); });
}

int bine_block_steps(int size) { return is_odd(size) && size > 1 ? Fold(size).position_bits() + 2 : swing_steps(size); }

int bine_by_ways_steps(int ranks) { return Fold(ranks).position_bits() + (is_no_power_of_two(ranks) ? 2 : 0); }

std::vector<std::int64_t> blocks_received(const BlockPlan& plan) {
  std::vector<std::int64_t> received(at(plan.ranks()));
  for (int rank = 0; rank < plan.ranks(); ++rank) {
    for (int step = 0; step < plan.steps(); ++step) {
      for (const BlockTransfer& transfer : plan.receives(rank, step)) {
        for (const Run& run : transfer.runs) received[at(rank)] += run.count;
      }
    }
  }
  return received;
}

BlockTree bine_block_tree(const BlockPlan& plan, int root) {
  const int ranks = plan.ranks();
  BlockTree tree(bine_tree(ranks, root, Distances::doubling));
  std::vector<int> positions;
  for (RunSet& below : tree.subtrees) {
    positions.clear();
    for (const Run& run : below) {
      for (int rank = run.first; rank < run.end(); ++rank) positions.push_back(plan.position((rank - root + ranks) % ranks));
    }
    std::sort(positions.begin(), positions.end());
    below.clear();
    for (const int position : positions) append(below, {position, 1});
  }
  return tree;
}

// A vector's blocks copied into the order in which a plan lays them out, and back.

namespace {

/// Refers to the plan.
class PermutedBlocks {
 public:
  /// `blocks` lie in rank order.
  PermutedBlocks(const BlockPlan& plan, BlockPartition blocks);

  /// The blocks by position.
  const BlockPartition& by_position() const { return by_position_; }
  /// Where the block of `rank` lies in a permuted vector.
  VectorView block(VectorView permuted, int rank) const { return by_position_.block(permuted, plan_.position(rank)); }

  /// Block. From rank order to the plan's, one copy per block.
  void permute(Communicator& comm, VectorView permuted, ConstVectorView in_rank_order) const;
  /// Back.
  void restore(Communicator& comm, VectorView in_rank_order, VectorView permuted) const;

 private:
  const BlockPlan& plan_;
  BlockPartition blocks_;
  BlockPartition by_position_;
};

BlockPartition partition_by_position(const BlockPlan& plan, const BlockPartition& blocks) {
  std::vector<std::int64_t> sizes;
  for (int position = 0; position < plan.ranks(); ++position) sizes.push_back(blocks.size(plan.block_at(position)));
  return BlockPartition::of_sizes(sizes);
}

void copy_unless_empty(Communicator& comm, VectorView into, ConstVectorView from) {
  if (!from.empty()) comm.copy(into, from);
}

}  // namespace

PermutedBlocks::PermutedBlocks(const BlockPlan& plan, BlockPartition blocks)
    : plan_(plan), blocks_(std::move(blocks)), by_position_(partition_by_position(plan, blocks_)) {}

void PermutedBlocks::permute(Communicator& comm, VectorView permuted, ConstVectorView in_rank_order) const {
  for (int rank = 0; rank < plan_.ranks(); ++rank)
    copy_unless_empty(comm, block(permuted, rank), blocks_.block(in_rank_order, rank));
}

void PermutedBlocks::restore(Communicator& comm, VectorView in_rank_order, VectorView permuted) const {
  for (int rank = 0; rank < plan_.ranks(); ++rank)
    copy_unless_empty(comm, blocks_.block(in_rank_order, rank), block(permuted, rank));
}

}  // namespace heddle::plans

namespace heddle {

namespace {

/// What all entries along a butterfly say.
Algorithm butterfly_facts(std::string name, std::string_view summary, Formula<int> rounds, Formula<std::int64_t> bytes,
                          Needs needs = {}) {
  return {.name = std::move(name),
          .summary = summary,
          .source = "[bine] §4.3, App. B, App. C",
          .needs = std::move(needs),
          .rounds = std::move(rounds),
          .bytes = std::move(bytes),
          .block_count = formulas::block_per_rank};
}

}  // namespace

}  // namespace heddle

namespace heddle::reduce_scatter {

// bine_block_by_block, bine_permute, bine_send, bine_two_transmissions: one butterfly, four ways to handle its blocks.
//
// In each step of a butterfly a rank exchanges with its partner: it sends the sums of all blocks that the partner, or those
// whom the partner will reach later, are to have, half of what it holds, and adds what it gets to what it keeps. A Bine
// butterfly reaches |Σ_{i≤j} (-2)^i| ranks far instead of 2^j: 1, 1, 3, 5, 11, … (families/bine.hpp). Most is
// sent in the first step, so that is the nearest. But what a rank sends then does not lie side by side in the vector:
//
//   p = 8, rank 0          distances doubling                      distances halving
//   step 0    sends 1 2 5 6 to rank 1              sends 2 3 4 5 to rank 3
//   step 1    sends     4 7 to rank 7              sends     6 7 to rank 7
//   step 2    sends       3 to rank 3              sends       1 to rank 1
//
// The rounds, for p = 2^s. What runs has the partners from bine_partner and derives the block sets from them; a test holds that
// they are the paper's. ± is + for even r, - for odd r; all modulo p.
//
//   ρ(i)  = Σ_{k=0..i} (-2)^k = 1, -1, 3, -5, 11, …
//   nb(x) = the s digits of x, or of x - p, in base -2                                                  §2.3.1
//   v(x)  = h ⊕ h/2, h = nb(x) for odd x, nb(p - x) for even x                                          §3.2.1
//
//   step i          distances doubling                      distances halving
//   r swaps with    r ± ρ(i)                                r ± ρ(s - 1 - i)                            eq. 5; eq. 4
//   and sends it    r ± x, where v(x) ends with 10…0,       r ± x, where nb(x) begins with 0…01,
//   the blocks      i + 1 digits                            i + 1 digits                                §3.2.3; §2.3.3
//
// bine_block_by_block     sends each block as a message of its own, and adds each as soon as it is there.
// bine_permute            copies all blocks into the order 0 3 7 4 1 6 2 5 first: block b goes to position(b), which is v(b),
//                         its bits reversed; then everything that is ever sent is one run.
// bine_send               sends the runs of that order as if the blocks had been copied: what lies where block b would be is
//                         treated as block b. So rank b ends with block position(b), and sends it to its owner in one more
//                         message, which costs M/p and saves the copies.
// bine_two_transmissions  lets distances halve. Then blocks are one run round the circle; where it passes the end of the vector
//                         it is two messages. The price: the most is sent farthest.
//
// Even p that are no power of two: bine_block_by_block and bine_two_transmissions run as they are, and what could go in two
// steps goes in one. bine_permute and bine_send need powers of two, for only there are all messages runs of one order: at all
// other p, and all of them at odd p, neighbours fold (executors/lattice.hpp), where an extra rank keeps its own block's
// sum and gets the rest of it in the end.
//
// Rounds:  log2 p; ⌈log2 p⌉ at even p that do not fold; ⌊log2 p⌋ + 2 with a fold. bine_send: one more from p = 4 on, but
//          with one pair only that is folded, the extra rank's last message takes that time already.
// Bytes:   (p-1)/p · M sent by each rank, for every p; bine_send M from p = 4 on.
// Time:    log2 p · α + (p-1)/p · M·β where messages share no links; bine_permute M·γ more for copies, bine_send α + M·β/p.
//          bine_block_by_block starts p - 1 messages.
// Limits:  the op must be commutative.
// Source:  Bine (De Sensi et al.) §4.3 and Fig. 8, App. B (comparison), App. C (other p).

namespace {

using plans::BlockExchange;
using plans::BlockPlan;

void bine_block_by_block(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  const auto plan = plans::shared_bine_block_plan(comm);
  BlockExchange(comm, *plan, inout, blocks, {}, plans::Message::block).reduce_scatter(op);
}

void bine_two_transmissions(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  const auto plan = plans::shared_bine_halving_plan(comm);
  BlockExchange(comm, *plan, inout, blocks, {}, plans::Message::run).reduce_scatter(op);
}

void bine_permute(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  const auto plan = plans::shared_bine_by_ways_plan(comm);

  const plans::PermutedBlocks permuted(*plan, blocks);
  Buffer scratch(inout.type(), inout.count());
  permuted.permute(comm, scratch.view(), inout);
  BlockExchange(comm, *plan, scratch.view(), permuted.by_position()).reduce_scatter(op);
  const VectorView own = blocks.block(inout, comm.rank().value());
  if (!own.empty()) comm.copy(own, permuted.block(scratch.view(), comm.rank().value()));
}

void bine_send(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  const auto plan = plans::shared_bine_by_ways_plan(comm);
  BlockExchange(comm, *plan, inout, blocks).reduce_scatter(op);

  const int rank = comm.rank().value();
  const int has = plan->position(rank);
  if (has == rank) return;
  comm.sendrecv(Rank(has), blocks.block(inout, has), Rank(plan->block_at(rank)), blocks.block(inout, rank));
}

}  // namespace

std::vector<Algorithm> bine_entries() {
  std::vector<Algorithm> rows = {
      entry(butterfly_facts("bine_block_by_block", "A Bine butterfly, each block a message of its own.",
                            formulas::bine_rounds(), formulas::other_blocks_once(), {.commutative = true}),
            bine_block_by_block),
      entry(butterfly_facts("bine_permute", "A Bine butterfly, blocks copied into an order in which messages are one run.",
                            formulas::bine_rounds_by_ways(), formulas::other_blocks_once(), {.commutative = true}),
            bine_permute),
      entry(butterfly_facts("bine_send",
                            "A Bine butterfly, runs sent as if blocks had been permuted, each block then sent to its owner.",
                            formulas::bine_rounds_with_owners(),
                            {"M; (p-1)/p · M if p ≤ 3", formulas::bine_send_reduce_scatter_bytes}, {.commutative = true}),
            bine_send),
      entry(butterfly_facts(
                "bine_two_transmissions",
                "A Bine butterfly, distances the other way, so that messages are one run round the circle, cut at the end.",
                formulas::bine_rounds(), formulas::other_blocks_once(), {.commutative = true}),
            bine_two_transmissions)};
  rows.front().messages_a_round = formulas::message_per_block;
  return rows;
}

}  // namespace heddle::reduce_scatter

namespace heddle::allgather {

// bine_block_by_block, bine_permute, bine_send, bine_two_transmissions: the reduce-scatters of the same names backwards.
//
// A rank has its own block and doubles what it has in each step: partners swap all that they have, in the order of steps from
// the last to the first. So distances halve here, and the most is sent nearest, but for
// bine_two_transmissions, whose distances double.
//
//   p = 8, rank 0          distances halving                       distances doubling
//   step 2    has 0         gets 3 from rank 3              has 0           gets 1 from rank 1
//   step 1    has 0 3       gets 4 7 from rank 7            has 0 1         gets 6 7 from rank 7
//   step 0    has 0 3 4 7   gets 1 2 5 6 from rank 1        has 6 7 0 1     gets 2 3 4 5 from rank 3
//
// bine_block_by_block     sends each block as a message of its own.
// bine_permute            gathers blocks in the order 0 3 7 4 1 6 2 5, in which all that is sent is one run, and copies them
//                         into rank order in the end.
// bine_send               first each rank sends its block to the one whose place in that order it is to take: what lies where
//                         block b belongs, then, comes from the right rank, and the runs are sent where they lie.
// bine_two_transmissions  sends one run round the circle of blocks; where it passes the end of the vector, two messages.
//
// Other p than powers of two as in the reduce-scatters: even ones as they are or folded, odd ones folded.
//
// Rounds:  log2 p; ⌈log2 p⌉ at even p that do not fold; ⌊log2 p⌋ + 2 with a fold. bine_send: one more from p = 4 on, but
//          where one pair only is folded.
// Bytes:   (p-1)/p · M sent by each rank where nothing folds. Where something does, a partner sends about 2M (of
//          bine_two_transmissions up to 2.4M): what others lack, of its extra rank as well, and all but one block to its extra
//          rank. bine_send: M/p more from p = 4 on.
// Time:    log2 p · α + (p-1)/p · M·β where messages share no links; bine_permute M·γ more for copies, bine_send α + M·β/p.
// Limits:  with a fold, partners send twice as much as without.
// Source:  Bine (De Sensi et al.) §4.3, App. B (comparison), App. C (other p).

namespace {

using plans::BlockExchange;
using plans::BlockPlan;

void bine_block_by_block(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  const auto plan = plans::shared_bine_block_plan(comm);
  BlockExchange(comm, *plan, vector, blocks, {}, plans::Message::block).allgather();
}

void bine_two_transmissions(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  const auto plan = plans::shared_bine_halving_plan(comm);
  BlockExchange(comm, *plan, vector, blocks, {}, plans::Message::run).allgather();
}

void bine_permute(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  const auto plan = plans::shared_bine_by_ways_plan(comm);

  const plans::PermutedBlocks permuted(*plan, blocks);
  Buffer scratch(vector.type(), vector.count());
  const VectorView own = blocks.block(vector, comm.rank().value());
  if (!own.empty()) comm.copy(permuted.block(scratch.view(), comm.rank().value()), own);
  BlockExchange(comm, *plan, scratch.view(), permuted.by_position()).allgather();
  permuted.restore(comm, vector, scratch.view());
}

void bine_send(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  const auto plan = plans::shared_bine_by_ways_plan(comm);

  const int rank = comm.rank().value();
  const int has = plan->position(rank);
  if (has != rank) comm.sendrecv(Rank(plan->block_at(rank)), blocks.block(vector, rank), Rank(has), blocks.block(vector, has));
  BlockExchange(comm, *plan, vector, blocks).allgather();
}

}  // namespace

std::vector<Algorithm> bine_entries() {
  std::vector<Algorithm> rows = {
      entry(
          butterfly_facts("bine_block_by_block", "A Bine butterfly, each block a message of its own.", formulas::bine_rounds(),
                          {"(p-1)/p · M; by a host at odd p about 2M", formulas::bine_block_by_block_allgather_bytes}),
          bine_block_by_block),
      entry(butterfly_facts("bine_permute",
                            "A Bine butterfly, messages one run each in an order from which blocks are copied back.",
                            formulas::bine_rounds_by_ways(),
                            {"(p-1)/p · M; by a host at other p than 2^k about 2M", formulas::bine_permute_allgather_bytes}),
            bine_permute),
      entry(butterfly_facts("bine_send", "A Bine butterfly, each block first sent to where it would be if permuted, then runs.",
                            formulas::bine_rounds_with_owners(),
                            {"M; by a host at other p than 2^k about 2M", formulas::bine_send_allgather_bytes}),
            bine_send),
      entry(butterfly_facts(
                "bine_two_transmissions",
                "A Bine butterfly, distances the other way, so that messages are one run round the circle, cut at the end.",
                formulas::bine_rounds(),
                {"(p-1)/p · M; by a host at odd p about 2M", formulas::bine_two_transmissions_allgather_bytes}),
            bine_two_transmissions)};
  rows.front().messages_a_round = formulas::message_per_block;
  return rows;
}

}  // namespace heddle::allgather
