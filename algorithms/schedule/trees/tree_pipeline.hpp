// SPDX-License-Identifier: Apache-2.0
// Broadcast, reduce and allreduce of a vector in segments, which follow each other through a tree.
//
// All ranks work in ticks. A rank of depth d (edges from the root), in a tree of height H, sends segment s = 0 … P-1
//
//   up to its parent, with what its children sent      in tick s + H - d
//   down to its children, all at once                  in tick s + d, in an allreduce s + H + d
//
// and posts the receive of what it needs next in the tick in which that is sent: what is sent in a tick is received in it, so
// nobody waits for a receive of a later tick, even where sends are synchronous. Each tick a rank waits for what it posted in
// the last one, so a message of tick t has t messages before it, one after the other: H + P - 1 rounds for a broadcast or a
// reduce, 2H + P - 1 for an allreduce. A segment turns round at the root while later ones are still on their way up.
//
// Picture, an allreduce over the chain 0 - 1 - 2 in two segments a, b:
//
//   tick 0     2->1 a
//   tick 1     2->1 b, 1->0 a
//   tick 2             1->0 b, 0->1 a
//   tick 3                     0->1 b, 1->2 a
//   tick 4                             1->2 b
//
// Source: explainer 01 (Lu) App. C.2.
#pragma once

#include <cstdint>

#include "algorithms/schedule/trees/tree.hpp"

namespace heddle::schedule {

// Blocks. The vector is cut into `segments` ≥ 1 as even as they go, one per element if it has fewer; an empty one sends
// nothing.

/// From the root's vector to everyone's.
void pipelined_broadcast(Communicator& comm, const Tree& tree, VectorView vector, std::int64_t segments);
/// From everyone's vector to their sum at the root; elsewhere the vector is then undefined. Order as in tree_reduce.
void pipelined_reduce(Communicator& comm, const Tree& tree, VectorView inout, const ReduceOp& op, std::int64_t segments);
/// Both: to the root and back.
void pipelined_allreduce(Communicator& comm, const Tree& tree, VectorView inout, const ReduceOp& op, std::int64_t segments);

}  // namespace heddle::schedule
