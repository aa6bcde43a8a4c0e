// SPDX-License-Identifier: Apache-2.0
// Recursive halving and doubling of a range of blocks with one partner after another: Rabenseifner's two phases, whoever the
// partners are.
//
// The vector is cut into 2^steps blocks, and a rank holds a range of them, at first all. In each step it halves its range with
// a partner that holds the same: it sends the half that the partner keeps and adds what it gets to the half that it keeps
// itself, the upper one of the two keeping the upper half. At the end it holds one complete block. The allgather takes the
// steps backwards: partners swap their complete ranges, which doubles them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"

namespace heddle::plans {

/// One rank's part. Refers to the communicator.
class HalvingDoubling {
 public:
  /// With whom, step by step, and whether this rank is the upper one of the two.
  struct Step {
    Rank partner;
    bool is_upper;
  };

  HalvingDoubling(Communicator& comm, std::vector<Step> steps, VectorView inout);

  /// The longest message that reduce_scatter receives, in elements.
  std::int64_t longest_message() const { return blocks_.size(0, blocks_.blocks() / 2); }

  /// Blocks. The upper one's contribution stands right of the lower one's. `scratch` holds longest_message().
  void reduce_scatter(VectorView scratch, const ReduceOp& op);
  /// Blocks. From what reduce_scatter leaves to the whole vector.
  void allgather();
  /// Blocks. The same for one rank only, the root: the one that is, in each step s, the upper one or not as root_is_upper(s)
  /// says. In each step backwards, who agrees with it takes its partner's range, and who does not is done.
  void gather(const std::function<bool(std::size_t step)>& root_is_upper);

 private:
  VectorView range(std::int64_t first) const { return blocks_.blocks(inout_, first, held_); }

  Communicator& comm_;
  std::vector<Step> steps_;
  VectorView inout_;
  BlockPartition blocks_;
  std::int64_t first_ = 0;  ///< the range held: blocks first_ … first_ + held_ - 1
  std::int64_t held_;
};

}  // namespace heddle::plans

namespace heddle::allreduce {

/// In place. Keeps rank order.
void rabenseifner(Communicator& comm, VectorView inout, const ReduceOp& op);

}  // namespace heddle::allreduce
