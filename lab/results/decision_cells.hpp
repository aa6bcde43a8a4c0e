// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "heddle/collective.hpp"
#include "lab/results/decisions.hpp"

namespace heddle::decisions {

/// What was measured of one collective at one number of ranks and one size.
struct SweepCell {
  std::size_t sweep = 0;  ///< the first that has it
  Collective collective = Collective::allreduce;
  int ranks = 1;
  std::int64_t bytes = 0;
  std::string fabric = {};
  std::vector<const SweepResult*> fastest_first = {};   ///< those measured, never none; of equals by name
  const nlohmann::ordered_json* fabric_json = nullptr;  ///< as the sweep describes it
};

/// By collective, ranks and bytes. Notes in `failed` what failed a check, or has a time of a part of its vector alone. Throws InputError as decide() says.
std::vector<SweepCell> cells_of(const std::vector<NamedSweep>& sweeps, const std::string& fabric,
                                std::vector<std::string>& failed);

/// Decisions::speeds of the fabrics that the cells are of.
std::vector<std::string> speeds_of_cells(const std::vector<SweepCell>& cells, const std::vector<NamedSweep>& sweeps);

/// A result as the target's limits see it.
Cell cell_of(const SweepResult& result, int channels_needed);

/// What the target does by a result's algorithm; no value: it does not have it, or runs something else there.
/// `channels_needed`: as in Cell.
std::optional<Choice> choice_of(const Target& target, const TargetCollective& collective, const SweepResult& result,
                                int channels_needed);

/// Where, between two sizes of one number of ranks that are next to each other, the fastest that the target has changes, from
/// `first` on, which is the choice at the lower one. A third one counts that is somewhere ahead of all others by `margin`. None
/// where nobody knows the sizes: then what was decided at the lower size holds up to the upper one.
std::vector<Decision> decisions_between(const Target& target, const TargetCollective& collective, const SweepCell& below,
                                        const SweepCell& above, const Choice& first, double margin, int channels_needed);

/// How many channels a ring or tree needs to enter each node by all of its network cards, on a fabric as a sweep's JSON describes it:
/// the ranks of the largest node, where one message between nodes is slower than one within and two or more such messages fit
/// out of a node at once; elsewhere 1. Throws InputError if its topology is a file that cannot be read.
int channels_needed(const nlohmann::ordered_json& fabric);

}  // namespace heddle::decisions
