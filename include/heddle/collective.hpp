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

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/reduce_op.hpp"
#include "heddle/vector_view.hpp"

namespace heddle {

// A vector cut into consecutive blocks, one per rank, port or segment.

/// Blocks 0 … blocks()-1 over [0, count). Cheap to copy and immutable; even ones compute and store nothing per block.
class BlockPartition {
 public:
  /// One empty block.
  BlockPartition() : BlockPartition(0, 1) {}
  /// As evenly as it goes: the first count mod blocks blocks are one element longer. blocks ≥ 1, count ≥ 0; throws UsageError
  /// otherwise.
  BlockPartition(std::int64_t count, std::int64_t blocks)
      : count_(count), blocks_(possible(count, blocks)), base_(count / blocks_), longer_(count % blocks_) {}
  /// Blocks of any sizes, MPI's "v" collectives. One or more sizes ≥ 0; throws UsageError otherwise.
  static BlockPartition of_sizes(std::span<const std::int64_t> sizes);

  std::int64_t count() const { return count_; }
  std::int64_t blocks() const { return blocks_; }
  /// Where block b begins; offset(blocks()) is count().
  std::int64_t offset(std::int64_t b) const {
    if (given_) return given_->offsets[static_cast<std::size_t>(b)];
    return b * base_ + (b < longer_ ? b : longer_);
  }
  std::int64_t size(std::int64_t b) const {
    if (given_) return offset(b + 1) - offset(b);
    return base_ + (b < longer_ ? 1 : 0);
  }
  /// Elements in blocks first … first + n - 1.
  std::int64_t size(std::int64_t first, std::int64_t n) const { return offset(first + n) - offset(first); }
  /// The size of the longest block.
  std::int64_t longest() const { return given_ ? given_->longest : size(0); }
  /// Whether all blocks have the same size.
  bool all_equal() const { return longest() * blocks_ == count_; }

  /// Block b of a vector of count() elements. Throws UsageError where there is none.
  template <class View>
  View block(View vector, std::int64_t b) const {
    require_blocks(b, 1);
    return part(vector, offset(b), size(b));
  }
  /// Blocks first … first + n - 1 of it. Each message of several blocks asks for some.
  template <class View>
  [[gnu::always_inline]] View blocks(View vector, std::int64_t first, std::int64_t n) const {
    require_blocks(first, n);
    return part(vector, offset(first), size(first, n));
  }

 private:
  /// A slice. Blocks lie within count() elements, so a vector that has them has the block.
  template <class View>
  View part(View vector, std::int64_t first, std::int64_t elements) const {
    if (vector.count() < count_) [[unlikely]]
      return vector.slice(first, elements);
    return {vector.data() + static_cast<std::size_t>(first) * vector.type().size(), elements, vector.type()};
  }
  void require_blocks(std::int64_t first, std::int64_t n) const {
    if ((first | n) < 0 || first > blocks_ - n) [[unlikely]]
      refuse_blocks(first, n);
  }
  [[noreturn]] void refuse_blocks(std::int64_t first, std::int64_t n) const;
  /// `blocks`.
  static std::int64_t possible(std::int64_t count, std::int64_t blocks) {
    if (count < 0 || blocks < 1) [[unlikely]]
      refuse(count, blocks);
    return blocks;
  }
  [[noreturn]] static void refuse(std::int64_t count, std::int64_t blocks);

  std::int64_t count_;
  std::int64_t blocks_;
  std::int64_t base_;
  std::int64_t longer_;
  struct Given {
    std::vector<std::int64_t> offsets;  ///< blocks() + 1 of them
    std::int64_t longest;
  };
  std::shared_ptr<const Given> given_;  ///< of blocks of any sizes
};

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
  /// Keeps the memory of input and output, for a language whose views may be kept beyond the call. Null: the caller keeps it.
  std::shared_ptr<const void> memory = {};

  /// Input and output are one vector.
  bool in_place() const { return input.data() == output.data() && !output.empty(); }
};

/// A collective as each rank calls it. Every rank of the communicator calls with the same type, op, root and blocks.
using CollectiveFunction = std::function<void(Communicator&, const CollectiveArguments&)>;

// Collectives that the switches compute: reduced, replicated or taken apart on the way (Collectives Explainer 04, §1).

/// What the switches offer to the ranks of one communicator. Belongs to one task, as its communicator does.
class InNetwork {
 public:
  virtual ~InNetwork() = default;

  /// Empty if the switches serve a call of `count` elements; else why not, in half a sentence. They may lack the offer, the
  /// operation or the type, or ranks are outside their domain or beyond their radix. The same on every rank. `op` is of a collective
  /// that reduces.
  virtual std::string why_not(Collective collective, Datatype type, std::int64_t count, const ReduceOp* op) const = 0;

  /// Does the collective in the network. Every rank of the communicator calls it alike; it starts when the last one has, and
  /// blocks until this rank has its part. Throws UsageError where why_not() is not empty: nothing is done in software.
  virtual void perform(Collective collective, const CollectiveArguments& arguments) = 0;
};

}  // namespace heddle
