// SPDX-License-Identifier: Apache-2.0
// Processes on a real network, as experiments and spread sweeps see them; net/ has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emu/data/collective_call.hpp"
#include "heddle/units.hpp"

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

  /// Why messages with such a tag and context (emu::StreamsReport) cannot be carried; empty: they can.
  virtual std::string why_not(int tag, std::optional<std::uint64_t> context) const = 0;

  /// Collective, blocks: the call is made by all ranks and checked as run_checked does it, but for what only an emulation can see. By
  /// rank, when the first call had returned, in wall time since all began together; the same on every process. `call` holds all of its
  /// elements. Throws CheckError, alike on all processes.
  virtual std::vector<Time> run(const CollectiveCall& call) = 0;
};

// Texts between processes that share work; net/ has them.

/// Between rank 0 and each of the other processes of a run; the others say nothing to each other. One thread uses it. What goes wrong
/// with the network, or with a process at its other end, throws Error that names the rank.
class ProcessMessages {
 public:
  struct Received {
    int from = 0;
    std::string text;
  };

  virtual ~ProcessMessages() = default;

  virtual int size() const = 0;
  /// Of this process.
  virtual int rank() const = 0;
  /// On this machine, with this one.
  virtual int processes_here() const = 0;

  /// Returns at once; the text goes while receive() and part() are called. To rank 0, or from it to any other.
  virtual void send(int to, const std::string& text) = 0;
  /// What has come, that of one process in its order. Returns at once.
  virtual std::vector<Received> receive() = 0;
  /// Blocks until rank 0 and the others have called it, and all that was sent has come; what was not received is dropped. The last call.
  virtual void part() = 0;
};

}  // namespace heddle
