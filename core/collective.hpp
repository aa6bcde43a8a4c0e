// SPDX-License-Identifier: Apache-2.0
// What each collective means: its name, its arguments, its bandwidth factor. How it is done belongs in algorithms/.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/communicator.hpp"

namespace heddle {

enum class Collective : std::uint8_t { allreduce };

std::string to_string(Collective collective);
/// Throws InputError with the nearest name.
Collective parse_collective(std::string_view text);

/// busbw = algbw times this (nccl-tests, PERFORMANCE.md): for an allreduce over p ranks 2(p-1)/p.
double bus_bandwidth_factor(Collective collective, int ranks);

/// One rank's arguments, with MPI's meaning. Views are the caller's and outlive the call.
struct CollectiveArguments {
  VectorView inout;              ///< allreduce, in place: the contribution, then the result
  const ReduceOp* op = nullptr;  ///< never null for a collective that reduces
};

/// A collective as each rank calls it. Every rank of the communicator calls with the same counts, type and op.
using CollectiveFunction = std::function<void(Communicator&, const CollectiveArguments&)>;

}  // namespace heddle
