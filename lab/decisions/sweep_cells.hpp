// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/collective.hpp"
#include "lab/decisions/decisions.hpp"

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

}  // namespace heddle::decisions
