// SPDX-License-Identifier: Apache-2.0
#include "algorithms/rows.hpp"

#include "algorithms/bine_formulas.hpp"
#include "algorithms/formulas.hpp"
#include "algorithms/grid_tree_row.hpp"
#include "algorithms/in_network_row.hpp"
#include "algorithms/pipelined_row.hpp"
#include "algorithms/reduce/bine.hpp"
#include "algorithms/reduce/binomial.hpp"
#include "algorithms/reduce/circulant.hpp"
#include "algorithms/reduce/hierarchical.hpp"
#include "algorithms/reduce/pipelined.hpp"
#include "algorithms/reduce/reduce_scatter_gather.hpp"
#include "algorithms/reduce/torus_ring.hpp"
#include "algorithms/schedule/bine_tree.hpp"
#include "algorithms/schedule/circulant_tree.hpp"
#include "algorithms/schedule/fold.hpp"
#include "algorithms/signatures.hpp"

namespace heddle::reduce {

namespace {

using namespace formulas;  // NOLINT(google-build-using-namespace): this file is made of them
using schedule::Segments;

int binomial_rounds(const Shape& shape) { return floor_log2(shape.ranks); }

template <schedule::Distances distances>
int bine_rounds(const Shape& shape) {
  return schedule::bine_tree(shape.ranks, 0, distances).height();
}

using PipelinedReduce = void (*)(Communicator&, VectorView, const ReduceOp&, Rank, Segments);
ReduceFunction with(Segments segments, PipelinedReduce reduce) {
  return [=](Communicator& comm, VectorView inout, const ReduceOp& op, Rank root) { reduce(comm, inout, op, root, segments); };
}

Algorithm chain_row(Segments segments) {
  const Pipeline pipeline{segments, [](int p) { return p - 1; }};
  return {.collective = Collective::reduce,
          .name = "chain",
          .summary = "Sums grow from rank to rank in segments that follow each other: for long vectors.",
          .source = "[explainer-01] §4.1, App. C",
          .needs = {.commutative = true},
          .rounds_formula = "p + P - 2, P segments",
          .rounds = [=](const Shape& shape) { return pipeline.rounds(shape); },
          .bytes_formula = "M",
          .bytes = vector_once,
          .granule = [=](const Shape& shape) { return pipeline.granule(shape); },
          .run = as_reduce(with(segments, chain))};
}

Algorithm binomial_pipelined_row(Segments segments) {
  const Pipeline pipeline{segments, floor_log2};
  return {.collective = Collective::reduce,
          .name = "binomial_pipelined",
          .summary = "Sums flow up a binomial tree in segments that follow each other: for ranks with many ports.",
          .source = "[explainer-01] §4.2, App. C",
          .needs = {.commutative = true},
          .rounds_formula = "⌊log2 p⌋ + P - 1, P segments",
          .rounds = [=](const Shape& shape) { return pipeline.rounds(shape); },
          .bytes_formula = "M",
          .bytes = vector_once,
          .granule = [=](const Shape& shape) { return pipeline.granule(shape); },
          .run = as_reduce(with(segments, binomial_pipelined))};
}

Algorithm double_binary_tree_row(Segments segments) {
  const Pipeline pipeline{segments, ceil_log2, 2};
  return {.collective = Collective::reduce,
          .name = "double_binary_tree",
          .summary =
              "Each half of the vector is summed up along a binary tree in segments; who adds up one is a leaf for the other.",
          .source = "[explainer-01] §5.2, App. C; [sanders-2009]",
          .needs = {.commutative = true},
          .rounds_formula = "⌈log2 p⌉ + P - 1, P segments of each half",
          .rounds = [=](const Shape& shape) { return pipeline.rounds(shape); },
          .bytes_formula = "M",
          .bytes = vector_once,
          .granule = [=](const Shape& shape) { return pipeline.granule(shape); },
          .run = as_reduce(with(segments, double_binary_tree))};
}

int seats(const Shape& shape) { return schedule::Fold(shape.ranks).seats(); }

int reduce_scatter_gather_rounds(const Shape& shape) {
  return 2 * floor_log2(shape.ranks) + (is_power_of_two(shape.ranks) ? 0 : 1);
}
std::int64_t reduce_scatter_gather_bytes(const Shape& shape) {
  if (shape.ranks == 1) return 0;
  return all_but_one_block(shape.bytes, seats(shape)) + times(shape.bytes, 1, 2);
}

int circulant_rounds(const Shape& shape) { return schedule::circulant_tree(shape.ranks, 0).height(); }

Algorithm torus_ring_row(const GridTreePipeline& pipeline) {
  const bool both = pipeline.ways == schedule::LineWays::both;
  return {.collective = Collective::reduce,
          .name = "torus_ring",
          .summary = "Sums grow in segments along the lines of one dimension of the grid after the other, to neighbours only.",
          .source = "[explainer-02] §3.3, §4.2",
          .needs = {.commutative = true},
          .rounds_formula =
              both ? "Σ⌊dᵢ/2⌋ + P - 1, P segments; on a mesh Σ max(rᵢ, dᵢ-1-rᵢ), r the root" : "Σ(dᵢ-1) + P - 1, P segments",
          .rounds = [=](const Shape& shape) { return pipeline.rounds(shape); },
          .bytes_formula = "M",
          .bytes = vector_once,
          .granule = [=](const Shape& shape) { return pipeline.wanted(shape); },
          .run = as_reduce([=](Communicator& comm, VectorView inout, const ReduceOp& op, Rank root) {
            torus_ring(comm, inout, op, root, pipeline.ways, pipeline.segments);
          })};
}

}  // namespace

std::vector<Algorithm> rows() {
  return {
      pipelined_row(chain_row),
      {.collective = Collective::reduce,
       .name = "binomial_halving",
       .summary = "Sums flow together along a binomial tree, neighbours first: the broadcast's backwards.",
       .source = "[explainer-01] §4.2; [bine] §2.1",
       .needs = {.commutative = true},
       .rounds_formula = "⌊log2 p⌋",
       .rounds = binomial_rounds,
       .bytes_formula = "M",
       .bytes = vector_once,
       .granule = one_element,
       .run = as_reduce(binomial_halving)},
      {.collective = Collective::reduce,
       .name = "binomial_doubling",
       .summary = "Sums flow together along a binomial tree, far ranks first: the broadcast's backwards.",
       .source = "[explainer-01] §4.2; [bine] §2.1",
       .needs = {.commutative = true},
       .rounds_formula = "⌊log2 p⌋",
       .rounds = binomial_rounds,
       .bytes_formula = "M",
       .bytes = vector_once,
       .granule = one_element,
       .run = as_reduce(binomial_doubling)},
      pipelined_row(binomial_pipelined_row),
      pipelined_row(double_binary_tree_row),
      {.collective = Collective::reduce,
       .name = "reduce_scatter_gather",
       .summary = "Reduce-scatter by recursive halving, then a binomial gather: for long vectors, keeps rank order.",
       .source = "[explainer-01] App. B.2; [bine] §4.5",
       .needs = {},
       .rounds_formula = "2⌊log2 p⌋, + 1 if p is no power of two",
       .rounds = reduce_scatter_gather_rounds,
       .bytes_formula = "(p'-1)/p' · M + M/2; p' = 2^⌊log2 p⌋",
       .bytes = reduce_scatter_gather_bytes,
       .granule = [](const Shape& shape) { return std::int64_t{seats(shape)}; },
       .run = as_reduce(reduce_scatter_gather)},
      grid_tree_row(torus_ring_row),
      {.collective = Collective::reduce,
       .name = "bine_halving",
       .summary = "Sums flow together along a Bine tree, neighbours first: the broadcast's backwards.",
       .source = "[bine] §4.5, §2, App. C",
       .needs = {.commutative = true},
       .rounds_formula = "⌊log2 p⌋ or ⌈log2 p⌉",
       .rounds = bine_rounds<schedule::Distances::halving>,
       .bytes_formula = "M",
       .bytes = vector_once,
       .granule = one_element,
       .run = as_reduce(bine_halving)},
      {.collective = Collective::reduce,
       .name = "bine_doubling",
       .summary = "Sums flow together along a Bine tree, far ranks first: the broadcast's backwards.",
       .source = "[bine] §3.2, App. A, App. C",
       .needs = {.commutative = true},
       .rounds_formula = "⌊log2 p⌋ or ⌈log2 p⌉",
       .rounds = bine_rounds<schedule::Distances::doubling>,
       .bytes_formula = "M",
       .bytes = vector_once,
       .granule = one_element,
       .run = as_reduce(bine_doubling)},
      {.collective = Collective::reduce,
       .name = "bine_reduce_scatter_gather",
       .summary = "A reduce-scatter along a Bine butterfly, then a gather along a Bine tree: for long vectors.",
       .source = "[bine] §4.5, App. C",
       .needs = {.commutative = true},
       .rounds_formula = "⌈log2 p⌉ or ⌊log2 p⌋ + 2, and the height of the tree",
       .rounds = bine_reduce_scatter_gather_rounds,
       .bytes_formula = "((p-1)/p + 1/2) · M at even p",
       .bytes = bine_reduce_scatter_gather_bytes,
       .granule = block_per_rank,
       .run = as_reduce(bine_reduce_scatter_gather)},
      {.collective = Collective::reduce,
       .name = "circulant",
       .summary = "A tree of skips that halve from p to 1: the circulant reduce-scatter of a single block.",
       .source = "[traeff] Corollary 3",
       .needs = {.commutative = true},
       .rounds_formula = "the tree's height, at most ⌊log2 p⌋",
       .rounds = circulant_rounds,
       .bytes_formula = "M",
       .bytes = vector_once,
       .granule = one_element,
       .run = as_reduce(circulant)},
      hierarchical_row(),
      in_network_row(Collective::reduce),
  };
}

}  // namespace heddle::reduce
