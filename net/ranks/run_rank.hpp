// SPDX-License-Identifier: Apache-2.0
// This process as one rank of a run: its communicator is the one that algorithms are written against.
#pragma once

#include <functional>

#include "heddle/communicator.hpp"
#include "net/ranks/rank_settings.hpp"
#include "net/transport/transport.hpp"

namespace heddle::net {

/// Runs the body as a task of this process, with the communicator of all processes; what it starts with concurrently() are tasks, too,
/// all of them on the calling thread. Blocks until it returns. What it throws, or a task of it, this throws, once all of them have
/// been unwound; the other ranks know nothing of that. Throws NetworkError, too, which says what the rank waited for if it stalled.
void run_rank(Transport& transport, const std::function<void(Communicator&)>& body, const RankSettings& settings = {});

/// The same as a whole program: a rank that throws ends all of them, with its explanation on standard error.
void run_program(Transport& transport, const std::function<void(Communicator&)>& body, const RankSettings& settings = {});

}  // namespace heddle::net
