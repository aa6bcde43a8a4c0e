// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/ring_pass.hpp"

#include <algorithm>
#include <array>

namespace heddle::schedule {

namespace {

template <class View>
bool has_elements(std::span<const View> parts) {
  return std::any_of(parts.begin(), parts.end(), [](const View& part) { return !part.empty(); });
}

/// To the next seat, from the previous. What has no elements is not passed: both sides know the blocks.
void pass(Communicator& comm, const RingPlace& place, std::span<const ConstVectorView> passed,
          std::span<const VectorView> gotten) {
  std::array<Request, 2> requests;
  std::size_t count = 0;
  if (has_elements(gotten)) requests[count++] = comm.irecv(place.previous, gotten);
  if (has_elements(passed)) requests[count++] = comm.isend(place.next, passed);
  if (count > 0) comm.wait_all(std::span(requests).first(count));
}

}  // namespace

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
std::span<const View> RingBlocks::parts(int seat, Room<View>& room) const {
  const std::int64_t mine = first + seat * blocks_each;
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
  RingBlocks::Room<ConstVectorView> passed;
  RingBlocks::Room<VectorView> sums;
  for (int round = 0; round < place.seats - 1; ++round) {
    const int passing = ring_block_passed(place.seat, round, place.seats, place.direction);
    const int gotten = ring_block_gotten(place.seat, round, place.seats, place.direction);
    const std::span<const ConstVectorView> out = blocks.parts(passing, passed);
    const std::span<const VectorView> in = blocks.parts(gotten, sums);
    if (has_elements(out) && has_elements(in)) {
      comm.sendrecv_reduce(place.next, out, place.previous, in, scratch, op);
      continue;
    }
    const VectorView incoming = scratch.slice(0, blocks.count(gotten));
    pass(comm, place, out, std::span(&incoming, 1));
    std::int64_t used = 0;
    for (const VectorView& sum : in) {
      comm.reduce_into(sum, incoming.slice(used, sum.count()), op);
      used += sum.count();
    }
  }
}

void ring_allgather(Communicator& comm, const RingPlace& place, const RingBlocks& blocks) {
  RingBlocks::Room<ConstVectorView> passed;
  RingBlocks::Room<VectorView> gotten;
  for (int round = place.seats - 1; round < 2 * (place.seats - 1); ++round) {
    const int passing = ring_block_passed(place.seat, round, place.seats, place.direction);
    const int getting = ring_block_gotten(place.seat, round, place.seats, place.direction);
    pass(comm, place, blocks.parts(passing, passed), blocks.parts(getting, gotten));
  }
}

}  // namespace heddle::schedule
