// SPDX-License-Identifier: Apache-2.0
// The MPI that started this process, as a Transport.
#pragma once

#include <memory>
#include <string>

#include "net/transport/transport.hpp"

namespace heddle::net {

/// Which MPI's launcher started this process, by what it left in the environment: "openmpi", "mpich"; empty: none.
std::string started_by();

/// Of that MPI; `library` is the file of heddle's library for it, or empty: the one beside the program or where heddle is installed.
/// MPI runs with MPI_THREAD_FUNNELED: everything is called by the thread that opened it. Throws InputError where no MPI started this
/// process or heddle was built without it.
std::unique_ptr<Transport> open_mpi(const std::string& library = {});

}  // namespace heddle::net
