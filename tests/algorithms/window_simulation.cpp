// SPDX-License-Identifier: Apache-2.0
#include "tests/algorithms/window_simulation.hpp"

#include <fmt/core.h>

#include <set>
#include <vector>

#include "tests/algorithms/numbers.hpp"

namespace heddle::testing {

namespace {

using schedule::Window;
using schedule::WindowSchedule;
using Contributions = std::multiset<int>;

/// The rank at a place that `rank` counts.
int rank_at(const WindowSchedule& schedule, int rank, int place) {
  const int p = schedule.ranks();
  const int sign = schedule.mirrored() && rank % 2 != 0 ? -1 : 1;
  return ((rank + sign * place) % p + p) % p;
}

Contributions contributions_of(const WindowSchedule& schedule, int rank, const Window& window) {
  Contributions all;
  for (int place = window.first; place < window.end(); ++place) all.insert(rank_at(schedule, rank, place));
  return all;
}

}  // namespace

std::string failure_of(const WindowSchedule& schedule) {
  const int p = schedule.ranks();
  if (schedule.mirrored() && p % 2 != 0) return "an odd number of ranks cannot be mirrored";
  std::vector<std::vector<Contributions>> sums(index_of(p));
  for (int rank = 0; rank < p; ++rank) sums[index_of(rank)] = {{rank}};
  for (std::size_t number = 0; number < schedule.steps().size(); ++number) {
    const WindowSchedule::Step& step = schedule.steps()[number];
    const std::vector<std::vector<Contributions>> before = sums;
    for (int rank = 0; rank < p; ++rank) {
      std::vector<Contributions>& mine = sums[index_of(rank)];
      mine.clear();
      for (const WindowSchedule::Sum& sum : step.sums) {
        Contributions& now = mine.emplace_back();
        if (sum.own >= 0) now = before[index_of(rank)].at(index_of(sum.own));
        for (const WindowSchedule::Received& received : sum.received) {
          const WindowSchedule::Message& message = step.messages.at(index_of(received.message));
          const int peer = rank_at(schedule, rank, message.peer);
          if (rank_at(schedule, peer, schedule.mirrored() ? message.peer : -message.peer) != rank)
            return fmt::format("step {}: rank {} does not send to {}", number, peer, rank);
          const Contributions& sent = before[index_of(peer)].at(index_of(message.sums.at(index_of(received.part))));
          now.insert(sent.begin(), sent.end());
        }
        if (now != contributions_of(schedule, rank, sum.window))
          return fmt::format("step {}: rank {} has another sum than that of {} places from {} on", number, rank,
                             sum.window.count, sum.window.first);
      }
    }
  }
  Contributions everyone;
  for (int rank = 0; rank < p; ++rank) everyone.insert(rank);
  for (int rank = 0; rank < p; ++rank) {
    if (sums[index_of(rank)].size() != 1 || sums[index_of(rank)].front() != everyone)
      return fmt::format("rank {} lacks someone", rank);
  }
  return {};
}

}  // namespace heddle::testing
