// SPDX-License-Identifier: Apache-2.0
// Whether a barrier holds everyone until everyone is there.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "emu/communicators/measured_communicator.hpp"

namespace heddle::emu {

/// In the first call, which is measured, all enter at once. In each of the others one rank comes long after all others, which
/// must not leave before: each rank in turn, or sixteen of them, evenly spread, where there are more.
class BarrierCheck {
 public:
  explicit BarrierCheck(int ranks);

  int calls() const { return static_cast<int>(entered_.size()); }

  /// Around a call, on the rank's own task; ranks may do so at the same time.
  void enter(MeasuredCommunicator& communicator, int call);
  void leave(Rank rank, int call);

  /// "ranks 0-2 left before rank 3 had entered", or empty.
  std::string explain() const;

 private:
  /// Who comes late in this call, 1 …
  Rank late(int call) const;

  int ranks_;
  std::vector<std::atomic<bool>> entered_;         ///< by call: the late rank is there
  std::vector<std::vector<char>> left_too_early_;  ///< by call and rank
};

}  // namespace heddle::emu
