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
// Option:  channels. One ring enters each node of several ranks at one of them, so where ranks have network cards (NICs) of
//          their own, one card of a node carries all. With N channels N rings run at once, each on an N-th of the vector and
//          each entered at another rank of a node (families/channels.hpp). On a flat fabric they go in other steps.
//          order, NCCL's graph in a file: a ring for each of its channels (families/channel_graph.hpp).
// Rounds:  2(p-1), whatever the channels.
// Bytes:   2(p-1)/p · M sent by each rank, the least that an allreduce can send.
// Time:    2(p-1)·α + 2(p-1)/p · M·β on a ring or any fabric where neighbours in rank order do not share links. On nodes of n
//          ranks with a NIC each, n channels: 2(p-1)/p · M/n · β of a NIC, unless what a rank sends within the node takes
//          longer.
// Limits:  the latency grows with p. Each block's sum starts at another rank, so the op must be commutative.
// Source:  explainer 01 (Lu) §5.1, Swing (De Sensi et al.) §2.3.1; the construction is Patarasuk and Yuan's, the channels are
//          NCCL's.
#include "algorithms/families/ring.hpp"

#include <cstdint>

#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"

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

void ring(Communicator& comm, VectorView inout, const ReduceOp& op, const plans::RingChannels& channels) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  if (channels.is_plain()) return one_ring(comm, inout, op, rank, Rank((rank + p - 1) % p), Rank((rank + 1) % p));
  plans::on_channel_rings(comm, channels, [&](int channel, Communicator& task, const plans::ChannelRing& ring, int position) {
    const VectorView slice = plans::channel_slice(inout, channel, channels.channels);
    if (!slice.empty()) one_ring(task, slice, op, position, ring.at(position - 1), ring.at(position + 1));
  });
}

Algorithm ring_entry(const Options& options) {
  const plans::RingChannels rings = ring_channels_of(options);
  const int channels = rings.channels;
  return entry({.name = "ring",
                .summary = "Reduce-scatter and allgather by passing blocks round the ring of ranks: least bytes, most rounds.",
                .source = "[explainer-01] §5.1; [swing] §2.3.1; [patarasuk-2009]; [nccl] channels",
                .needs = {.commutative = true, .refusal = refusal_of(rings)},
                .rounds = formulas::two_rounds_per_peer(),
                .bytes = formulas::all_blocks_twice(),
                .messages_a_round = [channels](const Shape&) { return static_cast<double>(channels); },
                .block_count = formulas::blocks_per_channel(channels),
                .tasks_share_credits = channels > 1,
                .uniform = true},
               with(ring, rings));
}

}  // namespace

std::vector<Algorithm> ring_entries() { return {configurable(ring_parameters(), ring_entry)}; }

}  // namespace heddle::allreduce

namespace heddle::reduce_scatter {

// ring: the first phase of the allreduce. The sum of block b starts at rank b+1, collects one contribution per round and ends,
// complete, at rank b.
//
// Option:  channels, as many rings at once, each on an N-th of every block, begun at different ranks of a node. order.
// Rounds:  p-1.
// Bytes:   (p-1)/p · M sent by each rank, the least there is: each block but its own once.
// Time:    (p-1)·α + (p-1)/p · M·β on a ring or any fabric where neighbours in rank order do not share links. With blocks of
//          different sizes each round takes as long as the longest block.
// Limits:  the latency grows with p. Each block's sum starts at another rank, so the op must be commutative.
// Source:  explainer 01 (Lu) §6, the first phase of §5.1; Swing (De Sensi et al.) §2.3.1.

namespace {

/// One ring, in which the rank is between two others; `block` of a position is that of the rank there.
template <class Block>
void one_ring(Communicator& comm, const ReduceOp& op, std::int64_t longest, Datatype type, int position, Rank left, Rank right,
              const Block& block) {
  Buffer scratch(type, longest);
  comm.exchange(comm.size() - 1, {.op = &op, .scratch = scratch.view()}, [=](int round) {
    return Round{right, block(position - round - 1), left, block(position - round - 2)};
  });
}

void ring(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op,
          const plans::RingChannels& channels) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  if (channels.is_plain()) {
    const auto block = [=](int b) { return blocks.block(inout, (b + 2 * p) % p); };
    one_ring(comm, op, blocks.longest(), inout.type(), rank, Rank((rank + p - 1) % p), Rank((rank + 1) % p), block);
    return;
  }
  plans::on_channel_rings(comm, channels, [&](int channel, Communicator& task, const plans::ChannelRing& ring, int position) {
    const std::int64_t longest = BlockPartition(blocks.longest(), channels.channels).size(channel);
    if (longest == 0) return;
    const auto block = [=, &ring](int b) {
      return plans::channel_slice(blocks.block(inout, ring.at(b).value()), channel, channels.channels);
    };
    one_ring(task, op, longest, inout.type(), position, ring.at(position - 1), ring.at(position + 1), block);
  });
}

Algorithm ring_entry(const Options& options) {
  const plans::RingChannels rings = ring_channels_of(options);
  const int channels = rings.channels;
  return entry({.name = "ring",
                .summary = "Sums of blocks grow on their way round the ring of ranks.",
                .source = "[explainer-01] §6; [swing] §2.3.1; [nccl] channels",
                .needs = {.commutative = true, .refusal = refusal_of(rings)},
                .rounds = formulas::round_per_peer(),
                .bytes = formulas::other_blocks_once(),
                .messages_a_round = [channels](const Shape&) { return static_cast<double>(channels); },
                .block_count = formulas::blocks_per_channel(channels),
                .tasks_share_credits = channels > 1,
                .uniform = true},
               with(ring, rings));
}

}  // namespace

std::vector<Algorithm> ring_entries() { return {configurable(ring_parameters(), ring_entry)}; }

}  // namespace heddle::reduce_scatter

namespace heddle::allgather {

// ring: the second phase of the allreduce; every block goes once round the ring of ranks.
//
// Picture, p = 4: who passes which block.
//
//             0        1        2        3
//   round 0   b0 ->    b1 ->    b2 ->    b3 ->
//   round 1   b3 ->    b0 ->    b1 ->    b2 ->
//   round 2   b2 ->    b3 ->    b0 ->    b1 ->
//
// Option:  channels and order, as in the reduce-scatter.
// Rounds:  p-1.
// Bytes:   (p-1)/p · M sent by each rank.
// Time:    that of the reduce-scatter.
// Limits:  the latency grows with p.
// Source:  explainer 01 (Lu) §6, the second phase of §5.1; Swing (De Sensi et al.) §2.3.1.

namespace {

/// One ring, in which the rank is between two others; `block` of a position is that of the rank there.
template <class Block>
void one_ring(Communicator& comm, int position, Rank left, Rank right, const Block& block) {
  comm.exchange(comm.size() - 1, [=](int round) {
    return Round{right, block(position - round), left, block(position - round - 1)};
  });
}

void ring(Communicator& comm, VectorView vector, const BlockPartition& blocks, const plans::RingChannels& channels) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  if (channels.is_plain()) {
    const auto block = [=](int b) { return blocks.block(vector, (b + p) % p); };
    one_ring(comm, rank, Rank((rank + p - 1) % p), Rank((rank + 1) % p), block);
    return;
  }
  plans::on_channel_rings(comm, channels, [&](int channel, Communicator& task, const plans::ChannelRing& ring, int position) {
    if (BlockPartition(blocks.longest(), channels.channels).size(channel) == 0) return;
    const auto block = [=, &ring](int b) {
      return plans::channel_slice(blocks.block(vector, ring.at(b).value()), channel, channels.channels);
    };
    one_ring(task, position, ring.at(position - 1), ring.at(position + 1), block);
  });
}

Algorithm ring_entry(const Options& options) {
  const plans::RingChannels rings = ring_channels_of(options);
  const int channels = rings.channels;
  return entry({.name = "ring",
                .summary = "Every block goes once round the ring of ranks.",
                .source = "[explainer-01] §6; [swing] §2.3.1; [nccl] channels",
                .needs = {.refusal = refusal_of(rings)},
                .rounds = formulas::round_per_peer(),
                .bytes = formulas::other_blocks_once(),
                .messages_a_round = [channels](const Shape&) { return static_cast<double>(channels); },
                .block_count = formulas::blocks_per_channel(channels),
                .tasks_share_credits = channels > 1,
                .uniform = true},
               with(ring, rings));
}

}  // namespace

std::vector<Algorithm> ring_entries() { return {configurable(ring_parameters(), ring_entry)}; }

}  // namespace heddle::allgather
