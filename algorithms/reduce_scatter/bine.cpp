// SPDX-License-Identifier: Apache-2.0
// bine_block_by_block, bine_permute, bine_send, bine_two_transmissions: one butterfly, four ways to handle its blocks.
//
// In each step of a butterfly a rank exchanges with its partner: it sends the sums of all blocks that the partner, or those
// whom the partner will reach later, are to have, half of what it holds, and adds what it gets to what it keeps. A Bine
// butterfly reaches |Σ_{i≤j} (-2)^i| ranks far instead of 2^j: 1, 1, 3, 5, 11, … (schedule/bine/bine_schedule.hpp). Most is
// sent in the first step, so that is the nearest. But what a rank sends then does not lie side by side in the vector:
//
//   p = 8, rank 0          distances doubling                      distances halving
//   step 0    sends 1 2 5 6 to rank 1              sends 2 3 4 5 to rank 3
//   step 1    sends     4 7 to rank 7              sends     6 7 to rank 7
//   step 2    sends       3 to rank 3              sends       1 to rank 1
//
// The rounds as the paper writes them, for p = 2^s: paper::bine_partner and paper::bine_round in
// schedule/bine/bine_schedule.hpp. Beside them is what runs, bine_block_schedule (doubling) and bine_halving_schedule; tests
// hold that both send the same. ± is + for even r, - for odd r; all modulo p.
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
// other p, and all of them at odd p, neighbours fold (schedule/butterflies/fold.hpp), where an extra rank keeps its own block's
// sum and gets the rest of it in the end.
//
// Rounds:  log2 p; ⌈log2 p⌉ at even p that do not fold; ⌊log2 p⌋ + 2 with a fold. bine_send: one more from p = 4 on, but
//          with one pair only that is folded, the extra rank's last message takes that time already.
// Bytes:   (p-1)/p · M sent by each rank, for every p; bine_send M from p = 4 on.
// Time:    log2 p · α + (p-1)/p · M·β where messages share no links; bine_permute M·γ more for copies, bine_send α + M·β/p.
//          bine_block_by_block starts p - 1 messages.
// Limits:  the op must be commutative.
// Source:  Bine (De Sensi et al.) §4.3 and Fig. 8, App. B (comparison), App. C (other p).
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/bine_formulas.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/bine/bine_schedule.hpp"
#include "algorithms/schedule/blocks/block_exchange.hpp"
#include "algorithms/schedule/blocks/permuted_blocks.hpp"

namespace heddle::reduce_scatter {

namespace {

using schedule::BlockExchange;
using schedule::BlockSchedule;

bool has_nothing_to_do(const Communicator& comm, VectorView inout) { return comm.size() == 1 || inout.empty(); }

}  // namespace

void bine_block_by_block(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  require_commutative("bine_block_by_block", op);
  if (has_nothing_to_do(comm, inout)) return;
  const auto plan =
      comm.shared_plan<BlockSchedule>("bine, compact", [&] { return schedule::bine_block_schedule(comm.size()); });
  BlockExchange(comm, *plan, inout, blocks, {}, schedule::Message::block).reduce_scatter(op);
}

void bine_two_transmissions(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  require_commutative("bine_two_transmissions", op);
  if (has_nothing_to_do(comm, inout)) return;
  const auto plan =
      comm.shared_plan<BlockSchedule>("bine, halving", [&] { return schedule::bine_halving_schedule(comm.size()); });
  BlockExchange(comm, *plan, inout, blocks, {}, schedule::Message::run).reduce_scatter(op);
}

void bine_permute(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  require_commutative("bine_permute", op);
  if (has_nothing_to_do(comm, inout)) return;
  const auto plan =
      comm.shared_plan<BlockSchedule>("bine, by ways", [&] { return schedule::bine_by_ways_schedule(comm.size()); });

  const schedule::PermutedBlocks permuted(*plan, blocks);
  Buffer scratch(inout.type(), inout.count());
  permuted.permute(comm, scratch.view(), inout);
  BlockExchange(comm, *plan, scratch.view(), permuted.by_position()).reduce_scatter(op);
  const VectorView own = blocks.block(inout, comm.rank().value());
  if (!own.empty()) comm.copy(own, permuted.block(scratch.view(), comm.rank().value()));
}

void bine_send(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op) {
  require_commutative("bine_send", op);
  if (has_nothing_to_do(comm, inout)) return;
  const auto plan =
      comm.shared_plan<BlockSchedule>("bine, by ways", [&] { return schedule::bine_by_ways_schedule(comm.size()); });
  BlockExchange(comm, *plan, inout, blocks).reduce_scatter(op);

  const int rank = comm.rank().value();
  const int has = plan->position(rank);
  if (has == rank) return;
  comm.sendrecv(Rank(has), blocks.block(inout, has), Rank(plan->block_at(rank)), blocks.block(inout, rank));
}

std::vector<Algorithm> bine_rows() {
  return {
      {.collective = Collective::reduce_scatter,
       .name = "bine_block_by_block",
       .summary = "A Bine butterfly, each block a message of its own.",
       .source = "[bine] §4.3, App. B, App. C",
       .needs = {.commutative = true},
       .rounds = formulas::bine_rounds(),
       .bytes = formulas::other_blocks_once(),
       .messages_a_round = formulas::message_per_block,
       .granule = formulas::block_per_rank,
       .run = as_reduce_scatter(bine_block_by_block)},
      {.collective = Collective::reduce_scatter,
       .name = "bine_permute",
       .summary = "A Bine butterfly, blocks copied into an order in which messages are one run.",
       .source = "[bine] §4.3, App. B, App. C",
       .needs = {.commutative = true},
       .rounds = formulas::bine_rounds_by_ways(),
       .bytes = formulas::other_blocks_once(),
       .granule = formulas::block_per_rank,
       .run = as_reduce_scatter(bine_permute)},
      {.collective = Collective::reduce_scatter,
       .name = "bine_send",
       .summary = "A Bine butterfly, runs sent as if blocks had been permuted, each block then sent to its owner.",
       .source = "[bine] §4.3, App. B, App. C",
       .needs = {.commutative = true},
       .rounds = formulas::bine_rounds_with_owners(),
       .bytes = {"M; (p-1)/p · M if p ≤ 3", formulas::bine_send_reduce_scatter_bytes},
       .granule = formulas::block_per_rank,
       .run = as_reduce_scatter(bine_send)},
      {.collective = Collective::reduce_scatter,
       .name = "bine_two_transmissions",
       .summary = "A Bine butterfly, distances the other way, so that messages are one run round the circle, cut at the end.",
       .source = "[bine] §4.3, App. B, App. C",
       .needs = {.commutative = true},
       .rounds = formulas::bine_rounds(),
       .bytes = formulas::other_blocks_once(),
       .granule = formulas::block_per_rank,
       .run = as_reduce_scatter(bine_two_transmissions)}};
}

}  // namespace heddle::reduce_scatter
