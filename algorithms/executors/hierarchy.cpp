// SPDX-License-Identifier: Apache-2.0
#include "algorithms/executors/hierarchy.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "heddle/errors.hpp"

namespace heddle::plans {

namespace {

/// Numbers as they come: 0, 1, 2, …
class Numbers {
 public:
  int of(int key) { return number_.try_emplace(key, static_cast<int>(number_.size())).first->second; }

 private:
  std::map<int, int> number_;
};

}  // namespace

Hierarchy::Hierarchy(const Tiers& tiers, int ranks, int most_levels) : ranks_(ranks) {
  const auto groupings = static_cast<int>(tiers.group.size()) - 1;  // the outermost tier is one group
  for (int tier = 0; tier < std::min(groupings, most_levels - 1); ++tier) {
    const std::vector<int>& groups = tiers.group[static_cast<std::size_t>(tier)];
    if (static_cast<int>(groups.size()) != ranks)
      throw UsageError(fmt::format("a tier places {} ranks of {}", groups.size(), ranks));
    add_level(groups);
  }
  add_level(std::vector<int>(static_cast<std::size_t>(ranks), 0));
}

void Hierarchy::add_level(const std::vector<int>& groups) {
  Level level;
  Numbers group_numbers;
  std::map<int, std::pair<int, int>> place_of_part;  // part → group, position
  for (int rank = 0; rank < ranks_; ++rank) {
    const int group = group_numbers.of(groups[static_cast<std::size_t>(rank)]);
    if (group == static_cast<int>(level.parts.size())) level.parts.push_back(0);
    const int part = levels_.empty() ? rank : levels_.back().group[static_cast<std::size_t>(rank)];
    int& parts = level.parts[static_cast<std::size_t>(group)];
    const auto [place, is_new] = place_of_part.try_emplace(part, group, parts);
    if (is_new) ++parts;
    if (place->second.first != group)
      throw UsageError(fmt::format("tiers that are not nested: a group with rank {} lies in two groups of the next", rank));
    level.group.push_back(group);
    level.position.push_back(place->second.second);
  }
  level.indices = *std::min_element(level.parts.begin(), level.parts.end());
  levels_.push_back(std::move(level));
}

bool Hierarchy::even() const {
  return std::all_of(levels_.begin(), levels_.end(), [](const Level& level) {
    return std::all_of(level.parts.begin(), level.parts.end(), [&](int parts) { return parts == level.indices; });
  });
}

int Hierarchy::indices_beneath(int level) const {
  int product = 1;
  for (int below = 0; below < level; ++below) product *= indices(below);
  return product;
}

Membership Hierarchy::by_index(int level, int rank) const {
  int color = group(level, rank);
  for (int below = 0; below < level; ++below) {
    if (position(below, rank) >= indices(below)) return {};
    color = color * indices(below) + position(below, rank);
  }
  return {color, position(level, rank)};
}

Membership Hierarchy::by_leader(int level, int rank, int root) const {
  for (int below = 0; below < level; ++below) {
    if (position(below, rank) != leader(below, rank, root)) return {};
  }
  return {group(level, rank), position(level, rank)};
}

std::vector<std::vector<int>> Hierarchy::sub_communicators(const std::vector<Membership>& memberships) const {
  std::map<int, std::vector<int>> ranks_of_color;
  for (int rank = 0; rank < ranks_; ++rank) {
    const Membership& membership = memberships[static_cast<std::size_t>(rank)];
    if (membership.color >= 0) ranks_of_color[membership.color].push_back(rank);
  }
  std::vector<std::vector<int>> groups;
  for (auto& [color, members] : ranks_of_color) {
    std::sort(members.begin(), members.end(), [&](int a, int b) {
      return memberships[static_cast<std::size_t>(a)].key < memberships[static_cast<std::size_t>(b)].key;
    });
    groups.push_back(std::move(members));
  }
  return groups;
}

int Hierarchy::index_for(int level, int rank) const {
  const int own = position(level, rank);
  return level + 1 == levels() ? own : own % indices(level);
}

BlocksByIndex::BlocksByIndex(const Hierarchy& hierarchy)
    : order(static_cast<std::size_t>(hierarchy.ranks())), holder(static_cast<std::size_t>(hierarchy.ranks())) {
  const int last = hierarchy.levels() - 1;
  // A number for the indices that serve a rank, most significant first as they take the blocks apart.
  std::vector<int> key(order.size());
  for (std::size_t rank = 0; rank < key.size(); ++rank) {
    for (int level = 0; level < last; ++level)
      key[rank] = key[rank] * hierarchy.indices(level) + hierarchy.index_for(level, static_cast<int>(rank));
    key[rank] = key[rank] * hierarchy.parts(last, 0) + hierarchy.index_for(last, static_cast<int>(rank));
  }
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return key[static_cast<std::size_t>(a)] < key[static_cast<std::size_t>(b)]; });

  std::map<int, int> holder_of_key;
  for (int rank = 0; rank < hierarchy.ranks(); ++rank) {
    if (hierarchy.by_index(last, rank).color >= 0) holder_of_key[key[static_cast<std::size_t>(rank)]] = rank;
  }
  for (std::size_t rank = 0; rank < holder.size(); ++rank) holder[rank] = holder_of_key.at(key[rank]);
}

std::vector<BlocksByIndex::Range> BlocksByIndex::parts(const Hierarchy& hierarchy, int level, int rank, Range whole) const {
  const int members = hierarchy.parts(level, rank);
  std::vector<Range> ranges(static_cast<std::size_t>(members), Range{whole.end, whole.end});
  int place = whole.first;
  for (int member = 0; member < members && place < whole.end; ++member) {
    Range& range = ranges[static_cast<std::size_t>(member)];
    range.first = place;
    while (place < whole.end && hierarchy.index_for(level, order[static_cast<std::size_t>(place)]) == member) ++place;
    range.end = place;
  }
  return ranges;
}

DistanceClasses::DistanceClasses(const Hierarchy& hierarchy)
    : weight_{1}, place_(static_cast<std::size_t>(hierarchy.ranks())), even_(hierarchy.even()) {
  for (int level = 0; level < hierarchy.levels(); ++level) {
    int most = 1;
    for (int rank = 0; rank < hierarchy.ranks(); ++rank) {
      most = std::max(most, hierarchy.parts(level, rank));
      place_[static_cast<std::size_t>(rank)] += hierarchy.position(level, rank) * weight_.back();
    }
    weight_.push_back(weight_.back() * most);
  }
}

std::int64_t DistanceClasses::shift(std::int64_t from, std::int64_t to) const {
  std::int64_t shift = 0;
  for (std::size_t level = 0; level + 1 < weight_.size(); ++level) {
    const std::int64_t most = weight_[level + 1] / weight_[level];
    const std::int64_t digit = to / weight_[level] % most - from / weight_[level] % most;
    shift += (digit < 0 ? digit + most : digit) * weight_[level];
  }
  return shift;
}

int DistanceClasses::distance(std::int64_t shift) const {
  int level = 0;
  while (shift >= weight_[static_cast<std::size_t>(level) + 1]) ++level;
  return level;
}

std::vector<DistanceClasses::Round> DistanceClasses::rounds(int rank) const {
  // Numbers of shifts grow with the distance: their order is that of the rounds.
  const std::int64_t own = place_[static_cast<std::size_t>(rank)];
  std::vector<std::pair<std::int64_t, int>> dests;
  std::vector<std::pair<std::int64_t, int>> sources;
  dests.reserve(place_.size());
  sources.reserve(place_.size());
  for (int peer = 0; peer < ranks(); ++peer) {
    if (peer == rank) continue;
    dests.emplace_back(shift(own, place_[static_cast<std::size_t>(peer)]), peer);
    sources.emplace_back(shift(place_[static_cast<std::size_t>(peer)], own), peer);
  }
  std::sort(dests.begin(), dests.end());
  std::sort(sources.begin(), sources.end());

  std::vector<Round> rounds;
  rounds.reserve(dests.size());
  for (auto dest = dests.begin(), source = sources.begin(); dest != dests.end() || source != sources.end();) {
    Round round;
    const bool sends = source == sources.end() || (dest != dests.end() && dest->first <= source->first);
    round.shift = sends ? dest->first : source->first;
    if (sends) round.dest = (dest++)->second;
    if (source != sources.end() && source->first == round.shift) round.source = (source++)->second;
    rounds.push_back(round);
  }
  return rounds;
}

int DistanceClasses::longest_chain() const {
  if (even_) return ranks() - 1;
  struct Message {
    std::int64_t shift;
    int from;
    int to;
  };
  std::vector<Message> messages;
  for (int rank = 0; rank < ranks(); ++rank) {
    for (const Round& round : rounds(rank)) {
      if (round.dest >= 0) messages.push_back({round.shift, rank, round.dest});
    }
  }
  std::sort(messages.begin(), messages.end(), [](const Message& a, const Message& b) { return a.shift < b.shift; });

  // What each rank has waited for before the round, and after it.
  std::vector<int> before(place_.size(), 0);
  std::vector<int> after = before;
  std::int64_t shift = -1;
  for (const Message& message : messages) {
    if (message.shift != shift) before = after;
    shift = message.shift;
    const int round = before[static_cast<std::size_t>(message.from)] + 1;
    for (const int end : {message.from, message.to})
      after[static_cast<std::size_t>(end)] = std::max(after[static_cast<std::size_t>(end)], round);
  }
  return *std::max_element(after.begin(), after.end());
}

}  // namespace heddle::plans
