// SPDX-License-Identifier: Apache-2.0
// A schedule gone through without data and without time: which steps can happen, one after the other. Strands wait for messages, for
// room on a connection and for each other, and nothing else, so whatever order they take turns in, the same steps happen.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "schedules/program/connections.hpp"
#include "schedules/program/schedule_program.hpp"

namespace heddle {

struct Execution {
  /// Each step after all that it waits for: a receive after its send, a step after the one that it depends on.
  std::vector<StepPlace> order;
  /// Why it does not come to its end: each step that waits, for what, and round which cycle; empty: it does.
  std::string stuck;
};

/// A step that receives and sends at once takes what comes when there is room for what goes, and frees the room of the one with the
/// other, as NCCL's primitives do. `credits`: so many messages of a connection may be under way before its sender waits; 0: a send waits for its receive; no value:
/// as many as there are. `program` is valid (require_valid).
Execution execute(const ScheduleProgram& program, const Connections& connections, std::optional<int> credits);

}  // namespace heddle
