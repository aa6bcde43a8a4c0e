// SPDX-License-Identifier: Apache-2.0
// What each collective means: its name, its arguments, its bandwidth factor. How it is done belongs in algorithms/.
//
// The whole vector has `count` elements in p blocks, block b that of rank b. What goes into a rank and what comes out:
//
//   collective       input                 output
//   broadcast        whole, at the root    whole
//   reduce           whole                 whole, at the root
//   allreduce        whole                 whole
//   reduce_scatter   whole                 the rank's own block
//   allgather        the rank's own block  whole
//   gather           the rank's own block  whole, at the root
//   scatter          whole, at the root    the rank's own block
//   alltoall         a block to each rank  a block from each rank
//   barrier          nothing               nothing
//
// In place, input and output are one and the same view, of the longer of the two. A rank's own block lies where the whole vector
// has it, before and after. The rest of a reduce_scatter's vector is undefined afterwards. Where a rank has only one of the two
// (a leaf of a gather), in place means nothing. An input that is not also the output is never changed.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/block_partition.hpp"
#include "core/rank.hpp"
#include "core/reduce_op.hpp"
#include "core/vector_view.hpp"

namespace heddle {

class Communicator;

enum class Collective : std::uint8_t {
  broadcast,
  reduce,
  allreduce,
  reduce_scatter,
  allgather,
  gather,
  scatter,
  alltoall,
  barrier
};

/// All of them, in the order of the table above.
std::span<const Collective> all_collectives();

std::string to_string(Collective collective);
/// Throws InputError with the nearest name.
Collective parse_collective(std::string_view text);

/// broadcast, reduce, gather, scatter.
bool has_root(Collective collective);
/// reduce, allreduce, reduce_scatter.
bool reduces(Collective collective);
/// Its meaning depends on how the vector is cut: reduce_scatter, allgather, gather, scatter, alltoall.
bool has_blocks(Collective collective);

/// busbw = algbw times this (nccl-tests, PERFORMANCE.md). It is 2(p-1)/p for an allreduce, and (p-1)/p where the whole vector but
/// one block moves. It is 1 for broadcast and reduce, 0 for a barrier.
double bus_bandwidth_factor(Collective collective, int ranks);

/// One rank's arguments, with MPI's meaning. Views are the caller's and outlive the call; of a count that the table gives a
/// rank nothing of, they are empty.
struct CollectiveArguments {
  ConstVectorView input = {};
  VectorView output = {};
  const ReduceOp* op = nullptr;  ///< never null for a collective that reduces
  Rank root = {};                ///< of a collective that has one
  /// Of a collective that has_blocks: how the whole vector is cut, the same on every rank. alltoall: the blocks of `input`, by
  /// destination; each rank knows its own.
  BlockPartition blocks = {};
  /// alltoall: the blocks of `output`, by source.
  BlockPartition received = {};

  /// Input and output are one vector.
  bool in_place() const { return input.data() == output.data() && !output.empty(); }
};

/// A collective as each rank calls it. Every rank of the communicator calls with the same type, op, root and blocks.
using CollectiveFunction = std::function<void(Communicator&, const CollectiveArguments&)>;

}  // namespace heddle
