// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/ring_pass.hpp"

#include <algorithm>

namespace heddle::schedule {

RingPlace ring_of_ranks(const Communicator& comm) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  return {.seats = p, .seat = rank, .direction = +1, .next = Rank((rank + 1) % p), .previous = Rank((rank + p - 1) % p)};
}

std::int64_t RingBlocks::count(int seat) const {
  const std::int64_t mine = first + seat * blocks_each;
  if (block_at.empty()) return partition.size(mine, blocks_each);
  std::int64_t sum = 0;
  for (std::int64_t i = mine; i < mine + blocks_each; ++i) sum += partition.size(block_at[static_cast<std::size_t>(i)]);
  return sum;
}

std::int64_t RingBlocks::longest(int seats) const {
  std::int64_t longest = 0;
  for (int seat = 0; seat < seats; ++seat) longest = std::max(longest, count(seat));
  return longest;
}

template <class View>
void RingBlocks::parts(int seat, std::vector<View>& parts) const {
  parts.clear();
  const std::int64_t mine = first + seat * blocks_each;
  if (block_at.empty()) {
    parts.push_back(partition.blocks(vector, mine, blocks_each));
    return;
  }
  for (std::int64_t i = mine; i < mine + blocks_each;) {
    const std::int64_t run = block_at[static_cast<std::size_t>(i)];
    std::int64_t n = 1;
    while (i + n < mine + blocks_each && block_at[static_cast<std::size_t>(i + n)] == run + n) ++n;
    parts.push_back(partition.blocks(vector, run, n));
    i += n;
  }
}

template void RingBlocks::parts(int, std::vector<ConstVectorView>&) const;
template void RingBlocks::parts(int, std::vector<VectorView>&) const;

void ring_reduce_scatter(Communicator& comm, const RingPlace& place, const RingBlocks& blocks, VectorView scratch,
                         const ReduceOp& op) {
  std::vector<ConstVectorView> passed;
  std::vector<VectorView> sums;
  for (int round = 0; round < place.seats - 1; ++round) {
    blocks.parts(ring_block_passed(place.seat, round, place.seats, place.direction), passed);
    const int gotten = ring_block_gotten(place.seat, round, place.seats, place.direction);
    const VectorView incoming = scratch.slice(0, blocks.count(gotten));
    comm.sendrecv(place.next, passed, place.previous, std::span(&incoming, 1));
    blocks.parts(gotten, sums);
    std::int64_t used = 0;
    for (const VectorView& sum : sums) {
      comm.reduce_into(sum, incoming.slice(used, sum.count()), op);
      used += sum.count();
    }
  }
}

void ring_allgather(Communicator& comm, const RingPlace& place, const RingBlocks& blocks) {
  std::vector<ConstVectorView> passed;
  std::vector<VectorView> gotten;
  for (int round = place.seats - 1; round < 2 * (place.seats - 1); ++round) {
    blocks.parts(ring_block_passed(place.seat, round, place.seats, place.direction), passed);
    blocks.parts(ring_block_gotten(place.seat, round, place.seats, place.direction), gotten);
    comm.sendrecv(place.next, passed, place.previous, gotten);
  }
}

}  // namespace heddle::schedule
