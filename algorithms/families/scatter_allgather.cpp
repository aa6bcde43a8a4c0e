// SPDX-License-Identifier: Apache-2.0
// scatter_allgather: the root scatters the vector, a block to each rank; then everyone gathers all blocks.
//
// A tree sends the whole vector along every edge. Here the root sends each block once, down a binomial tree that parts them
// (families/binomial_trees.cpp), and what is still to do is an allgather, in which all ranks send and receive all the time.
//
// Picture, p = 4, root 0, ring:
//
//   scatter     0->2 b2 b3     then 0->1 b1, 2->3 b3: every rank has its block
//   round 0     0->1 b0        1->2 b1       2->3 b2       3->0 b3
//   round 1     0->1 b3        1->2 b0       2->3 b1       3->0 b2
//   round 2     0->1 b2        1->2 b3       2->3 b0       3->0 b1
//
// Option:  allgather=ring passes blocks round the ring of ranks, p-1 rounds to neighbours; allgather=doubling takes twice as
//          many blocks from twice as far in each round, ⌈log2 p⌉ in all, for any p (the circulant allgather's halving skips).
// Rounds:  ⌈log2 p⌉ + p-1 with ring, 2⌈log2 p⌉ with doubling.
// Bytes:   2(p-1)/p · M, sent by the root: all blocks but its own, then p-1 of them again.
// Time:    (⌈log2 p⌉ + p-1)·α or 2⌈log2 p⌉·α, + 2(p-1)/p · M·β for p a power of two, where the messages of a round share no
//          links.
// Limits:  for long vectors. Everyone gets the blocks that passed through it in the scatter a second time.
// Source:  van de Geijn's, MPICH's for long vectors; Bine trees (De Sensi et al.) §4.5 describes it.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/executors/blocks.hpp"
#include "algorithms/executors/trees.hpp"
#include "algorithms/families/circulant.hpp"
#include "algorithms/families/grid_rings.hpp"
#include "algorithms/registry/entry.hpp"
#include "algorithms/registry/formulas.hpp"
#include "core/nearest_name.hpp"
#include "heddle/errors.hpp"
#include "heddle/registry.hpp"

namespace heddle::broadcast {

namespace {

enum class Gathering : std::uint8_t { ring, doubling };

void gather_round_ring(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  const int p = comm.size();
  const int rank = comm.rank().value();
  const plans::RingPlace place{
      .positions = p, .position = rank, .next = Rank((rank + 1) % p), .previous = Rank((rank + p - 1) % p)};
  plans::ring_allgather(comm, place, {vector, blocks});
}

void gather_by_doubling(Communicator& comm, VectorView vector, const BlockPartition& blocks) {
  const auto plan = plans::shared_circulant_plan(comm, plans::CirculantSkips(plans::CirculantSkips::Kind::halving));
  plans::BlockExchange(comm, *plan, vector, blocks).allgather();
}

void scatter_allgather(Communicator& comm, VectorView vector, Rank root, Gathering gathering) {
  const int p = comm.size();
  const BlockPartition blocks(vector.count(), p);
  const auto tree = plans::tree_plan(comm, "binomial_halving", root, [](int ranks, int at) {
    return plans::BlockTree(plans::binomial_halving_tree(ranks, at));
  });
  plans::tree_scatter(comm, *tree, vector, blocks);
  switch (gathering) {
    case Gathering::ring:
      return gather_round_ring(comm, vector, blocks);
    case Gathering::doubling:
      return gather_by_doubling(comm, vector, blocks);
  }
}

std::vector<Parameter> gathering_parameters() {
  return {{.name = "allgather",
           .default_value = "ring",
           .meaning = "how the blocks are gathered: round the ring, or by doubling in ⌈log2 p⌉ rounds",
           .examples = {"doubling"},
           .candidates = candidates_anywhere({"doubling"})}};
}

Gathering parse_gathering(const std::string& text) {
  constexpr std::array<std::string_view, 2> kNames = {"ring", "doubling"};
  if (text == kNames[0]) return Gathering::ring;
  if (text == kNames[1]) return Gathering::doubling;
  throw InputError(unknown_name_message("allgather", text, kNames));
}

Algorithm scatter_allgather_entry(const Options& options) {
  const Gathering gathering = parse_gathering(options.text("allgather"));
  const bool ring = gathering == Gathering::ring;
  return entry({.name = "scatter_allgather",
                .summary = "A binomial scatter of blocks, then an allgather of them: for long vectors.",
                .source = "[bine] §4.5; [thakur-2005] for long vectors, van de Geijn's",
                .rounds = {ring ? "⌈log2 p⌉ + p-1" : "2⌈log2 p⌉",
                           [ring](const Shape& shape) {
                             return formulas::ceil_log2(shape.ranks) +
                                    (ring ? shape.ranks - 1 : formulas::ceil_log2(shape.ranks));
                           }},
                .bytes = formulas::all_blocks_twice(),
                .block_count = formulas::block_per_rank},
               with(scatter_allgather, gathering));
}

}  // namespace

std::vector<Algorithm> scatter_allgather_entries() { return {configurable(gathering_parameters(), scatter_allgather_entry)}; }

}  // namespace heddle::broadcast
