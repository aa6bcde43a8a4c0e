// SPDX-License-Identifier: Apache-2.0
#include "tests/algorithms/window_simulation.hpp"

#include <fmt/core.h>

#include <set>
#include <vector>

#include "tests/algorithms/numbers.hpp"

namespace heddle::testing {

namespace {

using plans::Window;
using plans::WindowPlan;
using Contributions = std::multiset<int>;

/// The rank at a place that `rank` counts.
int rank_at(const WindowPlan& plan, int rank, int place) {
  const int p = plan.ranks();
  const int sign = plan.mirrored() && rank % 2 != 0 ? -1 : 1;
  return ((rank + sign * place) % p + p) % p;
}

Contributions contributions_of(const WindowPlan& plan, int rank, const Window& window) {
  Contributions all;
  for (int place = window.first; place < window.end(); ++place) all.insert(rank_at(plan, rank, place));
  return all;
}

}  // namespace

std::string failure_of(const WindowPlan& plan) {
  const int p = plan.ranks();
  if (plan.mirrored() && p % 2 != 0) return "an odd number of ranks cannot be mirrored";
  std::vector<std::vector<Contributions>> sums(index_of(p));
  for (int rank = 0; rank < p; ++rank) sums[index_of(rank)] = {{rank}};
  for (std::size_t number = 0; number < plan.steps().size(); ++number) {
    const WindowPlan::Step& step = plan.steps()[number];
    const std::vector<std::vector<Contributions>> before = sums;
    for (int rank = 0; rank < p; ++rank) {
      std::vector<Contributions>& mine = sums[index_of(rank)];
      mine.clear();
      for (const WindowPlan::Sum& sum : step.sums) {
        Contributions& now = mine.emplace_back();
        if (sum.own >= 0) now = before[index_of(rank)].at(index_of(sum.own));
        for (const WindowPlan::Received& received : sum.received) {
          const WindowPlan::Message& message = step.messages.at(index_of(received.message));
          const int peer = rank_at(plan, rank, message.peer);
          if (rank_at(plan, peer, plan.mirrored() ? message.peer : -message.peer) != rank)
            return fmt::format("step {}: rank {} does not send to {}", number, peer, rank);
          const Contributions& sent = before[index_of(peer)].at(index_of(message.sums.at(index_of(received.part))));
          now.insert(sent.begin(), sent.end());
        }
        if (now != contributions_of(plan, rank, sum.window))
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
