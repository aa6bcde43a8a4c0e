// SPDX-License-Identifier: Apache-2.0
// Ranks that are processes on a real network, as experiments see them; net/ has them.
#pragma once

#include <string>
#include <vector>

#include "core/units.hpp"
#include "emu/data/collective_call.hpp"

namespace heddle {

/// All processes of a run, this one among them; each makes the same calls on its own object, in the same order. One thread uses it.
class ProcessRanks {
 public:
  virtual ~ProcessRanks() = default;

  virtual int size() const = 0;
  /// Of this process.
  virtual int rank() const = 0;
  /// "Open MPI v4.1.4, 8 processes on 1 machine".
  virtual std::string description() const = 0;

  /// Collective, blocks: the call is made by all ranks and checked as run_checked does it, but for what only an emulation can see. By
  /// rank, when the first call had returned, in wall time since all began together; the same on every process. `call` holds all of its
  /// elements. Throws CheckError, alike on all processes.
  virtual std::vector<Time> run(const CollectiveCall& call) = 0;
};

}  // namespace heddle
