// SPDX-License-Identifier: Apache-2.0
// ring: the first half of the ring allreduce; sums of blocks grow on their way round the ring of ranks.
//
// In each of p-1 rounds every rank passes one block to its right neighbour and adds the one that it gets from its left to its
// own contribution. The sum of block b starts at rank b+1, collects one contribution per round and ends, complete, at rank b.
//
// Picture, p = 4: who passes which block; the sum of block 3 starts at rank 0 and ends at rank 3.
//
//             0        1        2        3
//   round 0   b3 ->    b0 ->    b1 ->    b2 ->
//   round 1   b2 ->    b3 ->    b0 ->    b1 ->
//   round 2   b1 ->    b2 ->    b3 ->    b0 ->
//
// Option:  channels, as many rings at once, each on an N-th of every block, begun at different ranks of a node
//          (schedule/tiers/channels.hpp).
// Rounds:  p-1.
// Bytes:   (p-1)/p · M sent by each rank, the least there is: each block but its own once.
// Time:    (p-1)·α + (p-1)/p · M·β on a ring or any fabric where neighbours in rank order do not share links. With blocks of
//          different sizes each round takes as long as the longest block.
// Limits:  the latency grows with p. Each block's sum starts at another rank, so the op must be commutative.
// Source:  explainer 01 (Lu) §6, the first phase of §5.1; Swing (De Sensi et al.) §2.3.1.
#include "algorithms/reduce_scatter/reduce_scatter.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/channel_options.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/tiers/channels.hpp"

namespace heddle::reduce_scatter {

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

}  // namespace

void ring(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op, int channels) {
  require_commutative("ring", op);
  const int p = comm.size();
  const int rank = comm.rank().value();
  if (p == 1 || inout.empty()) return;
  if (channels == 1) {
    const auto block = [=](int b) { return blocks.block(inout, (b + 2 * p) % p); };
    one_ring(comm, op, blocks.longest(), inout.type(), rank, Rank((rank + p - 1) % p), Rank((rank + 1) % p), block);
    return;
  }
  const auto rings = schedule::shared_channel_rings(comm, channels);
  comm.concurrently(channels, [&](int channel, Communicator& task) {
    const std::int64_t longest = BlockPartition(blocks.longest(), channels).size(channel);
    if (longest == 0) return;
    const schedule::ChannelRing* ring = &(*rings)[static_cast<std::size_t>(channel)];
    const int position = ring->position[static_cast<std::size_t>(rank)];
    const auto block = [=](int b) {
      return schedule::channel_slice(blocks.block(inout, ring->at(b).value()), channel, channels);
    };
    one_ring(task, op, longest, inout.type(), position, ring->at(position - 1), ring->at(position + 1), block);
  });
}

namespace {

Algorithm ring_row(const Options& options) {
  const int channels = channels_of(options);
  return {.collective = Collective::reduce_scatter,
          .name = "ring",
          .summary = "Sums of blocks grow on their way round the ring of ranks.",
          .source = "[explainer-01] §6; [swing] §2.3.1; [nccl] channels",
          .needs = {.commutative = true},
          .rounds = formulas::round_per_peer(),
          .bytes = formulas::other_blocks_once(),
          .messages_a_round = [channels](const Shape&) { return static_cast<double>(channels); },
          .granule = formulas::blocks_per_channel(channels),
          .run = as_reduce_scatter([channels](Communicator& comm, VectorView inout, const BlockPartition& blocks,
                                              const ReduceOp& op) { ring(comm, inout, blocks, op, channels); }),
          .tasks_share_credits = channels > 1,
          .uniform = true,
          .parameters = {channels_parameter()},
          .configured = ring_row};
}

}  // namespace

std::vector<Algorithm> ring_rows() { return {ring_row(Options({{channels_parameter()}}))}; }

}  // namespace heddle::reduce_scatter
