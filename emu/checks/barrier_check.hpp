// SPDX-License-Identifier: Apache-2.0
// Whether a barrier holds everyone until everyone is there.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "emu/communicators/measured_communicator.hpp"

namespace heddle::emu {

/// In the first call, which is measured, all enter at once unless a fault keeps one; nobody may leave at a time before the last
/// has entered. In each of the others one rank comes long after all others, which must not leave before: each rank in turn, or,
/// where there are more than sixteen, the first, the last and fourteen that the seed draws.
class BarrierCheck {
 public:
  /// With so many calls at the least: ranks come late in turns.
  BarrierCheck(int ranks, std::uint64_t seed, int least_calls = 1);

  int calls() const { return 1 + static_cast<int>(late_.size()); }

  /// Around a call, on the rank's own task; ranks may do so at the same time.
  void enter(MeasuredCommunicator& communicator, int call);
  void leave(Rank rank, int call);
  /// Of the first call: when the rank entered, once it could, and when it had left.
  void note_first(Rank rank, Time entered, Time left);

  /// "ranks 0-2 left before rank 3 had entered", or empty.
  std::string explain() const;

 private:
  /// Who comes late in this call, 1 …
  Rank late(int call) const { return late_[static_cast<std::size_t>(call) - 1]; }
  std::string explain_first() const;

  int ranks_;
  std::vector<Rank> late_;        ///< by call, from the second on
  std::vector<Time> entered_at_;  ///< in the first call, by rank
  std::vector<Time> left_at_;
  std::vector<std::atomic<bool>> entered_;         ///< by call: the late rank is there
  std::vector<std::vector<char>> left_too_early_;  ///< by call and rank
};

}  // namespace heddle::emu
