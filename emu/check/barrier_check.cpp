// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

/// In the first call, which is measured, all enter at once unless a fault keeps one; nobody may leave at a time before the last
/// has entered. In each of the others one rank comes long after all others, which must not leave before: each rank in turn, or,
/// where there are more than sixteen, the first, the last and fourteen that the seed draws.
class BarrierCalls final : public CheckedCalls {
 public:
  BarrierCalls(CollectiveCall of, std::vector<int> of_ranks, Placement endpoints)
      : CheckedCalls(std::move(of), std::move(of_ranks), std::move(endpoints)),
        late_(late_ranks(size(), call().seed, call().calls)),
        entered_at_(ranks().size()),
        entered_(late_.size() + 1),
        left_too_early_(entered_.size(), std::vector<char>(ranks().size())) {}

  int calls() const override { return 1 + static_cast<int>(late_.size()); }

  void make_call(MeasuredCommunicator& communicator, int number) override {
    const auto c = static_cast<std::size_t>(number);
    const auto rank = static_cast<std::size_t>(communicator.rank().value());
    if (number > 0 && communicator.rank() == late(number)) {
      communicator.delay();
      entered_[c] = true;
    }
    begin(communicator, number);
    if (number == 0) entered_at_[rank] = communicator.now();
    call().function(communicator, {.op = call().op});
    communicator.require_all_waited_for();
    end(communicator, number);
    left_too_early_[c][rank] = number > 0 && !entered_[c] ? 1 : 0;
  }

  WrongCalls explain_failures() const override {
    WrongCalls wrong;
    const std::string early = explain(wrong.facts);
    if (early.empty()) return wrong;
    wrong.text = fmt::format("{} does not hold: {}", call_text(call(), layout_of(call(), size()), *call().op), early);
    return wrong;
  }

 private:
  /// Who comes late in this call, 1 …
  Rank late(int number) const { return late_[static_cast<std::size_t>(number) - 1]; }

  /// Of the ranks for which that holds.
  template <class Holds>
  static std::vector<Rank> ranks_that(int ranks, const Holds& holds) {
    std::vector<Rank> those;
    for (int rank = 0; rank < ranks; ++rank)
      if (holds(static_cast<std::size_t>(rank))) those.emplace_back(rank);
    return those;
  }

  static FailureFacts facts_of(const std::vector<Rank>& early, int late) {
    return {.rank = early.front().value(), .missing = {late}};
  }

  /// "ranks 0-2 left before rank 3 had entered", or empty.
  std::string explain(FailureFacts& facts) const {
    const auto last = std::ranges::max_element(entered_at_);
    const auto early = ranks_that(size(), [&](std::size_t rank) { return completions()[rank] < *last; });
    if (!early.empty()) {
      facts = facts_of(early, static_cast<int>(last - entered_at_.begin()));
      facts.time = completions()[static_cast<std::size_t>(early.front().value())];
      return fmt::format("{} left the first call before rank {} had entered it at {}", ranks_text(early), facts.missing.front(),
                         to_string(*last));
    }
    for (int number = 1; number < calls(); ++number) {
      const std::vector<char>& left = left_too_early_[static_cast<std::size_t>(number)];
      const auto too_early = ranks_that(size(), [&](std::size_t rank) { return left[rank] != 0; });
      if (too_early.empty()) continue;
      facts = facts_of(too_early, late(number).value());
      return fmt::format("{} left before rank {} had entered", ranks_text(too_early), facts.missing.front());
    }
    return "";
  }

  std::vector<Rank> late_;                         ///< by call, from the second on
  std::vector<Time> entered_at_;                   ///< in the first call, by rank
  std::vector<std::atomic<bool>> entered_;         ///< by call: the late rank is there
  std::vector<std::vector<char>> left_too_early_;  ///< by call and rank
};

}  // namespace

std::unique_ptr<CheckedCalls> make_barrier_calls(CollectiveCall call, std::vector<int> ranks, Placement placement) {
  return std::make_unique<BarrierCalls>(std::move(call), std::move(ranks), std::move(placement));
}

}  // namespace heddle::emu
