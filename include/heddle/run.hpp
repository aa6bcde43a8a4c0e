// SPDX-License-Identifier: Apache-2.0
// Runs a workload on an emulated machine, checks all of it (docs/checks.md), and only then says how long it took.
//
//   check({"torus:3x3"}, Call{.function = my_allreduce, .count = 1000});
//
// Every function here blocks. Calls may be made side by side from several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "heddle/errors.hpp"
#include "heddle/fabric.hpp"
#include "heddle/record.hpp"
#include "heddle/workload.hpp"

namespace heddle {

/// How a run is made. What is not set is as `heddle run` has it.
struct Settings {
  std::uint64_t seed = 1;  ///< of the data
  /// Under every order of events with so many delays before it is timed (docs/fuzzing.md). No value: under the usual order alone.
  std::optional<int> explore = {};
  /// Further flags of `heddle run`, as in a shell: "--buffering sync --fault rank:3,stops,at=1us --gamma 20ps". Members that are set win.
  std::string flags = {};
  /// Whether to stop; asked often, from any thread. The run then throws Error. Null: never.
  std::function<bool()> interrupted = nullptr;
};

/// Runs it and returns what happened; a check that fails is Record::failure. A call is made twice, and the first is measured.
/// Throws InputError for what cannot be run.
Record run(const Machine& machine, const Workload& workload, const Settings& settings = {});

/// The same, for tests: throws CheckError, with the explanation, where the record has a failure.
Record check(const Machine& machine, const Workload& workload, const Settings& settings = {});

/// How many messages of each channel must be able to be under way (docs/credits.md).
struct CreditsNeeded {
  int least = 0;              ///< the fewest with which it ends; 0: synchronous sends do
  int safe = 0;               ///< from so many on it ends with any number
  int enough = 0;             ///< from so many on no message waits for one
  std::string deadlock = {};  ///< with `safe` - 1, explained; empty where `safe` is 0
};

/// Runs it with 0, 1, 2, … credits. Throws CheckError if it fails by anything but a deadlock; InputError as run().
CreditsNeeded least_credits(const Machine& machine, const Workload& workload, const Settings& settings = {});

}  // namespace heddle
