// SPDX-License-Identifier: Apache-2.0
#include "algorithms/schedule/skips/pat_schedule.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace heddle::schedule {

namespace {

/// K: the trees' levels below their roots.
int levels(int ranks) { return std::bit_width(static_cast<unsigned>(ranks - 1)); }

/// What hangs below `node` by the lowest `bits` bits.
void append_subtree(int node, int bits, std::vector<int>& order) {
  for (int bit = bits - 1; bit >= 0; --bit) {
    const int child = node + (1 << bit);
    order.push_back(child);
    append_subtree(child, bit, order);
  }
}

std::vector<int> every(int step, int from, int below) {
  std::vector<int> offsets;
  for (int offset = from; offset < below; offset += step) offsets.push_back(offset);
  return offsets;
}

/// Towards the root: from r + o to r + o - distance goes the block of r, which is o back from the sender.
SkipSend towards_root(const PatMessage& message, int ranks) {
  const int distance = message.front() & -message.front();
  SkipSend send{-distance, {}};
  for (auto offset = message.rbegin(); offset != message.rend(); ++offset) append(send.offsets, {ranks - *offset, 1});
  return send;
}

SkipPaths complete(int ranks, std::vector<std::vector<SkipSend>> rounds) { return {std::move(rounds), {{0, ranks}}}; }

}  // namespace

int pat_levels(int ranks, int aggregation) {
  const int most = std::bit_width(static_cast<unsigned>(aggregation)) - 1;
  return std::clamp(levels(ranks) - 1, 0, most);
}

int pat_rounds(int ranks, int aggregation) {
  const int a = pat_levels(ranks, aggregation);
  return a + std::min(1 << (levels(ranks) - a), ranks) - 1;
}

std::vector<PatMessage> pat_messages(int ranks, int aggregation) {
  const int a = pat_levels(ranks, aggregation);
  std::vector<PatMessage> messages;
  for (int level = 0; level < a; ++level) {
    const int distance = 1 << (levels(ranks) - 1 - level);
    messages.push_back(every(2 * distance, distance, ranks));
  }
  const int bits = levels(ranks) - a;
  std::vector<int> subtree;
  append_subtree(0, bits, subtree);
  for (const int node : subtree) {
    if (node < ranks) messages.push_back(every(1 << bits, node, ranks));
  }
  return messages;
}

SkipSchedule pat_schedule(int ranks, int aggregation) {
  std::vector<std::vector<SkipSend>> rounds;
  for (const PatMessage& message : pat_messages(ranks, aggregation)) rounds.push_back({towards_root(message, ranks)});
  std::reverse(rounds.begin(), rounds.end());
  return SkipSchedule(ranks, complete(ranks, std::move(rounds)));
}

SkipSchedule pat_schedule_block_by_block(int ranks) {
  std::vector<std::vector<SkipSend>> rounds;
  for (const PatMessage& message : pat_messages(ranks, kAggregateAll)) {
    std::vector<SkipSend>& round = rounds.emplace_back();
    for (const int offset : message) round.push_back(towards_root({offset}, ranks));
  }
  std::reverse(rounds.begin(), rounds.end());
  return SkipSchedule(ranks, complete(ranks, std::move(rounds)));
}

}  // namespace heddle::schedule
