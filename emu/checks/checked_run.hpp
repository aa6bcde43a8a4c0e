// SPDX-License-Identifier: Apache-2.0
// Runs a collective on generated data, checks everything that design.md §7 names, and only then reports the time.
#pragma once

#include <vector>

#include "emu/checks/collective_call.hpp"
#include "emu/report/groups_report.hpp"
#include "emu/report/report.hpp"
#include "emu/run/emulate.hpp"

namespace heddle {

/// Calls twice (call.calls times), back to back on one communicator with different data, the second time with the next
/// rank as root (a barrier: several times, with one rank or another late). The first call is the one measured: the report's
/// times and counts are its alone (the second runs over links of its own, without contention, and cannot disturb it). Checks:
/// the result, which for a reduction is a sequential reference (exact for integers; floats within what p-1 roundings allow) and
/// otherwise the source's bytes; that ranks which share a result hold the same bits, where call.same_bits says so; inputs unchanged; nothing written outside of the vectors; order for a non-commutative op;
/// buffers and channels (as emulate); that nobody leaves a barrier before all have entered; and that the time is not below what
/// the fabric allows. A user's own op must be associative to the bit. Throws CheckError with an explanation, InputError for a
/// call that cannot be made. `settings.payload_scale` is set from the call.
Report run_checked(const Fabric& fabric, const Placement& placement, const CollectiveCall& call,
                   EmulationSettings settings = {});

/// The same call made by several groups of ranks at once, each a communicator of its own whose ranks are numbered in the order
/// given; a group's data is its own. Where groups overlap, their calls run as tasks of the ranks that they share. Checked as
/// run_checked does, each group as a run of its own.
GroupsReport run_checked_groups(const Fabric& fabric, const Placement& placement, const std::vector<std::vector<int>>& groups,
                                const CollectiveCall& call, EmulationSettings settings = {});

/// The same where each group makes a call of its own: `calls` by group, of which all hold the same part of their elements (or none).
GroupsReport run_checked_groups(const Fabric& fabric, const Placement& placement, const std::vector<std::vector<int>>& groups,
                                const std::vector<CollectiveCall>& calls, EmulationSettings settings = {});

}  // namespace heddle
