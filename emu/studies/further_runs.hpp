// SPDX-License-Identifier: Apache-2.0
// Further runs of the same calls, and what they say: contention, the order of events, the link whose fault costs most.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "emu/check/checked_run.hpp"
#include "emu/data/collective_call.hpp"
#include "emu/record/report.hpp"
#include "emu/settings/emulation_settings.hpp"
#include "emu/settings/faults.hpp"
#include "heddle/units.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"

namespace heddle {

// What it costs a group of ranks that others are on the fabric: its time beside its time alone, and the (η_α, η_β) that this
// amounts to, measured where the Collectives Explainer 05, §4, assumes them. The definitions are in docs/model.md,
// "Contention".

/// Times of one group's call, each of a checked run. "Alone": without the other groups and without background flows, on the
/// same endpoints. A latency part is the time of the same call where every link's bandwidth is unlimited; the rest of a time is
/// its bytes part.
struct Contention {
  Time together;
  Time alone;
  Time latency_together;
  Time latency_alone;

  // No value where nothing is divided by nothing: a call that takes no time, or has no such part.

  /// together / alone.
  std::optional<double> slowdown() const;
  /// η_α: latency part together / alone. Above 1 where ranks wait for more than bandwidth: those in several groups.
  std::optional<double> eta_alpha() const;
  /// η_β: bytes part alone / together.
  std::optional<double> eta_beta() const;
};

/// Runs `most` of the groups alone, evenly spread over all of them, and measures them; by group, no value for the others.
/// `calls`, by group, and `settings` are those that `together` came of. Takes two runs for each such group and one of all together. Throws
/// what run_checked_groups throws, the group named.
std::vector<std::optional<Contention>> measure_contention(const Fabric& fabric, const Placement& placement,
                                                          const std::vector<std::vector<int>>& groups,
                                                          const std::vector<CollectiveCall>& calls,
                                                          const EmulationSettings& settings, const std::vector<Time>& together,
                                                          std::size_t most);

// Whether a result of floats that round depends on the order of events, which is not the program's: another run, another result.
// docs/model.md, "The same bits".

/// Checked runs of groups' calls (run_checked_groups), held against the usual order. Not for several threads at once.
class RunToRun {
 public:
  /// All of these outlive it; `calls` by group.
  RunToRun(const Fabric& fabric, const Placement& placement, const std::vector<std::vector<int>>& groups,
           const std::vector<CollectiveCall>& calls)
      : fabric_(fabric), placement_(placement), groups_(groups), calls_(calls) {}

  /// `run` was made under these settings. If they have an order of their own, and the result rounds, it must be that of the usual order
  /// to the bit; the first such run makes one in the usual order as well, unless there was one. Without this where a call
  /// does not promise it (same_bits_in_any_order), with faults, which may strike otherwise in another order, and under the wall
  /// clock. Throws CheckError (run_to_run) that says which element differs, with both values; and what run_checked_groups throws.
  void hold(const EmulationSettings& settings, const Report& run);

 private:
  void require_usual_bits(const EmulationSettings& settings, const std::vector<ResultBits>& bits);
  /// Those of the calls that promise them in any order.
  std::vector<ResultBits> promised(std::vector<ResultBits> bits) const;
  GroupsReport run_in_usual_order(EmulationSettings settings) const;

  const Fabric& fabric_;
  const Placement& placement_;
  const std::vector<std::vector<int>>& groups_;
  const std::vector<CollectiveCall>& calls_;
  std::optional<std::vector<ResultBits>> usual_;
};

// --fault link:worst: which link's fault costs one algorithm most (docs/faults.md, "The worst link").

struct WorstLink {
  LinkFault fault = {};
  std::string text = {};       ///< of the fault, as --fault takes it: "link:0->1,slow=4"
  Time without = {};           ///< the run's time without it
  std::size_t tried = 0;       ///< links that had the fault, one after the other
  std::size_t candidates = 0;  ///< links that carry something, of which those were the fullest; of links taken as one, one
  std::size_t as_bad = 0;      ///< others that cost as much
  bool costs_nothing = false;
};

/// Runs it without the fault, then with each of the fullest links at fault, at most 64. A link that is down and leaves somebody no
/// way is the worst. `run` makes a run under the settings given, checked. Throws CheckError if the run without the fault fails,
/// InputError where no link carries anything.
WorstLink find_worst_link(const Fabric& fabric, const EmulationSettings& settings,
                          const std::function<Report(const EmulationSettings&)>& run);

/// "the worst of 16 links that carry something: link:0->1,slow=4; without it 38.1us; 15 others cost as much".
std::string to_string(const WorstLink& worst);

}  // namespace heddle
