// SPDX-License-Identifier: Apache-2.0
// Explains a run in which nothing can happen any more: who waits for what, and round which cycle.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/datatype.hpp"

namespace heddle::emu {

/// What sender and receiver must agree on. Ranks are world ranks.
struct Envelope {
  int source;
  int dest;
  std::uint32_t context;  ///< of the communicator
  int tag;
  std::int64_t count;
  Datatype type;
};

/// One operation that a blocked task waits for. Ranks are world ranks.
struct BlockedOperation {
  int rank = 0;
  int task = 0;                           ///< 0: the rank itself; else a branch of concurrently()
  int peer = -1;                          ///< whom it waits for; -1: any source, or several
  std::string waits_for;                  ///< "to receive 4 x i32 from rank 2 (tag 0)"
  std::optional<Envelope> receives = {};  ///< what it asks for, if it is a receive from one rank
};

/// Several lines: the verdict, each blocked operation (the first few of many), a cycle of ranks where there is one, the messages
/// that nobody has asked for, and the first receive that one of these would serve if it had another tag or communicator.
std::string explain_deadlock(int ranks, const std::vector<BlockedOperation>& blocked, const std::vector<Envelope>& unreceived);

/// Ranks r0, r1, … such that each waits for the next and the last for the first; empty if there are none.
std::vector<int> find_cycle(int ranks, const std::vector<BlockedOperation>& blocked);

}  // namespace heddle::emu
