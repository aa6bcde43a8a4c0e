// SPDX-License-Identifier: Apache-2.0
// Runs a collective on generated data, checks everything that docs/checks.md names, and only then reports the time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emu/data/collective_call.hpp"
#include "emu/record/report.hpp"
#include "emu/run/emulate.hpp"
#include "emu/settings/emulation_settings.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"

namespace heddle {

/// Calls twice (call.calls times), back to back on one communicator with different data, the second time with the next
/// rank as root (a barrier: several times, with one rank or another late). The first call is the one measured: the report's
/// times and counts are its alone (the second runs over links of its own, without contention, and cannot disturb it). Checks:
/// the result, which for a reduction is a sequential reference (exact for integers; floats within what p-1 roundings allow) and
/// otherwise the source's bytes; that ranks which share a result hold the same bits, where call.same_bits says so; inputs unchanged; nothing written outside of the vectors; order for a non-commutative op;
/// buffers and channels (as emulate); that nobody leaves a barrier before all have entered; and that the time is not below what
/// the fabric allows. A user's own op must be associative to the bit. Throws CheckError with an explanation, InputError for a
/// call that cannot be made. `settings.byte_scale` is set from the call.
Report run_checked(const Fabric& fabric, const Placement& placement, const CollectiveCall& call,
                   EmulationSettings settings = {});

/// The same call made by several groups of ranks at once, each a communicator of its own whose ranks are numbered in the order
/// given; a group's data is its own. Where groups overlap, their calls run as tasks of the ranks that they share. Checked as
/// run_checked does, each group as a run of its own.
GroupsReport run_checked_groups(const Fabric& fabric, const Placement& placement, const std::vector<std::vector<int>>& groups,
                                const CollectiveCall& call, EmulationSettings settings = {});

/// The same where each group makes a call of its own: `calls` by group, of which all hold the same part of their elements (or none).
GroupsReport run_checked_groups(const Fabric& fabric, const Placement& placement, const std::vector<std::vector<int>>& groups,
                                std::vector<CollectiveCall> calls, EmulationSettings settings = {});

// Collectives on ranks that share a memory and have no fabric between them: what is measured is the machine.

/// Whether nothing on this fabric takes time: links without limits and without latency, no start-up, no overhead, no γ, and no
/// switches that compute.
bool is_unlimited(const Fabric& fabric);

/// Runs the call on kernel threads that copy straight from each other's memory: by rank, when it had returned, in wall time
/// since all ranks began together. Called and checked as run_checked does it (twice, the first is measured), but for what only
/// an emulation can see: buffers that change in flight. `call` is one that run_checked takes, with all of its elements held.
/// Which links there are does not matter; algorithms see the topology's shape. Buffering as settings have it:
/// eager or synchronous. Throws CheckError and InputError.
std::vector<Time> run_checked_in_memory(const Fabric& fabric, const Placement& placement, const CollectiveCall& call,
                                        Buffering buffering = Buffering::eager());

// Whether a collective's arithmetic holds at sizes of which nobody has the memory: where each element goes, without the data.

/// At what a check of positions gives up. The defaults suit a run; a drawn case has less.
struct PositionsBound {
  std::int64_t actions = 2'000'000;  ///< messages and pieces of local work, of all ranks
  double seconds = 60;               ///< that it is expected to take
};

/// Why nothing was said of it, as in "it moves elements by itself"; empty: each element was where it belongs.
struct PositionsCheck {
  std::string why_not;
};

/// Calls the collective once with all of `call.count` elements, in vectors that are addresses without memory, with messages that
/// say which elements they carry and carry none. Before that it does so with a 16th of the elements: what does not come out right
/// there, or writes to memory by itself, is not followed, and nothing is said of it. Throws CheckError if elements are not where
/// they belong, or if the call fails in another way.
PositionsCheck check_positions(const Fabric& fabric, const Placement& placement, const CollectiveCall& call,
                               const EmulationSettings& settings, const PositionsBound& bound = {});

}  // namespace heddle
