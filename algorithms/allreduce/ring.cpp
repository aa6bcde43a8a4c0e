// SPDX-License-Identifier: Apache-2.0
// ring: a reduce-scatter, then an allgather, both by passing blocks to the right neighbour.
//
// The vector is cut into p blocks. In each of p-1 rounds every rank passes one block to its right neighbour and adds the one
// that it gets from its left to its own; the sum of block b grows on its way round and ends, complete, at rank b. In p-1 more
// rounds the complete blocks go round once. Each rank passes on what it has just got, so all links are always busy.
//
// Picture, p = 4: who passes which block in the reduce-scatter; the sum of block 3 starts at rank 0 and ends at rank 3.
//
//             0        1        2        3
//   round 0   b3 ->    b0 ->    b1 ->    b2 ->
//   round 1   b2 ->    b3 ->    b0 ->    b1 ->
//   round 2   b1 ->    b2 ->    b3 ->    b0 ->
//
// Option:  channels. One ring enters each node of several ranks at one of them, so where ranks have network cards (NICs) of their
//          own, one card of a node carries all. With N channels N rings run at once, each on an N-th of the vector and each entered
//          at another rank of a node (schedule/tiers/channels.hpp). On a flat fabric they go in other steps.
// Rounds:  2(p-1), whatever the channels.
// Bytes:   2(p-1)/p · M sent by each rank, the least that an allreduce can send.
// Time:    2(p-1)·α + 2(p-1)/p · M·β on a ring or any fabric where neighbours in rank order do not share links. On nodes of n
//          ranks with a NIC each, n channels: 2(p-1)/p · M/n · β of a NIC, unless what a rank sends within the node takes longer.
// Limits:  the latency grows with p. Each block's sum starts at another rank, so the op must be commutative.
// Source:  explainer 01 (Lu) §5.1, Swing (De Sensi et al.) §2.3.1; the construction is Patarasuk and Yuan's, the channels are NCCL's.
#include "algorithms/allreduce/allreduce.hpp"

#include <cstddef>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/channel_options.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/blocks/ports.hpp"
#include "algorithms/schedule/tiers/channels.hpp"

namespace heddle::allreduce {

namespace {

/// One ring, in which the rank is between two others. The block of a position belongs to whoever has it.
void one_ring(Communicator& comm, VectorView inout, const ReduceOp& op, int rank, Rank left, Rank right) {
  const int p = comm.size();
  const BlockPartition blocks(inout.count(), p);
  const auto block = [=](int b) { return blocks.block(inout, (b + 2 * p) % p); };
  Buffer scratch(inout.type(), blocks.longest());
  comm.phase("reduce-scatter");  // the sums of blocks grow on their way round …
  comm.exchange(p - 1, {.op = &op, .scratch = scratch.view()}, [=](int round) {
    return Round{right, block(rank - round - 1), left, block(rank - round - 2)};
  });
  comm.phase("allgather");  // … and go round once more, complete
  comm.exchange(p - 1, [=](int round) { return Round{right, block(rank - round), left, block(rank - round - 1)}; });
}

Algorithm ring_row(const Options& options) {
  const int channels = channels_of(options);
  return {.collective = Collective::allreduce,
          .name = "ring",
          .summary = "Reduce-scatter and allgather by passing blocks round the ring of ranks: least bytes, most rounds.",
          .source = "[explainer-01] §5.1; [swing] §2.3.1; [patarasuk-2009]; [nccl] channels",
          .needs = {.commutative = true},
          .rounds = formulas::two_rounds_per_peer(),
          .bytes = formulas::all_blocks_twice(),
          .messages_a_round = [channels](const Shape&) { return static_cast<double>(channels); },
          .granule = formulas::blocks_per_channel(channels),
          .run = as_allreduce(
              [channels](Communicator& comm, VectorView inout, const ReduceOp& op) { ring(comm, inout, op, channels); }),
          .tasks_share_credits = channels > 1,
          .uniform = true,
          .parameters = {channels_parameter()},
          .configured = ring_row};
}

}  // namespace

void ring(Communicator& comm, VectorView inout, const ReduceOp& op, int channels) {
  require_commutative("ring", op);
  const int p = comm.size();
  const int rank = comm.rank().value();
  if (p == 1 || inout.empty()) return;
  if (channels == 1) return one_ring(comm, inout, op, rank, Rank((rank + p - 1) % p), Rank((rank + 1) % p));
  const auto rings = schedule::shared_channel_rings(comm, channels);
  schedule::on_ports(comm, channels, inout, [&](int channel, Communicator& task, VectorView slice) {
    const schedule::ChannelRing& ring = (*rings)[static_cast<std::size_t>(channel)];
    const int position = ring.position[static_cast<std::size_t>(rank)];
    one_ring(task, slice, op, position, ring.at(position - 1), ring.at(position + 1));
  });
}

std::vector<Algorithm> ring_rows() { return {ring_row(Options({{channels_parameter()}}))}; }

}  // namespace heddle::allreduce
