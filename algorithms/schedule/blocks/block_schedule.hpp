// SPDX-License-Identifier: Apache-2.0
// Which blocks every rank sends to whom in every step of a reduce-scatter, derived from the partners alone.
//
// There are p blocks; block b ends, complete, at rank b. A rank holds a block as long as it has a sum for it to pass on; at
// first it holds all, at the end its own. If in step k rank r sends to q, it sends what q still holds after the step and r does
// not:
//
//   held(r, after the last step) = {r}
//   sent(r -> q, k)  = held(q, after k) \ held(r, after k)
//   held(r, after k-1) = held(r, after k) ∪ sent(r -> q, k)
//
// computed from the last step to the first. So a rank sends each block but its own exactly once, p - 1 blocks in all, and each
// contribution reaches its block's owner by one way only. A block that could go in two steps goes in the later one. If after
// the first step's line every rank holds all blocks, the partners reach everybody and the schedule is right, for any p. An
// allgather is the same backwards: in step k each rank sends what it received and receives what it sent.
//
// Where nobody cares which rank owns which part of the vector (an allreduce), blocks lie in it in an order of the schedule's
// own, chosen so that what a message carries is a few long runs (one, for butterflies of powers of two): groups that exchange
// late are laid side by side first. A reduce_scatter's and an allgather's blocks lie in rank order.
//
// Source: the uniqueness rule generalises Swing (De Sensi et al.) §3.2 and App. A.2; the layout, its remark in §3.1.1 on
// remapping.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "algorithms/schedule/blocks/block_runs.hpp"
#include "algorithms/schedule/blocks/block_steps.hpp"

namespace heddle::schedule {

/// Immutable; safe to share between threads.
class BlockSchedule final : public BlockSteps {
 public:
  /// A rank that another sends to in some step.
  struct Target {
    int rank;
    /// Which of the blocks that the target holds it may be sent; empty: any.
    std::function<bool(int block)> wants = {};
  };
  /// Appends the targets of `rank` in `step`; a block wanted by several goes to the first.
  using Targets = std::function<void(int rank, int step, std::vector<Target>& targets)>;

  enum class Layout : std::uint8_t { compact, rank_order };

  /// Throws std::logic_error if not every contribution reaches every owner.
  BlockSchedule(int ranks, int steps, const Targets& targets, Layout layout = Layout::compact);
  /// With blocks in that order, a permutation.
  BlockSchedule(int ranks, int steps, const Targets& targets, std::vector<int> order);
  BlockSchedule(BlockSchedule&&) = default;  // transfers point into runs_, which a move keeps in place
  BlockSchedule& operator=(BlockSchedule&&) = default;

  using Transfer = BlockTransfer;

  int ranks() const override { return ranks_; }
  int steps() const override { return steps_; }
  BlockStep step(int rank, int step, BlockStepRoom&) const override { return {sends(rank, step), receives(rank, step)}; }
  std::span<const Transfer> sends(int rank, int step) const { return sends_[row(rank, step)]; }
  std::span<const Transfer> receives(int rank, int step) const { return receives_[row(rank, step)]; }
  /// Where block `block` lies in the vector, in blocks.
  int position(int block) const { return position_[static_cast<std::size_t>(block)]; }
  /// The block that lies there.
  int block_at(int position) const override { return block_at_[static_cast<std::size_t>(position)]; }

 private:
  /// Lists of transfers, one per (rank, step), in one array.
  struct Rows {
    std::vector<Transfer> transfers;
    std::vector<std::size_t> begins{0};

    void end_row() { begins.push_back(transfers.size()); }
    std::span<const Transfer> operator[](std::size_t row) const {
      return std::span(transfers).subspan(begins[row], begins[row + 1] - begins[row]);
    }
  };

  /// Fills the rows of one step and replaces what each rank holds after it by what it holds before.
  void add_step(int step, const Targets& targets, std::vector<RunSet>& held);

  /// Steps are built, and lie, from the last to the first.
  std::size_t row(int rank, int step) const {
    return static_cast<std::size_t>(steps_ - 1 - step) * static_cast<std::size_t>(ranks_) + static_cast<std::size_t>(rank);
  }

  int ranks_;
  int steps_;
  std::vector<int> block_at_;
  std::vector<int> position_;
  std::vector<std::vector<Run>> runs_;  ///< one array per step; transfers point into them
  Rows sends_;
  Rows receives_;
};

}  // namespace heddle::schedule
