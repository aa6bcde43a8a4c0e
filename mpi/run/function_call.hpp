// SPDX-License-Identifier: Apache-2.0
// heddle's call of a collective as a call of a function of MPI's signature.
#pragma once

#include <string_view>

#include "heddle/communicator.hpp"
#include "mpi/objects/process.hpp"
#include "mpi/run/function_options.hpp"

namespace heddle::mpi {

/// A function whatever its parameters are.
using AnyFunction = void (*)();

/// What a call is made on.
struct FunctionTarget {
  std::string_view name;
  AnyFunction function = nullptr;
  const FunctionOptions* options = nullptr;
  Collective collective = Collective::barrier;
  MPI_Comm comm = MPI_COMM_NULL;
};

/// One rank's call, made by `process`: the code that it returns. What heddle and MPI lay out differently is moved, on `communicator` and
/// outside of the call: a broadcast's input that is not its output, the block of a reduce_scatter in place, and all input in place of a
/// function that is never called so.
int call_function(Process& process, const FunctionTarget& target, Communicator& communicator,
                  const CollectiveArguments& arguments);

}  // namespace heddle::mpi
