// SPDX-License-Identifier: Apache-2.0
#include "emu/checks/barrier_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "emu/diagnosis/rank_list.hpp"

namespace heddle::emu {

namespace {

constexpr int kMostLate = 16;

}  // namespace

BarrierCheck::BarrierCheck(int ranks)
    : ranks_(ranks),
      entered_(static_cast<std::size_t>(1 + std::min(ranks, kMostLate))),
      left_too_early_(entered_.size(), std::vector<char>(static_cast<std::size_t>(ranks))) {}

Rank BarrierCheck::late(int call) const {
  // 0 and p - 1 are among them.
  const int last = calls() - 2;
  return Rank(last == 0 ? 0 : static_cast<int>(std::int64_t{call - 1} * (ranks_ - 1) / last));
}

void BarrierCheck::enter(MeasuredCommunicator& communicator, int call) {
  if (call == 0 || communicator.rank() != late(call)) return;
  communicator.fall_behind();
  entered_[static_cast<std::size_t>(call)] = true;
}

void BarrierCheck::leave(Rank rank, int call) {
  const auto c = static_cast<std::size_t>(call);
  left_too_early_[c][static_cast<std::size_t>(rank.value())] = call > 0 && !entered_[c] ? 1 : 0;
}

std::string BarrierCheck::explain() const {
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
