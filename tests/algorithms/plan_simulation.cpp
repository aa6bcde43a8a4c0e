// SPDX-License-Identifier: Apache-2.0
#include "tests/algorithms/plan_simulation.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <tuple>

#include "tests/algorithms/numbers.hpp"

namespace heddle::testing {

namespace {

using plans::BlockStepPool;
using plans::BlockSteps;

bool has_matching_receives(const BlockSteps& plan, int step) {
  using Message = std::tuple<int, int, std::set<int>>;
  std::multiset<Message> sent;
  std::multiset<Message> received;
  BlockStepPool pool;
  for (int rank = 0; rank < plan.ranks(); ++rank) {
    for (const auto& send : plan.step(rank, step, pool).sends) sent.insert({rank, send.peer, blocks_of(plan, send)});
    for (const auto& receive : plan.step(rank, step, pool).receives)
      received.insert({receive.peer, rank, blocks_of(plan, receive)});
  }
  return sent == received;
}

bool is_one_each_way(const BlockSteps& plan, int rank) {
  BlockStepPool pool;
  for (int step = 0; step < plan.steps(); ++step) {
    const auto [sends, receives] = plan.step(rank, step, pool);
    if (sends.size() > 1 || receives.size() > 1) return false;
  }
  return true;
}

/// sums[rank][block][contributor]: is it in; empty once the rank has sent the block away.
using Sums = std::vector<std::vector<std::vector<bool>>>;

Sums all_own_contributions(int p) {
  Sums sums(index_of(p), std::vector(index_of(p), std::vector<bool>(index_of(p))));
  for (std::size_t rank = 0; rank < sums.size(); ++rank) {
    for (auto& sum : sums[rank]) sum[rank] = true;
  }
  return sums;
}

std::string failure_of_reduce_scatter(const BlockSteps& plan) {
  const int p = plan.ranks();
  Sums sums = all_own_contributions(p);
  std::vector<int> blocks_sent(index_of(p));
  BlockStepPool pool;
  for (int step = 0; step < plan.steps(); ++step) {
    if (!has_matching_receives(plan, step)) return fmt::format("step {}: sends and receives differ", step);
    const Sums before = sums;
    for (int rank = 0; rank < p; ++rank) {
      for (const auto& send : plan.step(rank, step, pool).sends) {
        for (const int block : blocks_of(plan, send)) {
          const std::vector<bool>& sent = before[index_of(rank)][index_of(block)];
          std::vector<bool>& into = sums[index_of(send.peer)][index_of(block)];
          if (sent.empty()) return fmt::format("step {}: rank {} sends block {} again", step, rank, block);
          if (into.empty()) return fmt::format("step {}: rank {} gets block {} after sending it", step, send.peer, block);
          for (int from = 0; from < p; ++from) {
            if (sent[index_of(from)] && into[index_of(from)])
              return fmt::format("step {}: block {} gets {} twice", step, block, from);
            if (sent[index_of(from)]) into[index_of(from)] = true;
          }
          sums[index_of(rank)][index_of(block)].clear();
          ++blocks_sent[index_of(rank)];
        }
      }
    }
  }
  for (int rank = 0; rank < p; ++rank) {
    if (sums[index_of(rank)][index_of(rank)] != std::vector<bool>(index_of(p), true))
      return fmt::format("block {} is not complete", rank);
    if (blocks_sent[index_of(rank)] != p - 1) return fmt::format("rank {} sends {} blocks", rank, blocks_sent[index_of(rank)]);
  }
  return {};
}

std::string failure_of_allgather(const BlockSteps& plan) {
  const int p = plan.ranks();
  std::vector<std::set<int>> has(index_of(p));
  BlockStepPool pool;
  for (int rank = 0; rank < p; ++rank) has[index_of(rank)] = {rank};
  for (int step = plan.steps() - 1; step >= 0; --step) {
    const std::vector<std::set<int>> before = has;
    for (int rank = 0; rank < p; ++rank) {
      for (const auto& received : plan.step(rank, step, pool).receives) {
        for (const int block : blocks_of(plan, received)) {
          if (!before[index_of(rank)].count(block))
            return fmt::format("back in step {}: rank {} lacks block {}", step, rank, block);
          if (!has[index_of(received.peer)].insert(block).second) {
            return fmt::format("back in step {}: rank {} gets block {} again", step, received.peer, block);
          }
        }
      }
    }
  }
  for (int rank = 0; rank < p; ++rank) {
    if (has[index_of(rank)].size() != index_of(p))
      return fmt::format("rank {} gathers {} blocks", rank, has[index_of(rank)].size());
  }
  return {};
}

}  // namespace

std::string failure_of(const BlockSteps& plan) {
  for (int rank = 0; rank < plan.ranks(); ++rank) {
    if (plan.is_one_each_way(rank) != is_one_each_way(plan, rank))
      return fmt::format("rank {} does not say whether its messages go one each way", rank);
  }
  const std::string failure = failure_of_reduce_scatter(plan);
  return failure.empty() ? failure_of_allgather(plan) : failure;
}

}  // namespace heddle::testing
