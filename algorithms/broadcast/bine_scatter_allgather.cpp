// SPDX-License-Identifier: Apache-2.0
// bine_scatter_allgather: the root deals out blocks, then everyone gathers them all.
//
// For long vectors: the scatter moves each block over a Bine tree of doubling distances, the allgather over a Bine butterfly of
// halving ones. Both follow the same ways, so blocks lie in one order, in which all that is ever sent is one run, and nothing
// is copied. Ranks are counted from the root on, round the circle (schedule/bine/bine_schedule.hpp).
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
#include "algorithms/broadcast/broadcast.hpp"

#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/bine_formulas.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/bine/bine_schedule.hpp"
#include "algorithms/schedule/blocks/block_exchange.hpp"

namespace heddle::broadcast {

void bine_scatter_allgather(Communicator& comm, VectorView vector, Rank root) {
  if (comm.size() == 1 || vector.empty()) return;
  const auto ways =
      comm.shared_plan<schedule::BlockSchedule>("bine, compact", [&] { return schedule::bine_block_schedule(comm.size()); });
  const auto tree = comm.shared_plan<schedule::BlockTree>("bine, compact, root " + std::to_string(root.value()),
                                                          [&] { return schedule::bine_block_tree(*ways, root.value()); });
  const BlockPartition blocks(vector.count(), comm.size());
  schedule::tree_scatter(comm, *tree, vector, blocks);
  schedule::BlockExchange(comm, *ways, vector, blocks, {}, schedule::Message::transfer, root).allgather();
}

std::vector<Algorithm> bine_scatter_allgather_rows() {
  return {{.collective = Collective::broadcast,
           .name = "bine_scatter_allgather",
           .summary = "A scatter along a Bine tree, then an allgather along a Bine butterfly: for long vectors.",
           .source = "[bine] §4.5, App. C",
           .needs = {},
           .rounds = {"2⌈log2 p⌉; one more at odd p", formulas::bine_scatter_allgather_rounds},
           .bytes = {"2(p-1)/p · M; at odd p about 3M", formulas::bine_scatter_allgather_bytes},
           .granule = formulas::block_per_rank,
           .run = as_broadcast(bine_scatter_allgather)}};
}

}  // namespace heddle::broadcast
