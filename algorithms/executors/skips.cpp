// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/skips.hpp"

#include <fmt/core.h>

#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

namespace heddle::plans {

namespace {

/// Offsets that the same skips of a round could carry.
struct Choice {
  Run offsets;
  std::vector<std::size_t> skips;
};

/// `reachable[i]` is what skip i could carry; what at least one could carry, cut where the choice changes.
std::vector<Choice> choices(const std::vector<RunSet>& reachable) {
  std::vector<std::int32_t> cuts;
  for (const RunSet& set : reachable) {
    for (const Run& run : set) {
      cuts.push_back(run.first);
      cuts.push_back(run.end());
    }
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());

  std::vector<Choice> found;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    Choice choice{{cuts[i], cuts[i + 1] - cuts[i]}, {}};
    for (std::size_t skip = 0; skip < reachable.size(); ++skip) {
      if (contains(reachable[skip], cuts[i])) choice.skips.push_back(skip);
    }
    if (!choice.skips.empty()) found.push_back(std::move(choice));
  }
  return found;
}

/// How much each of the loads gets of `amount` so that the least are filled up to one level; what does not divide goes to the
/// least.
std::vector<std::int64_t> shares(const std::vector<std::int64_t>& loads, std::int64_t amount) {
  std::vector<std::size_t> rising(loads.size());
  std::iota(rising.begin(), rising.end(), std::size_t{0});
  std::stable_sort(rising.begin(), rising.end(), [&loads](std::size_t a, std::size_t b) { return loads[a] < loads[b]; });

  std::int64_t filled = 0;
  std::int64_t sum = amount;  // with the loads that are filled up
  for (const std::size_t i : rising) {
    if (filled > 0 && loads[i] * filled >= sum) break;
    sum += loads[i];
    ++filled;
  }
  std::vector<std::int64_t> share(loads.size());
  for (std::int64_t i = 0; i < filled; ++i) {
    const std::size_t load = rising[static_cast<std::size_t>(i)];
    share[load] = sum / filled + (i < sum % filled ? 1 : 0) - loads[load];
  }
  return share;
}

/// Cuts a run that several skips could carry into pieces, so that loads even out and pieces lie beside what the skip carries
/// already.
void share_out(const Choice& choice, std::vector<RunSet>& sent) {
  std::vector<std::int64_t> loads;
  for (const std::size_t skip : choice.skips) loads.push_back(count(sent[skip]));
  const std::vector<std::int64_t> share = shares(loads, choice.offsets.count);

  std::vector<std::size_t> order(choice.skips.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [&](std::size_t i) {
    const RunSet& carried = sent[choice.skips[i]];
    return contains(carried, choice.offsets.first - 1) ? 0 : contains(carried, choice.offsets.end()) ? 2 : 1;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });

  std::int32_t next = choice.offsets.first;
  for (const std::size_t i : order) {
    const auto length = static_cast<std::int32_t>(share[i]);
    if (length > 0) sent[choice.skips[i]] = unite(sent[choice.skips[i]], {{next, length}});
    next += length;
  }
}

/// `reachable[i]` is what skip i could carry; every offset on one skip.
std::vector<RunSet> divided(std::vector<RunSet> reachable) {
  if (reachable.size() == 1) return reachable;
  const std::vector<Choice> all = choices(reachable);
  std::vector<RunSet> sent(reachable.size());
  for (const Choice& choice : all) {
    if (choice.skips.size() == 1) append(sent[choice.skips.front()], choice.offsets);
  }
  for (const Choice& choice : all) {
    if (choice.skips.size() > 1) share_out(choice, sent);
  }
  return sent;
}

}  // namespace

SkipPaths skip_paths(int ranks, const SkipRounds& rounds, const Horizons& horizons) {
  SkipPaths paths{std::vector<std::vector<SkipSend>>(rounds.size()), {{0, 1}}};
  for (std::size_t round = rounds.size(); round-- > 0;) {
    RunSet beyond;
    if (!horizons.empty() && horizons[round] < ranks) beyond = {{horizons[round], ranks - horizons[round]}};
    std::vector<RunSet> reachable;
    for (const int skip : rounds[round]) {
      const RunSet moved = rotate(paths.reached, moved_by(0, skip, ranks), ranks);
      reachable.push_back(subtract(subtract(moved, paths.reached), beyond));
    }
    std::vector<RunSet> sent = divided(std::move(reachable));
    for (std::size_t i = 0; i < sent.size(); ++i) {
      paths.reached = unite(paths.reached, sent[i]);
      paths.rounds[round].push_back({rounds[round][i], std::move(sent[i])});
    }
  }
  return paths;
}

bool reaches_everyone(int ranks, const SkipRounds& rounds, const Horizons& horizons) {
  return skip_paths(ranks, rounds, horizons).reached == RunSet{{0, ranks}};
}

SkipPlan::SkipPlan(int ranks, const SkipRounds& rounds, const Horizons& horizons)
    : SkipPlan(ranks, skip_paths(ranks, rounds, horizons)) {}

SkipPlan::SkipPlan(int ranks, SkipPaths paths) : ranks_(ranks) {
  if (paths.reached != RunSet{{0, ranks}})
    throw std::logic_error(fmt::format("skip schedule: no way leads {} ranks further", paths.reached.front().end()));
  for (std::vector<SkipSend>& round : paths.rounds) {
    std::erase_if(round, [](const SkipSend& send) { return send.offsets.empty(); });
    if (!round.empty()) rounds_.push_back(std::move(round));
  }
}

BlockStep SkipPlan::step(int rank, int step, BlockStepPool& pool) const {
  const std::vector<SkipSend>& sent = round(step);
  // Each run of offsets is one of blocks at either end, or two where they pass the last block.
  std::size_t most_runs = 0;
  for (const SkipSend& send : sent) most_runs += 2 * (send.offsets.size() + 1);
  pool.runs.clear();
  pool.runs.reserve(most_runs);  // transfers point into it
  pool.transfers.clear();
  const auto add = [&](int peer, const RunSet& offsets, int sender) {
    const std::size_t first = pool.runs.size();
    append_rotated(pool.runs, offsets, sender, ranks_);
    pool.transfers.push_back({peer, std::span<const Run>(pool.runs).subspan(first)});
  };
  for (const SkipSend& send : sent) add(moved_by(rank, send.skip, ranks_), send.offsets, rank);
  for (const SkipSend& send : sent) {
    const int source = moved_by(rank, -send.skip, ranks_);
    add(source, send.offsets, source);
  }
  const std::span<const BlockTransfer> all(pool.transfers);
  return {all.first(sent.size()), all.subspan(sent.size())};
}

std::vector<SkipHop> first_hops(const SkipPlan& plan) {
  std::vector<SkipHop> hops(static_cast<std::size_t>(plan.ranks()), SkipHop{-1, -1, 0});
  for (int round = 0; round < plan.steps(); ++round) {
    const std::vector<SkipSend>& sends = plan.round(round);
    for (std::size_t i = 0; i < sends.size(); ++i) {
      for (const Run& run : sends[i].offsets)
        std::fill_n(hops.begin() + run.first, run.count, SkipHop{round, static_cast<int>(i), sends[i].skip});
    }
  }
  return hops;
}

namespace {

std::vector<int> inverse(const std::vector<int>& order) {
  std::vector<int> places(order.size());
  for (std::size_t place = 0; place < order.size(); ++place) places[at(order[place])] = static_cast<int>(place);
  return places;
}

RunSet as_runs(std::vector<int>& places) {
  std::sort(places.begin(), places.end());
  RunSet runs;
  for (const int place : places) append(runs, {place, 1});
  return runs;
}

/// Where the blocks lie that each coordinate has at the offsets.
std::vector<RunSet> places_of(const RunSet& offsets, const std::vector<int>& place_of) {
  const auto size = static_cast<int>(place_of.size());
  std::vector<RunSet> all;
  std::vector<int> places;
  for (int coordinate = 0; coordinate < size; ++coordinate) {
    places.clear();
    for (const Run& run : offsets) {
      for (int offset = run.first; offset < run.end(); ++offset) places.push_back(place_of[at((coordinate + offset) % size)]);
    }
    all.push_back(as_runs(places));
  }
  return all;
}

std::vector<int> compact_order(const SkipPaths& paths, int size) {
  return lay_out(size, static_cast<int>(paths.rounds.size()), [&](int member, int step, std::vector<int>& companions) {
    for (const SkipSend& send : paths.rounds[at(step)]) companions.push_back(moved_by(member, send.skip, size));
  });
}

/// Appends a run to those from `first` on, joining it to the last of them if it touches.
void append_behind(std::size_t first, Run run, std::vector<Run>& runs) {
  if (runs.size() > first && runs.back().end() == run.first) {
    runs.back().count += run.count;
  } else {
    runs.push_back(run);
  }
}

}  // namespace

LatticeSkipPlan::Dimension LatticeSkipPlan::make_dimension(const SkipPaths& paths, int size, Layout layout) {
  if (paths.reached != RunSet{{0, size}})
    throw std::logic_error(fmt::format("skip schedule: not all of a dimension of {} are reached", size));
  Dimension dimension;
  dimension.size = size;
  dimension.coordinate_at = layout == Layout::compact ? compact_order(paths, size) : in_order(size);
  const std::vector<int> place_of = inverse(dimension.coordinate_at);

  dimension.held_after.push_back(places_of({{0, 1}}, place_of));
  for (auto round = paths.rounds.rbegin(); round != paths.rounds.rend(); ++round) {
    std::vector<Send>& sends = dimension.rounds.emplace_back();
    for (const SkipSend& send : *round) {
      if (send.offsets.empty()) continue;
      sends.push_back({send.skip, places_of(send.offsets, place_of)});
    }
    PlacesByCoordinate& held = dimension.held_after.emplace_back(dimension.held_after.back());
    for (const Send& send : sends) {
      for (std::size_t coordinate = 0; coordinate < held.size(); ++coordinate)
        held[coordinate] = unite(held[coordinate], send.places[coordinate]);
    }
  }
  std::reverse(dimension.rounds.begin(), dimension.rounds.end());
  std::reverse(dimension.held_after.begin(), dimension.held_after.end());
  return dimension;
}

LatticeSkipPlan::LatticeSkipPlan(const Lattice& lattice, const SkipPattern& pattern, int first_dimension, Layout layout)
    : ranks_(lattice.ranks()),
      rank_at_node_(lattice.ranks_in_order()),
      blocks_are_in_rank_order_(layout == Layout::rank_order) {
  if (!rank_at_node_.empty()) node_of_rank_ = inverse(rank_at_node_);

  std::vector<int> rounds;
  for (const int size : lattice.sizes()) {
    dimensions_.push_back(make_dimension(pattern.paths(size), size, layout));
    rounds.push_back(static_cast<int>(dimensions_.back().rounds.size()));
  }
  int stride = 1;
  for (auto dimension = dimensions_.rbegin(); dimension != dimensions_.rend(); ++dimension) {
    dimension->stride = stride;
    stride *= dimension->size;
  }

  outermost_first_.resize(dimensions_.size());
  std::iota(outermost_first_.begin(), outermost_first_.end(), std::size_t{0});
  if (layout == Layout::compact)
    std::rotate(outermost_first_.begin(), outermost_first_.begin() + first_dimension, outermost_first_.end());

  std::vector<std::size_t> done(dimensions_.size());
  for (const DimensionStep& turn : interleaved_steps(rounds, first_dimension)) {
    steps_.push_back({at(turn.dimension), at(turn.step), done});
    ++done[at(turn.dimension)];
  }
}

int LatticeSkipPlan::coordinate(int node, std::size_t dimension) const {
  return node / dimensions_[dimension].stride % dimensions_[dimension].size;
}

int LatticeSkipPlan::moved(int node, std::size_t dimension, int skip) const {
  const int from = coordinate(node, dimension);
  return node + (moved_by(from, skip, dimensions_[dimension].size) - from) * dimensions_[dimension].stride;
}

int LatticeSkipPlan::block_at(int position) const {
  if (blocks_are_in_rank_order_) return position;
  int node = 0;
  for (auto i = outermost_first_.rbegin(); i != outermost_first_.rend(); ++i) {
    const Dimension& dimension = dimensions_[*i];
    node += dimension.coordinate_at[at(position % dimension.size)] * dimension.stride;
    position /= dimension.size;
  }
  return rank_at_node_.empty() ? node : rank_at_node_[at(node)];
}

BlockStep LatticeSkipPlan::step(int rank, int step, BlockStepPool& pool) const {
  const Step& now = steps_[at(step)];
  const std::vector<Send>& sends = sends_in(now);
  const int mine = node_of_rank_.empty() ? rank : node_of_rank_[at(rank)];
  const auto rank_at = [this](int node) { return rank_at_node_.empty() ? node : rank_at_node_[at(node)]; };

  pool.runs.clear();
  pool.transfers.clear();
  std::vector<std::size_t> ends;
  ends.reserve(2 * sends.size());
  std::vector<const RunSet*> places(dimensions_.size());
  const auto add = [&](int peer, int sender, const Send& send) {
    for (std::size_t level = 0; level < places.size(); ++level)
      places[level] = &places_in(outermost_first_[level], sender, now, send);
    append_runs(places, pool.runs);
    pool.transfers.push_back({rank_at(peer), {}});
    ends.push_back(pool.runs.size());
  };
  for (const Send& send : sends) add(moved(mine, now.dimension, send.skip), mine, send);
  for (const Send& send : sends) {
    const int source = moved(mine, now.dimension, -send.skip);
    add(source, source, send);
  }

  std::size_t first = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    pool.transfers[i].runs = std::span<const Run>(pool.runs).subspan(first, ends[i] - first);
    first = ends[i];
  }
  const std::span<const BlockTransfer> all(pool.transfers);
  return {all.first(sends.size()), all.subspan(sends.size())};
}

const RunSet& LatticeSkipPlan::places_in(std::size_t dimension, int node, const Step& step, const Send& send) const {
  const PlacesByCoordinate& places =
      dimension == step.dimension ? send.places : dimensions_[dimension].held_after[step.done[dimension]];
  return places[at(coordinate(node, dimension))];
}

void LatticeSkipPlan::append_runs(const std::vector<const RunSet*>& places, std::vector<Run>& runs) const {
  const std::size_t first = runs.size();
  append_product(places, runs);
  if (!blocks_are_in_rank_order_ || rank_at_node_.empty()) return;

  std::vector<int> ranks;
  for (std::size_t i = first; i < runs.size(); ++i) {
    for (int place = runs[i].first; place < runs[i].end(); ++place) ranks.push_back(rank_at_node_[at(place)]);
  }
  const RunSet by_rank = as_runs(ranks);
  runs.resize(first);
  runs.insert(runs.end(), by_rank.begin(), by_rank.end());
}

void LatticeSkipPlan::append_product(const std::vector<const RunSet*>& places, std::vector<Run>& runs) const {
  const std::size_t first = runs.size();
  const auto size = [this](std::size_t level) { return dimensions_[outermost_first_[level]].size; };

  // Innermost dimensions of which all is wanted only make runs longer.
  std::size_t levels = places.size();
  int unit = 1;
  while (levels > 1 && places[levels - 1]->front().count == size(levels - 1)) unit *= size(--levels);

  const auto multiply = [&](const auto& self, std::size_t level, int base) -> void {
    for (const Run& run : *places[level]) {
      const int begin = base * size(level) + run.first;
      if (level + 1 == levels) {
        append_behind(first, {begin * unit, run.count * unit}, runs);
        continue;
      }
      for (int place = begin; place < begin + run.count; ++place) self(self, level + 1, place);
    }
  };
  multiply(multiply, 0, 0);
}

namespace {

using Layout = LatticeSkipPlan::Layout;

std::shared_ptr<const LatticeSkipPlan> shared_skip_plan(Communicator& comm, const Lattice& lattice, const SkipPattern& pattern,
                                                        int first_dimension, Layout layout) {
  const char* order = layout == Layout::compact ? "compact" : "in rank order";
  return comm.shared_plan<LatticeSkipPlan>(
      fmt::format("{}, blocks {}, from dimension {} on", pattern.name, order, first_dimension),
      [&] { return LatticeSkipPlan(lattice, pattern, first_dimension, layout); });
}

/// Calls collective(exchange) for each dimension at once, on its piece of every block.
template <class Collective>
void on_pieces(Communicator& comm, const SkipPattern& pattern, VectorView vector, const BlockPartition& blocks,
               const Collective& collective) {
  const Lattice lattice(comm.grid(), comm.size());
  comm.concurrently(lattice.dimensions(), [&](int dimension, Communicator& task) {
    const auto plan = shared_skip_plan(task, lattice, pattern, dimension, Layout::rank_order);
    BlockExchange exchange(task, *plan, vector, blocks, Piece{dimension, lattice.dimensions()});
    collective(exchange);
  });
}

}  // namespace

void allreduce_by_skips(Communicator& comm, const SkipPattern& pattern, VectorView inout, const ReduceOp& op) {
  const Lattice lattice(comm.grid(), comm.size());
  exchange_on_ports(comm, lattice.dimensions(), inout, [&](int dimension, Communicator& task, VectorView slice) {
    return allreduce_in_blocks(task, shared_skip_plan(task, lattice, pattern, dimension, Layout::compact), slice, op);
  });
}

void reduce_scatter_by_skips(Communicator& comm, const SkipPattern& pattern, VectorView inout, const BlockPartition& blocks,
                             const ReduceOp& op) {
  on_pieces(comm, pattern, inout, blocks, [&op](BlockExchange& exchange) { exchange.reduce_scatter(op); });
}

void allgather_by_skips(Communicator& comm, const SkipPattern& pattern, VectorView vector, const BlockPartition& blocks) {
  on_pieces(comm, pattern, vector, blocks, [](BlockExchange& exchange) { exchange.allgather(); });
}

}  // namespace heddle::plans
