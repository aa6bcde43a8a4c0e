// SPDX-License-Identifier: Apache-2.0
// Runs a collective on generated data, checks everything that design.md §7 names, and only then tells the time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/collective.hpp"
#include "emu/emulate.hpp"
#include "emu/report.hpp"

namespace heddle {

/// What to call and on how much data.
struct CollectiveCall {
  Collective collective = Collective::allreduce;
  CollectiveFunction function;
  std::string name = {};  ///< for messages: "ring"
  Datatype type = Datatype::i32();
  const ReduceOp* op = &ReduceOp::sum();  ///< of a collective that reduces
  std::int64_t count = 0;                 ///< elements of the whole vector, as timed
  std::uint64_t seed = 1;                 ///< of the data
  /// Elements really held of the whole vector, 0 < held ≤ count (or both 0); payload_scale is count / held.
  std::int64_t held = 0;
  Rank root = {};  ///< of a collective that has one
  /// Sizes of the p blocks of a collective that has them, `count` in all (and held = count); empty: cut as evenly as it goes.
  /// Of an alltoall the block from rank i to rank j has size number (i + j) mod p; without sizes p divides count and held.
  std::vector<std::int64_t> blocks = {};
  /// Of an alltoall, in place of `blocks`: how much each rank is sent in proportion to the others, by everyone, its own block
  /// included. Their sum divides count and held; out of place alone. Empty: all as much.
  std::vector<std::int64_t> destinations = {};
  bool in_place = true;  ///< input and output are one vector on each rank that has both
  /// Whether to make the second call, which is not measured. A barrier is called several times in any case. Without, what a
  /// call leaves for the next is not checked: for callers who make the same second call in another run.
  bool again = true;
  /// What the fabric's switches may round the type to before they reduce it: set by run_checked.
  std::optional<Datatype> switch_precision = {};
};

/// Vectors of `count` elements (blocks of one together count as one) that all ranks hold in a checked run of this collective.
double vectors_held(Collective collective, int ranks, bool in_place);

/// Elements to hold so that `vectors` vectors of them stay within `budget`: all of `count` if they fit; else the largest
/// divisor of `count` that is a multiple of `granule` and fits (where granule does not divide count: the largest multiple of
/// granule that fits); never below `granule` (or `count`, where that is less), whatever the budget. granule, element_size ≥ 1.
std::int64_t choose_held(std::int64_t count, std::int64_t granule, double vectors, std::size_t element_size, Bytes budget);

/// What run_checked looks at for this call, one stable word each, for reports: "result", "input" where it must not change,
/// "order" where the operation can tell orders apart, "hygiene", "again" if it is made, "too_fast", "deadlock".
std::vector<std::string> checks_of(const CollectiveCall& call);

/// Calls twice (once, if not call.again), back to back on one communicator with different data, the second time with the next
/// rank as root (a barrier: several times, with one rank or another late). The first call is the one measured: the report's
/// times and counts are its alone (the second runs over links of its own, without contention, and cannot disturb it). Checks:
/// the result, which for a reduction is a sequential reference (exact for integers; floats within what p-1 roundings allow) and
/// otherwise the source's bytes; inputs unchanged; nothing written outside of the vectors; order for a non-commutative op;
/// buffers and channels (as emulate); that nobody leaves a barrier before all have entered; and that the time is not below what
/// the fabric allows. A user's own op must be associative to the bit. Throws CheckError with an explanation, InputError for a
/// call that cannot be made. `settings.payload_scale` is set from the call.
Report run_checked(const Fabric& fabric, const Placement& placement, const CollectiveCall& call,
                   EmulationSettings settings = {});

struct GroupsReport {
  Report report;                 ///< of all together
  std::vector<Time> completion;  ///< by group: when the last of its ranks returned
};

/// The same call made by several groups of ranks at once, each a communicator of its own whose ranks are numbered in the order
/// given; a group's data is its own. Where groups overlap, their calls run as strands of the ranks that they share. Checked as
/// run_checked does, each group as a run of its own.
GroupsReport run_checked_groups(const Fabric& fabric, const Placement& placement, const std::vector<std::vector<int>>& groups,
                                const CollectiveCall& call, EmulationSettings settings = {});

}  // namespace heddle
