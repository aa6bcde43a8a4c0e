// SPDX-License-Identifier: Apache-2.0
// Runs a schedule of blocks on a vector: a reduce-scatter forwards, an allgather backwards.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/schedule/blocks/block_steps.hpp"
#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::schedule {

/// A part of every block, cut as evenly as it goes: what one port of several carries.
struct Piece {
  int number = 0;
  int of = 1;
};

/// What of a transfer makes one message; without elements, none. The messages of a step are all under way at once; where a
/// transfer is cut, a reduce-scatter adds each as soon as it is there.
enum class Message : std::uint8_t {
  transfer,  ///< all of it, gathered from where it lies
  run,       ///< blocks that lie side by side
  block      ///< each by itself; blocks then lie in rank order, whatever the schedule's layout is
};

/// One rank's part. Refers to the communicator and the schedule.
class BlockExchange {
 public:
  /// The vector is cut into schedule.ranks() even blocks, which lie as a BlockSchedule's position() says, else in rank order.
  BlockExchange(Communicator& comm, const BlockSteps& schedule, VectorView vector);
  /// Blocks of any sizes; with a layout other than rank_order, blocks are counted by position, unless each is a message. Only
  /// the given piece of each block moves. The schedule's ranks are counted from `origin` on, round the communicator.
  BlockExchange(Communicator& comm, const BlockSteps& schedule, VectorView vector, BlockPartition blocks, Piece piece = {},
                Message message = Message::transfer, Rank origin = {});

  /// Blocks. Then this rank's own block is complete; the rest of the vector is undefined. `op` must be commutative.
  void reduce_scatter(const ReduceOp& op);
  /// Blocks. From everyone's own block to the whole vector on every rank.
  void allgather();

 private:
  using Transfer = BlockTransfer;

  /// Calls visit(elements) for each message of a transfer, with what it carries in parts_.
  template <class Visit>
  void for_each_message(const Transfer& transfer, const Visit& visit);
  /// Adds to parts_ what lies there.
  void append_parts(Run run);
  void post_sends(std::span<const Transfer> transfers);
  void post_receives(std::span<const Transfer> transfers);
  std::int64_t elements(std::span<const Transfer> transfers);
  Rank peer(const Transfer& transfer) const;

  Communicator& comm_;
  const BlockSteps& schedule_;
  VectorView vector_;
  BlockPartition blocks_;
  Piece piece_;
  Message message_;
  int origin_;
  int rank_;  ///< the schedule's
  BlockStepRoom room_;
  std::vector<Request> requests_;
  std::vector<VectorView> parts_;          ///< of the message at hand
  std::vector<ConstVectorView> outgoing_;  ///< the same to be sent
};

}  // namespace heddle::schedule
