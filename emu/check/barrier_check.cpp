// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "core/mix.hpp"
#include "emu/check/checked_calls.hpp"
#include "emu/record/failure.hpp"

namespace heddle::emu {

namespace {

constexpr int kMostLate = 16;

std::vector<Rank> late_ranks_once(int ranks, std::uint64_t seed) {
  std::vector<Rank> late;
  if (ranks <= kMostLate) {
    for (int rank = 0; rank < ranks; ++rank) late.emplace_back(rank);
    return late;
  }
  late = {Rank(0), Rank(ranks - 1)};
  for (std::uint64_t draw = 0; late.size() < kMostLate; ++draw) {
    const Rank rank(static_cast<int>(mix(mix(seed) + draw) % static_cast<std::uint64_t>(ranks)));
    if (std::ranges::find(late, rank) == late.end()) late.push_back(rank);
  }
  std::ranges::sort(late);
  return late;
}

/// In turns where there are more calls.
std::vector<Rank> late_ranks(int ranks, std::uint64_t seed, int least_calls) {
  std::vector<Rank> late = late_ranks_once(ranks, seed);
  const std::size_t turn = late.size();
  while (late.size() + 1 < static_cast<std::size_t>(least_calls)) late.push_back(late[late.size() - turn]);
  return late;
}

}  // namespace

BarrierCheck::BarrierCheck(int ranks, std::uint64_t seed, int least_calls)
    : ranks_(ranks),
      late_(late_ranks(ranks, seed, least_calls)),
      entered_at_(static_cast<std::size_t>(ranks)),
      left_at_(static_cast<std::size_t>(ranks), Time::max()),
      entered_(late_.size() + 1),
      left_too_early_(entered_.size(), std::vector<char>(static_cast<std::size_t>(ranks))) {}

void BarrierCheck::enter(MeasuredCommunicator& communicator, int call) {
  if (call == 0 || communicator.rank() != late(call)) return;
  communicator.delay();
  entered_[static_cast<std::size_t>(call)] = true;
}

void BarrierCheck::leave(Rank rank, int call) {
  const auto c = static_cast<std::size_t>(call);
  left_too_early_[c][static_cast<std::size_t>(rank.value())] = call > 0 && !entered_[c] ? 1 : 0;
}

void BarrierCheck::note_first(Rank rank, Time entered, Time left) {
  entered_at_[static_cast<std::size_t>(rank.value())] = entered;
  left_at_[static_cast<std::size_t>(rank.value())] = left;
}

std::string BarrierCheck::explain_first() const {
  const auto last = std::ranges::max_element(entered_at_);
  std::vector<Rank> early;
  for (int rank = 0; rank < ranks_; ++rank) {
    if (left_at_[static_cast<std::size_t>(rank)] < *last) early.emplace_back(rank);
  }
  if (early.empty()) return "";
  return fmt::format("{} left the first call before rank {} had entered it at {}", ranks_text(early),
                     last - entered_at_.begin(), to_string(*last));
}

std::string BarrierCheck::explain() const {
  if (std::string first = explain_first(); !first.empty()) return first;
  for (int call = 1; call < calls(); ++call) {
    std::vector<Rank> early;
    for (int rank = 0; rank < ranks_; ++rank) {
      if (left_too_early_[static_cast<std::size_t>(call)][static_cast<std::size_t>(rank)] != 0) early.emplace_back(rank);
    }
    if (!early.empty()) return fmt::format("{} left before rank {} had entered", ranks_text(early), late(call).value());
  }
  return "";
}

}  // namespace heddle::emu
