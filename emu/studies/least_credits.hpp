// SPDX-License-Identifier: Apache-2.0
// How little buffering a program needs, and what less costs it. docs/model.md, "Least credits", has the definitions.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "emu/check/checked_run.hpp"
#include "emu/run/emulate.hpp"
#include "heddle/units.hpp"

namespace heddle {

// What a search for the least credits (least_credits.hpp) found.

/// What so many credits per channel come to: (sender, receiver), and the tag too where tasks share their rank's messages.
struct CreditsOutcome {
  int credits = 0;           ///< 0: synchronous
  std::optional<Time> time;  ///< no value: a deadlock
};

struct LeastCredits {
  /// The fewest credits with which the program ends; 0: synchronous.
  int least = 0;
  /// From so many on it ends with any number. More than `least` where liveness does not grow with credits: messages that are
  /// received in another order than they were sent take up credits that synchronous sends do not need, and where the order is
  /// not fixed, everything may change with the time.
  int safe = 0;
  /// The most messages of one channel that an eager run ever has posted and not yet received, and one more where somebody asked for
  /// room just then. With so many credits or more no
  /// message waits for one: the run is the eager one to the picosecond. ≥ safe; 0 if no rank sends to another.
  int enough = 0;
  /// All counts that lock up, ascending: those below `least`, and some between it and `safe`.
  std::vector<int> locked;
  /// Whether the program alone decides: no receive takes from any source, no call tells what has come first (wait_any, is_complete,
  /// a probe), and no two tasks of a rank that can run at once send on the same channel. Nobody sees who goes by the clock. Then `locked`, `least` and `safe` are the same under any speeds, any placement and any order of
  /// what falls on one timestamp, as long as the ranks send the same messages. Otherwise they hold for these speeds and this
  /// order (EmulationSettings::order_seed).
  bool order_is_fixed = true;
  /// Whether `least` holds so: where it is 0, tasks may send to the same rank.
  bool least_is_fixed = true;
  /// At 0 and at the powers of two below `enough`.
  std::vector<CreditsOutcome> outcomes;
  Time eager;  ///< without bound
  /// The deadlock with `safe` - 1 credits, as CheckError says it, and its cycle: each rank waits for the next, the last for
  /// the first. Empty where safe = 0; the cycle also where there is none (some rank waits for any source, say).
  std::string deadlock;
  std::vector<int> cycle;
};

// Each runs the program once without bound, then with 0, 1, 2, … credits: up to the first count with which it ends and on to
// the powers of two below `enough` where the order is fixed, with all below `enough` where it is not. Not more than one run at
// once; calls may be made side by side. `settings` are those of the runs, but for its buffering and its sinks, which
// are not looked at. Throws CheckError if a run fails by anything but a deadlock, or without bound; InputError as the function
// that runs the program does, and for a wall clock, under which no run is repeated exactly.

/// Of a checked call: of two calls back to back, the second with the next rank as root, both of which must end. Times are the
/// first one's.
LeastCredits least_credits(const Fabric& fabric, const Placement& placement, const CollectiveCall& call,
                           const EmulationSettings& settings = {});

/// Of any program.
LeastCredits least_credits(const Fabric& fabric, const Placement& placement, const RankFunction& function,
                           const EmulationSettings& settings = {});

/// Of whatever runs with the settings given, and says when it has ended.
using RunWithSettings = std::function<Time(const EmulationSettings&)>;
LeastCredits least_credits(const RunWithSettings& run, const EmulationSettings& settings);

}  // namespace heddle
