// SPDX-License-Identifier: Apache-2.0
// bruck: every block goes its way in leaps of powers of two, together with others that make the same leap.
//
// The block from rank r to rank r + way is at index `way` of rank r. In round k all blocks whose index has bit k go to the rank
// 2^k further, in one message, and keep their index there. After ⌈log2 p⌉ rounds the block at index `way` has leapt `way`
// ranks: it is where it belongs.
//
// Picture, p = 4: what is at indices 0 1 2 3 of a rank; 01 is the block from rank 0 to rank 1.
//
//             0              1              2              3
//   start     00 01 02 03    11 12 13 10    22 23 20 21    33 30 31 32
//   round 0   00 30 02 32    11 01 13 03    22 12 20 10    33 23 31 21     indices 1 and 3 came from the rank 1 before
//   round 1   00 30 20 10    11 01 31 21    22 12 02 32    33 23 13 03     indices 2 and 3 came from the rank 2 before
//
// Nothing is turned round before or after, and nothing is copied but a rank's block for itself: a block's first leap starts
// from the caller's input, its last one ends in the caller's output, and in between it changes from scratch to output and back,
// so that no message is received where another is being sent from.
//
// Rounds:  ⌈log2 p⌉.
// Bytes:   M/p times the ones in the numbers 1 … p-1, sent by each rank; log2 p · M/2 at powers of two.
// Time:    log2 p · α + log2 p · M/2 · β where no two messages of a round share a link.
// Limits:  each byte is sent log2 p / 2 times: only for short blocks. All blocks must have the same size, for a rank passes on
//          blocks whose sizes it does not know.
// Source:  explainer 01 (Lu) App. B.5; Bruck et al., Efficient Algorithms for All-to-All Communications in Multiport
//          Message-Passing Systems (1997). Without copies: Träff, Rougier and Hunold, Implementing a Classic: Zero-copy
//          All-to-all Communication with MPI Datatypes (2014).
#include "algorithms/alltoall/alltoall.hpp"

#include <bit>
#include <cstdint>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/requirements.hpp"
#include "algorithms/registry/rows/formulas.hpp"
#include "algorithms/registry/signatures.hpp"

namespace heddle::alltoall {

namespace {

int ones(int number) { return std::popcount(static_cast<unsigned>(number)); }

}  // namespace

void bruck(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
           const BlockPartition& received) {
  require_equal_blocks("bruck", sent);
  require_equal_blocks("bruck", received);
  const int p = comm.size();
  const int rank = comm.rank().value();
  if (outgoing.empty()) return;
  comm.copy(received.block(incoming, rank), sent.block(outgoing, rank));

  Buffer scratch(incoming.type(), p > 3 ? incoming.count() : 0);  // below, no block leaps twice
  const auto landing = [&](int way, int leaps_left) {
    return leaps_left % 2 == 0 ? received.block(incoming, (rank + p - way) % p) : sent.block(scratch.view(), way);
  };
  std::vector<ConstVectorView> leaving;
  std::vector<VectorView> landed;
  for (int distance = 1; distance < p; distance *= 2) {
    leaving.clear();
    landed.clear();
    for (int way = distance; way < p; ++way) {
      if ((way & distance) == 0) continue;
      const int leapt = ones(way & (distance - 1));
      const int left = ones(way) - leapt;
      leaving.push_back(leapt == 0 ? sent.block(outgoing, (rank + way) % p) : landing(way, left));
      landed.push_back(landing(way, left - 1));
    }
    comm.sendrecv(Rank((rank + distance) % p), leaving, Rank((rank + p - distance) % p), landed);
  }
}

namespace {

std::int64_t bruck_bytes(const Shape& shape) {
  std::int64_t leaps = 0;
  for (int way = 1; way < shape.ranks; ++way) leaps += std::popcount(static_cast<unsigned>(way));
  return formulas::times(shape.bytes, leaps, shape.ranks);
}

}  // namespace

std::vector<Algorithm> bruck_rows() {
  return {{.collective = Collective::alltoall,
           .name = "bruck",
           .summary = "Blocks go their ways in leaps of powers of two, together with others that make the same leap.",
           .source = "[explainer-01] App. B.5; [bruck-1997]; [traeff-2014] without copies",
           .needs = {.equal_blocks = true},
           .rounds = formulas::log2_rounds(),
           .bytes = {"ones in 1 … p-1 · M/p; log2 p · M/2 at powers of two", bruck_bytes},
           .granule = formulas::block_per_rank,
           .run = as_alltoall(bruck)}};
}

}  // namespace heddle::alltoall
