// SPDX-License-Identifier: Apache-2.0
// Sets of block positions as sorted runs: as long as the runs are few, a set costs little however many blocks it has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"

namespace heddle::plans {

/// Positions first … first + count - 1.
struct Run {
  std::int32_t first;
  std::int32_t count;
  constexpr std::int32_t end() const { return first + count; }
  friend bool operator==(const Run&, const Run&) = default;
};

/// Sorted, not empty, disjoint and not touching: one set has one form.
using RunSet = std::vector<Run>;

RunSet unite(const RunSet& a, const RunSet& b);
/// What is in `a` and not in `b`.
RunSet subtract(const RunSet& a, const RunSet& b);

/// Every position of a circle of `size` moved on by `shift`, 0 ≤ shift < size.
RunSet rotate(const RunSet& set, std::int32_t shift, std::int32_t size);
/// The same behind other sets, which stay apart from it.
void append_rotated(std::vector<Run>& sets, const RunSet& set, std::int32_t shift, std::int32_t size);
bool contains(const RunSet& set, std::int32_t position);
/// How many positions.
std::int64_t count(const RunSet& set);

/// Adds positions behind all of a set, joining runs that touch.
inline void append(RunSet& set, Run run) {
  if (!set.empty() && set.back().end() == run.first) {
    set.back().count += run.count;
  } else {
    set.push_back(run);
  }
}

/// The positions for which `wanted` holds.
template <class Predicate>
RunSet filter(const RunSet& set, const Predicate& wanted) {
  RunSet kept;
  for (const Run& run : set) {
    for (std::int32_t position = run.first; position < run.end(); ++position) {
      if (wanted(position)) append(kept, {position, 1});
    }
  }
  return kept;
}

// What a reduce-scatter of blocks looks like to the one who executes it (BlockExchange), however it was derived.

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

/// Where a plan that stores no transfers rank by rank puts those that it is asked for.
struct BlockStepPool {
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
  /// Whether the rank sends one message at most in each step, and gets one at most.
  virtual bool is_one_each_way(int rank) const = 0;
  /// The block that lies at a position of the vector, in blocks.
  virtual int block_at(int position) const { return position; }
  /// Valid as long as the plan is, and until `pool` is used again.
  virtual BlockStep step(int rank, int step, BlockStepPool& pool) const = 0;
};

// An order of blocks in which those that travel together lie side by side.

/// Appends those with whom `member` shares what it holds in `step`.
using Companions = std::function<void(int member, int step, std::vector<int>& companions)>;

/// From the last step to the first, each chain of blocks grows by those of its companions that have not grown in the step.
/// Where a step makes disjoint groups of the groups before, as in butterflies of powers of their radix, each group is one run;
/// elsewhere groups overlap and not all can be. Block by block as they lie.
std::vector<int> lay_out(int blocks, int steps, const Companions& companions);

/// 0, 1, …, blocks - 1.
std::vector<int> in_order(int blocks);

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
// the first step's line every rank holds all blocks, the partners reach everybody and the plan is right, for any p. An
// allgather is the same backwards: in step k each rank sends what it received and receives what it sent.
//
// Where nobody cares which rank owns which part of the vector (an allreduce), blocks lie in it in an order of the plan's
// own, chosen so that what a message carries is a few long runs (one, for butterflies of powers of two): groups that exchange
// late are laid side by side first. A reduce_scatter's and an allgather's blocks lie in rank order.
//
// Source: the uniqueness rule generalises Swing (De Sensi et al.) §3.2 and App. A.2; the layout, its remark in §3.1.1 on
// remapping.

/// Immutable; safe to share between threads.
class BlockPlan final : public BlockSteps {
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
  BlockPlan(int ranks, int steps, const Targets& targets, Layout layout = Layout::compact);
  /// With blocks in that order, a permutation.
  BlockPlan(int ranks, int steps, const Targets& targets, std::vector<int> order);
  BlockPlan(BlockPlan&&) = default;  // transfers point into runs_, which a move keeps in place
  BlockPlan& operator=(BlockPlan&&) = default;

  using Transfer = BlockTransfer;

  int ranks() const override { return ranks_; }
  int steps() const override { return steps_; }
  bool is_one_each_way(int rank) const override;
  BlockStep step(int rank, int step, BlockStepPool&) const override { return {sends(rank, step), receives(rank, step)}; }
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

    void end_entry() { begins.push_back(transfers.size()); }
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

// Runs a plan of blocks on a vector: a reduce-scatter forwards, an allgather backwards.

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
  block      ///< each by itself; blocks then lie in rank order, whatever the plan's layout is
};

/// Appends a part of a message that has elements, or makes the last one longer where it goes on in memory.
template <class View>
void append_part(std::vector<View>& parts, View part) {
  if (part.empty()) return;
  if (!parts.empty() && parts.back().data() + parts.back().size_bytes() == part.data())
    parts.back() = View(parts.back().data(), parts.back().count() + part.count(), part.type());
  else
    parts.push_back(part);
}

/// One rank's part. Refers to the communicator and the plan; the rounds of its phases to the plan alone.
class BlockExchange {
 public:
  /// The vector is cut into plan.ranks() even blocks, which lie as a BlockPlan's position() says, else in rank order.
  BlockExchange(Communicator& comm, const BlockSteps& plan, VectorView vector);
  /// Blocks of any sizes; with a layout other than rank_order, blocks are counted by position, unless each is a message. Only
  /// the given piece of each block moves. The plan's ranks are counted from `origin` on, round the communicator.
  BlockExchange(Communicator& comm, const BlockSteps& plan, VectorView vector, BlockPartition blocks, Piece piece = {},
                Message message = Message::transfer, Rank origin = {});

  /// Blocks. Then this rank's own block is complete; the rest of the vector is undefined. `op` must be commutative.
  void reduce_scatter(const ReduceOp& op);
  /// Blocks. From everyone's own block to the whole vector on every rank.
  void allgather();

 private:
  using Transfer = BlockTransfer;
  enum class Phase : std::uint8_t { reduce_scatter, allgather };
  class Rounds;
  friend ExchangePlans allreduce_in_blocks(Communicator& comm, std::shared_ptr<const BlockSteps> plan, VectorView vector,
                                           const ReduceOp& op);

  BlockStep step(Phase phase, int number);
  bool is_one_each_way() const { return message_ == Message::transfer && plan_.is_one_each_way(rank_); }
  template <class View>
  void gather(std::span<const Transfer> transfers, std::vector<View>& parts) const;
  /// Calls visit(elements) for each message of a transfer, with what it carries in parts_.
  template <class Visit>
  void for_each_message(const Transfer& transfer, const Visit& visit);
  /// Adds what lies there.
  template <class View>
  void append_parts(Run run, std::vector<View>& parts) const;
  void post_sends(std::span<const Transfer> transfers);
  void post_receives(std::span<const Transfer> transfers);
  std::int64_t elements(std::span<const Transfer> transfers);
  Rank peer(const Transfer& transfer) const;

  Communicator& comm_;
  const BlockSteps& plan_;
  VectorView vector_;
  BlockPartition blocks_;
  Piece piece_;
  Message message_;
  int origin_;
  int rank_;  ///< the plan's
  BlockStepPool pool_;
  std::vector<Request> requests_;
  std::vector<VectorView> parts_;          ///< of the message at hand
  std::vector<ConstVectorView> outgoing_;  ///< the same to be sent
};

/// A reduce-scatter, then an allgather: an allreduce by one of the tasks of exchange_concurrently(). What is no plan, as a step has
/// several messages one way, has been made when this returns.
ExchangePlans allreduce_in_blocks(Communicator& comm, std::shared_ptr<const BlockSteps> plan, VectorView vector,
                                  const ReduceOp& op);

/// A rank, block or round as the index of a container: ranks[at(r)].
constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace heddle::plans
