// SPDX-License-Identifier: Apache-2.0
// Runs a schedule of blocks on a vector: a reduce-scatter forwards, an allgather backwards.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/schedule/block_steps.hpp"
#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::schedule {

/// A part of every block, cut as evenly as it goes: what one port of several carries.
struct Piece {
  int number = 0;
  int of = 1;
};

/// One rank's part. Refers to the communicator and the schedule.
class BlockExchange {
 public:
  /// The vector is cut into schedule.ranks() even blocks, which lie as a BlockSchedule's position() says, else in rank order.
  BlockExchange(Communicator& comm, const BlockSteps& schedule, VectorView vector);
  /// Blocks of any sizes; with a layout other than rank_order, blocks are counted by position. Only the given piece of each
  /// block moves. A message without elements is not sent.
  BlockExchange(Communicator& comm, const BlockSteps& schedule, VectorView vector, BlockPartition blocks, Piece piece = {});

  /// Blocks. Then this rank's own block is complete; the rest of the vector is undefined. `op` must be commutative.
  void reduce_scatter(const ReduceOp& op);
  /// Blocks. From everyone's own block to the whole vector on every rank.
  void allgather();

 private:
  using Transfer = BlockTransfer;

  /// Calls visit(view) for each contiguous part of what a transfer carries.
  template <class Visit>
  void for_each_part(const Transfer& transfer, const Visit& visit) const;
  std::int64_t elements(const Transfer& transfer) const;
  std::int64_t most_received_in_a_step();
  void post_send(const Transfer& transfer);
  void post_receive(const Transfer& transfer);
  void wait_all();

  Communicator& comm_;
  const BlockSteps& schedule_;
  VectorView vector_;
  BlockPartition blocks_;
  Piece piece_;
  int rank_;
  BlockStepRoom room_;
  std::vector<Request> requests_;
  std::vector<ConstVectorView> outgoing_;  ///< the pieces of the message being posted
  std::vector<VectorView> incoming_;
};

}  // namespace heddle::schedule
