// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/block_schedule.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace heddle::schedule {

namespace {

/// Chains of blocks that shall lie side by side; at first each block is its own chain.
class Chains {
 public:
  explicit Chains(int blocks) : parent_(index(blocks)), tail_(index(blocks)), next_(index(blocks), -1) {
    std::iota(parent_.begin(), parent_.end(), 0);
    std::iota(tail_.begin(), tail_.end(), 0);
  }

  /// The chain of a block, named by its first block.
  int chain_of(int block) {
    while (parent_[index(block)] != block) {
      parent_[index(block)] = parent_[index(parent_[index(block)])];
      block = parent_[index(block)];
    }
    return block;
  }

  void join(int chain, int behind) {
    next_[index(tail_[index(chain)])] = behind;
    tail_[index(chain)] = tail_[index(behind)];
    parent_[index(behind)] = chain;
  }

  /// All blocks, chain by chain.
  std::vector<int> in_order() {
    std::vector<int> order;
    order.reserve(next_.size());
    for (int first = 0; first < static_cast<int>(next_.size()); ++first) {
      if (chain_of(first) != first) continue;
      for (int block = first; block >= 0; block = next_[index(block)]) order.push_back(block);
    }
    return order;
  }

 private:
  static std::size_t index(int block) { return static_cast<std::size_t>(block); }

  std::vector<int> parent_;
  std::vector<int> tail_;
  std::vector<int> next_;
};

/// From the last step to the first, each chain grows by that of one partner. For a butterfly of a power of two these are
/// exactly the groups that a step exchanges; elsewhere groups overlap and not all can be one run.
std::vector<int> lay_out(int ranks, int steps, const BlockSchedule::Targets& targets) {
  Chains chains(ranks);
  std::vector<int> last_joined(static_cast<std::size_t>(ranks), steps);
  const auto joined_in = [&](int chain) -> int& { return last_joined[static_cast<std::size_t>(chain)]; };
  std::vector<BlockSchedule::Target> found;
  for (int step = steps - 1; step >= 0; --step) {
    for (int rank = 0; rank < ranks; ++rank) {
      const int mine = chains.chain_of(rank);
      if (joined_in(mine) == step) continue;
      found.clear();
      targets(rank, step, found);
      if (found.empty()) continue;
      const int theirs = chains.chain_of(found.front().rank);
      if (theirs == mine || joined_in(theirs) == step) continue;
      chains.join(mine, theirs);
      joined_in(mine) = step;
    }
  }
  return chains.in_order();
}

std::vector<int> in_rank_order(int ranks) {
  std::vector<int> order(static_cast<std::size_t>(ranks));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

}  // namespace

BlockSchedule::BlockSchedule(int ranks, int steps, const Targets& targets, Layout layout)
    : BlockSchedule(ranks, steps, targets, layout == Layout::compact ? lay_out(ranks, steps, targets) : in_rank_order(ranks)) {}

BlockSchedule::BlockSchedule(int ranks, int steps, const Targets& targets, std::vector<int> order)
    : ranks_(ranks), steps_(steps), block_at_(std::move(order)), position_(block_at_.size()) {
  std::vector<RunSet> held(block_at_.size());
  for (int position = 0; position < ranks; ++position) {
    const auto block = static_cast<std::size_t>(block_at(position));
    position_[block] = position;
    held[block] = {{position, 1}};
  }
  for (int step = steps - 1; step >= 0; --step) add_step(step, targets, held);

  const RunSet all{{0, ranks}};
  for (int rank = 0; rank < ranks; ++rank) {
    if (held[static_cast<std::size_t>(rank)] != all) {
      throw std::logic_error(
          fmt::format("block schedule: in {} steps rank {} of {} does not reach everyone", steps, rank, ranks));
    }
  }
}

void BlockSchedule::add_step(int step, const Targets& targets, std::vector<RunSet>& held) {
  struct Message {
    int from;
    int to;
    std::size_t first_run;
    std::size_t runs;
  };
  std::vector<Message> messages;
  std::vector<Run>& runs = runs_.emplace_back();
  std::vector<RunSet> held_before = held;
  std::vector<Target> found;
  for (int rank = 0; rank < ranks_; ++rank) {
    RunSet& mine = held_before[static_cast<std::size_t>(rank)];
    found.clear();
    targets(rank, step, found);
    for (const Target& target : found) {
      RunSet sent = subtract(held[static_cast<std::size_t>(target.rank)], mine);
      if (target.wants) sent = filter(sent, [&](int position) { return target.wants(block_at(position)); });
      if (sent.empty()) continue;
      messages.push_back({rank, target.rank, runs.size(), sent.size()});
      runs.insert(runs.end(), sent.begin(), sent.end());
      mine = unite(mine, sent);
    }
  }
  held = std::move(held_before);

  const auto runs_of = [&runs](const Message& m) { return std::span<const Run>(runs).subspan(m.first_run, m.runs); };
  auto next = messages.begin();
  for (int rank = 0; rank < ranks_; ++rank) {
    for (; next != messages.end() && next->from == rank; ++next) sends_.transfers.push_back({next->to, runs_of(*next)});
    sends_.end_row();
  }
  std::stable_sort(messages.begin(), messages.end(), [](const Message& a, const Message& b) { return a.to < b.to; });
  next = messages.begin();
  for (int rank = 0; rank < ranks_; ++rank) {
    for (; next != messages.end() && next->to == rank; ++next) receives_.transfers.push_back({next->from, runs_of(*next)});
    receives_.end_row();
  }
}

}  // namespace heddle::schedule
