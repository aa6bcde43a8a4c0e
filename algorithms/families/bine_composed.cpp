// SPDX-License-Identifier: Apache-2.0
// bine_small, bine_large, bine_torus: allreduces along Bine butterflies.
//
// Partners are |Σ_{i≤j} (-2)^i| ranks apart, 1, 1, 3, 5, 11, … to alternating sides, instead of 2^j: Swing's, but taken over
// the circle of rank numbers whatever the fabric is (families/bine.hpp). Where neighbouring ranks share a group,
// fewer messages leave it.
//
// bine_small exchanges whole vectors in each step and adds, as recursive doubling does: fewest steps.
// bine_large cuts the vector into p blocks: a reduce-scatter of doubling distances, then its allgather, of halving ones. Each
// step carries half as much as the one before, then twice as much, so most goes to the neighbour. Blocks lie in an order in
// which a message is one run, and nobody needs to undo it: the allgather takes the same ways back.
// bine_torus takes steps along one dimension of a grid after the other, and cuts the vector into 2D slices, each with a
// bine_large of its own that begins in another direction.
//
// The rounds, for p = 2^s. What runs has the partners from bine_partner and derives the block sets from them; a test holds that
// they are the paper's.
//
//   ρ(i)    = Σ_{k=0..i} (-2)^k = 1, -1, 3, -5, 11, …
//   q(r, i) = r + ρ(i) for even r, r - ρ(i) for odd r, modulo p                                    §3.1; App. A, eq. 5
//   v(x)    = h ⊕ h/2, h the digits of x in base -2 for odd x, those of p - x for even x           §3.2.1
//   step i:   r sends q(r, i) the blocks r + x for even r, r - x for odd r, modulo p,
//             of all x whose v(x) ends with 10…0, i + 1 digits                                     §3.2.3
//
// Picture, p = 8: the blocks that rank 0 of bine_large holds and what it sends; and the directions of a 2D torus's ports.
//
//   step 0   holds 0 3 7 4 1 6 2 5   sends 1 6 2 5 to rank 1      port     0  1  2  3
//   step 1   holds 0 3 7 4           sends     7 4 to rank 7      step 0   E  N  W  S
//   step 2   holds 0 3               sends       3 to rank 3      step 1   N  W  S  E
//   done     holds 0                                              step 2   W  S  E  N
//
// Other p than powers of two. In even sizes all keep partners and steps. bine_large and bine_torus send a block that could go
// in two steps in one. Of whole vectors the last step wants but a part of the partner's sum, and a sum cannot be taken apart:
// ranks of bine_small keep two from the start, as swing_latency's do (families/swing.hpp, swing_windows). In odd sizes
// neighbours fold into 2^⌊log2 p⌋ positions (executors/lattice.hpp), bine_large and bine_torus block by block.
//
// Rounds:  bine_small ⌈log2 p⌉, or ⌊log2 p⌋ + 2 at odd p; bine_large twice ⌈log2 p⌉, or ⌊log2 p⌋ + 2 at odd p; bine_torus twice
//          the sum of that over its dimensions.
// Bytes:   bine_small ⌈log2 p⌉ · M, at even p that is no power of two up to (2⌈log2 p⌉ - 3) · M; the others 2(p-1)/p · M sent
//          by each rank where nothing folds; a partner of bine_large sends about 3M.
// Time:    bine_small log2 p · (α + M·β); bine_large 2·log2 p · α + 2(p-1)/p · M·β; bine_torus 2·log2 p · α +
//          2(p-1)/p · M·β/(2D), each where messages share no links.
// Limits:  the op must be commutative. In a step of bine_small and bine_large on a ring, δ messages share a link. Unequal
//          dimensions leave ports of bine_torus idle at the end. In bine_small ranks add up in different orders, so floats may
//          differ in their last bits from rank to rank.
// Source:  Bine (De Sensi et al.) §4.4, §3.1; App. C (other p); App. D and Fig. 16 to 18 (tori); two sums: heddle's own.
#include "algorithms/families/bine.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/executors/blocks.hpp"
#include "algorithms/executors/lattice.hpp"
#include "algorithms/families/swing.hpp"
#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "heddle/registry.hpp"

namespace heddle::allreduce {

namespace {

void bine_small(Communicator& comm, VectorView inout, const ReduceOp& op) {
  plans::swing_vectors(comm, plans::Lattice(nullptr, comm.size()), plans::swing_port(0, 1), inout, op);
}

void bine_large(Communicator& comm, VectorView inout, const ReduceOp& op) {
  const auto blocks = plans::shared_bine_block_plan(comm);
  plans::BlockExchange exchange(comm, *blocks, inout);
  exchange.reduce_scatter(op);
  exchange.allgather();
}

void bine_torus(Communicator& comm, VectorView inout, const ReduceOp& op) {
  const plans::Lattice lattice(comm.grid(), comm.size());
  const int dimensions = lattice.dimensions();
  plans::exchange_on_ports(comm, 2 * dimensions, inout, [&](int port, Communicator& task, VectorView slice) {
    const auto blocks = task.shared_plan<plans::BlockPlan>("bine_torus, port " + std::to_string(port), [&] {
      return plans::bine_block_plan(lattice, plans::bine_port(port, dimensions));
    });
    return plans::allreduce_in_blocks(task, blocks, slice, op);
  });
}

int bine_small_rounds(const Shape& shape) { return plans::swing_vector_rounds(shape.ranks); }

std::int64_t bine_small_bytes(const Shape& shape) { return plans::swing_vectors_sent(shape.ranks) * shape.bytes; }

}  // namespace

std::vector<Algorithm> bine_entries() {
  return {entry({.name = "bine_small",
                 .summary = "Whole vectors exchanged along a Bine butterfly over the circle of ranks: fewest rounds.",
                 .source = "[bine] §4.4, App. C",
                 .needs = {.commutative = true},
                 .rounds = {"⌈log2 p⌉; ⌊log2 p⌋ + 2 at odd p", bine_small_rounds},
                 .bytes = {"⌈log2 p⌉ · M, up to (2⌈log2 p⌉ - 3) · M at even p that is no power of two", bine_small_bytes},
                 .block_count = formulas::one_element,
                 .same_bits = false},
                bine_small),
          entry({.name = "bine_large",
                 .summary =
                     "Reduce-scatter and allgather along a Bine butterfly over the circle of ranks: most bytes to neighbours.",
                 .source = "[bine] §4.4, §3.1, App. C",
                 .needs = {.commutative = true},
                 .rounds = {"2⌈log2 p⌉; 2⌊log2 p⌋ + 4 at odd p",
                            [](const Shape& shape) { return 2 * formulas::bine_rounds()(shape); }},
                 .bytes = {"2(p-1)/p · M; by a host at odd p about 3M", formulas::bine_large_bytes},
                 .block_count = formulas::block_per_rank},
                bine_large),
          entry({.name = "bine_torus",
                 .summary =
                     "Reduce-scatter and allgather along Bine butterflies in each dimension of a grid, through all 2D ports.",
                 .source = "[bine] App. D",
                 .needs = {.commutative = true, .grid = true},
                 .rounds = {"2Σ(⌈log2 dᵢ⌉; ⌊log2 dᵢ⌋ + 2 where dᵢ is odd)", formulas::bine_torus_rounds},
                 .bytes = {"2(p-1)/p · M; by hosts more where a dᵢ is odd", formulas::bine_torus_bytes},
                 .messages_a_round = formulas::message_per_port,
                 .block_count = formulas::block_per_rank_and_port,
                 .tasks_share_credits = true},
                bine_torus)};
}

}  // namespace heddle::allreduce

namespace heddle::broadcast {

// bine_scatter_allgather: the root deals out blocks, then everyone gathers them all.
//
// For long vectors: the scatter moves each block over a Bine tree of doubling distances, the allgather over a Bine butterfly of
// halving ones. Both follow the same ways, so blocks lie in one order, in which all that is ever sent is one run, and nothing
// is copied. Ranks are counted from the root on, round the circle (families/bine.hpp).
//
// Picture, p = 8, root 0: the blocks that a rank has. Scatter, distances 1, 1, 3; allgather, distances 3, 1, 1.
//
//            0                   1           7       2         3
//   step 0   0 3 7 4             1 6 2 5                                  0->1
//   step 1   0 3                 1 6         7 4     2 5                  0->7 1->2
//   step 2   0                   1           7       2         3          0->3 1->6 7->4 2->5
//   step 3   0 3                 1 6         7 4     2 5       0 3        0-3 1-6 7-4 2-5
//   step 4   0 3 7 4             1 6 2 5     …                            0-7 1-2 3-4 5-6
//   step 5   everything                                                   0-1 2-3 4-5 6-7
//
// Usual implementations scatter over halving distances and gather over doubling ones: then the long messages of the allgather
// go far; here they go to neighbours.
//
// Rounds:  2·log2 p; in general ⌈log2 p⌉ for the scatter, and ⌈log2 p⌉, or ⌊log2 p⌋ + 2 at odd p, for the allgather.
// Bytes:   2(p-1)/p · M at even p, sent by the root; at odd p about 3M, for it serves an extra rank as well.
// Time:    2·log2 p · α + 2(p-1)/p · M·β where messages share no links.
// Limits:  blocks and two phases do not pay for short vectors. Even p that are no power of two: some more pieces to a message.
// Source:  Bine (De Sensi et al.) §4.5, App. C (other p).

namespace {

void bine_scatter_allgather(Communicator& comm, VectorView vector, Rank root) {
  const auto ways = plans::shared_bine_block_plan(comm);
  const auto tree = comm.shared_plan<plans::BlockTree>("bine, compact, root " + std::to_string(root.value()),
                                                       [&] { return plans::bine_block_tree(*ways, root.value()); });
  const BlockPartition blocks(vector.count(), comm.size());
  plans::tree_scatter(comm, *tree, vector, blocks);
  plans::BlockExchange(comm, *ways, vector, blocks, {}, plans::Message::transfer, root).allgather();
}

}  // namespace

std::vector<Algorithm> bine_scatter_allgather_entries() {
  return {entry({.name = "bine_scatter_allgather",
                 .summary = "A scatter along a Bine tree, then an allgather along a Bine butterfly: for long vectors.",
                 .source = "[bine] §4.5, App. C",
                 .rounds = {"2⌈log2 p⌉; one more at odd p", formulas::bine_scatter_allgather_rounds},
                 .bytes = {"2(p-1)/p · M; at odd p about 3M", formulas::bine_scatter_allgather_bytes},
                 .block_count = formulas::block_per_rank},
                bine_scatter_allgather)};
}

}  // namespace heddle::broadcast

namespace heddle::reduce {

// bine_reduce_scatter_gather: everyone sums up one block, then the root gathers them: bine_scatter_allgather backwards.
//
// For long vectors: a reduce-scatter over a Bine butterfly of doubling distances, then a gather over the tree of the same ways
// taken back, so that the distances of its steps halve. Blocks lie in one order, in which all that is ever sent is one run,
// and nothing is copied. Ranks are counted from the root on, round the circle (families/bine.hpp).
//
// Picture, p = 8, root 0: the blocks that a rank has a sum of.
//
//            0                   1           7       2         3
//   step 0   0 3 7 4             1 6 2 5     0 3 7 4 1 6 2 5   1 6 2 5    0-1 2-3 4-5 6-7
//   step 1   0 3                 1 6         7 4     2 5       …          0-7 1-2 3-4 5-6
//   step 2   0                   1           7       2         3          0-3 1-6 7-4 2-5
//   step 3   0 3                 1 6         7 4     2 5                  3->0 6->1 4->7 5->2
//   step 4   0 3 7 4             1 6 2 5                                  7->0 2->1
//   step 5   everything                                                   1->0
//
// The source calls the gather's tree one of halving distances. What it needs, for runs that undo the order, are the steps of
// the butterfly backwards; in the source's own words that is the doubling tree of its broadcast, which a gather climbs from the
// leaves.
//
// Rounds:  2·log2 p; in general that of the reduce-scatter, ⌈log2 p⌉ or at odd p ⌊log2 p⌋ + 2, and the height of the tree.
// Bytes:   ((p-1)/p + 1/2) · M at even p, sent by the last one to reach the root; at odd p a little more or less.
// Time:    2·log2 p · α + 2(p-1)/p · M·β where messages share no links.
// Limits:  the op must be commutative. Blocks and two phases do not pay for short vectors.
// Source:  Bine (De Sensi et al.) §4.5, App. C (other p).

namespace {

void bine_reduce_scatter_gather(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root) {
  const auto ways = plans::shared_bine_block_plan(comm);
  const auto tree = comm.shared_plan<plans::BlockTree>("bine, compact, root " + std::to_string(root.value()),
                                                       [&] { return plans::bine_block_tree(*ways, root.value()); });
  const BlockPartition blocks(inout.count(), comm.size());
  plans::BlockExchange(comm, *ways, inout, blocks, {}, plans::Message::transfer, root).reduce_scatter(op);
  plans::tree_gather(comm, *tree, inout, blocks);
}

}  // namespace

std::vector<Algorithm> bine_reduce_scatter_gather_entries() {
  return {
      entry({.name = "bine_reduce_scatter_gather",
             .summary = "A reduce-scatter along a Bine butterfly, then a gather along a Bine tree: for long vectors.",
             .source = "[bine] §4.5, App. C",
             .needs = {.commutative = true},
             .rounds = {"⌈log2 p⌉ or ⌊log2 p⌋ + 2, and the height of the tree", formulas::bine_reduce_scatter_gather_rounds},
             .bytes = {"((p-1)/p + 1/2) · M at even p", formulas::bine_reduce_scatter_gather_bytes},
             .block_count = formulas::block_per_rank},
            bine_reduce_scatter_gather)};
}

}  // namespace heddle::reduce

namespace heddle::plans {

namespace {

int on_circle(std::int64_t position, int positions) { return static_cast<int>((position % positions + positions) % positions); }

/// +1 for positions that go further, -1 for those that go back.
int sense(std::int64_t position) { return position % 2 == 0 ? +1 : -1; }

}  // namespace

BineWays::BineWays(int positions) : steps_(swing_steps(positions)), ways_(static_cast<std::size_t>(positions)) {
  // Backwards, as block plans are derived: what is to go on `index` positions after a step had ρ - index to go before it,
  // seen from the partner, who counts the other way.
  std::vector<int> reached{0};
  for (int step = steps_ - 1; step >= 0; --step) {
    const std::size_t known = reached.size();
    for (std::size_t i = 0; i < known; ++i) {
      const int index = on_circle(swing_rho(step) - reached[i], positions);
      std::uint32_t& way = ways_[static_cast<std::size_t>(index)];
      if (index == 0 || way != 0) continue;
      way = ways_[static_cast<std::size_t>(reached[i])] | (std::uint32_t{1} << step);
      reached.push_back(index);
    }
  }
}

int BineWays::destination(int source, int index) const { return on_circle(source + sense(source) * index, positions()); }

int BineWays::source(int position, int index, int step) const {
  std::int64_t gone = 0;  // seen from the source
  for (int taken = 0; taken < step; ++taken) {
    if (takes(index, taken)) gone += sense(gone) * swing_rho(taken);
  }
  // Every step leads from even to odd positions or back, so after an even distance the source counts as `position` does.
  return on_circle(position - sense(position) * sense(gone) * gone, positions());
}

}  // namespace heddle::plans

namespace heddle::alltoall {

// bine: every block goes along a Bine butterfly, in each step together with all that take it.
//
// It is an allreduce of the same steps that puts what it receives beside its own instead of adding it. In each step a rank
// exchanges with its partner, |Σ_{i≤j} (-2)^i| ranks away: 1, 1, 3, 5, 11, … to alternating sides. It hands over all blocks
// that are for the partner, or for those whom the partner will reach later: half of what it has.
//
// A block has the same index on all its way, and partners swap the indices whose ways take the step
// (families/bine.hpp).
//
// Picture, p = 4: indices 0 1 2 3 of a rank; 01 is the block from rank 0 to rank 1. Even ranks count indices upwards, odd ones
// downwards.
//
//             0              1              2              3
//   start     00 01 02 03    11 10 13 12    22 23 20 21    33 32 31 30
//   step 0    00 10 13 03    11 01 02 12    22 32 31 21    33 23 20 30     0-1, 2-3 swap 1 and 2
//   step 1    00 10 20 30    11 01 31 21    22 32 02 12    33 23 13 03     0-3, 1-2 swap 2 and 3
//
// The source moves blocks to the left and the right of a buffer before each step and into order in the end. Here nothing is
// copied but a rank's block for itself: a message is gathered from the places of several indices and scattered into them, a
// block's first step starts from the caller's input, its last one ends in the caller's output, and in between it changes from
// one scratch vector to another, so that no message is received where another is being sent from.
//
// Even p that are no power of two: a block with two ways takes one. Odd p: neighbours fold into 2^⌊log2 p⌋ positions
// (executors/lattice.hpp). An extra rank hands all its blocks to its partner first and gets all that are for it in the
// end; what goes from position to position are the blocks from one or two members to one or two.
//
// Rounds:  ⌈log2 p⌉ at even p, ⌊log2 p⌋ + 2 at odd p.
// Bytes:   log2 p · M/2 sent by each rank at powers of two; at even p M/p times the steps of all indices; at odd p partners
//          send up to four times what they would without an extra rank, and (p-1)/p · M to the extra rank.
// Time:    log2 p · α + log2 p · M/2 · β where no two messages of a step share a link.
// Limits:  each byte is sent log2 p / 2 times: only for short blocks. All blocks must have the same size, for a rank passes on
//          blocks whose sizes it does not know.
// Source:  Bine (De Sensi et al.) §4.4; App. C (other p).

namespace {

using plans::BineWays;
using plans::Fold;

/// Who is at which position: everyone where p is even, folded neighbours where it is odd.
class Folding {
 public:
  explicit Folding(int ranks) : fold_(ranks), folds_(ranks % 2 != 0), ranks_(ranks) {}

  int positions() const { return folds_ ? fold_.positions() : ranks_; }
  bool is_extra(int rank) const { return folds_ && fold_.is_extra(rank); }
  bool is_partner(int rank) const { return folds_ && fold_.is_partner(rank); }
  int other(int rank) const { return fold_.other(rank); }
  int position_of(int rank) const { return folds_ ? fold_.position_of(rank) : rank; }
  /// The first member of a position; a second one is the next rank.
  int member_at(int position) const { return folds_ ? fold_.member_at(position) : position; }
  int members(int position) const { return folds_ && position < fold_.extra_ranks() ? 2 : 1; }
  int most_members() const { return folds_ && fold_.extra_ranks() > 0 ? 2 : 1; }

 private:
  Fold fold_;
  bool folds_;
  int ranks_;
};

/// One position's part. What goes from position to position is ordered by destination, then by source.
class PositionExchange {
 public:
  /// A member's vectors, both of p blocks.
  struct Member {
    ConstVectorView outgoing;
    VectorView incoming;
  };

  /// `members` are those of this rank's position.
  PositionExchange(Communicator& comm, const Folding& folding, const BineWays& ways, const BlockPartition& blocks,
                   std::vector<Member> members)
      : comm_(comm),
        folding_(folding),
        ways_(ways),
        blocks_(blocks),
        members_(std::move(members)),
        position_(folding.position_of(comm.rank().value())),
        stride_(blocks.size(0) * folding.most_members() * folding.most_members()),
        scratch_{Buffer(type(), ways.positions() * stride_), Buffer(type(), ways.positions() * stride_)} {}

  void run() {
    std::vector<ConstVectorView> leaving;
    std::vector<VectorView> landing;
    for (int step = 0; step < ways_.steps(); ++step) {
      const int partner = plans::bine_partner(position_, step, ways_.positions(), plans::Distances::doubling);
      leaving.clear();
      landing.clear();
      for (int index = 1; index < ways_.positions(); ++index) {
        if (!ways_.takes(index, step)) continue;
        append_leaving(index, step, leaving);
        append_landing(index, step, ways_.source(partner, index, step), landing);
      }
      const Rank peer(folding_.member_at(partner));
      comm_.sendrecv(peer, leaving, peer, landing);
    }
  }

 private:
  Datatype type() const { return members_.front().outgoing.type(); }

  void append_leaving(int index, int step, std::vector<ConstVectorView>& leaving) {
    if (steps_taken(index, step) > 0) {
      leaving.push_back(place(index, step, ways_.source(position_, index, step)));
      return;
    }
    const int destination = ways_.destination(position_, index);
    for (int member = 0; member < folding_.members(destination); ++member) {
      for (const Member& mine : members_)
        leaving.push_back(blocks_.block(mine.outgoing, folding_.member_at(destination) + member));
    }
  }

  void append_landing(int index, int step, int source, std::vector<VectorView>& landing) {
    const bool is_last = (ways_.way(index) >> (step + 1)) == 0;
    if (!is_last) {
      landing.push_back(place(index, step + 1, source));
      return;
    }
    for (const Member& mine : members_)
      landing.push_back(blocks_.blocks(mine.incoming, folding_.member_at(source), folding_.members(source)));
  }

  /// Of the index's way, before a step.
  int steps_taken(int index, int step) const { return std::popcount(ways_.way(index) & ((std::uint32_t{1} << step) - 1)); }

  /// Where what came from `source` lies between two of its steps.
  VectorView place(int index, int step, int source) {
    const int members = folding_.members(source) * folding_.members(ways_.destination(source, index));
    return scratch_[static_cast<std::size_t>(steps_taken(index, step) % 2)].view().slice(index * stride_,
                                                                                         members * blocks_.size(0));
  }

  Communicator& comm_;
  const Folding& folding_;
  const BineWays& ways_;
  const BlockPartition& blocks_;
  std::vector<Member> members_;
  int position_;
  std::int64_t stride_;  ///< elements kept for an index
  std::array<Buffer, 2> scratch_;
};

/// All blocks of a vector but that of `rank`.
template <class View>
std::array<View, 2> all_but_one(View vector, const BlockPartition& blocks, int rank) {
  return {blocks.blocks(vector, 0, rank), blocks.blocks(vector, rank + 1, blocks.blocks() - rank - 1)};
}

void bine(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
          const BlockPartition& received) {
  const int rank = comm.rank().value();
  comm.copy(received.block(incoming, rank), sent.block(outgoing, rank));
  if (comm.size() == 1) return;

  const Folding folding(comm.size());
  const Rank other(folding.other(rank));
  if (folding.is_extra(rank)) {
    comm.wait(comm.isend(other, all_but_one(outgoing, sent, rank)));
    comm.wait(comm.irecv(other, all_but_one(incoming, received, rank)));
    return;
  }

  const auto ways = comm.shared_plan<BineWays>("bine, alltoall", [&] { return BineWays(folding.positions()); });
  if (!folding.is_partner(rank)) {
    PositionExchange(comm, folding, *ways, sent, {{outgoing, incoming}}).run();
    return;
  }
  const int extra = other.value();
  Buffer extras_outgoing(outgoing.type(), outgoing.count());
  Buffer extras_incoming(incoming.type(), incoming.count());
  comm.wait(comm.irecv(other, all_but_one(extras_outgoing.view(), sent, extra)));
  comm.copy(received.block(incoming, extra), sent.block(extras_outgoing.view(), rank));
  comm.copy(received.block(extras_incoming.view(), rank), sent.block(outgoing, extra));
  PositionExchange(comm, folding, *ways, sent, {{outgoing, incoming}, {extras_outgoing.view(), extras_incoming.view()}}).run();
  comm.wait(comm.isend(other, all_but_one(ConstVectorView(extras_incoming.view()), received, extra)));
}

}  // namespace

std::vector<Algorithm> bine_entries() {
  return {entry({.name = "bine",
                 .summary = "Blocks go along a Bine butterfly, in each step together with all that take it.",
                 .source = "[bine] §4.4, App. C",
                 .needs = {.equal_blocks = true},
                 .rounds = formulas::bine_rounds(),
                 .bytes = {"about log2 p · M/2 (exactly at powers of two); by a host at odd p up to four times as much",
                           formulas::bine_alltoall_bytes},
                 .block_count = formulas::block_per_rank},
                bine)};
}

}  // namespace heddle::alltoall
