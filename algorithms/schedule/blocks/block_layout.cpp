// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/blocks/block_layout.hpp"

#include <cstddef>
#include <numeric>

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

}  // namespace

std::vector<int> lay_out(int blocks, int steps, const Companions& companions) {
  Chains chains(blocks);
  std::vector<int> last_grown(static_cast<std::size_t>(blocks), steps);
  const auto grown_in = [&](int chain) -> int& { return last_grown[static_cast<std::size_t>(chain)]; };
  std::vector<int> found;
  for (int step = steps - 1; step >= 0; --step) {
    for (int member = 0; member < blocks; ++member) {
      const int mine = chains.chain_of(member);
      if (grown_in(mine) == step) continue;
      found.clear();
      companions(member, step, found);
      bool has_grown = false;
      for (const int companion : found) {
        const int theirs = chains.chain_of(companion);
        if (theirs == mine || grown_in(theirs) == step) continue;
        chains.join(mine, theirs);
        has_grown = true;
      }
      if (has_grown) grown_in(mine) = step;
    }
  }
  return chains.in_order();
}

std::vector<int> in_order(int blocks) {
  std::vector<int> order(static_cast<std::size_t>(blocks));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

}  // namespace heddle::schedule
