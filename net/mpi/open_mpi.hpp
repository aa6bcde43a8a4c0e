// SPDX-License-Identifier: Apache-2.0
// The MPI that started this process, as a Transport.
#pragma once

#include <memory>
#include <string>

#include "net/ranks/transport.hpp"

namespace heddle::net {

/// Which MPI's launcher started this process, by what it left in the environment: "openmpi", "mpich"; empty: none.
std::string started_by();

/// Of that MPI; `library` is the file of heddle's library for it, or empty: the one beside the program or where heddle is installed.
/// MPI runs with MPI_THREAD_FUNNELED: everything is called by the thread that opened it. Throws InputError where no MPI started this
/// process or heddle was built without it.
std::unique_ptr<Transport> open_mpi(const std::string& library = {});

// What the library of one MPI exports: each MPI has an interface of its own, so each has a library, loaded when it is asked for.

/// Goes up whenever Transport or what stands here changes.
inline constexpr int kMpiModuleInterface = 1;

inline constexpr const char* kMpiModuleInterfaceName = "heddle_mpi_interface";
inline constexpr const char* kMpiModuleOpenName = "heddle_mpi_open";

using MpiModuleInterface = int (*)();
/// Calls MPI_Init unless the program has; the caller deletes the transport, which then calls MPI_Finalize. Throws NetworkError.
using MpiModuleOpen = Transport* (*)();

}  // namespace heddle::net
