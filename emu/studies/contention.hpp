// SPDX-License-Identifier: Apache-2.0
// What it costs a group of ranks that others are on the fabric: its time beside its time alone, and the (η_α, η_β) that this
// amounts to, measured where the Collectives Explainer 05, §4, assumes them. The definitions are in docs/model.md,
// "Contention".
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "emu/data/collective_call.hpp"
#include "emu/settings/emulation_settings.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/placement/placement.hpp"

namespace heddle {

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

}  // namespace heddle
