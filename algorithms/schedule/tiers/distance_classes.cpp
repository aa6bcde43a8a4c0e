// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/tiers/distance_classes.hpp"

#include <algorithm>
#include <utility>

namespace heddle::schedule {

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

}  // namespace heddle::schedule
