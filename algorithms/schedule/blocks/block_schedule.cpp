// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/blocks/block_schedule.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "algorithms/schedule/blocks/block_layout.hpp"

namespace heddle::schedule {

namespace {

/// A rank's first target is its companion.
std::vector<int> compact_layout(int ranks, int steps, const BlockSchedule::Targets& targets) {
  std::vector<BlockSchedule::Target> found;
  return lay_out(ranks, steps, [&](int rank, int step, std::vector<int>& companions) {
    found.clear();
    targets(rank, step, found);
    if (!found.empty()) companions.push_back(found.front().rank);
  });
}

}  // namespace

BlockSchedule::BlockSchedule(int ranks, int steps, const Targets& targets, Layout layout)
    : BlockSchedule(ranks, steps, targets,
                    layout == Layout::compact ? compact_layout(ranks, steps, targets) : in_order(ranks)) {}

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
  struct Sent {
    int from;
    int to;
    std::size_t first_run;
    std::size_t runs;
  };
  std::vector<Sent> messages;
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

  const auto runs_of = [&runs](const Sent& m) { return std::span<const Run>(runs).subspan(m.first_run, m.runs); };
  auto next = messages.begin();
  for (int rank = 0; rank < ranks_; ++rank) {
    for (; next != messages.end() && next->from == rank; ++next) sends_.transfers.push_back({next->to, runs_of(*next)});
    sends_.end_row();
  }
  std::stable_sort(messages.begin(), messages.end(), [](const Sent& a, const Sent& b) { return a.to < b.to; });
  next = messages.begin();
  for (int rank = 0; rank < ranks_; ++rank) {
    for (; next != messages.end() && next->to == rank; ++next) receives_.transfers.push_back({next->from, runs_of(*next)});
    receives_.end_row();
  }
}

}  // namespace heddle::schedule
