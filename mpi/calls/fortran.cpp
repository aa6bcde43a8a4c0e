// SPDX-License-Identifier: Apache-2.0
// Handles as integers, and statuses as Fortran has them (MPI 5.0, §19.3.4 and §19.3.5).
#include <cstring>

#include "mpi/calls/calls.hpp"
#include "mpi/objects/process.hpp"

namespace heddle::mpi {

namespace {

template <class Mpi>
int handle_to_int(const void*, Mpi handle) {
  return to_int(handle);
}

/// Of the calling rank's `kHandles`.
template <auto kHandles, class Mpi>
Mpi handle_from_int(const void*, int number) {
  Process* const process = Process::current();
  return process == nullptr ? nullptr : (process->*kHandles).from_int(number);
}

/// Each of Fortran's statuses has the same 32 bytes as C's.
template <class From, class To>
int copy_status(const void* place, const From* from, To* to) {
  return serve("MPI_Status_c2f or its kin", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(from, "status");
    process.require(to, "place for the other one");
    std::memcpy(to, from, sizeof(MPI_Status));
  });
}

}  // namespace

void add_fortran_calls(heddle_mpi_functions& table) {
  table.Comm_toint = handle_to_int, table.Comm_fromint = handle_from_int<&Process::communicators, MPI_Comm>;
  table.Errhandler_toint = handle_to_int;
  table.Errhandler_fromint = handle_from_int<&Process::error_handlers, MPI_Errhandler>;
  table.Group_toint = handle_to_int, table.Group_fromint = handle_from_int<&Process::groups, MPI_Group>;
  table.Info_toint = handle_to_int, table.Info_fromint = handle_from_int<&Process::infos, MPI_Info>;
  table.Message_toint = handle_to_int, table.Message_fromint = handle_from_int<&Process::messages, MPI_Message>;
  table.Op_toint = handle_to_int, table.Op_fromint = handle_from_int<&Process::operations, MPI_Op>;
  table.Request_toint = handle_to_int, table.Request_fromint = handle_from_int<&Process::requests, MPI_Request>;
  table.Session_toint = handle_to_int, table.Session_fromint = handle_from_int<&Process::sessions, MPI_Session>;
  table.Type_toint = handle_to_int, table.Type_fromint = handle_from_int<&Process::datatypes, MPI_Datatype>;
  table.Status_c2f = copy_status, table.Status_f2c = copy_status, table.Status_c2f08 = copy_status;
  table.Status_f082c = copy_status, table.Status_f2f08 = copy_status, table.Status_f082f = copy_status;
}

}  // namespace heddle::mpi
