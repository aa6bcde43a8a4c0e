// SPDX-License-Identifier: Apache-2.0
// bine: every block goes along a Bine butterfly, in each step together with all that take it.
//
// It is an allreduce of the same steps that puts what it receives beside its own instead of adding it. In each step a rank
// exchanges with its partner, |Σ_{i≤j} (-2)^i| ranks away: 1, 1, 3, 5, 11, … to alternating sides. It hands over all blocks
// that are for the partner, or for those whom the partner will reach later: half of what it has.
//
// A block has the same index on all its way, and partners swap the indices whose ways take the step
// (schedule/bine/bine_alltoall.hpp).
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
// (schedule/butterflies/fold.hpp). An extra rank hands all its blocks to its partner first and gets all that are for it in the
// end; what goes from position to position are the blocks from one or two members to one or two.
//
// Rounds:  ⌈log2 p⌉ at even p, ⌊log2 p⌋ + 2 at odd p.
// Bytes:   log2 p · M/2 sent by each rank at powers of two; at even p M/p times the steps of all indices; at odd p partners
//          send up to four times what they would without an extra rank, and (p-1)/p · M to the extra rank.
// Time:    log2 p · α + log2 p · M/2 · β where no two messages of a step share a link.
// Limits:  each byte is sent log2 p / 2 times: only for short blocks. All blocks must have the same size, for a rank passes on
//          blocks whose sizes it does not know.
// Source:  Bine (De Sensi et al.) §4.4; App. C (other p).
#include "algorithms/alltoall/alltoall.hpp"

#include <array>
#include <bit>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/bine_formulas.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/bine/bine_alltoall.hpp"
#include "algorithms/schedule/butterflies/fold.hpp"
#include "algorithms/schedule/butterflies/swing_pattern.hpp"

namespace heddle::alltoall {

namespace {

using schedule::BineWays;
using schedule::Fold;

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
      const int partner = schedule::swing_partner(position_, step, ways_.positions(), schedule::Swing::plain);
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

}  // namespace

void bine(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
          const BlockPartition& received) {
  require_equal_blocks("bine", sent);
  require_equal_blocks("bine", received);
  if (outgoing.empty()) return;
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

std::vector<Algorithm> bine_rows() {
  return {{.collective = Collective::alltoall,
           .name = "bine",
           .summary = "Blocks go along a Bine butterfly, in each step together with all that take it.",
           .source = "[bine] §4.4, App. C",
           .needs = {.equal_blocks = true},
           .rounds = formulas::bine_rounds(),
           .bytes = {"about log2 p · M/2 (exactly at powers of two); by a host at odd p up to four times as much",
                     formulas::bine_alltoall_bytes},
           .granule = formulas::block_per_rank,
           .run = as_alltoall(bine)}};
}

}  // namespace heddle::alltoall
