// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/windows/lattice_skip_schedule.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

#include "algorithms/schedule/blocks/block_layout.hpp"
#include "algorithms/schedule/blocks/index.hpp"
#include "algorithms/schedule/grids/dimension_steps.hpp"

namespace heddle::schedule {

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

LatticeSkipSchedule::Dimension LatticeSkipSchedule::make_dimension(const SkipPaths& paths, int size, Layout layout) {
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

LatticeSkipSchedule::LatticeSkipSchedule(const Lattice& lattice, const SkipPattern& pattern, int first_dimension, Layout layout)
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

int LatticeSkipSchedule::coordinate(int node, std::size_t dimension) const {
  return node / dimensions_[dimension].stride % dimensions_[dimension].size;
}

int LatticeSkipSchedule::moved(int node, std::size_t dimension, int skip) const {
  const int from = coordinate(node, dimension);
  return node + (moved_by(from, skip, dimensions_[dimension].size) - from) * dimensions_[dimension].stride;
}

int LatticeSkipSchedule::block_at(int position) const {
  if (blocks_are_in_rank_order_) return position;
  int node = 0;
  for (auto i = outermost_first_.rbegin(); i != outermost_first_.rend(); ++i) {
    const Dimension& dimension = dimensions_[*i];
    node += dimension.coordinate_at[at(position % dimension.size)] * dimension.stride;
    position /= dimension.size;
  }
  return rank_at_node_.empty() ? node : rank_at_node_[at(node)];
}

BlockStep LatticeSkipSchedule::step(int rank, int step, BlockStepRoom& room) const {
  const Step& now = steps_[at(step)];
  const std::vector<Send>& sends = dimensions_[now.dimension].rounds[now.round];
  const int mine = node_of_rank_.empty() ? rank : node_of_rank_[at(rank)];
  const auto rank_at = [this](int node) { return rank_at_node_.empty() ? node : rank_at_node_[at(node)]; };

  room.runs.clear();
  room.transfers.clear();
  std::vector<std::size_t> ends;
  ends.reserve(2 * sends.size());
  std::vector<const RunSet*> places(dimensions_.size());
  const auto add = [&](int peer, int sender, const Send& send) {
    for (std::size_t level = 0; level < places.size(); ++level)
      places[level] = &places_in(outermost_first_[level], sender, now, send);
    append_runs(places, room.runs);
    room.transfers.push_back({rank_at(peer), {}});
    ends.push_back(room.runs.size());
  };
  for (const Send& send : sends) add(moved(mine, now.dimension, send.skip), mine, send);
  for (const Send& send : sends) {
    const int source = moved(mine, now.dimension, -send.skip);
    add(source, source, send);
  }

  std::size_t first = 0;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    room.transfers[i].runs = std::span<const Run>(room.runs).subspan(first, ends[i] - first);
    first = ends[i];
  }
  const std::span<const BlockTransfer> all(room.transfers);
  return {all.first(sends.size()), all.subspan(sends.size())};
}

const RunSet& LatticeSkipSchedule::places_in(std::size_t dimension, int node, const Step& step, const Send& send) const {
  const PlacesByCoordinate& places =
      dimension == step.dimension ? send.places : dimensions_[dimension].held_after[step.done[dimension]];
  return places[at(coordinate(node, dimension))];
}

void LatticeSkipSchedule::append_runs(const std::vector<const RunSet*>& places, std::vector<Run>& runs) const {
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

void LatticeSkipSchedule::append_product(const std::vector<const RunSet*>& places, std::vector<Run>& runs) const {
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

}  // namespace heddle::schedule
