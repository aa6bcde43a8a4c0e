// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/ring_pass.hpp"

namespace heddle::schedule {

void ring_reduce_scatter(Communicator& comm, const RingPlace& place, const RingBlocks& blocks, VectorView scratch,
                         const ReduceOp& op) {
  for (int round = 0; round < place.seats - 1; ++round) {
    const VectorView passed = blocks[ring_block_passed(place.seat, round, place.seats, place.direction)];
    const VectorView gotten = blocks[ring_block_gotten(place.seat, round, place.seats, place.direction)];
    const VectorView incoming = scratch.slice(0, gotten.count());
    comm.sendrecv(place.next, passed, place.previous, incoming);
    comm.reduce_into(gotten, incoming, op);
  }
}

void ring_allgather(Communicator& comm, const RingPlace& place, const RingBlocks& blocks) {
  for (int round = place.seats - 1; round < 2 * (place.seats - 1); ++round) {
    const VectorView passed = blocks[ring_block_passed(place.seat, round, place.seats, place.direction)];
    const VectorView gotten = blocks[ring_block_gotten(place.seat, round, place.seats, place.direction)];
    comm.sendrecv(place.next, passed, place.previous, gotten);
  }
}

}  // namespace heddle::schedule
