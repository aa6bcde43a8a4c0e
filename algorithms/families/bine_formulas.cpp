// SPDX-License-Identifier: Apache-2.0
// Rounds and bytes of what runs on Bine butterflies.
#include "algorithms/families/bine.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "algorithms/executors/lattice.hpp"
#include "algorithms/registry/formulas.hpp"

namespace heddle::formulas {

namespace {

using plans::BlockPlan;
using plans::Distances;
using plans::Lattice;

std::int64_t most(const std::vector<std::int64_t>& of_ranks) { return *std::max_element(of_ranks.begin(), of_ranks.end()); }

/// Whether in the order by ways not all blocks lie in rank order: from 4 positions on.
bool is_permuted(int ranks) { return ranks >= 4; }

/// The most that a rank sends in an allgather.
std::int64_t allgather_bytes(const Shape& shape, const BlockPlan& plan) {
  return times(shape.bytes, most(plans::blocks_received(plan)), shape.ranks);
}

/// Of an alltoall at odd p. In a step a position sends what comes from all that it has heard of and is for all that its partner
/// will reach from then on.
std::vector<std::int64_t> blocks_sent_by_positions(int ranks) {
  const plans::Fold fold(ranks);
  const int steps = fold.position_bits();
  const auto partner = [&](std::size_t position, int step) {
    return static_cast<std::size_t>(
        plans::bine_partner(static_cast<int>(position), step, fold.positions(), Distances::doubling));
  };
  std::vector<std::int64_t> members;
  for (int position = 0; position < fold.positions(); ++position) members.push_back(position < fold.extra_ranks() ? 2 : 1);
  const auto with_partners = [&](const std::vector<std::int64_t>& counts, int step) {
    std::vector<std::int64_t> sums = counts;
    for (std::size_t position = 0; position < sums.size(); ++position) sums[position] += counts[partner(position, step)];
    return sums;
  };
  std::vector<std::vector<std::int64_t>> reached_after{members};  // from the last step to the first
  for (int step = steps - 1; step > 0; --step) reached_after.push_back(with_partners(reached_after.back(), step));

  std::vector<std::int64_t> sent;
  for (const std::int64_t count : members) sent.push_back(count > 1 ? ranks - 1 : 0);  // to the extra rank
  std::vector<std::int64_t> heard_of = members;
  for (int step = 0; step < steps; ++step) {
    for (std::size_t position = 0; position < sent.size(); ++position)
      sent[position] += heard_of[position] * reached_after.back()[partner(position, step)];
    heard_of = with_partners(heard_of, step);
    reached_after.pop_back();
  }
  return sent;
}

int phase_rounds(const Shape& shape) { return plans::bine_block_steps(shape.ranks); }

int rounds_by_ways(const Shape& shape) { return plans::bine_by_ways_steps(shape.ranks); }

int rounds_with_owners(const Shape& shape) {
  // A single partner and its extra rank have their places in order. They alone are busy in the round that is theirs.
  const bool is_hidden = plans::Fold(shape.ranks).extra_ranks() == 1;
  return rounds_by_ways(shape) + (is_permuted(shape.ranks) && !is_hidden ? 1 : 0);
}

}  // namespace

Formula<int> bine_rounds() { return {"⌈log2 p⌉; ⌊log2 p⌋ + 2 at odd p", phase_rounds}; }

Formula<int> bine_rounds_by_ways() { return {"log2 p; ⌊log2 p⌋ + 2 at other p", rounds_by_ways}; }

Formula<int> bine_rounds_with_owners() {
  return {"log2 p, + 1 if p ≥ 4; ⌊log2 p⌋ + 3 at other p, + 2 if one pair folds", rounds_with_owners};
}

std::int64_t bine_send_reduce_scatter_bytes(const Shape& shape) {
  return is_permuted(shape.ranks) ? shape.bytes : all_but_one_block(shape.bytes, shape.ranks);
}

std::int64_t bine_block_by_block_allgather_bytes(const Shape& shape) {
  if (shape.ranks % 2 == 0) return all_but_one_block(shape.bytes, shape.ranks);
  return allgather_bytes(shape, plans::bine_block_plan(shape.ranks));
}

std::int64_t bine_two_transmissions_allgather_bytes(const Shape& shape) {
  if (shape.ranks % 2 == 0) return all_but_one_block(shape.bytes, shape.ranks);
  return allgather_bytes(shape, plans::bine_halving_plan(shape.ranks));
}

std::int64_t bine_permute_allgather_bytes(const Shape& shape) {
  if (is_power_of_two(shape.ranks)) return all_but_one_block(shape.bytes, shape.ranks);
  return allgather_bytes(shape, plans::bine_by_ways_plan(shape.ranks));
}

std::int64_t bine_send_allgather_bytes(const Shape& shape) {
  const BlockPlan plan = plans::bine_by_ways_plan(shape.ranks);
  std::vector<std::int64_t> blocks = plans::blocks_received(plan);
  for (int rank = 0; rank < shape.ranks; ++rank) blocks[static_cast<std::size_t>(rank)] += plan.position(rank) == rank ? 0 : 1;
  return times(shape.bytes, most(blocks), shape.ranks);
}

std::int64_t bine_large_bytes(const Shape& shape) {
  if (shape.ranks % 2 == 0) return scattered_and_gathered(shape.bytes, shape.ranks);
  return times(shape.bytes, shape.ranks - 1 + most(plans::blocks_received(plans::bine_block_plan(shape.ranks))), shape.ranks);
}

int bine_torus_rounds(const Shape& shape) { return 2 * sum_over_dimensions(shape, plans::bine_block_steps); }

std::int64_t bine_torus_bytes(const Shape& shape) {
  const std::vector<int> sizes = long_dimensions(shape);
  if (std::all_of(sizes.begin(), sizes.end(), [](int size) { return size % 2 == 0; }))
    return scattered_and_gathered(shape.bytes, shape.ranks);
  const Grid grid(shape.dims, shape.wraps);
  const Lattice lattice(&grid, shape.ranks);
  const int ports = 2 * lattice.dimensions();
  std::vector<std::int64_t> pieces(static_cast<std::size_t>(shape.ranks), std::int64_t{ports} * (shape.ranks - 1));
  for (int port = 0; port < ports; ++port) {
    const auto received = plans::blocks_received(plans::bine_block_plan(lattice, plans::bine_port(port, lattice.dimensions())));
    for (std::size_t rank = 0; rank < pieces.size(); ++rank) pieces[rank] += received[rank];
  }
  return times(shape.bytes, most(pieces), std::int64_t{ports} * shape.ranks);
}

int bine_scatter_allgather_rounds(const Shape& shape) { return ceil_log2(shape.ranks) + phase_rounds(shape); }

std::int64_t bine_scatter_allgather_bytes(const Shape& shape) {
  if (shape.ranks == 1) return 0;
  const BlockPlan plan = plans::bine_block_plan(shape.ranks);
  std::vector<std::int64_t> blocks = plans::blocks_received(plan);
  const plans::BlockTree tree = plans::bine_block_tree(plan, 0);
  for (int rank = 0; rank < shape.ranks; ++rank) blocks[static_cast<std::size_t>(rank)] += plans::count(tree.below(rank)) - 1;
  return times(shape.bytes, most(blocks), shape.ranks);
}

int bine_reduce_scatter_gather_rounds(const Shape& shape) {
  const plans::Tree tree = plans::bine_tree(shape.ranks, 0, Distances::doubling);
  if (shape.ranks % 2 == 0) return phase_rounds(shape) + tree.height();
  // Only partners and extra ranks are busy in the last step of the reduce-scatter; the others begin to gather.
  const plans::Fold fold(shape.ranks);
  int rounds = 0;
  for (int rank = 0; rank < shape.ranks; ++rank) {
    const bool is_folded = fold.is_partner(rank) || fold.is_extra(rank);
    rounds = std::max(rounds, phase_rounds(shape) - (is_folded ? 0 : 1) + tree.depth(rank));
  }
  return shape.ranks == 1 ? 0 : rounds;
}

std::int64_t bine_reduce_scatter_gather_bytes(const Shape& shape) {
  if (shape.ranks == 1) return 0;
  const std::vector<plans::RunSet> below = plans::bine_tree(shape.ranks, 0, Distances::doubling).subtrees();
  std::int64_t gathered = 0;
  for (std::size_t rank = 1; rank < below.size(); ++rank) gathered = std::max(gathered, plans::count(below[rank]));
  return times(shape.bytes, shape.ranks - 1 + gathered, shape.ranks);
}

std::int64_t bine_alltoall_bytes(const Shape& shape) {
  if (shape.ranks % 2 == 0) {
    const plans::BineWays ways(shape.ranks);
    std::int64_t steps = 0;
    for (int index = 0; index < shape.ranks; ++index) steps += std::popcount(ways.way(index));
    return times(shape.bytes, steps, shape.ranks);
  }
  return times(shape.bytes, most(blocks_sent_by_positions(shape.ranks)), shape.ranks);
}

}  // namespace heddle::formulas
