// SPDX-License-Identifier: Apache-2.0
#include "algorithms/rows.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "algorithms/bine_formulas.hpp"
#include "algorithms/broadcast/bine.hpp"
#include "algorithms/broadcast/binomial.hpp"
#include "algorithms/broadcast/circulant.hpp"
#include "algorithms/broadcast/hierarchical.hpp"
#include "algorithms/broadcast/pipelined.hpp"
#include "algorithms/broadcast/scatter_allgather.hpp"
#include "algorithms/broadcast/torus_ring.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/grid_tree_row.hpp"
#include "algorithms/in_network_row.hpp"
#include "algorithms/pipelined_row.hpp"
#include "algorithms/schedule/bine_tree.hpp"
#include "algorithms/signatures.hpp"
#include "core/errors.hpp"
#include "core/nearest_name.hpp"

namespace heddle::broadcast {

namespace {

using namespace formulas;  // NOLINT(google-build-using-namespace): this file is made of them
using schedule::Segments;

int binomial_rounds(const Shape& shape) { return ceil_log2(shape.ranks); }
std::int64_t binomial_bytes(const Shape& shape) { return ceil_log2(shape.ranks) * shape.bytes; }

/// One vector per child of the rank that has the most.
template <schedule::Distances distances>
std::int64_t bine_bytes(const Shape& shape) {
  const schedule::Tree tree = schedule::bine_tree(shape.ranks, 0, distances);
  std::size_t most = 0;
  for (int rank = 0; rank < shape.ranks; ++rank) most = std::max(most, tree.children(rank).size());
  return static_cast<std::int64_t>(most) * shape.bytes;
}

using PipelinedBroadcast = void (*)(Communicator&, VectorView, Rank, Segments);
BroadcastFunction with(Segments segments, PipelinedBroadcast broadcast) {
  return [=](Communicator& comm, VectorView vector, Rank root) { broadcast(comm, vector, root, segments); };
}

Algorithm chain_row(Segments segments) {
  const Pipeline pipeline{segments, [](int p) { return p - 1; }};
  return {.collective = Collective::broadcast,
          .name = "chain",
          .summary = "Segments of the vector follow each other from rank to rank: for long vectors.",
          .source = "[explainer-01] §3.1, App. C",
          .needs = {},
          .rounds_formula = "p + P - 2, P segments",
          .rounds = [=](const Shape& shape) { return pipeline.rounds(shape); },
          .bytes_formula = "M",
          .bytes = vector_once,
          .granule = [=](const Shape& shape) { return pipeline.granule(shape); },
          .run = as_broadcast(with(segments, chain))};
}

Algorithm binomial_pipelined_row(Segments segments) {
  const Pipeline pipeline{segments, floor_log2};
  return {.collective = Collective::broadcast,
          .name = "binomial_pipelined",
          .summary = "Segments of the vector follow each other down a binomial tree: for ranks with many ports.",
          .source = "[explainer-01] §3.2, App. C",
          .needs = {},
          .rounds_formula = "⌊log2 p⌋ + P - 1, P segments",
          .rounds = [=](const Shape& shape) { return pipeline.rounds(shape); },
          .bytes_formula = "⌈log2 p⌉ · M",
          .bytes = binomial_bytes,
          .granule = [=](const Shape& shape) { return pipeline.granule(shape); },
          .run = as_broadcast(with(segments, binomial_pipelined))};
}

Algorithm double_binary_tree_row(Segments segments) {
  const Pipeline pipeline{segments, ceil_log2, 2};
  return {.collective = Collective::broadcast,
          .name = "double_binary_tree",
          .summary = "Each half of the vector goes down a binary tree in segments; who passes on one is a leaf for the other.",
          .source = "[explainer-01] §5.2, App. C; [sanders-2009]",
          .needs = {},
          .rounds_formula = "⌈log2 p⌉ + P - 1, P segments of each half",
          .rounds = [=](const Shape& shape) { return pipeline.rounds(shape); },
          .bytes_formula = "M",
          .bytes = vector_once,
          .granule = [=](const Shape& shape) { return pipeline.granule(shape); },
          .run = as_broadcast(with(segments, double_binary_tree))};
}

std::vector<Parameter> gathering_parameters() {
  return {{.name = "allgather",
           .default_value = "ring",
           .meaning = "how the blocks are gathered: round the ring, or by doubling in ⌈log2 p⌉ rounds",
           .examples = {"doubling"}}};
}

Gathering parse_gathering(const std::string& text) {
  constexpr std::array<std::string_view, 2> kNames = {"ring", "doubling"};
  if (text == kNames[0]) return Gathering::ring;
  if (text == kNames[1]) return Gathering::doubling;
  throw InputError(unknown_name_message("allgather", text, kNames));
}

Algorithm scatter_allgather_row(const Options& options) {
  const Gathering gathering = parse_gathering(options.text("allgather"));
  const bool ring = gathering == Gathering::ring;
  return {.collective = Collective::broadcast,
          .name = "scatter_allgather",
          .summary = "A binomial scatter of blocks, then an allgather of them: for long vectors.",
          .source = "[bine] §4.5; [thakur-2005] for long vectors, van de Geijn's",
          .needs = {},
          .rounds_formula = ring ? "⌈log2 p⌉ + p-1" : "2⌈log2 p⌉",
          .rounds =
              [ring](const Shape& shape) { return ceil_log2(shape.ranks) + (ring ? shape.ranks - 1 : ceil_log2(shape.ranks)); },
          .bytes_formula = "2(p-1)/p · M",
          .bytes = [](const Shape& shape) { return scattered_and_gathered(shape.bytes, shape.ranks); },
          .granule = block_per_rank,
          .run = as_broadcast([gathering](Communicator& comm, VectorView vector, Rank root) {
            scatter_allgather(comm, vector, root, gathering);
          }),
          .parameters = gathering_parameters(),
          .configured = scatter_allgather_row};
}

Algorithm torus_ring_row(const GridTreePipeline& pipeline) {
  const bool both = pipeline.ways == schedule::LineWays::both;
  return {
      .collective = Collective::broadcast,
      .name = "torus_ring",
      .summary = "Segments follow each other along the lines of one dimension of the grid after the other, to neighbours only.",
      .source = "[explainer-02] §3.2, §4.2",
      .needs = {},
      .rounds_formula =
          both ? "Σ⌊dᵢ/2⌋ + P - 1, P segments; on a mesh Σ max(rᵢ, dᵢ-1-rᵢ), r the root" : "Σ(dᵢ-1) + P - 1, P segments",
      .rounds = [=](const Shape& shape) { return pipeline.rounds(shape); },
      .bytes_formula = both ? "M for each link of the root" : "M for each dimension",
      .bytes = [=](const Shape& shape) { return pipeline.ports(shape) * shape.bytes; },
      .granule = [=](const Shape& shape) { return pipeline.wanted(shape); },
      .run = as_broadcast([=](Communicator& comm, VectorView vector, Rank root) {
        torus_ring(comm, vector, root, pipeline.ways, pipeline.segments);
      })};
}

}  // namespace

std::vector<Algorithm> rows() {
  return {
      pipelined_row(chain_row),
      {.collective = Collective::broadcast,
       .name = "binomial_halving",
       .summary = "A binomial tree that begins with the farthest rank (MPICH's): most messages go to neighbours.",
       .source = "[bine] §1, §2.1; [explainer-01] §3.2",
       .needs = {},
       .rounds_formula = "⌈log2 p⌉",
       .rounds = binomial_rounds,
       .bytes_formula = "⌈log2 p⌉ · M",
       .bytes = binomial_bytes,
       .granule = one_element,
       .run = as_broadcast(binomial_halving)},
      {.collective = Collective::broadcast,
       .name = "binomial_doubling",
       .summary = "A binomial tree that begins with the neighbour (Open MPI's): most messages go far.",
       .source = "[bine] §1; [explainer-01] §3.2",
       .needs = {},
       .rounds_formula = "⌈log2 p⌉",
       .rounds = binomial_rounds,
       .bytes_formula = "⌈log2 p⌉ · M",
       .bytes = binomial_bytes,
       .granule = one_element,
       .run = as_broadcast(binomial_doubling)},
      pipelined_row(binomial_pipelined_row),
      pipelined_row(double_binary_tree_row),
      scatter_allgather_row(Options(gathering_parameters())),
      grid_tree_row(torus_ring_row),
      {.collective = Collective::broadcast,
       .name = "bine_halving",
       .summary = "A binomial tree to both sides of the root in turn, far ranks first, over a third less distance.",
       .source = "[bine] §2, §4.5, App. C",
       .needs = {},
       .rounds_formula = "⌈log2 p⌉",
       .rounds = binomial_rounds,
       .bytes_formula = "⌈log2 p⌉ · M; at some even p one M less",
       .bytes = bine_bytes<schedule::Distances::halving>,
       .granule = one_element,
       .run = as_broadcast(bine_halving)},
      {.collective = Collective::broadcast,
       .name = "bine_doubling",
       .summary = "A binomial tree to both sides of the root in turn, neighbours first, over a third less distance.",
       .source = "[bine] §3.2, App. A, App. C",
       .needs = {},
       .rounds_formula = "⌈log2 p⌉",
       .rounds = binomial_rounds,
       .bytes_formula = "⌈log2 p⌉ · M; at some even p one M less",
       .bytes = bine_bytes<schedule::Distances::doubling>,
       .granule = one_element,
       .run = as_broadcast(bine_doubling)},
      {.collective = Collective::broadcast,
       .name = "bine_scatter_allgather",
       .summary = "A scatter along a Bine tree, then an allgather along a Bine butterfly: for long vectors.",
       .source = "[bine] §4.5, App. C",
       .needs = {},
       .rounds_formula = "2⌈log2 p⌉; one more at odd p",
       .rounds = bine_scatter_allgather_rounds,
       .bytes_formula = "2(p-1)/p · M; at odd p about 3M",
       .bytes = bine_scatter_allgather_bytes,
       .granule = block_per_rank,
       .run = as_broadcast(bine_scatter_allgather)},
      {.collective = Collective::broadcast,
       .name = "circulant",
       .summary = "A tree of skips that double up to p: holders double, or double but one, for any p.",
       .source = "[traeff] §4",
       .needs = {},
       .rounds_formula = "⌈log2 p⌉",
       .rounds = binomial_rounds,
       .bytes_formula = "⌈log2 p⌉ · M",
       .bytes = binomial_bytes,
       .granule = one_element,
       .run = as_broadcast(circulant)},
      hierarchical_row(),
      in_network_row(Collective::broadcast),
  };
}

}  // namespace heddle::broadcast
