// SPDX-License-Identifier: Apache-2.0
// Runs a program under many orders of events: does any make it go wrong? docs/fuzzing.md, "Orders of events".
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "emu/run/emulate.hpp"
#include "emu/settings/explored_order.hpp"
#include "heddle/errors.hpp"

namespace heddle {

// How far explore() looks, and what it found.

/// How far to look. First come the orders with no delay, with one, with two, … (delay-bounded scheduling: Emmi, Qadeer,
/// Rakamarić, POPL 2011), then `seeds` that disturb everything at random.
struct ExploreBound {
  /// The most delays in one order, ≥ 0. Each is one of: a rank's step, or a message's arrival, that waits until nothing else
  /// can happen; a message that is there and that a receive from any source passes over. n points make about n^d/d! orders.
  int delays = 2;
  /// At most so many orders with delays, those with fewer first; ≥ 1, which is the usual one.
  std::int64_t orders = 10'000;
  /// Then so many with everything at random (order_seed, jitter, pick): seeds first_seed, first_seed + 1, …; ≥ 0.
  std::int64_t seeds = 100;
  std::uint64_t first_seed = 1;
  /// Asked before each run but the first: if it says true, no further one is begun.
  std::function<bool()> is_stopped = nullptr;
};

/// An order under which the program goes wrong.
struct FailingOrder {
  std::optional<std::uint64_t> order_seed;  ///< EmulationSettings::order_seed
  ExploredOrder order;                      ///< EmulationSettings::order
  Failure failure;                          ///< as CheckError says it

  /// The arguments of `heddle run` that repeat it: "--order delays:r2.1"; empty for the usual order.
  std::string arguments() const;
  /// The explanation, what the order does, and the line that repeats it: `command`, or the arguments where there is none.
  std::string text(std::string_view command = "") const;
};

struct Exploration {
  std::int64_t with_delays = 0;  ///< orders run with at most `delays` delays, the usual one among them
  std::int64_t seeded = 0;
  std::int64_t points = 0;   ///< that the usual order met
  int complete_delays = -1;  ///< every order with at most so many delays was run; -1: not even the usual one ended
  std::optional<FailingOrder> failure = {};  ///< the first that failed

  bool passed() const { return !failure; }
  std::int64_t orders() const { return with_delays + seeded; }
  /// "742 orders: 642 with delays (all with at most 2 delays; 36 points) and 100 seeds".
  std::string covered() const;
  /// "right under 742 orders: all with at most 2 delays (36 points), and 100 seeds", or what failed, explained, with the
  /// arguments that repeat it, or the command if one is given.
  std::string text(std::string_view command = "") const;
};

/// Runs `function` as emulate() does, again and again, each time under another order, until one fails. Those with fewer
/// delays come first. `function` must do the same whenever it is called anew: what it has changed outside of itself it must put
/// back. To fail, it throws; a deadlock and everything else that emulate() finds is a failure as well. Not more than one run at
/// once; blocks. The same orders on every machine. Throws InputError as emulate() does, for a bound out of range, for
/// settings with an order of their own, for a wall clock, and for a program that does not repeat itself.
Exploration explore(const Fabric& fabric, const Placement& placement, const RankFunction& function,
                    const EmulationSettings& settings = {}, const ExploreBound& bound = {});

/// The same for anything that runs once with the settings it is given, such as a run_checked(): `run` throws CheckError if it
/// goes wrong.
Exploration explore(const std::function<void(const EmulationSettings&)>& run, const EmulationSettings& settings = {},
                    const ExploreBound& bound = {});

}  // namespace heddle
