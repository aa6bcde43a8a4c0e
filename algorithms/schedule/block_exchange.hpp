// SPDX-License-Identifier: Apache-2.0
// Runs a BlockSchedule on a vector: a reduce-scatter forwards, an allgather backwards.
#pragma once

#include <vector>

#include "algorithms/schedule/block_schedule.hpp"
#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::schedule {

/// One rank's part. Refers to all that it is given.
class BlockExchange {
 public:
  /// The vector is cut into schedule.ranks() blocks, which lie as schedule.position() says.
  BlockExchange(Communicator& comm, const BlockSchedule& schedule, VectorView vector);

  /// Blocks. Then this rank's own block is complete; the rest of the vector is undefined. `op` must be commutative.
  void reduce_scatter(const ReduceOp& op);
  /// Blocks. From everyone's own block to the whole vector on every rank.
  void allgather();

 private:
  using Transfer = BlockSchedule::Transfer;

  std::int64_t elements(const Transfer& transfer) const;
  std::int64_t most_received_in_a_step() const;
  void post_send(const Transfer& transfer);
  void post_receive(const Transfer& transfer);
  void wait_all();

  Communicator& comm_;
  const BlockSchedule& schedule_;
  VectorView vector_;
  BlockPartition blocks_;
  int rank_;
  std::vector<Request> requests_;
  std::vector<ConstVectorView> outgoing_;  ///< the pieces of the message being posted
  std::vector<VectorView> incoming_;
};

}  // namespace heddle::schedule
