// SPDX-License-Identifier: Apache-2.0
// bine_reduce_scatter_gather: everyone sums up one block, then the root gathers them: bine_scatter_allgather backwards.
//
// For long vectors: a reduce-scatter over a Bine butterfly of doubling distances, then a gather over the tree of the same ways
// taken back, so that the distances of its steps halve. Blocks lie in one order, in which all that is ever sent is one run,
// and nothing is copied. Ranks are counted from the root on, round the circle (schedule/bine/bine_schedule.hpp).
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
#include "algorithms/reduce/reduce.hpp"

#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/bine_formulas.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/bine/bine_schedule.hpp"
#include "algorithms/schedule/blocks/block_exchange.hpp"

namespace heddle::reduce {

void bine_reduce_scatter_gather(Communicator& comm, VectorView inout, const ReduceOp& op, Rank root) {
  require_commutative("bine_reduce_scatter_gather", op);
  if (comm.size() == 1 || inout.empty()) return;
  const auto ways =
      comm.shared_plan<schedule::BlockSchedule>("bine, compact", [&] { return schedule::bine_block_schedule(comm.size()); });
  const auto tree = comm.shared_plan<schedule::BlockTree>("bine, compact, root " + std::to_string(root.value()),
                                                          [&] { return schedule::bine_block_tree(*ways, root.value()); });
  const BlockPartition blocks(inout.count(), comm.size());
  schedule::BlockExchange(comm, *ways, inout, blocks, {}, schedule::Message::transfer, root).reduce_scatter(op);
  schedule::tree_gather(comm, *tree, inout, blocks);
}

std::vector<Algorithm> bine_reduce_scatter_gather_rows() {
  return {{.collective = Collective::reduce,
           .name = "bine_reduce_scatter_gather",
           .summary = "A reduce-scatter along a Bine butterfly, then a gather along a Bine tree: for long vectors.",
           .source = "[bine] §4.5, App. C",
           .needs = {.commutative = true},
           .rounds = {"⌈log2 p⌉ or ⌊log2 p⌋ + 2, and the height of the tree", formulas::bine_reduce_scatter_gather_rounds},
           .bytes = {"((p-1)/p + 1/2) · M at even p", formulas::bine_reduce_scatter_gather_bytes},
           .granule = formulas::block_per_rank,
           .run = as_reduce(bine_reduce_scatter_gather)}};
}

}  // namespace heddle::reduce
