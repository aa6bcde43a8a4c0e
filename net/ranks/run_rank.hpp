// SPDX-License-Identifier: Apache-2.0
// This process as one rank of a run: its communicator is the one that algorithms are written against.
#pragma once

#include <functional>
#include <optional>

#include "heddle/communicator.hpp"
#include "heddle/grid.hpp"
#include "heddle/units.hpp"
#include "net/ranks/transport.hpp"

namespace heddle::net {

struct RankSettings {
  Bytes stack = Bytes(1 << 20);  ///< of each task: a network's own calls lie on it, too
  /// That all ranks fill, if they fill one; every rank gives the same.
  std::optional<Grid> grid = {};
  /// Of the fabric under the ranks; no value: ranks of one machine are one group. Every rank gives the same.
  std::optional<Tiers> tiers = {};
  /// For so long nothing may come while every task of the rank waits; no value: any time.
  std::optional<double> stall_seconds = {};
};

/// Runs the body as a task of this process, with the communicator of all processes; what it starts with concurrently() are tasks, too,
/// all of them on the calling thread. Blocks until it returns. What it throws, or a task of it, this throws, once all of them have
/// been unwound; the other ranks know nothing of that. Throws NetworkError, too, which says what the rank waited for if it stalled.
void run_rank(Transport& transport, const std::function<void(Communicator&)>& body, const RankSettings& settings = {});

/// The same as a whole program: a rank that throws ends all of them, with its explanation on standard error.
void run_program(Transport& transport, const std::function<void(Communicator&)>& body, const RankSettings& settings = {});

}  // namespace heddle::net
