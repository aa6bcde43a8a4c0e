// SPDX-License-Identifier: Apache-2.0
// ring: the second half of the ring allreduce; every block goes once round the ring of ranks.
//
// In each of p-1 rounds every rank passes one block to its right neighbour and gets one from its left: first its own, then
// always the one that it has just got.
//
// Picture, p = 4: who passes which block.
//
//             0        1        2        3
//   round 0   b0 ->    b1 ->    b2 ->    b3 ->
//   round 1   b3 ->    b0 ->    b1 ->    b2 ->
//   round 2   b2 ->    b3 ->    b0 ->    b1 ->
//
// Option:  channels, as many rings at once, each on an N-th of every block, begun at different ranks of a node
//          (schedule/tiers/channels.hpp).
// Rounds:  p-1.
// Bytes:   (p-1)/p · M sent by each rank.
// Time:    (p-1)·α + (p-1)/p · M·β on a ring or any fabric where neighbours in rank order do not share links. With blocks of
//          different sizes each round takes as long as the longest block.
// Limits:  the latency grows with p.
// Source:  explainer 01 (Lu) §6, the second phase of §5.1; Swing (De Sensi et al.) §2.3.1.
#include "algorithms/allgather/allgather.hpp"

#include <cstddef>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/rows/channel_options.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/tiers/channels.hpp"

namespace heddle::allgather {

namespace {

/// One ring, in which the rank is between two others; `block` of a position is that of the rank there.
template <class Block>
void one_ring(Communicator& comm, int position, Rank left, Rank right, const Block& block) {
  comm.exchange(comm.size() - 1, [=](int round) {
    return Round{right, block(position - round), left, block(position - round - 1)};
  });
}

Algorithm ring_row(const Options& options) {
  const int channels = channels_of(options);
  return {.collective = Collective::allgather,
          .name = "ring",
          .summary = "Every block goes once round the ring of ranks.",
          .source = "[explainer-01] §6; [swing] §2.3.1; [nccl] channels",
          .needs = {},
          .rounds = formulas::round_per_peer(),
          .bytes = formulas::other_blocks_once(),
          .messages_a_round = [channels](const Shape&) { return static_cast<double>(channels); },
          .granule = formulas::blocks_per_channel(channels),
          .run = as_allgather([channels](Communicator& comm, VectorView vector, const BlockPartition& blocks) {
            ring(comm, vector, blocks, channels);
          }),
          .tasks_share_credits = channels > 1,
          .uniform = true,
          .parameters = {channels_parameter()},
          .configured = ring_row};
}

}  // namespace

void ring(Communicator& comm, VectorView vector, const BlockPartition& blocks, int channels) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  if (p == 1 || vector.empty()) return;
  if (channels == 1) {
    const auto block = [=](int b) { return blocks.block(vector, (b + p) % p); };
    one_ring(comm, rank, Rank((rank + p - 1) % p), Rank((rank + 1) % p), block);
    return;
  }
  const auto rings = schedule::shared_channel_rings(comm, channels);
  comm.concurrently(channels, [&](int channel, Communicator& task) {
    if (BlockPartition(blocks.longest(), channels).size(channel) == 0) return;
    const schedule::ChannelRing* ring = &(*rings)[static_cast<std::size_t>(channel)];
    const int position = ring->position[static_cast<std::size_t>(rank)];
    const auto block = [=](int b) {
      return schedule::channel_slice(blocks.block(vector, ring->at(b).value()), channel, channels);
    };
    one_ring(task, position, ring->at(position - 1), ring->at(position + 1), block);
  });
}

std::vector<Algorithm> ring_rows() { return {ring_row(Options({{channels_parameter()}}))}; }

}  // namespace heddle::allgather
