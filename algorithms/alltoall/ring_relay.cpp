// SPDX-License-Identifier: Apache-2.0
// ring_relay: each block goes the shorter way round the ring of ranks, from neighbour to neighbour.
//
// In the first round a rank gives its upper neighbour the blocks for the ⌊p/2⌋ ranks above, as one message, and its lower
// neighbour those for the others. In each further round it passes on what came, but for the block that was for itself: the
// messages shrink by one block per round, and after the last nothing is left to pass on (schedule/grids/relay.hpp).
//
// Picture, p = 5: blocks passed upwards; 0-2 is that from rank 0 to rank 2. Downwards is the mirror image.
//
//             0             1             2             3             4
//   round 0   0-1 0-2 ->    1-2 1-3 ->    2-3 2-4 ->    3-4 3-0 ->    4-0 4-1 ->
//   round 1   4-1 ->        0-2 ->        1-3 ->        2-4 ->        3-0 ->
//
// With even p the opposite rank is as far either way, and half of its block goes either way: two relays at once, each on half
// of every block. The explainer sends the opposite block to the right, and one block per step: 3 steps at p = 4. So a link has
// p²/8 + p/4 blocks to carry, which at p = 8 are 10 and not the p-1 = 7 that the explainer counts; with halves p²/8, here 8.
//
// Blocks that pass through lie in scratch: fewer than p of them, and that twice, what a round sends and what it receives.
//
// Rounds:  ⌊p/2⌋.
// Bytes:   ⌊p²/4⌋/p · M sent by each rank, half of it each way.
// Time:    ⌊p/2⌋·α + ⌊p²/4⌋/2p · M·β on a ring, p/8 · M·β at even p: the least that its links can do.
// Limits:  blocks of equal size. The bytes grow with p: only where neighbours in rank order share no links, and not on a fabric
//          that has more of them. On a line the way round is as long as the line: torus_relay knows of ends.
// Source:  explainer 01 (Lu) §7.1; the load of a link: 02 §3.6.
#include "algorithms/alltoall/alltoall.hpp"

#include <cstdint>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/rows/relay_formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/grids/relay.hpp"

namespace heddle::alltoall {

void ring_relay(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
                const BlockPartition& received) {
  require_equal_blocks("ring_relay", sent);
  require_equal_blocks("ring_relay", received);
  if (outgoing.empty()) return;
  const schedule::Lattice ring(nullptr, comm.size());
  schedule::relay_alltoall(comm, ring, true, schedule::Turns::at_once, outgoing, incoming);
}

namespace {

int ring_relay_rounds(const Shape& shape) { return shape.ranks / 2; }

std::int64_t ring_relay_bytes(const Shape& shape) {
  return formulas::times(shape.bytes, formulas::links_taken(shape.ranks, true), shape.ranks);
}

std::int64_t ring_block_per_part(const Shape& shape) {
  return std::int64_t{schedule::relay_parts({shape.ranks}, true, schedule::Turns::at_once)} * shape.ranks;
}

}  // namespace

std::vector<Algorithm> ring_relay_rows() {
  return {{.collective = Collective::alltoall,
           .name = "ring_relay",
           .summary = "Blocks go the shorter way round the ring of ranks, passed on from neighbour to neighbour.",
           .source = "[explainer-01] §7.1",
           .needs = {.equal_blocks = true},
           .rounds = {"⌊p/2⌋", ring_relay_rounds},
           .bytes = {"⌊p²/4⌋/p · M", ring_relay_bytes},
           .messages_a_round = formulas::message_per_port,
           .granule = ring_block_per_part,
           .run = as_alltoall(ring_relay),
           .tasks_share_credits = true}};
}

}  // namespace heddle::alltoall
