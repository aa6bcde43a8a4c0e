// SPDX-License-Identifier: Apache-2.0
#include "emu/network/max_min/drain_times.hpp"

#include <algorithm>
#include <bit>

namespace heddle::emu {

bool DrainTimes::empty() {
  play();
  return tree_[1] == kNever;
}

Time DrainTimes::next() {
  play();
  return Time::ps(tree_[1]);
}

void DrainTimes::due(std::vector<FlowId>& flows) {
  play();
  flows.clear();
  const std::int64_t earliest = tree_[1];
  if (earliest == kNever) return;
  path_.assign(1, 1);
  while (!path_.empty()) {
    const std::size_t node = path_.back();
    path_.pop_back();
    if (node >= leaves_) {
      flows.push_back(static_cast<FlowId>(node - leaves_));
      continue;
    }
    if (tree_[2 * node + 1] == earliest) path_.push_back(2 * node + 1);
    if (tree_[2 * node] == earliest) path_.push_back(2 * node);
  }
}

void DrainTimes::write(FlowId flow, std::int64_t time) {
  if (flow >= leaves_) grow(std::bit_ceil(flow + std::size_t{1}));
  if (tree_[leaves_ + flow] == time) return;
  tree_[leaves_ + flow] = time;
  written_.push_back(flow);
}

void DrainTimes::grow(std::size_t leaves) {
  std::vector<std::int64_t> tree(2 * leaves, kNever);
  std::copy_n(tree_.begin() + static_cast<std::ptrdiff_t>(leaves_), leaves_,
              tree.begin() + static_cast<std::ptrdiff_t>(leaves));
  tree_ = std::move(tree);
  leaves_ = leaves;
  for (std::size_t node = leaves_ - 1; node > 0; --node) tree_[node] = std::min(tree_[2 * node], tree_[2 * node + 1]);
  written_.clear();
}

/// Few writes go up one by one, as far as they change anything; many have all nodes computed again, in one sweep.
void DrainTimes::play() {
  const auto levels = static_cast<std::size_t>(std::bit_width(leaves_));
  if (written_.size() * levels > leaves_) {
    for (std::size_t node = leaves_ - 1; node > 0; --node) tree_[node] = std::min(tree_[2 * node], tree_[2 * node + 1]);
  } else {
    for (const FlowId flow : written_) {
      for (std::size_t node = (leaves_ + flow) / 2; node > 0; node /= 2) {
        const std::int64_t lesser = std::min(tree_[2 * node], tree_[2 * node + 1]);
        if (tree_[node] == lesser) break;
        tree_[node] = lesser;
      }
    }
  }
  written_.clear();
}

}  // namespace heddle::emu
