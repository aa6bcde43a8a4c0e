// SPDX-License-Identifier: Apache-2.0
// What a reduce-scatter of blocks looks like to the one who executes it (block_exchange.hpp), however it was derived.
#pragma once

#include <span>
#include <vector>

#include "algorithms/schedule/blocks/block_runs.hpp"

namespace heddle::schedule {

/// A message between a rank and a peer: positions of blocks. The set is the same at both ends.
struct BlockTransfer {
  int peer;
  std::span<const Run> runs;
};

/// What one rank does at once. Two messages between the same two ranks are listed in the same order at both ends.
struct BlockStep {
  std::span<const BlockTransfer> sends;
  std::span<const BlockTransfer> receives;
};

/// Where a schedule that stores no transfers rank by rank puts those that it is asked for.
struct BlockStepRoom {
  std::vector<Run> runs;
  std::vector<BlockTransfer> transfers;
};

/// p blocks; each rank sends every block but its own once, and what arrives is added to what is held. Immutable; safe to share
/// between threads.
class BlockSteps {
 public:
  BlockSteps() = default;
  BlockSteps(const BlockSteps&) = default;
  BlockSteps(BlockSteps&&) = default;
  BlockSteps& operator=(const BlockSteps&) = default;
  BlockSteps& operator=(BlockSteps&&) = default;
  virtual ~BlockSteps() = default;

  virtual int ranks() const = 0;
  virtual int steps() const = 0;
  /// The block that lies at a position of the vector, in blocks.
  virtual int block_at(int position) const { return position; }
  /// Valid as long as the schedule is, and until `room` is used again.
  virtual BlockStep step(int rank, int step, BlockStepRoom& room) const = 0;
};

}  // namespace heddle::schedule
