// SPDX-License-Identifier: Apache-2.0
// What the library of one MPI exports: each MPI has an interface of its own, so each has a library, loaded when it is asked for.
#pragma once

#include "net/transport/transport.hpp"

namespace heddle::net {

/// Goes up whenever Transport or what stands here changes.
inline constexpr int kMpiModuleInterface = 1;

inline constexpr const char* kMpiModuleInterfaceName = "heddle_mpi_interface";
inline constexpr const char* kMpiModuleOpenName = "heddle_mpi_open";

using MpiModuleInterface = int (*)();
/// Calls MPI_Init unless the program has; the caller deletes the transport, which then calls MPI_Finalize. Throws NetworkError.
using MpiModuleOpen = Transport* (*)();

}  // namespace heddle::net
