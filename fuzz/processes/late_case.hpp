// SPDX-License-Identifier: Apache-2.0
// A case that has not ended in time: whether it never will, is only slow, or has had no chance yet.
#pragma once

#include <chrono>
#include <cstdint>
#include <set>
#include <string>

#include "fuzz/cases/run_bounds.hpp"
#include "heddle/units.hpp"

namespace heddle {

/// What a process was at when it was asked.
struct CaseSample {
  using Clock = std::chrono::steady_clock;

  Clock::time_point at = {};
  std::chrono::duration<double> cpu{0};  ///< that the process has used
  char state = '?';                      ///< as the system has it: R runs or could, S sleeps, D waits for a device
  bool has_answered = false;             ///< the rest is known
  bool in_task = false;                  ///< a rank's code runs, not heddle's
  int rank = -1;                         ///< whose; -1: not known
  std::uint64_t turns = 0;               ///< that ranks have had in this case
  Time emulated = {};                    ///< time in the run
};

struct LateVerdict {
  enum class Kind : std::uint8_t {
    not_yet,  ///< nothing can be said: look again later
    endless,
    slow
  };
  Kind kind = Kind::not_yet;
  std::string words = {};  ///< behind "it has not ended after 60 s: "
};

/// Of two looks at a case, half its time apart, and the ranks that were seen at work last. A case is endless if a rank has one turn for
/// longer than rows take, or all ranks have more turns than smaller cases of the row let expect.
LateVerdict judge(const CaseSample& first, const CaseSample& last, const std::set<int>& ranks, const RunBound& bound);

}  // namespace heddle
