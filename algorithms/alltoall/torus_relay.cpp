// SPDX-License-Identifier: Apache-2.0
// torus_relay: each block goes the shortest way over the grid, from neighbour to neighbour, dimension by dimension.
//
// In a dimension blocks travel as in `ring_relay`, the shorter way (on a mesh the only one). Those that get to the coordinate
// of their destination change to the next dimension at once, and travel on in the very next round: a block for a rank n links
// away is there after n rounds (schedule/grids/relay.hpp).
//
// In one order of the dimensions, the first would be busy early and the last late. So each block is cut into D parts, and part
// j travels in dimension j first, then in j+1, and round. With even sizes there are two such cuts, one for each way to opposite
// coordinates. On a square torus all links then carry the same in every round.
//
// Picture: a 4x4 torus, part 0 of the blocks of rank 0 = (0,0): what it sends in round 0, and afterwards.
//
//   to 4, for rows 1 and 2    4 5 6 7, 8 9 10 11      4 stays there, 5 6 7 change to its row, 8 … 11 travel on
//   to 12, for row 3          12 13 14 15             12 stays, 13 14 15 change
//   to 1, in its own row      1 2                     1 stays, 2 travels on
//   to 3                      3                       stays
//
// Blocks that pass through lie in scratch: those that wait a round for the next dimension in a vector per turn, D-1 of them;
// those on the way in less than one vector, on a mesh D, and that twice, what a round sends and what it receives.
//
// Rounds:  Σ⌊dᵢ/2⌋; on a mesh Σ(dᵢ-1).
// Bytes:   Σ⌊dᵢ²/4⌋/dᵢ · M sent by each rank; on a mesh Σ((dᵢ-1) + 2⌊(dᵢ-1)²/4⌋)/dᵢ · M by those in the middle.
// Time:    Σ⌊dᵢ/2⌋·α + d/8 · M·β on a square torus of even dᵢ = d, the least that its links can do. In general a link of
//          dimension i carries ⌊dᵢ²/4⌋/2dᵢ · M, on a mesh at most dᵢ/4 · M, and each round lasts as long as its fullest link.
// Limits:  blocks of equal size. On a mesh the rounds wait for the long batches from its ends, while links in the middle have
//          the most to carry in all. Without a grid there is one dimension of p, and this is `ring_relay`.
// Source:  explainer 02 (Lu) §3.6 and App. C (the load of a link); mesh: §4.2.
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

void torus_relay(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
                 const BlockPartition& received) {
  require_equal_blocks("torus_relay", sent);
  require_equal_blocks("torus_relay", received);
  if (outgoing.empty()) return;
  const schedule::Lattice lattice(comm.grid(), comm.size());
  const bool wraps = !comm.grid() || comm.grid()->wraps();
  schedule::relay_alltoall(comm, lattice, wraps, schedule::Turns::at_once, outgoing, incoming);
}

std::vector<Algorithm> torus_relay_rows() {
  return {
      {.collective = Collective::alltoall,
       .name = "torus_relay",
       .summary = "Blocks go the shortest way over the grid, passed on from neighbour to neighbour, in all dimensions at once.",
       .source = "[explainer-02] §3.6, §4.2",
       .needs = {.equal_blocks = true},
       .rounds = formulas::relay_rounds(),
       .bytes = formulas::relay_bytes(),
       .messages_a_round = formulas::message_per_port,
       .granule = formulas::block_per_part<schedule::Turns::at_once>,
       .run = as_alltoall(torus_relay),
       .tasks_share_credits = true}};
}

}  // namespace heddle::alltoall
