// SPDX-License-Identifier: Apache-2.0
#include "tests/algorithms/schedule_simulation.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <set>
#include <tuple>

namespace heddle::testing {

namespace {

using schedule::BlockStepRoom;
using schedule::BlockSteps;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

bool has_matching_receives(const BlockSteps& schedule, int step) {
  using Message = std::tuple<int, int, std::set<int>>;
  std::multiset<Message> sent;
  std::multiset<Message> received;
  BlockStepRoom room;
  for (int rank = 0; rank < schedule.ranks(); ++rank) {
    for (const auto& send : schedule.step(rank, step, room).sends) sent.insert({rank, send.peer, blocks_of(schedule, send)});
    for (const auto& receive : schedule.step(rank, step, room).receives)
      received.insert({receive.peer, rank, blocks_of(schedule, receive)});
  }
  return sent == received;
}

/// sums[rank][block][contributor]: is it in; empty once the rank has sent the block away.
using Sums = std::vector<std::vector<std::vector<bool>>>;

Sums all_own_contributions(int p) {
  Sums sums(at(p), std::vector(at(p), std::vector<bool>(at(p))));
  for (std::size_t rank = 0; rank < sums.size(); ++rank) {
    for (auto& sum : sums[rank]) sum[rank] = true;
  }
  return sums;
}

std::string failure_of_reduce_scatter(const BlockSteps& schedule) {
  const int p = schedule.ranks();
  Sums sums = all_own_contributions(p);
  std::vector<int> blocks_sent(at(p));
  BlockStepRoom room;
  for (int step = 0; step < schedule.steps(); ++step) {
    if (!has_matching_receives(schedule, step)) return fmt::format("step {}: sends and receives differ", step);
    const Sums before = sums;
    for (int rank = 0; rank < p; ++rank) {
      for (const auto& send : schedule.step(rank, step, room).sends) {
        for (const int block : blocks_of(schedule, send)) {
          const std::vector<bool>& sent = before[at(rank)][at(block)];
          std::vector<bool>& into = sums[at(send.peer)][at(block)];
          if (sent.empty()) return fmt::format("step {}: rank {} sends block {} again", step, rank, block);
          if (into.empty()) return fmt::format("step {}: rank {} gets block {} after sending it", step, send.peer, block);
          for (int from = 0; from < p; ++from) {
            if (sent[at(from)] && into[at(from)]) return fmt::format("step {}: block {} gets {} twice", step, block, from);
            if (sent[at(from)]) into[at(from)] = true;
          }
          sums[at(rank)][at(block)].clear();
          ++blocks_sent[at(rank)];
        }
      }
    }
  }
  for (int rank = 0; rank < p; ++rank) {
    if (sums[at(rank)][at(rank)] != std::vector<bool>(at(p), true)) return fmt::format("block {} is not complete", rank);
    if (blocks_sent[at(rank)] != p - 1) return fmt::format("rank {} sends {} blocks", rank, blocks_sent[at(rank)]);
  }
  return {};
}

std::string failure_of_allgather(const BlockSteps& schedule) {
  const int p = schedule.ranks();
  std::vector<std::set<int>> has(at(p));
  BlockStepRoom room;
  for (int rank = 0; rank < p; ++rank) has[at(rank)] = {rank};
  for (int step = schedule.steps() - 1; step >= 0; --step) {
    const std::vector<std::set<int>> before = has;
    for (int rank = 0; rank < p; ++rank) {
      for (const auto& received : schedule.step(rank, step, room).receives) {
        for (const int block : blocks_of(schedule, received)) {
          if (!before[at(rank)].count(block)) return fmt::format("back in step {}: rank {} lacks block {}", step, rank, block);
          if (!has[at(received.peer)].insert(block).second) {
            return fmt::format("back in step {}: rank {} gets block {} again", step, received.peer, block);
          }
        }
      }
    }
  }
  for (int rank = 0; rank < p; ++rank) {
    if (has[at(rank)].size() != at(p)) return fmt::format("rank {} gathers {} blocks", rank, has[at(rank)].size());
  }
  return {};
}

}  // namespace

std::string failure_of(const BlockSteps& schedule) {
  const std::string failure = failure_of_reduce_scatter(schedule);
  return failure.empty() ? failure_of_allgather(schedule) : failure;
}

}  // namespace heddle::testing
