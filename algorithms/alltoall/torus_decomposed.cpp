// SPDX-License-Identifier: Apache-2.0
// torus_decomposed: an alltoall within every line of the first dimension, then within every line of the second, and so on.
//
// In dimension i a rank gives each rank of its line all blocks that it has for destinations with that one's coordinate, and
// gets those for its own: after dimension i every block is at its destination's coordinates 0 … i. Within a line blocks travel
// the shorter way from neighbour to neighbour, as in `ring_relay`; all start together when the dimension's turn has come
// (schedule/grids/relay.hpp). With even sizes half of each block takes either way to opposite coordinates.
//
// Picture: a 3x3 torus; the blocks that rank 4 = (1,1) has, s-t from s to t.
//
//   start     4-0 4-1 4-2  4-3 4-4 4-5  4-6 4-7 4-8
//   rows      1-3 1-4 1-5  4-3 4-4 4-5  7-3 7-4 7-5      with ranks 1 and 7: three blocks each way
//   columns   0-4 1-4 2-4  3-4 4-4 5-4  6-4 7-4 8-4      with ranks 3 and 5: three blocks each way
//
// Blocks that pass through lie in scratch: those that wait for their next dimension in a vector per turn, D-1 of them; those on
// the way in less than one vector, and that twice, what a round sends and what it receives.
//
// Rounds:  Σ⌊dᵢ/2⌋; on a mesh Σ(dᵢ-1).
// Bytes:   Σ⌊dᵢ²/4⌋/dᵢ · M sent by each rank; on a mesh Σ((dᵢ-1) + 2⌊(dᵢ-1)²/4⌋)/dᵢ · M by those in the middle.
// Time:    Σ⌊dᵢ/2⌋·α + Σdᵢ/8 · M·β on a torus of even dᵢ: D times that of torus_relay on a square one, as one dimension is
//          busy at a time. On a mesh Σ(dᵢ-1)·α + Σ(dᵢ-1)/2 · M·β: rounds wait for the long batches from the ends.
// Limits:  blocks of equal size. Without a grid there is one dimension of p, and this is `ring_relay`.
// Source:  explainer 02 (Lu) §3.6 (dimension-decomposed); mesh: §4.2.
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

void torus_decomposed(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
                      const BlockPartition& received) {
  require_equal_blocks("torus_decomposed", sent);
  require_equal_blocks("torus_decomposed", received);
  if (outgoing.empty()) return;
  const schedule::Lattice lattice(comm.grid(), comm.size());
  const bool wraps = !comm.grid() || comm.grid()->wraps();
  schedule::relay_alltoall(comm, lattice, wraps, schedule::Turns::together, outgoing, incoming);
}

std::vector<Algorithm> torus_decomposed_rows() {
  return {{.collective = Collective::alltoall,
           .name = "torus_decomposed",
           .summary = "An alltoall within the lines of one dimension of the grid after the other, from neighbour to neighbour.",
           .source = "[explainer-02] §3.6, §4.2",
           .needs = {.equal_blocks = true},
           .rounds = formulas::relay_rounds(),
           .bytes = formulas::relay_bytes(),
           .messages_a_round = formulas::message_per_port,
           .granule = formulas::block_per_part<schedule::Turns::together>,
           .run = as_alltoall(torus_decomposed),
           .tasks_share_credits = true}};
}

}  // namespace heddle::alltoall
