// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/grids/ring_pass.hpp"

#include <algorithm>
#include <memory>

namespace heddle::schedule {

namespace {

/// The rounds of one phase, from `first` on.
class RingRounds final : public ExchangeSchedule {
 public:
  RingRounds(const RingPlace& place, const RingBlocks& blocks, int first, const Reduction& reduction = {})
      : ExchangeSchedule(place.positions - 1, reduction), place_(place), blocks_(blocks), first_(first) {}

  Exchange at(int step) override {
    const int passing = ring_block_passed(place_.position, first_ + step, place_.positions, place_.direction);
    const int gotten = ring_block_gotten(place_.position, first_ + step, place_.positions, place_.direction);
    return {place_.next, blocks_.parts(passing, passed_), place_.previous, blocks_.parts(gotten, gotten_)};
  }

 private:
  RingPlace place_;
  RingBlocks blocks_;
  int first_;
  RingBlocks::Room<ConstVectorView> passed_;
  RingBlocks::Room<VectorView> gotten_;
};

}  // namespace

std::int64_t RingBlocks::count(int position) const {
  const std::int64_t mine = first + position * blocks_each;
  if (block_at.empty()) return partition.size(mine, blocks_each);
  std::int64_t sum = 0;
  for (std::int64_t i = mine; i < mine + blocks_each; ++i) sum += partition.size(block_at[static_cast<std::size_t>(i)]);
  return sum;
}

std::int64_t RingBlocks::longest(int positions) const {
  std::int64_t longest = 0;
  for (int position = 0; position < positions; ++position) longest = std::max(longest, count(position));
  return longest;
}

template <class View>
std::span<const View> RingBlocks::parts(int position, Room<View>& room) const {
  const std::int64_t mine = first + position * blocks_each;
  if (block_at.empty()) {
    room.one = partition.blocks(vector, mine, blocks_each);
    return std::span(&room.one, 1);
  }
  room.several.clear();
  for (std::int64_t i = mine; i < mine + blocks_each;) {
    const std::int64_t run = block_at[static_cast<std::size_t>(i)];
    std::int64_t n = 1;
    while (i + n < mine + blocks_each && block_at[static_cast<std::size_t>(i + n)] == run + n) ++n;
    room.several.push_back(partition.blocks(vector, run, n));
    i += n;
  }
  return room.several;
}

template std::span<const ConstVectorView> RingBlocks::parts(int, Room<ConstVectorView>&) const;
template std::span<const VectorView> RingBlocks::parts(int, Room<VectorView>&) const;

void ring_reduce_scatter(Communicator& comm, const RingPlace& place, const RingBlocks& blocks, VectorView scratch,
                         const ReduceOp& op) {
  comm.phase("reduce-scatter");
  comm.exchange(*std::make_unique<RingRounds>(place, blocks, 0, Reduction{.op = &op, .scratch = scratch}));
}

void ring_allgather(Communicator& comm, const RingPlace& place, const RingBlocks& blocks) {
  comm.phase("allgather");
  comm.exchange(*std::make_unique<RingRounds>(place, blocks, place.positions - 1));
}

}  // namespace heddle::schedule
