// SPDX-License-Identifier: Apache-2.0
// Where messages cost nothing to start, an algorithm that sends all at once wins for no other reason.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/units.hpp"

namespace heddle {

/// What is asked of a run whose result is right.
struct RunInBrief {
  std::string algorithm;
  Time time;
  Time startup;  ///< part of it, along the critical path: α and overheads
  int rounds = 0;
  std::int64_t messages = 0;
};

/// Of runs of one call on so many ranks: a line that begins with "# hint: ", if the fastest needs one round of at least ranks − 1
/// messages, others need more rounds, and no message costs anything to start; else nothing.
std::string free_messages_hint(std::span<const RunInBrief> runs, int ranks);

}  // namespace heddle
