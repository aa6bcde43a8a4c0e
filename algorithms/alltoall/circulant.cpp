// SPDX-License-Identifier: Apache-2.0
// circulant: an alltoall in ⌈log2 p⌉ rounds for any p: the circulant reduce-scatter with blocks put side by side.
//
// There every rank's contribution to the block of rank + o went there by the skips that o is a sum of, and was added to others
// on the way. Here the contributions stay apart: each rank's block for rank + o takes the same way, and whoever goes the same
// way goes in the same message (schedule/skips/skip_relay.hpp).
//
// Picture, p = 7, skips 4, 2, 1: how far the blocks that every rank sends have to go, from the rank they are of.
//
//   skip 4    4 5 6
//   skip 2    2 3 6
//   skip 1    1 3 5
//
// Rounds:  ⌈log2 p⌉.
// Bytes:   a block for each skip on the way of each distance: ½·log2 p · M at a power of two, less elsewhere.
// Time:    log2 p · (α + M/2·β) at a power of two, where routes share no links.
// Limits:  blocks must have one size, as ranks that pass them on know no others. For short blocks: on average each moves ½·log2
//          p times.
// Source:  Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, §1 and §4.
#include "algorithms/alltoall/alltoall.hpp"

#include <cstdint>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/circulant_row.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"
#include "algorithms/schedule/skips/circulant_skips.hpp"
#include "algorithms/schedule/skips/skip_relay.hpp"

namespace heddle::alltoall {

void circulant(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
               const BlockPartition& received) {
  require_equal_blocks("circulant", sent);
  require_equal_blocks("circulant", received);
  if (outgoing.empty()) return;
  const auto relay = comm.shared_plan<schedule::SkipRelay>(
      "circulant", [&] { return schedule::SkipRelay(schedule::circulant_schedule(comm.size(), schedule::CirculantSkips())); });
  schedule::relay_alltoall(comm, *relay, outgoing, incoming);
}

namespace {

std::int64_t circulant_bytes(const Shape& shape) {
  const schedule::SkipRelay relay(schedule::circulant_schedule(shape.ranks, schedule::CirculantSkips()));
  return formulas::times(shape.bytes, relay.blocks_sent(), shape.ranks);
}

}  // namespace

std::vector<Algorithm> circulant_rows() {
  return {{.collective = Collective::alltoall,
           .name = "circulant",
           .summary = "Blocks go their ways by skips that halve from p to 1, together with others on the same skip.",
           .source = "[traeff] §1, §4",
           .needs = {.equal_blocks = true},
           .rounds = formulas::log2_rounds(),
           .bytes = {"skips on the ways 1 … p-1 · M/p; log2 p · M/2 at powers of two", circulant_bytes},
           .granule = formulas::block_per_rank,
           .run = as_alltoall(circulant)}};
}

}  // namespace heddle::alltoall
