/* SPDX-License-Identifier: Apache-2.0 */
/* Written by tools/generate_mpi_abi.py from functions.list and constants.list. */
/* Every function of MPI jumps through the table that the host fills in. PMPI_X is the function, MPI_X a weak name for it: a program
   or a tool may have an MPI_X of its own that calls PMPI_X. */
#include "mpi/libc/entry.h"

#define PLACE __builtin_return_address(0)
#define SERVED(function) (heddle_mpi_host && heddle_mpi_host->mpi.function)

int PMPI_Abi_get_fortran_booleans(int logical_size, void *logical_true, void *logical_false, int *is_set) {
  if (!SERVED(Abi_get_fortran_booleans)) { return heddle_mpi_missing("MPI_Abi_get_fortran_booleans", PLACE); }
  return heddle_mpi_host->mpi.Abi_get_fortran_booleans(PLACE, logical_size, logical_true, logical_false, is_set);
}
#pragma weak MPI_Abi_get_fortran_booleans = PMPI_Abi_get_fortran_booleans
int PMPI_Abi_get_fortran_info(MPI_Info *info) {
  if (!SERVED(Abi_get_fortran_info)) { return heddle_mpi_missing("MPI_Abi_get_fortran_info", PLACE); }
  return heddle_mpi_host->mpi.Abi_get_fortran_info(PLACE, info);
}
#pragma weak MPI_Abi_get_fortran_info = PMPI_Abi_get_fortran_info
int PMPI_Abi_get_info(MPI_Info *info) {
  if (!SERVED(Abi_get_info)) { return heddle_mpi_missing("MPI_Abi_get_info", PLACE); }
  return heddle_mpi_host->mpi.Abi_get_info(PLACE, info);
}
#pragma weak MPI_Abi_get_info = PMPI_Abi_get_info
int PMPI_Abi_get_version(int *abi_major, int *abi_minor) {
  if (!SERVED(Abi_get_version)) { return heddle_mpi_missing("MPI_Abi_get_version", PLACE); }
  return heddle_mpi_host->mpi.Abi_get_version(PLACE, abi_major, abi_minor);
}
#pragma weak MPI_Abi_get_version = PMPI_Abi_get_version
int PMPI_Abi_set_fortran_booleans(int logical_size, void *logical_true, void *logical_false) {
  if (!SERVED(Abi_set_fortran_booleans)) { return heddle_mpi_missing("MPI_Abi_set_fortran_booleans", PLACE); }
  return heddle_mpi_host->mpi.Abi_set_fortran_booleans(PLACE, logical_size, logical_true, logical_false);
}
#pragma weak MPI_Abi_set_fortran_booleans = PMPI_Abi_set_fortran_booleans
int PMPI_Abi_set_fortran_info(MPI_Info info) {
  if (!SERVED(Abi_set_fortran_info)) { return heddle_mpi_missing("MPI_Abi_set_fortran_info", PLACE); }
  return heddle_mpi_host->mpi.Abi_set_fortran_info(PLACE, info);
}
#pragma weak MPI_Abi_set_fortran_info = PMPI_Abi_set_fortran_info
int PMPI_Abort(MPI_Comm comm, int errorcode) {
  if (!SERVED(Abort)) { return heddle_mpi_missing("MPI_Abort", PLACE); }
  return heddle_mpi_host->mpi.Abort(PLACE, comm, errorcode);
}
#pragma weak MPI_Abort = PMPI_Abort
int PMPI_Accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  if (!SERVED(Accumulate)) { return heddle_mpi_missing("MPI_Accumulate", PLACE); }
  return heddle_mpi_host->mpi.Accumulate(PLACE, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op, win);
}
#pragma weak MPI_Accumulate = PMPI_Accumulate
int PMPI_Accumulate_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  if (!SERVED(Accumulate_c)) { return heddle_mpi_missing("MPI_Accumulate_c", PLACE); }
  return heddle_mpi_host->mpi.Accumulate_c(PLACE, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op, win);
}
#pragma weak MPI_Accumulate_c = PMPI_Accumulate_c
int PMPI_Add_error_class(int *errorclass) {
  if (!SERVED(Add_error_class)) { return heddle_mpi_missing("MPI_Add_error_class", PLACE); }
  return heddle_mpi_host->mpi.Add_error_class(PLACE, errorclass);
}
#pragma weak MPI_Add_error_class = PMPI_Add_error_class
int PMPI_Add_error_code(int errorclass, int *errorcode) {
  if (!SERVED(Add_error_code)) { return heddle_mpi_missing("MPI_Add_error_code", PLACE); }
  return heddle_mpi_host->mpi.Add_error_code(PLACE, errorclass, errorcode);
}
#pragma weak MPI_Add_error_code = PMPI_Add_error_code
int PMPI_Add_error_string(int errorcode, const char *string) {
  if (!SERVED(Add_error_string)) { return heddle_mpi_missing("MPI_Add_error_string", PLACE); }
  return heddle_mpi_host->mpi.Add_error_string(PLACE, errorcode, string);
}
#pragma weak MPI_Add_error_string = PMPI_Add_error_string
MPI_Aint PMPI_Aint_add(MPI_Aint base, MPI_Aint disp) {
  if (!SERVED(Aint_add)) { heddle_mpi_missing("MPI_Aint_add", PLACE); return 0; }
  return heddle_mpi_host->mpi.Aint_add(PLACE, base, disp);
}
#pragma weak MPI_Aint_add = PMPI_Aint_add
MPI_Aint PMPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2) {
  if (!SERVED(Aint_diff)) { heddle_mpi_missing("MPI_Aint_diff", PLACE); return 0; }
  return heddle_mpi_host->mpi.Aint_diff(PLACE, addr1, addr2);
}
#pragma weak MPI_Aint_diff = PMPI_Aint_diff
int PMPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  if (!SERVED(Allgather)) { return heddle_mpi_missing("MPI_Allgather", PLACE); }
  return heddle_mpi_host->mpi.Allgather(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}
#pragma weak MPI_Allgather = PMPI_Allgather
int PMPI_Allgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  if (!SERVED(Allgather_c)) { return heddle_mpi_missing("MPI_Allgather_c", PLACE); }
  return heddle_mpi_host->mpi.Allgather_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}
#pragma weak MPI_Allgather_c = PMPI_Allgather_c
int PMPI_Allgather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Allgather_init)) { return heddle_mpi_missing("MPI_Allgather_init", PLACE); }
  return heddle_mpi_host->mpi.Allgather_init(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
}
#pragma weak MPI_Allgather_init = PMPI_Allgather_init
int PMPI_Allgather_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Allgather_init_c)) { return heddle_mpi_missing("MPI_Allgather_init_c", PLACE); }
  return heddle_mpi_host->mpi.Allgather_init_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
}
#pragma weak MPI_Allgather_init_c = PMPI_Allgather_init_c
int PMPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  if (!SERVED(Allgatherv)) { return heddle_mpi_missing("MPI_Allgatherv", PLACE); }
  return heddle_mpi_host->mpi.Allgatherv(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
}
#pragma weak MPI_Allgatherv = PMPI_Allgatherv
int PMPI_Allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  if (!SERVED(Allgatherv_c)) { return heddle_mpi_missing("MPI_Allgatherv_c", PLACE); }
  return heddle_mpi_host->mpi.Allgatherv_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
}
#pragma weak MPI_Allgatherv_c = PMPI_Allgatherv_c
int PMPI_Allgatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Allgatherv_init)) { return heddle_mpi_missing("MPI_Allgatherv_init", PLACE); }
  return heddle_mpi_host->mpi.Allgatherv_init(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request);
}
#pragma weak MPI_Allgatherv_init = PMPI_Allgatherv_init
int PMPI_Allgatherv_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Allgatherv_init_c)) { return heddle_mpi_missing("MPI_Allgatherv_init_c", PLACE); }
  return heddle_mpi_host->mpi.Allgatherv_init_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request);
}
#pragma weak MPI_Allgatherv_init_c = PMPI_Allgatherv_init_c
int PMPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *baseptr) {
  if (!SERVED(Alloc_mem)) { return heddle_mpi_missing("MPI_Alloc_mem", PLACE); }
  return heddle_mpi_host->mpi.Alloc_mem(PLACE, size, info, baseptr);
}
#pragma weak MPI_Alloc_mem = PMPI_Alloc_mem
int PMPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  if (!SERVED(Allreduce)) { return heddle_mpi_missing("MPI_Allreduce", PLACE); }
  return heddle_mpi_host->mpi.Allreduce(PLACE, sendbuf, recvbuf, count, datatype, op, comm);
}
#pragma weak MPI_Allreduce = PMPI_Allreduce
int PMPI_Allreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  if (!SERVED(Allreduce_c)) { return heddle_mpi_missing("MPI_Allreduce_c", PLACE); }
  return heddle_mpi_host->mpi.Allreduce_c(PLACE, sendbuf, recvbuf, count, datatype, op, comm);
}
#pragma weak MPI_Allreduce_c = PMPI_Allreduce_c
int PMPI_Allreduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Allreduce_init)) { return heddle_mpi_missing("MPI_Allreduce_init", PLACE); }
  return heddle_mpi_host->mpi.Allreduce_init(PLACE, sendbuf, recvbuf, count, datatype, op, comm, info, request);
}
#pragma weak MPI_Allreduce_init = PMPI_Allreduce_init
int PMPI_Allreduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Allreduce_init_c)) { return heddle_mpi_missing("MPI_Allreduce_init_c", PLACE); }
  return heddle_mpi_host->mpi.Allreduce_init_c(PLACE, sendbuf, recvbuf, count, datatype, op, comm, info, request);
}
#pragma weak MPI_Allreduce_init_c = PMPI_Allreduce_init_c
int PMPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  if (!SERVED(Alltoall)) { return heddle_mpi_missing("MPI_Alltoall", PLACE); }
  return heddle_mpi_host->mpi.Alltoall(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}
#pragma weak MPI_Alltoall = PMPI_Alltoall
int PMPI_Alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  if (!SERVED(Alltoall_c)) { return heddle_mpi_missing("MPI_Alltoall_c", PLACE); }
  return heddle_mpi_host->mpi.Alltoall_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}
#pragma weak MPI_Alltoall_c = PMPI_Alltoall_c
int PMPI_Alltoall_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Alltoall_init)) { return heddle_mpi_missing("MPI_Alltoall_init", PLACE); }
  return heddle_mpi_host->mpi.Alltoall_init(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
}
#pragma weak MPI_Alltoall_init = PMPI_Alltoall_init
int PMPI_Alltoall_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Alltoall_init_c)) { return heddle_mpi_missing("MPI_Alltoall_init_c", PLACE); }
  return heddle_mpi_host->mpi.Alltoall_init_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
}
#pragma weak MPI_Alltoall_init_c = PMPI_Alltoall_init_c
int PMPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  if (!SERVED(Alltoallv)) { return heddle_mpi_missing("MPI_Alltoallv", PLACE); }
  return heddle_mpi_host->mpi.Alltoallv(PLACE, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
}
#pragma weak MPI_Alltoallv = PMPI_Alltoallv
int PMPI_Alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  if (!SERVED(Alltoallv_c)) { return heddle_mpi_missing("MPI_Alltoallv_c", PLACE); }
  return heddle_mpi_host->mpi.Alltoallv_c(PLACE, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
}
#pragma weak MPI_Alltoallv_c = PMPI_Alltoallv_c
int PMPI_Alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Alltoallv_init)) { return heddle_mpi_missing("MPI_Alltoallv_init", PLACE); }
  return heddle_mpi_host->mpi.Alltoallv_init(PLACE, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info, request);
}
#pragma weak MPI_Alltoallv_init = PMPI_Alltoallv_init
int PMPI_Alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Alltoallv_init_c)) { return heddle_mpi_missing("MPI_Alltoallv_init_c", PLACE); }
  return heddle_mpi_host->mpi.Alltoallv_init_c(PLACE, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info, request);
}
#pragma weak MPI_Alltoallv_init_c = PMPI_Alltoallv_init_c
int PMPI_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  if (!SERVED(Alltoallw)) { return heddle_mpi_missing("MPI_Alltoallw", PLACE); }
  return heddle_mpi_host->mpi.Alltoallw(PLACE, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
}
#pragma weak MPI_Alltoallw = PMPI_Alltoallw
int PMPI_Alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  if (!SERVED(Alltoallw_c)) { return heddle_mpi_missing("MPI_Alltoallw_c", PLACE); }
  return heddle_mpi_host->mpi.Alltoallw_c(PLACE, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
}
#pragma weak MPI_Alltoallw_c = PMPI_Alltoallw_c
int PMPI_Alltoallw_init(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Alltoallw_init)) { return heddle_mpi_missing("MPI_Alltoallw_init", PLACE); }
  return heddle_mpi_host->mpi.Alltoallw_init(PLACE, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info, request);
}
#pragma weak MPI_Alltoallw_init = PMPI_Alltoallw_init
int PMPI_Alltoallw_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Alltoallw_init_c)) { return heddle_mpi_missing("MPI_Alltoallw_init_c", PLACE); }
  return heddle_mpi_host->mpi.Alltoallw_init_c(PLACE, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info, request);
}
#pragma weak MPI_Alltoallw_init_c = PMPI_Alltoallw_init_c
int PMPI_Attr_delete(MPI_Comm comm, int keyval) {
  if (!SERVED(Attr_delete)) { return heddle_mpi_missing("MPI_Attr_delete", PLACE); }
  return heddle_mpi_host->mpi.Attr_delete(PLACE, comm, keyval);
}
#pragma weak MPI_Attr_delete = PMPI_Attr_delete
int PMPI_Attr_get(MPI_Comm comm, int keyval, void *attribute_val, int *flag) {
  if (!SERVED(Attr_get)) { return heddle_mpi_missing("MPI_Attr_get", PLACE); }
  return heddle_mpi_host->mpi.Attr_get(PLACE, comm, keyval, attribute_val, flag);
}
#pragma weak MPI_Attr_get = PMPI_Attr_get
int PMPI_Attr_put(MPI_Comm comm, int keyval, void *attribute_val) {
  if (!SERVED(Attr_put)) { return heddle_mpi_missing("MPI_Attr_put", PLACE); }
  return heddle_mpi_host->mpi.Attr_put(PLACE, comm, keyval, attribute_val);
}
#pragma weak MPI_Attr_put = PMPI_Attr_put
int PMPI_Barrier(MPI_Comm comm) {
  if (!SERVED(Barrier)) { return heddle_mpi_missing("MPI_Barrier", PLACE); }
  return heddle_mpi_host->mpi.Barrier(PLACE, comm);
}
#pragma weak MPI_Barrier = PMPI_Barrier
int PMPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Barrier_init)) { return heddle_mpi_missing("MPI_Barrier_init", PLACE); }
  return heddle_mpi_host->mpi.Barrier_init(PLACE, comm, info, request);
}
#pragma weak MPI_Barrier_init = PMPI_Barrier_init
int PMPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  if (!SERVED(Bcast)) { return heddle_mpi_missing("MPI_Bcast", PLACE); }
  return heddle_mpi_host->mpi.Bcast(PLACE, buffer, count, datatype, root, comm);
}
#pragma weak MPI_Bcast = PMPI_Bcast
int PMPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  if (!SERVED(Bcast_c)) { return heddle_mpi_missing("MPI_Bcast_c", PLACE); }
  return heddle_mpi_host->mpi.Bcast_c(PLACE, buffer, count, datatype, root, comm);
}
#pragma weak MPI_Bcast_c = PMPI_Bcast_c
int PMPI_Bcast_init(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Bcast_init)) { return heddle_mpi_missing("MPI_Bcast_init", PLACE); }
  return heddle_mpi_host->mpi.Bcast_init(PLACE, buffer, count, datatype, root, comm, info, request);
}
#pragma weak MPI_Bcast_init = PMPI_Bcast_init
int PMPI_Bcast_init_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Bcast_init_c)) { return heddle_mpi_missing("MPI_Bcast_init_c", PLACE); }
  return heddle_mpi_host->mpi.Bcast_init_c(PLACE, buffer, count, datatype, root, comm, info, request);
}
#pragma weak MPI_Bcast_init_c = PMPI_Bcast_init_c
int PMPI_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  if (!SERVED(Bsend)) { return heddle_mpi_missing("MPI_Bsend", PLACE); }
  return heddle_mpi_host->mpi.Bsend(PLACE, buf, count, datatype, dest, tag, comm);
}
#pragma weak MPI_Bsend = PMPI_Bsend
int PMPI_Bsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  if (!SERVED(Bsend_c)) { return heddle_mpi_missing("MPI_Bsend_c", PLACE); }
  return heddle_mpi_host->mpi.Bsend_c(PLACE, buf, count, datatype, dest, tag, comm);
}
#pragma weak MPI_Bsend_c = PMPI_Bsend_c
int PMPI_Bsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Bsend_init)) { return heddle_mpi_missing("MPI_Bsend_init", PLACE); }
  return heddle_mpi_host->mpi.Bsend_init(PLACE, buf, count, datatype, dest, tag, comm, request);
}
#pragma weak MPI_Bsend_init = PMPI_Bsend_init
int PMPI_Bsend_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Bsend_init_c)) { return heddle_mpi_missing("MPI_Bsend_init_c", PLACE); }
  return heddle_mpi_host->mpi.Bsend_init_c(PLACE, buf, count, datatype, dest, tag, comm, request);
}
#pragma weak MPI_Bsend_init_c = PMPI_Bsend_init_c
int PMPI_Buffer_attach(void *buffer, int size) {
  if (!SERVED(Buffer_attach)) { return heddle_mpi_missing("MPI_Buffer_attach", PLACE); }
  return heddle_mpi_host->mpi.Buffer_attach(PLACE, buffer, size);
}
#pragma weak MPI_Buffer_attach = PMPI_Buffer_attach
int PMPI_Buffer_attach_c(void *buffer, MPI_Count size) {
  if (!SERVED(Buffer_attach_c)) { return heddle_mpi_missing("MPI_Buffer_attach_c", PLACE); }
  return heddle_mpi_host->mpi.Buffer_attach_c(PLACE, buffer, size);
}
#pragma weak MPI_Buffer_attach_c = PMPI_Buffer_attach_c
int PMPI_Buffer_detach(void *buffer_addr, int *size) {
  if (!SERVED(Buffer_detach)) { return heddle_mpi_missing("MPI_Buffer_detach", PLACE); }
  return heddle_mpi_host->mpi.Buffer_detach(PLACE, buffer_addr, size);
}
#pragma weak MPI_Buffer_detach = PMPI_Buffer_detach
int PMPI_Buffer_detach_c(void *buffer_addr, MPI_Count *size) {
  if (!SERVED(Buffer_detach_c)) { return heddle_mpi_missing("MPI_Buffer_detach_c", PLACE); }
  return heddle_mpi_host->mpi.Buffer_detach_c(PLACE, buffer_addr, size);
}
#pragma weak MPI_Buffer_detach_c = PMPI_Buffer_detach_c
int PMPI_Buffer_flush(void) {
  if (!SERVED(Buffer_flush)) { return heddle_mpi_missing("MPI_Buffer_flush", PLACE); }
  return heddle_mpi_host->mpi.Buffer_flush(PLACE);
}
#pragma weak MPI_Buffer_flush = PMPI_Buffer_flush
int PMPI_Buffer_iflush(MPI_Request *request) {
  if (!SERVED(Buffer_iflush)) { return heddle_mpi_missing("MPI_Buffer_iflush", PLACE); }
  return heddle_mpi_host->mpi.Buffer_iflush(PLACE, request);
}
#pragma weak MPI_Buffer_iflush = PMPI_Buffer_iflush
int PMPI_Cancel(MPI_Request *request) {
  if (!SERVED(Cancel)) { return heddle_mpi_missing("MPI_Cancel", PLACE); }
  return heddle_mpi_host->mpi.Cancel(PLACE, request);
}
#pragma weak MPI_Cancel = PMPI_Cancel
int PMPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int coords[]) {
  if (!SERVED(Cart_coords)) { return heddle_mpi_missing("MPI_Cart_coords", PLACE); }
  return heddle_mpi_host->mpi.Cart_coords(PLACE, comm, rank, maxdims, coords);
}
#pragma weak MPI_Cart_coords = PMPI_Cart_coords
int PMPI_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder, MPI_Comm *comm_cart) {
  if (!SERVED(Cart_create)) { return heddle_mpi_missing("MPI_Cart_create", PLACE); }
  return heddle_mpi_host->mpi.Cart_create(PLACE, comm_old, ndims, dims, periods, reorder, comm_cart);
}
#pragma weak MPI_Cart_create = PMPI_Cart_create
int PMPI_Cart_get(MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]) {
  if (!SERVED(Cart_get)) { return heddle_mpi_missing("MPI_Cart_get", PLACE); }
  return heddle_mpi_host->mpi.Cart_get(PLACE, comm, maxdims, dims, periods, coords);
}
#pragma weak MPI_Cart_get = PMPI_Cart_get
int PMPI_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank) {
  if (!SERVED(Cart_map)) { return heddle_mpi_missing("MPI_Cart_map", PLACE); }
  return heddle_mpi_host->mpi.Cart_map(PLACE, comm, ndims, dims, periods, newrank);
}
#pragma weak MPI_Cart_map = PMPI_Cart_map
int PMPI_Cart_rank(MPI_Comm comm, const int coords[], int *rank) {
  if (!SERVED(Cart_rank)) { return heddle_mpi_missing("MPI_Cart_rank", PLACE); }
  return heddle_mpi_host->mpi.Cart_rank(PLACE, comm, coords, rank);
}
#pragma weak MPI_Cart_rank = PMPI_Cart_rank
int PMPI_Cart_shift(MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest) {
  if (!SERVED(Cart_shift)) { return heddle_mpi_missing("MPI_Cart_shift", PLACE); }
  return heddle_mpi_host->mpi.Cart_shift(PLACE, comm, direction, disp, rank_source, rank_dest);
}
#pragma weak MPI_Cart_shift = PMPI_Cart_shift
int PMPI_Cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm) {
  if (!SERVED(Cart_sub)) { return heddle_mpi_missing("MPI_Cart_sub", PLACE); }
  return heddle_mpi_host->mpi.Cart_sub(PLACE, comm, remain_dims, newcomm);
}
#pragma weak MPI_Cart_sub = PMPI_Cart_sub
int PMPI_Cartdim_get(MPI_Comm comm, int *ndims) {
  if (!SERVED(Cartdim_get)) { return heddle_mpi_missing("MPI_Cartdim_get", PLACE); }
  return heddle_mpi_host->mpi.Cartdim_get(PLACE, comm, ndims);
}
#pragma weak MPI_Cartdim_get = PMPI_Cartdim_get
int PMPI_Close_port(const char *port_name) {
  if (!SERVED(Close_port)) { return heddle_mpi_missing("MPI_Close_port", PLACE); }
  return heddle_mpi_host->mpi.Close_port(PLACE, port_name);
}
#pragma weak MPI_Close_port = PMPI_Close_port
int PMPI_Comm_accept(const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm) {
  if (!SERVED(Comm_accept)) { return heddle_mpi_missing("MPI_Comm_accept", PLACE); }
  return heddle_mpi_host->mpi.Comm_accept(PLACE, port_name, info, root, comm, newcomm);
}
#pragma weak MPI_Comm_accept = PMPI_Comm_accept
int PMPI_Comm_attach_buffer(MPI_Comm comm, void *buffer, int size) {
  if (!SERVED(Comm_attach_buffer)) { return heddle_mpi_missing("MPI_Comm_attach_buffer", PLACE); }
  return heddle_mpi_host->mpi.Comm_attach_buffer(PLACE, comm, buffer, size);
}
#pragma weak MPI_Comm_attach_buffer = PMPI_Comm_attach_buffer
int PMPI_Comm_attach_buffer_c(MPI_Comm comm, void *buffer, MPI_Count size) {
  if (!SERVED(Comm_attach_buffer_c)) { return heddle_mpi_missing("MPI_Comm_attach_buffer_c", PLACE); }
  return heddle_mpi_host->mpi.Comm_attach_buffer_c(PLACE, comm, buffer, size);
}
#pragma weak MPI_Comm_attach_buffer_c = PMPI_Comm_attach_buffer_c
int PMPI_Comm_call_errhandler(MPI_Comm comm, int errorcode) {
  if (!SERVED(Comm_call_errhandler)) { return heddle_mpi_missing("MPI_Comm_call_errhandler", PLACE); }
  return heddle_mpi_host->mpi.Comm_call_errhandler(PLACE, comm, errorcode);
}
#pragma weak MPI_Comm_call_errhandler = PMPI_Comm_call_errhandler
int PMPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int *result) {
  if (!SERVED(Comm_compare)) { return heddle_mpi_missing("MPI_Comm_compare", PLACE); }
  return heddle_mpi_host->mpi.Comm_compare(PLACE, comm1, comm2, result);
}
#pragma weak MPI_Comm_compare = PMPI_Comm_compare
int PMPI_Comm_connect(const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm) {
  if (!SERVED(Comm_connect)) { return heddle_mpi_missing("MPI_Comm_connect", PLACE); }
  return heddle_mpi_host->mpi.Comm_connect(PLACE, port_name, info, root, comm, newcomm);
}
#pragma weak MPI_Comm_connect = PMPI_Comm_connect
int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm) {
  if (!SERVED(Comm_create)) { return heddle_mpi_missing("MPI_Comm_create", PLACE); }
  return heddle_mpi_host->mpi.Comm_create(PLACE, comm, group, newcomm);
}
#pragma weak MPI_Comm_create = PMPI_Comm_create
int PMPI_Comm_create_errhandler(MPI_Comm_errhandler_function *comm_errhandler_fn, MPI_Errhandler *errhandler) {
  if (!SERVED(Comm_create_errhandler)) { return heddle_mpi_missing("MPI_Comm_create_errhandler", PLACE); }
  return heddle_mpi_host->mpi.Comm_create_errhandler(PLACE, comm_errhandler_fn, errhandler);
}
#pragma weak MPI_Comm_create_errhandler = PMPI_Comm_create_errhandler
int PMPI_Comm_create_from_group(MPI_Group group, const char *stringtag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *newcomm) {
  if (!SERVED(Comm_create_from_group)) { return heddle_mpi_missing("MPI_Comm_create_from_group", PLACE); }
  return heddle_mpi_host->mpi.Comm_create_from_group(PLACE, group, stringtag, info, errhandler, newcomm);
}
#pragma weak MPI_Comm_create_from_group = PMPI_Comm_create_from_group
int PMPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm) {
  if (!SERVED(Comm_create_group)) { return heddle_mpi_missing("MPI_Comm_create_group", PLACE); }
  return heddle_mpi_host->mpi.Comm_create_group(PLACE, comm, group, tag, newcomm);
}
#pragma weak MPI_Comm_create_group = PMPI_Comm_create_group
int PMPI_Comm_create_keyval(MPI_Comm_copy_attr_function *comm_copy_attr_fn, MPI_Comm_delete_attr_function *comm_delete_attr_fn, int *comm_keyval, void *extra_state) {
  if (!SERVED(Comm_create_keyval)) { return heddle_mpi_missing("MPI_Comm_create_keyval", PLACE); }
  return heddle_mpi_host->mpi.Comm_create_keyval(PLACE, comm_copy_attr_fn, comm_delete_attr_fn, comm_keyval, extra_state);
}
#pragma weak MPI_Comm_create_keyval = PMPI_Comm_create_keyval
int PMPI_Comm_delete_attr(MPI_Comm comm, int comm_keyval) {
  if (!SERVED(Comm_delete_attr)) { return heddle_mpi_missing("MPI_Comm_delete_attr", PLACE); }
  return heddle_mpi_host->mpi.Comm_delete_attr(PLACE, comm, comm_keyval);
}
#pragma weak MPI_Comm_delete_attr = PMPI_Comm_delete_attr
int PMPI_Comm_detach_buffer(MPI_Comm comm, void *buffer_addr, int *size) {
  if (!SERVED(Comm_detach_buffer)) { return heddle_mpi_missing("MPI_Comm_detach_buffer", PLACE); }
  return heddle_mpi_host->mpi.Comm_detach_buffer(PLACE, comm, buffer_addr, size);
}
#pragma weak MPI_Comm_detach_buffer = PMPI_Comm_detach_buffer
int PMPI_Comm_detach_buffer_c(MPI_Comm comm, void *buffer_addr, MPI_Count *size) {
  if (!SERVED(Comm_detach_buffer_c)) { return heddle_mpi_missing("MPI_Comm_detach_buffer_c", PLACE); }
  return heddle_mpi_host->mpi.Comm_detach_buffer_c(PLACE, comm, buffer_addr, size);
}
#pragma weak MPI_Comm_detach_buffer_c = PMPI_Comm_detach_buffer_c
int PMPI_Comm_disconnect(MPI_Comm *comm) {
  if (!SERVED(Comm_disconnect)) { return heddle_mpi_missing("MPI_Comm_disconnect", PLACE); }
  return heddle_mpi_host->mpi.Comm_disconnect(PLACE, comm);
}
#pragma weak MPI_Comm_disconnect = PMPI_Comm_disconnect
int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm) {
  if (!SERVED(Comm_dup)) { return heddle_mpi_missing("MPI_Comm_dup", PLACE); }
  return heddle_mpi_host->mpi.Comm_dup(PLACE, comm, newcomm);
}
#pragma weak MPI_Comm_dup = PMPI_Comm_dup
int PMPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm) {
  if (!SERVED(Comm_dup_with_info)) { return heddle_mpi_missing("MPI_Comm_dup_with_info", PLACE); }
  return heddle_mpi_host->mpi.Comm_dup_with_info(PLACE, comm, info, newcomm);
}
#pragma weak MPI_Comm_dup_with_info = PMPI_Comm_dup_with_info
int PMPI_Comm_flush_buffer(MPI_Comm comm) {
  if (!SERVED(Comm_flush_buffer)) { return heddle_mpi_missing("MPI_Comm_flush_buffer", PLACE); }
  return heddle_mpi_host->mpi.Comm_flush_buffer(PLACE, comm);
}
#pragma weak MPI_Comm_flush_buffer = PMPI_Comm_flush_buffer
int PMPI_Comm_free(MPI_Comm *comm) {
  if (!SERVED(Comm_free)) { return heddle_mpi_missing("MPI_Comm_free", PLACE); }
  return heddle_mpi_host->mpi.Comm_free(PLACE, comm);
}
#pragma weak MPI_Comm_free = PMPI_Comm_free
int PMPI_Comm_free_keyval(int *comm_keyval) {
  if (!SERVED(Comm_free_keyval)) { return heddle_mpi_missing("MPI_Comm_free_keyval", PLACE); }
  return heddle_mpi_host->mpi.Comm_free_keyval(PLACE, comm_keyval);
}
#pragma weak MPI_Comm_free_keyval = PMPI_Comm_free_keyval
MPI_Comm PMPI_Comm_fromint(int comm) {
  if (!SERVED(Comm_fromint)) { heddle_mpi_missing("MPI_Comm_fromint", PLACE); return 0; }
  return heddle_mpi_host->mpi.Comm_fromint(PLACE, comm);
}
#pragma weak MPI_Comm_fromint = PMPI_Comm_fromint
int PMPI_Comm_get_attr(MPI_Comm comm, int comm_keyval, void *attribute_val, int *flag) {
  if (!SERVED(Comm_get_attr)) { return heddle_mpi_missing("MPI_Comm_get_attr", PLACE); }
  return heddle_mpi_host->mpi.Comm_get_attr(PLACE, comm, comm_keyval, attribute_val, flag);
}
#pragma weak MPI_Comm_get_attr = PMPI_Comm_get_attr
int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *errhandler) {
  if (!SERVED(Comm_get_errhandler)) { return heddle_mpi_missing("MPI_Comm_get_errhandler", PLACE); }
  return heddle_mpi_host->mpi.Comm_get_errhandler(PLACE, comm, errhandler);
}
#pragma weak MPI_Comm_get_errhandler = PMPI_Comm_get_errhandler
int PMPI_Comm_get_info(MPI_Comm comm, MPI_Info *info_used) {
  if (!SERVED(Comm_get_info)) { return heddle_mpi_missing("MPI_Comm_get_info", PLACE); }
  return heddle_mpi_host->mpi.Comm_get_info(PLACE, comm, info_used);
}
#pragma weak MPI_Comm_get_info = PMPI_Comm_get_info
int PMPI_Comm_get_name(MPI_Comm comm, char *comm_name, int *resultlen) {
  if (!SERVED(Comm_get_name)) { return heddle_mpi_missing("MPI_Comm_get_name", PLACE); }
  return heddle_mpi_host->mpi.Comm_get_name(PLACE, comm, comm_name, resultlen);
}
#pragma weak MPI_Comm_get_name = PMPI_Comm_get_name
int PMPI_Comm_get_parent(MPI_Comm *parent) {
  if (!SERVED(Comm_get_parent)) { return heddle_mpi_missing("MPI_Comm_get_parent", PLACE); }
  return heddle_mpi_host->mpi.Comm_get_parent(PLACE, parent);
}
#pragma weak MPI_Comm_get_parent = PMPI_Comm_get_parent
int PMPI_Comm_group(MPI_Comm comm, MPI_Group *group) {
  if (!SERVED(Comm_group)) { return heddle_mpi_missing("MPI_Comm_group", PLACE); }
  return heddle_mpi_host->mpi.Comm_group(PLACE, comm, group);
}
#pragma weak MPI_Comm_group = PMPI_Comm_group
int PMPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request) {
  if (!SERVED(Comm_idup)) { return heddle_mpi_missing("MPI_Comm_idup", PLACE); }
  return heddle_mpi_host->mpi.Comm_idup(PLACE, comm, newcomm, request);
}
#pragma weak MPI_Comm_idup = PMPI_Comm_idup
int PMPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request) {
  if (!SERVED(Comm_idup_with_info)) { return heddle_mpi_missing("MPI_Comm_idup_with_info", PLACE); }
  return heddle_mpi_host->mpi.Comm_idup_with_info(PLACE, comm, info, newcomm, request);
}
#pragma weak MPI_Comm_idup_with_info = PMPI_Comm_idup_with_info
int PMPI_Comm_iflush_buffer(MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Comm_iflush_buffer)) { return heddle_mpi_missing("MPI_Comm_iflush_buffer", PLACE); }
  return heddle_mpi_host->mpi.Comm_iflush_buffer(PLACE, comm, request);
}
#pragma weak MPI_Comm_iflush_buffer = PMPI_Comm_iflush_buffer
int PMPI_Comm_join(int fd, MPI_Comm *intercomm) {
  if (!SERVED(Comm_join)) { return heddle_mpi_missing("MPI_Comm_join", PLACE); }
  return heddle_mpi_host->mpi.Comm_join(PLACE, fd, intercomm);
}
#pragma weak MPI_Comm_join = PMPI_Comm_join
int PMPI_Comm_rank(MPI_Comm comm, int *rank) {
  if (!SERVED(Comm_rank)) { return heddle_mpi_missing("MPI_Comm_rank", PLACE); }
  return heddle_mpi_host->mpi.Comm_rank(PLACE, comm, rank);
}
#pragma weak MPI_Comm_rank = PMPI_Comm_rank
int PMPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group) {
  if (!SERVED(Comm_remote_group)) { return heddle_mpi_missing("MPI_Comm_remote_group", PLACE); }
  return heddle_mpi_host->mpi.Comm_remote_group(PLACE, comm, group);
}
#pragma weak MPI_Comm_remote_group = PMPI_Comm_remote_group
int PMPI_Comm_remote_size(MPI_Comm comm, int *size) {
  if (!SERVED(Comm_remote_size)) { return heddle_mpi_missing("MPI_Comm_remote_size", PLACE); }
  return heddle_mpi_host->mpi.Comm_remote_size(PLACE, comm, size);
}
#pragma weak MPI_Comm_remote_size = PMPI_Comm_remote_size
int PMPI_Comm_set_attr(MPI_Comm comm, int comm_keyval, void *attribute_val) {
  if (!SERVED(Comm_set_attr)) { return heddle_mpi_missing("MPI_Comm_set_attr", PLACE); }
  return heddle_mpi_host->mpi.Comm_set_attr(PLACE, comm, comm_keyval, attribute_val);
}
#pragma weak MPI_Comm_set_attr = PMPI_Comm_set_attr
int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler) {
  if (!SERVED(Comm_set_errhandler)) { return heddle_mpi_missing("MPI_Comm_set_errhandler", PLACE); }
  return heddle_mpi_host->mpi.Comm_set_errhandler(PLACE, comm, errhandler);
}
#pragma weak MPI_Comm_set_errhandler = PMPI_Comm_set_errhandler
int PMPI_Comm_set_info(MPI_Comm comm, MPI_Info info) {
  if (!SERVED(Comm_set_info)) { return heddle_mpi_missing("MPI_Comm_set_info", PLACE); }
  return heddle_mpi_host->mpi.Comm_set_info(PLACE, comm, info);
}
#pragma weak MPI_Comm_set_info = PMPI_Comm_set_info
int PMPI_Comm_set_name(MPI_Comm comm, const char *comm_name) {
  if (!SERVED(Comm_set_name)) { return heddle_mpi_missing("MPI_Comm_set_name", PLACE); }
  return heddle_mpi_host->mpi.Comm_set_name(PLACE, comm, comm_name);
}
#pragma weak MPI_Comm_set_name = PMPI_Comm_set_name
int PMPI_Comm_size(MPI_Comm comm, int *size) {
  if (!SERVED(Comm_size)) { return heddle_mpi_missing("MPI_Comm_size", PLACE); }
  return heddle_mpi_host->mpi.Comm_size(PLACE, comm, size);
}
#pragma weak MPI_Comm_size = PMPI_Comm_size
int PMPI_Comm_spawn(const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[]) {
  if (!SERVED(Comm_spawn)) { return heddle_mpi_missing("MPI_Comm_spawn", PLACE); }
  return heddle_mpi_host->mpi.Comm_spawn(PLACE, command, argv, maxprocs, info, root, comm, intercomm, array_of_errcodes);
}
#pragma weak MPI_Comm_spawn = PMPI_Comm_spawn
int PMPI_Comm_spawn_multiple(int count, char *array_of_commands[], char **array_of_argv[], const int array_of_maxprocs[], const MPI_Info array_of_info[], int root, MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[]) {
  if (!SERVED(Comm_spawn_multiple)) { return heddle_mpi_missing("MPI_Comm_spawn_multiple", PLACE); }
  return heddle_mpi_host->mpi.Comm_spawn_multiple(PLACE, count, array_of_commands, array_of_argv, array_of_maxprocs, array_of_info, root, comm, intercomm, array_of_errcodes);
}
#pragma weak MPI_Comm_spawn_multiple = PMPI_Comm_spawn_multiple
int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm) {
  if (!SERVED(Comm_split)) { return heddle_mpi_missing("MPI_Comm_split", PLACE); }
  return heddle_mpi_host->mpi.Comm_split(PLACE, comm, color, key, newcomm);
}
#pragma weak MPI_Comm_split = PMPI_Comm_split
int PMPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm) {
  if (!SERVED(Comm_split_type)) { return heddle_mpi_missing("MPI_Comm_split_type", PLACE); }
  return heddle_mpi_host->mpi.Comm_split_type(PLACE, comm, split_type, key, info, newcomm);
}
#pragma weak MPI_Comm_split_type = PMPI_Comm_split_type
int PMPI_Comm_test_inter(MPI_Comm comm, int *flag) {
  if (!SERVED(Comm_test_inter)) { return heddle_mpi_missing("MPI_Comm_test_inter", PLACE); }
  return heddle_mpi_host->mpi.Comm_test_inter(PLACE, comm, flag);
}
#pragma weak MPI_Comm_test_inter = PMPI_Comm_test_inter
int PMPI_Comm_toint(MPI_Comm comm) {
  if (!SERVED(Comm_toint)) { return heddle_mpi_missing("MPI_Comm_toint", PLACE); }
  return heddle_mpi_host->mpi.Comm_toint(PLACE, comm);
}
#pragma weak MPI_Comm_toint = PMPI_Comm_toint
int PMPI_Compare_and_swap(const void *origin_addr, const void *compare_addr, void *result_addr, MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win) {
  if (!SERVED(Compare_and_swap)) { return heddle_mpi_missing("MPI_Compare_and_swap", PLACE); }
  return heddle_mpi_host->mpi.Compare_and_swap(PLACE, origin_addr, compare_addr, result_addr, datatype, target_rank, target_disp, win);
}
#pragma weak MPI_Compare_and_swap = PMPI_Compare_and_swap
int PMPI_Dims_create(int nnodes, int ndims, int dims[]) {
  if (!SERVED(Dims_create)) { return heddle_mpi_missing("MPI_Dims_create", PLACE); }
  return heddle_mpi_host->mpi.Dims_create(PLACE, nnodes, ndims, dims);
}
#pragma weak MPI_Dims_create = PMPI_Dims_create
int PMPI_Dist_graph_create(MPI_Comm comm_old, int n, const int sources[], const int degrees[], const int destinations[], const int *weights, MPI_Info info, int reorder, MPI_Comm *comm_dist_graph) {
  if (!SERVED(Dist_graph_create)) { return heddle_mpi_missing("MPI_Dist_graph_create", PLACE); }
  return heddle_mpi_host->mpi.Dist_graph_create(PLACE, comm_old, n, sources, degrees, destinations, weights, info, reorder, comm_dist_graph);
}
#pragma weak MPI_Dist_graph_create = PMPI_Dist_graph_create
int PMPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[], const int *sourceweights, int outdegree, const int destinations[], const int *destweights, MPI_Info info, int reorder, MPI_Comm *comm_dist_graph) {
  if (!SERVED(Dist_graph_create_adjacent)) { return heddle_mpi_missing("MPI_Dist_graph_create_adjacent", PLACE); }
  return heddle_mpi_host->mpi.Dist_graph_create_adjacent(PLACE, comm_old, indegree, sources, sourceweights, outdegree, destinations, destweights, info, reorder, comm_dist_graph);
}
#pragma weak MPI_Dist_graph_create_adjacent = PMPI_Dist_graph_create_adjacent
int PMPI_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int sources[], int *sourceweights, int maxoutdegree, int destinations[], int *destweights) {
  if (!SERVED(Dist_graph_neighbors)) { return heddle_mpi_missing("MPI_Dist_graph_neighbors", PLACE); }
  return heddle_mpi_host->mpi.Dist_graph_neighbors(PLACE, comm, maxindegree, sources, sourceweights, maxoutdegree, destinations, destweights);
}
#pragma weak MPI_Dist_graph_neighbors = PMPI_Dist_graph_neighbors
int PMPI_Dist_graph_neighbors_count(MPI_Comm comm, int *indegree, int *outdegree, int *weighted) {
  if (!SERVED(Dist_graph_neighbors_count)) { return heddle_mpi_missing("MPI_Dist_graph_neighbors_count", PLACE); }
  return heddle_mpi_host->mpi.Dist_graph_neighbors_count(PLACE, comm, indegree, outdegree, weighted);
}
#pragma weak MPI_Dist_graph_neighbors_count = PMPI_Dist_graph_neighbors_count
int PMPI_Errhandler_free(MPI_Errhandler *errhandler) {
  if (!SERVED(Errhandler_free)) { return heddle_mpi_missing("MPI_Errhandler_free", PLACE); }
  return heddle_mpi_host->mpi.Errhandler_free(PLACE, errhandler);
}
#pragma weak MPI_Errhandler_free = PMPI_Errhandler_free
MPI_Errhandler PMPI_Errhandler_fromint(int errhandler) {
  if (!SERVED(Errhandler_fromint)) { heddle_mpi_missing("MPI_Errhandler_fromint", PLACE); return 0; }
  return heddle_mpi_host->mpi.Errhandler_fromint(PLACE, errhandler);
}
#pragma weak MPI_Errhandler_fromint = PMPI_Errhandler_fromint
int PMPI_Errhandler_toint(MPI_Errhandler errhandler) {
  if (!SERVED(Errhandler_toint)) { return heddle_mpi_missing("MPI_Errhandler_toint", PLACE); }
  return heddle_mpi_host->mpi.Errhandler_toint(PLACE, errhandler);
}
#pragma weak MPI_Errhandler_toint = PMPI_Errhandler_toint
int PMPI_Error_class(int errorcode, int *errorclass) {
  if (!SERVED(Error_class)) { return heddle_mpi_missing("MPI_Error_class", PLACE); }
  return heddle_mpi_host->mpi.Error_class(PLACE, errorcode, errorclass);
}
#pragma weak MPI_Error_class = PMPI_Error_class
int PMPI_Error_string(int errorcode, char *string, int *resultlen) {
  if (!SERVED(Error_string)) { return heddle_mpi_missing("MPI_Error_string", PLACE); }
  return heddle_mpi_host->mpi.Error_string(PLACE, errorcode, string, resultlen);
}
#pragma weak MPI_Error_string = PMPI_Error_string
int PMPI_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  if (!SERVED(Exscan)) { return heddle_mpi_missing("MPI_Exscan", PLACE); }
  return heddle_mpi_host->mpi.Exscan(PLACE, sendbuf, recvbuf, count, datatype, op, comm);
}
#pragma weak MPI_Exscan = PMPI_Exscan
int PMPI_Exscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  if (!SERVED(Exscan_c)) { return heddle_mpi_missing("MPI_Exscan_c", PLACE); }
  return heddle_mpi_host->mpi.Exscan_c(PLACE, sendbuf, recvbuf, count, datatype, op, comm);
}
#pragma weak MPI_Exscan_c = PMPI_Exscan_c
int PMPI_Exscan_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Exscan_init)) { return heddle_mpi_missing("MPI_Exscan_init", PLACE); }
  return heddle_mpi_host->mpi.Exscan_init(PLACE, sendbuf, recvbuf, count, datatype, op, comm, info, request);
}
#pragma weak MPI_Exscan_init = PMPI_Exscan_init
int PMPI_Exscan_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Exscan_init_c)) { return heddle_mpi_missing("MPI_Exscan_init_c", PLACE); }
  return heddle_mpi_host->mpi.Exscan_init_c(PLACE, sendbuf, recvbuf, count, datatype, op, comm, info, request);
}
#pragma weak MPI_Exscan_init_c = PMPI_Exscan_init_c
int PMPI_Fetch_and_op(const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Op op, MPI_Win win) {
  if (!SERVED(Fetch_and_op)) { return heddle_mpi_missing("MPI_Fetch_and_op", PLACE); }
  return heddle_mpi_host->mpi.Fetch_and_op(PLACE, origin_addr, result_addr, datatype, target_rank, target_disp, op, win);
}
#pragma weak MPI_Fetch_and_op = PMPI_Fetch_and_op
int PMPI_File_call_errhandler(MPI_File fh, int errorcode) {
  if (!SERVED(File_call_errhandler)) { return heddle_mpi_missing("MPI_File_call_errhandler", PLACE); }
  return heddle_mpi_host->mpi.File_call_errhandler(PLACE, fh, errorcode);
}
#pragma weak MPI_File_call_errhandler = PMPI_File_call_errhandler
int PMPI_File_close(MPI_File *fh) {
  if (!SERVED(File_close)) { return heddle_mpi_missing("MPI_File_close", PLACE); }
  return heddle_mpi_host->mpi.File_close(PLACE, fh);
}
#pragma weak MPI_File_close = PMPI_File_close
int PMPI_File_create_errhandler(MPI_File_errhandler_function *file_errhandler_fn, MPI_Errhandler *errhandler) {
  if (!SERVED(File_create_errhandler)) { return heddle_mpi_missing("MPI_File_create_errhandler", PLACE); }
  return heddle_mpi_host->mpi.File_create_errhandler(PLACE, file_errhandler_fn, errhandler);
}
#pragma weak MPI_File_create_errhandler = PMPI_File_create_errhandler
int PMPI_File_delete(const char *filename, MPI_Info info) {
  if (!SERVED(File_delete)) { return heddle_mpi_missing("MPI_File_delete", PLACE); }
  return heddle_mpi_host->mpi.File_delete(PLACE, filename, info);
}
#pragma weak MPI_File_delete = PMPI_File_delete
MPI_File PMPI_File_fromint(int file) {
  if (!SERVED(File_fromint)) { heddle_mpi_missing("MPI_File_fromint", PLACE); return 0; }
  return heddle_mpi_host->mpi.File_fromint(PLACE, file);
}
#pragma weak MPI_File_fromint = PMPI_File_fromint
int PMPI_File_get_amode(MPI_File fh, int *amode) {
  if (!SERVED(File_get_amode)) { return heddle_mpi_missing("MPI_File_get_amode", PLACE); }
  return heddle_mpi_host->mpi.File_get_amode(PLACE, fh, amode);
}
#pragma weak MPI_File_get_amode = PMPI_File_get_amode
int PMPI_File_get_atomicity(MPI_File fh, int *flag) {
  if (!SERVED(File_get_atomicity)) { return heddle_mpi_missing("MPI_File_get_atomicity", PLACE); }
  return heddle_mpi_host->mpi.File_get_atomicity(PLACE, fh, flag);
}
#pragma weak MPI_File_get_atomicity = PMPI_File_get_atomicity
int PMPI_File_get_byte_offset(MPI_File fh, MPI_Offset offset, MPI_Offset *disp) {
  if (!SERVED(File_get_byte_offset)) { return heddle_mpi_missing("MPI_File_get_byte_offset", PLACE); }
  return heddle_mpi_host->mpi.File_get_byte_offset(PLACE, fh, offset, disp);
}
#pragma weak MPI_File_get_byte_offset = PMPI_File_get_byte_offset
int PMPI_File_get_errhandler(MPI_File file, MPI_Errhandler *errhandler) {
  if (!SERVED(File_get_errhandler)) { return heddle_mpi_missing("MPI_File_get_errhandler", PLACE); }
  return heddle_mpi_host->mpi.File_get_errhandler(PLACE, file, errhandler);
}
#pragma weak MPI_File_get_errhandler = PMPI_File_get_errhandler
int PMPI_File_get_group(MPI_File fh, MPI_Group *group) {
  if (!SERVED(File_get_group)) { return heddle_mpi_missing("MPI_File_get_group", PLACE); }
  return heddle_mpi_host->mpi.File_get_group(PLACE, fh, group);
}
#pragma weak MPI_File_get_group = PMPI_File_get_group
int PMPI_File_get_info(MPI_File fh, MPI_Info *info_used) {
  if (!SERVED(File_get_info)) { return heddle_mpi_missing("MPI_File_get_info", PLACE); }
  return heddle_mpi_host->mpi.File_get_info(PLACE, fh, info_used);
}
#pragma weak MPI_File_get_info = PMPI_File_get_info
int PMPI_File_get_position(MPI_File fh, MPI_Offset *offset) {
  if (!SERVED(File_get_position)) { return heddle_mpi_missing("MPI_File_get_position", PLACE); }
  return heddle_mpi_host->mpi.File_get_position(PLACE, fh, offset);
}
#pragma weak MPI_File_get_position = PMPI_File_get_position
int PMPI_File_get_position_shared(MPI_File fh, MPI_Offset *offset) {
  if (!SERVED(File_get_position_shared)) { return heddle_mpi_missing("MPI_File_get_position_shared", PLACE); }
  return heddle_mpi_host->mpi.File_get_position_shared(PLACE, fh, offset);
}
#pragma weak MPI_File_get_position_shared = PMPI_File_get_position_shared
int PMPI_File_get_size(MPI_File fh, MPI_Offset *size) {
  if (!SERVED(File_get_size)) { return heddle_mpi_missing("MPI_File_get_size", PLACE); }
  return heddle_mpi_host->mpi.File_get_size(PLACE, fh, size);
}
#pragma weak MPI_File_get_size = PMPI_File_get_size
int PMPI_File_get_type_extent(MPI_File fh, MPI_Datatype datatype, MPI_Aint *extent) {
  if (!SERVED(File_get_type_extent)) { return heddle_mpi_missing("MPI_File_get_type_extent", PLACE); }
  return heddle_mpi_host->mpi.File_get_type_extent(PLACE, fh, datatype, extent);
}
#pragma weak MPI_File_get_type_extent = PMPI_File_get_type_extent
int PMPI_File_get_type_extent_c(MPI_File fh, MPI_Datatype datatype, MPI_Count *extent) {
  if (!SERVED(File_get_type_extent_c)) { return heddle_mpi_missing("MPI_File_get_type_extent_c", PLACE); }
  return heddle_mpi_host->mpi.File_get_type_extent_c(PLACE, fh, datatype, extent);
}
#pragma weak MPI_File_get_type_extent_c = PMPI_File_get_type_extent_c
int PMPI_File_get_view(MPI_File fh, MPI_Offset *disp, MPI_Datatype *etype, MPI_Datatype *filetype, char *datarep) {
  if (!SERVED(File_get_view)) { return heddle_mpi_missing("MPI_File_get_view", PLACE); }
  return heddle_mpi_host->mpi.File_get_view(PLACE, fh, disp, etype, filetype, datarep);
}
#pragma weak MPI_File_get_view = PMPI_File_get_view
int PMPI_File_iread(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request) {
  if (!SERVED(File_iread)) { return heddle_mpi_missing("MPI_File_iread", PLACE); }
  return heddle_mpi_host->mpi.File_iread(PLACE, fh, buf, count, datatype, request);
}
#pragma weak MPI_File_iread = PMPI_File_iread
int PMPI_File_iread_c(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) {
  if (!SERVED(File_iread_c)) { return heddle_mpi_missing("MPI_File_iread_c", PLACE); }
  return heddle_mpi_host->mpi.File_iread_c(PLACE, fh, buf, count, datatype, request);
}
#pragma weak MPI_File_iread_c = PMPI_File_iread_c
int PMPI_File_iread_all(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request) {
  if (!SERVED(File_iread_all)) { return heddle_mpi_missing("MPI_File_iread_all", PLACE); }
  return heddle_mpi_host->mpi.File_iread_all(PLACE, fh, buf, count, datatype, request);
}
#pragma weak MPI_File_iread_all = PMPI_File_iread_all
int PMPI_File_iread_all_c(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) {
  if (!SERVED(File_iread_all_c)) { return heddle_mpi_missing("MPI_File_iread_all_c", PLACE); }
  return heddle_mpi_host->mpi.File_iread_all_c(PLACE, fh, buf, count, datatype, request);
}
#pragma weak MPI_File_iread_all_c = PMPI_File_iread_all_c
int PMPI_File_iread_at(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype, MPI_Request *request) {
  if (!SERVED(File_iread_at)) { return heddle_mpi_missing("MPI_File_iread_at", PLACE); }
  return heddle_mpi_host->mpi.File_iread_at(PLACE, fh, offset, buf, count, datatype, request);
}
#pragma weak MPI_File_iread_at = PMPI_File_iread_at
int PMPI_File_iread_at_c(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) {
  if (!SERVED(File_iread_at_c)) { return heddle_mpi_missing("MPI_File_iread_at_c", PLACE); }
  return heddle_mpi_host->mpi.File_iread_at_c(PLACE, fh, offset, buf, count, datatype, request);
}
#pragma weak MPI_File_iread_at_c = PMPI_File_iread_at_c
int PMPI_File_iread_at_all(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype, MPI_Request *request) {
  if (!SERVED(File_iread_at_all)) { return heddle_mpi_missing("MPI_File_iread_at_all", PLACE); }
  return heddle_mpi_host->mpi.File_iread_at_all(PLACE, fh, offset, buf, count, datatype, request);
}
#pragma weak MPI_File_iread_at_all = PMPI_File_iread_at_all
int PMPI_File_iread_at_all_c(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) {
  if (!SERVED(File_iread_at_all_c)) { return heddle_mpi_missing("MPI_File_iread_at_all_c", PLACE); }
  return heddle_mpi_host->mpi.File_iread_at_all_c(PLACE, fh, offset, buf, count, datatype, request);
}
#pragma weak MPI_File_iread_at_all_c = PMPI_File_iread_at_all_c
int PMPI_File_iread_shared(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request) {
  if (!SERVED(File_iread_shared)) { return heddle_mpi_missing("MPI_File_iread_shared", PLACE); }
  return heddle_mpi_host->mpi.File_iread_shared(PLACE, fh, buf, count, datatype, request);
}
#pragma weak MPI_File_iread_shared = PMPI_File_iread_shared
int PMPI_File_iread_shared_c(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) {
  if (!SERVED(File_iread_shared_c)) { return heddle_mpi_missing("MPI_File_iread_shared_c", PLACE); }
  return heddle_mpi_host->mpi.File_iread_shared_c(PLACE, fh, buf, count, datatype, request);
}
#pragma weak MPI_File_iread_shared_c = PMPI_File_iread_shared_c
int PMPI_File_iwrite(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request) {
  if (!SERVED(File_iwrite)) { return heddle_mpi_missing("MPI_File_iwrite", PLACE); }
  return heddle_mpi_host->mpi.File_iwrite(PLACE, fh, buf, count, datatype, request);
}
#pragma weak MPI_File_iwrite = PMPI_File_iwrite
int PMPI_File_iwrite_c(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) {
  if (!SERVED(File_iwrite_c)) { return heddle_mpi_missing("MPI_File_iwrite_c", PLACE); }
  return heddle_mpi_host->mpi.File_iwrite_c(PLACE, fh, buf, count, datatype, request);
}
#pragma weak MPI_File_iwrite_c = PMPI_File_iwrite_c
int PMPI_File_iwrite_all(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request) {
  if (!SERVED(File_iwrite_all)) { return heddle_mpi_missing("MPI_File_iwrite_all", PLACE); }
  return heddle_mpi_host->mpi.File_iwrite_all(PLACE, fh, buf, count, datatype, request);
}
#pragma weak MPI_File_iwrite_all = PMPI_File_iwrite_all
int PMPI_File_iwrite_all_c(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) {
  if (!SERVED(File_iwrite_all_c)) { return heddle_mpi_missing("MPI_File_iwrite_all_c", PLACE); }
  return heddle_mpi_host->mpi.File_iwrite_all_c(PLACE, fh, buf, count, datatype, request);
}
#pragma weak MPI_File_iwrite_all_c = PMPI_File_iwrite_all_c
int PMPI_File_iwrite_at(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request) {
  if (!SERVED(File_iwrite_at)) { return heddle_mpi_missing("MPI_File_iwrite_at", PLACE); }
  return heddle_mpi_host->mpi.File_iwrite_at(PLACE, fh, offset, buf, count, datatype, request);
}
#pragma weak MPI_File_iwrite_at = PMPI_File_iwrite_at
int PMPI_File_iwrite_at_c(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) {
  if (!SERVED(File_iwrite_at_c)) { return heddle_mpi_missing("MPI_File_iwrite_at_c", PLACE); }
  return heddle_mpi_host->mpi.File_iwrite_at_c(PLACE, fh, offset, buf, count, datatype, request);
}
#pragma weak MPI_File_iwrite_at_c = PMPI_File_iwrite_at_c
int PMPI_File_iwrite_at_all(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request) {
  if (!SERVED(File_iwrite_at_all)) { return heddle_mpi_missing("MPI_File_iwrite_at_all", PLACE); }
  return heddle_mpi_host->mpi.File_iwrite_at_all(PLACE, fh, offset, buf, count, datatype, request);
}
#pragma weak MPI_File_iwrite_at_all = PMPI_File_iwrite_at_all
int PMPI_File_iwrite_at_all_c(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) {
  if (!SERVED(File_iwrite_at_all_c)) { return heddle_mpi_missing("MPI_File_iwrite_at_all_c", PLACE); }
  return heddle_mpi_host->mpi.File_iwrite_at_all_c(PLACE, fh, offset, buf, count, datatype, request);
}
#pragma weak MPI_File_iwrite_at_all_c = PMPI_File_iwrite_at_all_c
int PMPI_File_iwrite_shared(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request) {
  if (!SERVED(File_iwrite_shared)) { return heddle_mpi_missing("MPI_File_iwrite_shared", PLACE); }
  return heddle_mpi_host->mpi.File_iwrite_shared(PLACE, fh, buf, count, datatype, request);
}
#pragma weak MPI_File_iwrite_shared = PMPI_File_iwrite_shared
int PMPI_File_iwrite_shared_c(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request) {
  if (!SERVED(File_iwrite_shared_c)) { return heddle_mpi_missing("MPI_File_iwrite_shared_c", PLACE); }
  return heddle_mpi_host->mpi.File_iwrite_shared_c(PLACE, fh, buf, count, datatype, request);
}
#pragma weak MPI_File_iwrite_shared_c = PMPI_File_iwrite_shared_c
int PMPI_File_open(MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh) {
  if (!SERVED(File_open)) { return heddle_mpi_missing("MPI_File_open", PLACE); }
  return heddle_mpi_host->mpi.File_open(PLACE, comm, filename, amode, info, fh);
}
#pragma weak MPI_File_open = PMPI_File_open
int PMPI_File_preallocate(MPI_File fh, MPI_Offset size) {
  if (!SERVED(File_preallocate)) { return heddle_mpi_missing("MPI_File_preallocate", PLACE); }
  return heddle_mpi_host->mpi.File_preallocate(PLACE, fh, size);
}
#pragma weak MPI_File_preallocate = PMPI_File_preallocate
int PMPI_File_read(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_read)) { return heddle_mpi_missing("MPI_File_read", PLACE); }
  return heddle_mpi_host->mpi.File_read(PLACE, fh, buf, count, datatype, status);
}
#pragma weak MPI_File_read = PMPI_File_read
int PMPI_File_read_c(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_read_c)) { return heddle_mpi_missing("MPI_File_read_c", PLACE); }
  return heddle_mpi_host->mpi.File_read_c(PLACE, fh, buf, count, datatype, status);
}
#pragma weak MPI_File_read_c = PMPI_File_read_c
int PMPI_File_read_all(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_read_all)) { return heddle_mpi_missing("MPI_File_read_all", PLACE); }
  return heddle_mpi_host->mpi.File_read_all(PLACE, fh, buf, count, datatype, status);
}
#pragma weak MPI_File_read_all = PMPI_File_read_all
int PMPI_File_read_all_c(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_read_all_c)) { return heddle_mpi_missing("MPI_File_read_all_c", PLACE); }
  return heddle_mpi_host->mpi.File_read_all_c(PLACE, fh, buf, count, datatype, status);
}
#pragma weak MPI_File_read_all_c = PMPI_File_read_all_c
int PMPI_File_read_all_begin(MPI_File fh, void *buf, int count, MPI_Datatype datatype) {
  if (!SERVED(File_read_all_begin)) { return heddle_mpi_missing("MPI_File_read_all_begin", PLACE); }
  return heddle_mpi_host->mpi.File_read_all_begin(PLACE, fh, buf, count, datatype);
}
#pragma weak MPI_File_read_all_begin = PMPI_File_read_all_begin
int PMPI_File_read_all_begin_c(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype) {
  if (!SERVED(File_read_all_begin_c)) { return heddle_mpi_missing("MPI_File_read_all_begin_c", PLACE); }
  return heddle_mpi_host->mpi.File_read_all_begin_c(PLACE, fh, buf, count, datatype);
}
#pragma weak MPI_File_read_all_begin_c = PMPI_File_read_all_begin_c
int PMPI_File_read_all_end(MPI_File fh, void *buf, MPI_Status *status) {
  if (!SERVED(File_read_all_end)) { return heddle_mpi_missing("MPI_File_read_all_end", PLACE); }
  return heddle_mpi_host->mpi.File_read_all_end(PLACE, fh, buf, status);
}
#pragma weak MPI_File_read_all_end = PMPI_File_read_all_end
int PMPI_File_read_at(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_read_at)) { return heddle_mpi_missing("MPI_File_read_at", PLACE); }
  return heddle_mpi_host->mpi.File_read_at(PLACE, fh, offset, buf, count, datatype, status);
}
#pragma weak MPI_File_read_at = PMPI_File_read_at
int PMPI_File_read_at_c(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_read_at_c)) { return heddle_mpi_missing("MPI_File_read_at_c", PLACE); }
  return heddle_mpi_host->mpi.File_read_at_c(PLACE, fh, offset, buf, count, datatype, status);
}
#pragma weak MPI_File_read_at_c = PMPI_File_read_at_c
int PMPI_File_read_at_all(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_read_at_all)) { return heddle_mpi_missing("MPI_File_read_at_all", PLACE); }
  return heddle_mpi_host->mpi.File_read_at_all(PLACE, fh, offset, buf, count, datatype, status);
}
#pragma weak MPI_File_read_at_all = PMPI_File_read_at_all
int PMPI_File_read_at_all_c(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_read_at_all_c)) { return heddle_mpi_missing("MPI_File_read_at_all_c", PLACE); }
  return heddle_mpi_host->mpi.File_read_at_all_c(PLACE, fh, offset, buf, count, datatype, status);
}
#pragma weak MPI_File_read_at_all_c = PMPI_File_read_at_all_c
int PMPI_File_read_at_all_begin(MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype) {
  if (!SERVED(File_read_at_all_begin)) { return heddle_mpi_missing("MPI_File_read_at_all_begin", PLACE); }
  return heddle_mpi_host->mpi.File_read_at_all_begin(PLACE, fh, offset, buf, count, datatype);
}
#pragma weak MPI_File_read_at_all_begin = PMPI_File_read_at_all_begin
int PMPI_File_read_at_all_begin_c(MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype) {
  if (!SERVED(File_read_at_all_begin_c)) { return heddle_mpi_missing("MPI_File_read_at_all_begin_c", PLACE); }
  return heddle_mpi_host->mpi.File_read_at_all_begin_c(PLACE, fh, offset, buf, count, datatype);
}
#pragma weak MPI_File_read_at_all_begin_c = PMPI_File_read_at_all_begin_c
int PMPI_File_read_at_all_end(MPI_File fh, void *buf, MPI_Status *status) {
  if (!SERVED(File_read_at_all_end)) { return heddle_mpi_missing("MPI_File_read_at_all_end", PLACE); }
  return heddle_mpi_host->mpi.File_read_at_all_end(PLACE, fh, buf, status);
}
#pragma weak MPI_File_read_at_all_end = PMPI_File_read_at_all_end
int PMPI_File_read_ordered(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_read_ordered)) { return heddle_mpi_missing("MPI_File_read_ordered", PLACE); }
  return heddle_mpi_host->mpi.File_read_ordered(PLACE, fh, buf, count, datatype, status);
}
#pragma weak MPI_File_read_ordered = PMPI_File_read_ordered
int PMPI_File_read_ordered_c(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_read_ordered_c)) { return heddle_mpi_missing("MPI_File_read_ordered_c", PLACE); }
  return heddle_mpi_host->mpi.File_read_ordered_c(PLACE, fh, buf, count, datatype, status);
}
#pragma weak MPI_File_read_ordered_c = PMPI_File_read_ordered_c
int PMPI_File_read_ordered_begin(MPI_File fh, void *buf, int count, MPI_Datatype datatype) {
  if (!SERVED(File_read_ordered_begin)) { return heddle_mpi_missing("MPI_File_read_ordered_begin", PLACE); }
  return heddle_mpi_host->mpi.File_read_ordered_begin(PLACE, fh, buf, count, datatype);
}
#pragma weak MPI_File_read_ordered_begin = PMPI_File_read_ordered_begin
int PMPI_File_read_ordered_begin_c(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype) {
  if (!SERVED(File_read_ordered_begin_c)) { return heddle_mpi_missing("MPI_File_read_ordered_begin_c", PLACE); }
  return heddle_mpi_host->mpi.File_read_ordered_begin_c(PLACE, fh, buf, count, datatype);
}
#pragma weak MPI_File_read_ordered_begin_c = PMPI_File_read_ordered_begin_c
int PMPI_File_read_ordered_end(MPI_File fh, void *buf, MPI_Status *status) {
  if (!SERVED(File_read_ordered_end)) { return heddle_mpi_missing("MPI_File_read_ordered_end", PLACE); }
  return heddle_mpi_host->mpi.File_read_ordered_end(PLACE, fh, buf, status);
}
#pragma weak MPI_File_read_ordered_end = PMPI_File_read_ordered_end
int PMPI_File_read_shared(MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_read_shared)) { return heddle_mpi_missing("MPI_File_read_shared", PLACE); }
  return heddle_mpi_host->mpi.File_read_shared(PLACE, fh, buf, count, datatype, status);
}
#pragma weak MPI_File_read_shared = PMPI_File_read_shared
int PMPI_File_read_shared_c(MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_read_shared_c)) { return heddle_mpi_missing("MPI_File_read_shared_c", PLACE); }
  return heddle_mpi_host->mpi.File_read_shared_c(PLACE, fh, buf, count, datatype, status);
}
#pragma weak MPI_File_read_shared_c = PMPI_File_read_shared_c
int PMPI_File_seek(MPI_File fh, MPI_Offset offset, int whence) {
  if (!SERVED(File_seek)) { return heddle_mpi_missing("MPI_File_seek", PLACE); }
  return heddle_mpi_host->mpi.File_seek(PLACE, fh, offset, whence);
}
#pragma weak MPI_File_seek = PMPI_File_seek
int PMPI_File_seek_shared(MPI_File fh, MPI_Offset offset, int whence) {
  if (!SERVED(File_seek_shared)) { return heddle_mpi_missing("MPI_File_seek_shared", PLACE); }
  return heddle_mpi_host->mpi.File_seek_shared(PLACE, fh, offset, whence);
}
#pragma weak MPI_File_seek_shared = PMPI_File_seek_shared
int PMPI_File_set_atomicity(MPI_File fh, int flag) {
  if (!SERVED(File_set_atomicity)) { return heddle_mpi_missing("MPI_File_set_atomicity", PLACE); }
  return heddle_mpi_host->mpi.File_set_atomicity(PLACE, fh, flag);
}
#pragma weak MPI_File_set_atomicity = PMPI_File_set_atomicity
int PMPI_File_set_errhandler(MPI_File file, MPI_Errhandler errhandler) {
  if (!SERVED(File_set_errhandler)) { return heddle_mpi_missing("MPI_File_set_errhandler", PLACE); }
  return heddle_mpi_host->mpi.File_set_errhandler(PLACE, file, errhandler);
}
#pragma weak MPI_File_set_errhandler = PMPI_File_set_errhandler
int PMPI_File_set_info(MPI_File fh, MPI_Info info) {
  if (!SERVED(File_set_info)) { return heddle_mpi_missing("MPI_File_set_info", PLACE); }
  return heddle_mpi_host->mpi.File_set_info(PLACE, fh, info);
}
#pragma weak MPI_File_set_info = PMPI_File_set_info
int PMPI_File_set_size(MPI_File fh, MPI_Offset size) {
  if (!SERVED(File_set_size)) { return heddle_mpi_missing("MPI_File_set_size", PLACE); }
  return heddle_mpi_host->mpi.File_set_size(PLACE, fh, size);
}
#pragma weak MPI_File_set_size = PMPI_File_set_size
int PMPI_File_set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype, const char *datarep, MPI_Info info) {
  if (!SERVED(File_set_view)) { return heddle_mpi_missing("MPI_File_set_view", PLACE); }
  return heddle_mpi_host->mpi.File_set_view(PLACE, fh, disp, etype, filetype, datarep, info);
}
#pragma weak MPI_File_set_view = PMPI_File_set_view
int PMPI_File_sync(MPI_File fh) {
  if (!SERVED(File_sync)) { return heddle_mpi_missing("MPI_File_sync", PLACE); }
  return heddle_mpi_host->mpi.File_sync(PLACE, fh);
}
#pragma weak MPI_File_sync = PMPI_File_sync
int PMPI_File_toint(MPI_File file) {
  if (!SERVED(File_toint)) { return heddle_mpi_missing("MPI_File_toint", PLACE); }
  return heddle_mpi_host->mpi.File_toint(PLACE, file);
}
#pragma weak MPI_File_toint = PMPI_File_toint
int PMPI_File_write(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_write)) { return heddle_mpi_missing("MPI_File_write", PLACE); }
  return heddle_mpi_host->mpi.File_write(PLACE, fh, buf, count, datatype, status);
}
#pragma weak MPI_File_write = PMPI_File_write
int PMPI_File_write_c(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_write_c)) { return heddle_mpi_missing("MPI_File_write_c", PLACE); }
  return heddle_mpi_host->mpi.File_write_c(PLACE, fh, buf, count, datatype, status);
}
#pragma weak MPI_File_write_c = PMPI_File_write_c
int PMPI_File_write_all(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_write_all)) { return heddle_mpi_missing("MPI_File_write_all", PLACE); }
  return heddle_mpi_host->mpi.File_write_all(PLACE, fh, buf, count, datatype, status);
}
#pragma weak MPI_File_write_all = PMPI_File_write_all
int PMPI_File_write_all_c(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_write_all_c)) { return heddle_mpi_missing("MPI_File_write_all_c", PLACE); }
  return heddle_mpi_host->mpi.File_write_all_c(PLACE, fh, buf, count, datatype, status);
}
#pragma weak MPI_File_write_all_c = PMPI_File_write_all_c
int PMPI_File_write_all_begin(MPI_File fh, const void *buf, int count, MPI_Datatype datatype) {
  if (!SERVED(File_write_all_begin)) { return heddle_mpi_missing("MPI_File_write_all_begin", PLACE); }
  return heddle_mpi_host->mpi.File_write_all_begin(PLACE, fh, buf, count, datatype);
}
#pragma weak MPI_File_write_all_begin = PMPI_File_write_all_begin
int PMPI_File_write_all_begin_c(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype) {
  if (!SERVED(File_write_all_begin_c)) { return heddle_mpi_missing("MPI_File_write_all_begin_c", PLACE); }
  return heddle_mpi_host->mpi.File_write_all_begin_c(PLACE, fh, buf, count, datatype);
}
#pragma weak MPI_File_write_all_begin_c = PMPI_File_write_all_begin_c
int PMPI_File_write_all_end(MPI_File fh, const void *buf, MPI_Status *status) {
  if (!SERVED(File_write_all_end)) { return heddle_mpi_missing("MPI_File_write_all_end", PLACE); }
  return heddle_mpi_host->mpi.File_write_all_end(PLACE, fh, buf, status);
}
#pragma weak MPI_File_write_all_end = PMPI_File_write_all_end
int PMPI_File_write_at(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_write_at)) { return heddle_mpi_missing("MPI_File_write_at", PLACE); }
  return heddle_mpi_host->mpi.File_write_at(PLACE, fh, offset, buf, count, datatype, status);
}
#pragma weak MPI_File_write_at = PMPI_File_write_at
int PMPI_File_write_at_c(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_write_at_c)) { return heddle_mpi_missing("MPI_File_write_at_c", PLACE); }
  return heddle_mpi_host->mpi.File_write_at_c(PLACE, fh, offset, buf, count, datatype, status);
}
#pragma weak MPI_File_write_at_c = PMPI_File_write_at_c
int PMPI_File_write_at_all(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_write_at_all)) { return heddle_mpi_missing("MPI_File_write_at_all", PLACE); }
  return heddle_mpi_host->mpi.File_write_at_all(PLACE, fh, offset, buf, count, datatype, status);
}
#pragma weak MPI_File_write_at_all = PMPI_File_write_at_all
int PMPI_File_write_at_all_c(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_write_at_all_c)) { return heddle_mpi_missing("MPI_File_write_at_all_c", PLACE); }
  return heddle_mpi_host->mpi.File_write_at_all_c(PLACE, fh, offset, buf, count, datatype, status);
}
#pragma weak MPI_File_write_at_all_c = PMPI_File_write_at_all_c
int PMPI_File_write_at_all_begin(MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype) {
  if (!SERVED(File_write_at_all_begin)) { return heddle_mpi_missing("MPI_File_write_at_all_begin", PLACE); }
  return heddle_mpi_host->mpi.File_write_at_all_begin(PLACE, fh, offset, buf, count, datatype);
}
#pragma weak MPI_File_write_at_all_begin = PMPI_File_write_at_all_begin
int PMPI_File_write_at_all_begin_c(MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype) {
  if (!SERVED(File_write_at_all_begin_c)) { return heddle_mpi_missing("MPI_File_write_at_all_begin_c", PLACE); }
  return heddle_mpi_host->mpi.File_write_at_all_begin_c(PLACE, fh, offset, buf, count, datatype);
}
#pragma weak MPI_File_write_at_all_begin_c = PMPI_File_write_at_all_begin_c
int PMPI_File_write_at_all_end(MPI_File fh, const void *buf, MPI_Status *status) {
  if (!SERVED(File_write_at_all_end)) { return heddle_mpi_missing("MPI_File_write_at_all_end", PLACE); }
  return heddle_mpi_host->mpi.File_write_at_all_end(PLACE, fh, buf, status);
}
#pragma weak MPI_File_write_at_all_end = PMPI_File_write_at_all_end
int PMPI_File_write_ordered(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_write_ordered)) { return heddle_mpi_missing("MPI_File_write_ordered", PLACE); }
  return heddle_mpi_host->mpi.File_write_ordered(PLACE, fh, buf, count, datatype, status);
}
#pragma weak MPI_File_write_ordered = PMPI_File_write_ordered
int PMPI_File_write_ordered_c(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_write_ordered_c)) { return heddle_mpi_missing("MPI_File_write_ordered_c", PLACE); }
  return heddle_mpi_host->mpi.File_write_ordered_c(PLACE, fh, buf, count, datatype, status);
}
#pragma weak MPI_File_write_ordered_c = PMPI_File_write_ordered_c
int PMPI_File_write_ordered_begin(MPI_File fh, const void *buf, int count, MPI_Datatype datatype) {
  if (!SERVED(File_write_ordered_begin)) { return heddle_mpi_missing("MPI_File_write_ordered_begin", PLACE); }
  return heddle_mpi_host->mpi.File_write_ordered_begin(PLACE, fh, buf, count, datatype);
}
#pragma weak MPI_File_write_ordered_begin = PMPI_File_write_ordered_begin
int PMPI_File_write_ordered_begin_c(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype) {
  if (!SERVED(File_write_ordered_begin_c)) { return heddle_mpi_missing("MPI_File_write_ordered_begin_c", PLACE); }
  return heddle_mpi_host->mpi.File_write_ordered_begin_c(PLACE, fh, buf, count, datatype);
}
#pragma weak MPI_File_write_ordered_begin_c = PMPI_File_write_ordered_begin_c
int PMPI_File_write_ordered_end(MPI_File fh, const void *buf, MPI_Status *status) {
  if (!SERVED(File_write_ordered_end)) { return heddle_mpi_missing("MPI_File_write_ordered_end", PLACE); }
  return heddle_mpi_host->mpi.File_write_ordered_end(PLACE, fh, buf, status);
}
#pragma weak MPI_File_write_ordered_end = PMPI_File_write_ordered_end
int PMPI_File_write_shared(MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_write_shared)) { return heddle_mpi_missing("MPI_File_write_shared", PLACE); }
  return heddle_mpi_host->mpi.File_write_shared(PLACE, fh, buf, count, datatype, status);
}
#pragma weak MPI_File_write_shared = PMPI_File_write_shared
int PMPI_File_write_shared_c(MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status) {
  if (!SERVED(File_write_shared_c)) { return heddle_mpi_missing("MPI_File_write_shared_c", PLACE); }
  return heddle_mpi_host->mpi.File_write_shared_c(PLACE, fh, buf, count, datatype, status);
}
#pragma weak MPI_File_write_shared_c = PMPI_File_write_shared_c
int PMPI_Finalize(void) {
  if (!SERVED(Finalize)) { return heddle_mpi_missing("MPI_Finalize", PLACE); }
  return heddle_mpi_host->mpi.Finalize(PLACE);
}
#pragma weak MPI_Finalize = PMPI_Finalize
int PMPI_Finalized(int *flag) {
  if (!SERVED(Finalized)) { return heddle_mpi_missing("MPI_Finalized", PLACE); }
  return heddle_mpi_host->mpi.Finalized(PLACE, flag);
}
#pragma weak MPI_Finalized = PMPI_Finalized
int PMPI_Free_mem(void *base) {
  if (!SERVED(Free_mem)) { return heddle_mpi_missing("MPI_Free_mem", PLACE); }
  return heddle_mpi_host->mpi.Free_mem(PLACE, base);
}
#pragma weak MPI_Free_mem = PMPI_Free_mem
int PMPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  if (!SERVED(Gather)) { return heddle_mpi_missing("MPI_Gather", PLACE); }
  return heddle_mpi_host->mpi.Gather(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}
#pragma weak MPI_Gather = PMPI_Gather
int PMPI_Gather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  if (!SERVED(Gather_c)) { return heddle_mpi_missing("MPI_Gather_c", PLACE); }
  return heddle_mpi_host->mpi.Gather_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}
#pragma weak MPI_Gather_c = PMPI_Gather_c
int PMPI_Gather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Gather_init)) { return heddle_mpi_missing("MPI_Gather_init", PLACE); }
  return heddle_mpi_host->mpi.Gather_init(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request);
}
#pragma weak MPI_Gather_init = PMPI_Gather_init
int PMPI_Gather_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Gather_init_c)) { return heddle_mpi_missing("MPI_Gather_init_c", PLACE); }
  return heddle_mpi_host->mpi.Gather_init_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request);
}
#pragma weak MPI_Gather_init_c = PMPI_Gather_init_c
int PMPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm) {
  if (!SERVED(Gatherv)) { return heddle_mpi_missing("MPI_Gatherv", PLACE); }
  return heddle_mpi_host->mpi.Gatherv(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm);
}
#pragma weak MPI_Gatherv = PMPI_Gatherv
int PMPI_Gatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root, MPI_Comm comm) {
  if (!SERVED(Gatherv_c)) { return heddle_mpi_missing("MPI_Gatherv_c", PLACE); }
  return heddle_mpi_host->mpi.Gatherv_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm);
}
#pragma weak MPI_Gatherv_c = PMPI_Gatherv_c
int PMPI_Gatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Gatherv_init)) { return heddle_mpi_missing("MPI_Gatherv_init", PLACE); }
  return heddle_mpi_host->mpi.Gatherv_init(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, info, request);
}
#pragma weak MPI_Gatherv_init = PMPI_Gatherv_init
int PMPI_Gatherv_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Gatherv_init_c)) { return heddle_mpi_missing("MPI_Gatherv_init_c", PLACE); }
  return heddle_mpi_host->mpi.Gatherv_init_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, info, request);
}
#pragma weak MPI_Gatherv_init_c = PMPI_Gatherv_init_c
int PMPI_Get(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win) {
  if (!SERVED(Get)) { return heddle_mpi_missing("MPI_Get", PLACE); }
  return heddle_mpi_host->mpi.Get(PLACE, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win);
}
#pragma weak MPI_Get = PMPI_Get
int PMPI_Get_c(void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win) {
  if (!SERVED(Get_c)) { return heddle_mpi_missing("MPI_Get_c", PLACE); }
  return heddle_mpi_host->mpi.Get_c(PLACE, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win);
}
#pragma weak MPI_Get_c = PMPI_Get_c
int PMPI_Get_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr, int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  if (!SERVED(Get_accumulate)) { return heddle_mpi_missing("MPI_Get_accumulate", PLACE); }
  return heddle_mpi_host->mpi.Get_accumulate(PLACE, origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, win);
}
#pragma weak MPI_Get_accumulate = PMPI_Get_accumulate
int PMPI_Get_accumulate_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, void *result_addr, MPI_Count result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) {
  if (!SERVED(Get_accumulate_c)) { return heddle_mpi_missing("MPI_Get_accumulate_c", PLACE); }
  return heddle_mpi_host->mpi.Get_accumulate_c(PLACE, origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, win);
}
#pragma weak MPI_Get_accumulate_c = PMPI_Get_accumulate_c
int PMPI_Get_address(const void *location, MPI_Aint *address) {
  if (!SERVED(Get_address)) { return heddle_mpi_missing("MPI_Get_address", PLACE); }
  return heddle_mpi_host->mpi.Get_address(PLACE, location, address);
}
#pragma weak MPI_Get_address = PMPI_Get_address
int PMPI_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count) {
  if (!SERVED(Get_count)) { return heddle_mpi_missing("MPI_Get_count", PLACE); }
  return heddle_mpi_host->mpi.Get_count(PLACE, status, datatype, count);
}
#pragma weak MPI_Get_count = PMPI_Get_count
int PMPI_Get_count_c(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count) {
  if (!SERVED(Get_count_c)) { return heddle_mpi_missing("MPI_Get_count_c", PLACE); }
  return heddle_mpi_host->mpi.Get_count_c(PLACE, status, datatype, count);
}
#pragma weak MPI_Get_count_c = PMPI_Get_count_c
int PMPI_Get_elements(const MPI_Status *status, MPI_Datatype datatype, int *count) {
  if (!SERVED(Get_elements)) { return heddle_mpi_missing("MPI_Get_elements", PLACE); }
  return heddle_mpi_host->mpi.Get_elements(PLACE, status, datatype, count);
}
#pragma weak MPI_Get_elements = PMPI_Get_elements
int PMPI_Get_elements_c(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count) {
  if (!SERVED(Get_elements_c)) { return heddle_mpi_missing("MPI_Get_elements_c", PLACE); }
  return heddle_mpi_host->mpi.Get_elements_c(PLACE, status, datatype, count);
}
#pragma weak MPI_Get_elements_c = PMPI_Get_elements_c
int PMPI_Get_elements_x(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count) {
  if (!SERVED(Get_elements_x)) { return heddle_mpi_missing("MPI_Get_elements_x", PLACE); }
  return heddle_mpi_host->mpi.Get_elements_x(PLACE, status, datatype, count);
}
#pragma weak MPI_Get_elements_x = PMPI_Get_elements_x
int PMPI_Get_hw_resource_info(MPI_Info *hw_info) {
  if (!SERVED(Get_hw_resource_info)) { return heddle_mpi_missing("MPI_Get_hw_resource_info", PLACE); }
  return heddle_mpi_host->mpi.Get_hw_resource_info(PLACE, hw_info);
}
#pragma weak MPI_Get_hw_resource_info = PMPI_Get_hw_resource_info
int PMPI_Get_library_version(char *version, int *resultlen) {
  if (!SERVED(Get_library_version)) { return heddle_mpi_missing("MPI_Get_library_version", PLACE); }
  return heddle_mpi_host->mpi.Get_library_version(PLACE, version, resultlen);
}
#pragma weak MPI_Get_library_version = PMPI_Get_library_version
int PMPI_Get_processor_name(char *name, int *resultlen) {
  if (!SERVED(Get_processor_name)) { return heddle_mpi_missing("MPI_Get_processor_name", PLACE); }
  return heddle_mpi_host->mpi.Get_processor_name(PLACE, name, resultlen);
}
#pragma weak MPI_Get_processor_name = PMPI_Get_processor_name
int PMPI_Get_version(int *version, int *subversion) {
  if (!SERVED(Get_version)) { return heddle_mpi_missing("MPI_Get_version", PLACE); }
  return heddle_mpi_host->mpi.Get_version(PLACE, version, subversion);
}
#pragma weak MPI_Get_version = PMPI_Get_version
int PMPI_Graph_create(MPI_Comm comm_old, int nnodes, const int indx[], const int edges[], int reorder, MPI_Comm *comm_graph) {
  if (!SERVED(Graph_create)) { return heddle_mpi_missing("MPI_Graph_create", PLACE); }
  return heddle_mpi_host->mpi.Graph_create(PLACE, comm_old, nnodes, indx, edges, reorder, comm_graph);
}
#pragma weak MPI_Graph_create = PMPI_Graph_create
int PMPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int indx[], int edges[]) {
  if (!SERVED(Graph_get)) { return heddle_mpi_missing("MPI_Graph_get", PLACE); }
  return heddle_mpi_host->mpi.Graph_get(PLACE, comm, maxindex, maxedges, indx, edges);
}
#pragma weak MPI_Graph_get = PMPI_Graph_get
int PMPI_Graph_map(MPI_Comm comm, int nnodes, const int indx[], const int edges[], int *newrank) {
  if (!SERVED(Graph_map)) { return heddle_mpi_missing("MPI_Graph_map", PLACE); }
  return heddle_mpi_host->mpi.Graph_map(PLACE, comm, nnodes, indx, edges, newrank);
}
#pragma weak MPI_Graph_map = PMPI_Graph_map
int PMPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int neighbors[]) {
  if (!SERVED(Graph_neighbors)) { return heddle_mpi_missing("MPI_Graph_neighbors", PLACE); }
  return heddle_mpi_host->mpi.Graph_neighbors(PLACE, comm, rank, maxneighbors, neighbors);
}
#pragma weak MPI_Graph_neighbors = PMPI_Graph_neighbors
int PMPI_Graph_neighbors_count(MPI_Comm comm, int rank, int *nneighbors) {
  if (!SERVED(Graph_neighbors_count)) { return heddle_mpi_missing("MPI_Graph_neighbors_count", PLACE); }
  return heddle_mpi_host->mpi.Graph_neighbors_count(PLACE, comm, rank, nneighbors);
}
#pragma weak MPI_Graph_neighbors_count = PMPI_Graph_neighbors_count
int PMPI_Graphdims_get(MPI_Comm comm, int *nnodes, int *nedges) {
  if (!SERVED(Graphdims_get)) { return heddle_mpi_missing("MPI_Graphdims_get", PLACE); }
  return heddle_mpi_host->mpi.Graphdims_get(PLACE, comm, nnodes, nedges);
}
#pragma weak MPI_Graphdims_get = PMPI_Graphdims_get
int PMPI_Grequest_complete(MPI_Request request) {
  if (!SERVED(Grequest_complete)) { return heddle_mpi_missing("MPI_Grequest_complete", PLACE); }
  return heddle_mpi_host->mpi.Grequest_complete(PLACE, request);
}
#pragma weak MPI_Grequest_complete = PMPI_Grequest_complete
int PMPI_Grequest_start(MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn, MPI_Grequest_cancel_function *cancel_fn, void *extra_state, MPI_Request *request) {
  if (!SERVED(Grequest_start)) { return heddle_mpi_missing("MPI_Grequest_start", PLACE); }
  return heddle_mpi_host->mpi.Grequest_start(PLACE, query_fn, free_fn, cancel_fn, extra_state, request);
}
#pragma weak MPI_Grequest_start = PMPI_Grequest_start
int PMPI_Group_compare(MPI_Group group1, MPI_Group group2, int *result) {
  if (!SERVED(Group_compare)) { return heddle_mpi_missing("MPI_Group_compare", PLACE); }
  return heddle_mpi_host->mpi.Group_compare(PLACE, group1, group2, result);
}
#pragma weak MPI_Group_compare = PMPI_Group_compare
int PMPI_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup) {
  if (!SERVED(Group_difference)) { return heddle_mpi_missing("MPI_Group_difference", PLACE); }
  return heddle_mpi_host->mpi.Group_difference(PLACE, group1, group2, newgroup);
}
#pragma weak MPI_Group_difference = PMPI_Group_difference
int PMPI_Group_excl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup) {
  if (!SERVED(Group_excl)) { return heddle_mpi_missing("MPI_Group_excl", PLACE); }
  return heddle_mpi_host->mpi.Group_excl(PLACE, group, n, ranks, newgroup);
}
#pragma weak MPI_Group_excl = PMPI_Group_excl
int PMPI_Group_free(MPI_Group *group) {
  if (!SERVED(Group_free)) { return heddle_mpi_missing("MPI_Group_free", PLACE); }
  return heddle_mpi_host->mpi.Group_free(PLACE, group);
}
#pragma weak MPI_Group_free = PMPI_Group_free
int PMPI_Group_from_session_pset(MPI_Session session, const char *pset_name, MPI_Group *newgroup) {
  if (!SERVED(Group_from_session_pset)) { return heddle_mpi_missing("MPI_Group_from_session_pset", PLACE); }
  return heddle_mpi_host->mpi.Group_from_session_pset(PLACE, session, pset_name, newgroup);
}
#pragma weak MPI_Group_from_session_pset = PMPI_Group_from_session_pset
MPI_Group PMPI_Group_fromint(int group) {
  if (!SERVED(Group_fromint)) { heddle_mpi_missing("MPI_Group_fromint", PLACE); return 0; }
  return heddle_mpi_host->mpi.Group_fromint(PLACE, group);
}
#pragma weak MPI_Group_fromint = PMPI_Group_fromint
int PMPI_Group_incl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup) {
  if (!SERVED(Group_incl)) { return heddle_mpi_missing("MPI_Group_incl", PLACE); }
  return heddle_mpi_host->mpi.Group_incl(PLACE, group, n, ranks, newgroup);
}
#pragma weak MPI_Group_incl = PMPI_Group_incl
int PMPI_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup) {
  if (!SERVED(Group_intersection)) { return heddle_mpi_missing("MPI_Group_intersection", PLACE); }
  return heddle_mpi_host->mpi.Group_intersection(PLACE, group1, group2, newgroup);
}
#pragma weak MPI_Group_intersection = PMPI_Group_intersection
int PMPI_Group_range_excl(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup) {
  if (!SERVED(Group_range_excl)) { return heddle_mpi_missing("MPI_Group_range_excl", PLACE); }
  return heddle_mpi_host->mpi.Group_range_excl(PLACE, group, n, ranges, newgroup);
}
#pragma weak MPI_Group_range_excl = PMPI_Group_range_excl
int PMPI_Group_range_incl(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup) {
  if (!SERVED(Group_range_incl)) { return heddle_mpi_missing("MPI_Group_range_incl", PLACE); }
  return heddle_mpi_host->mpi.Group_range_incl(PLACE, group, n, ranges, newgroup);
}
#pragma weak MPI_Group_range_incl = PMPI_Group_range_incl
int PMPI_Group_rank(MPI_Group group, int *rank) {
  if (!SERVED(Group_rank)) { return heddle_mpi_missing("MPI_Group_rank", PLACE); }
  return heddle_mpi_host->mpi.Group_rank(PLACE, group, rank);
}
#pragma weak MPI_Group_rank = PMPI_Group_rank
int PMPI_Group_size(MPI_Group group, int *size) {
  if (!SERVED(Group_size)) { return heddle_mpi_missing("MPI_Group_size", PLACE); }
  return heddle_mpi_host->mpi.Group_size(PLACE, group, size);
}
#pragma weak MPI_Group_size = PMPI_Group_size
int PMPI_Group_toint(MPI_Group group) {
  if (!SERVED(Group_toint)) { return heddle_mpi_missing("MPI_Group_toint", PLACE); }
  return heddle_mpi_host->mpi.Group_toint(PLACE, group);
}
#pragma weak MPI_Group_toint = PMPI_Group_toint
int PMPI_Group_translate_ranks(MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[]) {
  if (!SERVED(Group_translate_ranks)) { return heddle_mpi_missing("MPI_Group_translate_ranks", PLACE); }
  return heddle_mpi_host->mpi.Group_translate_ranks(PLACE, group1, n, ranks1, group2, ranks2);
}
#pragma weak MPI_Group_translate_ranks = PMPI_Group_translate_ranks
int PMPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup) {
  if (!SERVED(Group_union)) { return heddle_mpi_missing("MPI_Group_union", PLACE); }
  return heddle_mpi_host->mpi.Group_union(PLACE, group1, group2, newgroup);
}
#pragma weak MPI_Group_union = PMPI_Group_union
int PMPI_Iallgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Iallgather)) { return heddle_mpi_missing("MPI_Iallgather", PLACE); }
  return heddle_mpi_host->mpi.Iallgather(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
}
#pragma weak MPI_Iallgather = PMPI_Iallgather
int PMPI_Iallgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Iallgather_c)) { return heddle_mpi_missing("MPI_Iallgather_c", PLACE); }
  return heddle_mpi_host->mpi.Iallgather_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
}
#pragma weak MPI_Iallgather_c = PMPI_Iallgather_c
int PMPI_Iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Iallgatherv)) { return heddle_mpi_missing("MPI_Iallgatherv", PLACE); }
  return heddle_mpi_host->mpi.Iallgatherv(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request);
}
#pragma weak MPI_Iallgatherv = PMPI_Iallgatherv
int PMPI_Iallgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Iallgatherv_c)) { return heddle_mpi_missing("MPI_Iallgatherv_c", PLACE); }
  return heddle_mpi_host->mpi.Iallgatherv_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request);
}
#pragma weak MPI_Iallgatherv_c = PMPI_Iallgatherv_c
int PMPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Iallreduce)) { return heddle_mpi_missing("MPI_Iallreduce", PLACE); }
  return heddle_mpi_host->mpi.Iallreduce(PLACE, sendbuf, recvbuf, count, datatype, op, comm, request);
}
#pragma weak MPI_Iallreduce = PMPI_Iallreduce
int PMPI_Iallreduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Iallreduce_c)) { return heddle_mpi_missing("MPI_Iallreduce_c", PLACE); }
  return heddle_mpi_host->mpi.Iallreduce_c(PLACE, sendbuf, recvbuf, count, datatype, op, comm, request);
}
#pragma weak MPI_Iallreduce_c = PMPI_Iallreduce_c
int PMPI_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ialltoall)) { return heddle_mpi_missing("MPI_Ialltoall", PLACE); }
  return heddle_mpi_host->mpi.Ialltoall(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
}
#pragma weak MPI_Ialltoall = PMPI_Ialltoall
int PMPI_Ialltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ialltoall_c)) { return heddle_mpi_missing("MPI_Ialltoall_c", PLACE); }
  return heddle_mpi_host->mpi.Ialltoall_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
}
#pragma weak MPI_Ialltoall_c = PMPI_Ialltoall_c
int PMPI_Ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ialltoallv)) { return heddle_mpi_missing("MPI_Ialltoallv", PLACE); }
  return heddle_mpi_host->mpi.Ialltoallv(PLACE, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request);
}
#pragma weak MPI_Ialltoallv = PMPI_Ialltoallv
int PMPI_Ialltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ialltoallv_c)) { return heddle_mpi_missing("MPI_Ialltoallv_c", PLACE); }
  return heddle_mpi_host->mpi.Ialltoallv_c(PLACE, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request);
}
#pragma weak MPI_Ialltoallv_c = PMPI_Ialltoallv_c
int PMPI_Ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ialltoallw)) { return heddle_mpi_missing("MPI_Ialltoallw", PLACE); }
  return heddle_mpi_host->mpi.Ialltoallw(PLACE, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request);
}
#pragma weak MPI_Ialltoallw = PMPI_Ialltoallw
int PMPI_Ialltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ialltoallw_c)) { return heddle_mpi_missing("MPI_Ialltoallw_c", PLACE); }
  return heddle_mpi_host->mpi.Ialltoallw_c(PLACE, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request);
}
#pragma weak MPI_Ialltoallw_c = PMPI_Ialltoallw_c
int PMPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ibarrier)) { return heddle_mpi_missing("MPI_Ibarrier", PLACE); }
  return heddle_mpi_host->mpi.Ibarrier(PLACE, comm, request);
}
#pragma weak MPI_Ibarrier = PMPI_Ibarrier
int PMPI_Ibcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ibcast)) { return heddle_mpi_missing("MPI_Ibcast", PLACE); }
  return heddle_mpi_host->mpi.Ibcast(PLACE, buffer, count, datatype, root, comm, request);
}
#pragma weak MPI_Ibcast = PMPI_Ibcast
int PMPI_Ibcast_c(void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ibcast_c)) { return heddle_mpi_missing("MPI_Ibcast_c", PLACE); }
  return heddle_mpi_host->mpi.Ibcast_c(PLACE, buffer, count, datatype, root, comm, request);
}
#pragma weak MPI_Ibcast_c = PMPI_Ibcast_c
int PMPI_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ibsend)) { return heddle_mpi_missing("MPI_Ibsend", PLACE); }
  return heddle_mpi_host->mpi.Ibsend(PLACE, buf, count, datatype, dest, tag, comm, request);
}
#pragma weak MPI_Ibsend = PMPI_Ibsend
int PMPI_Ibsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ibsend_c)) { return heddle_mpi_missing("MPI_Ibsend_c", PLACE); }
  return heddle_mpi_host->mpi.Ibsend_c(PLACE, buf, count, datatype, dest, tag, comm, request);
}
#pragma weak MPI_Ibsend_c = PMPI_Ibsend_c
int PMPI_Iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Iexscan)) { return heddle_mpi_missing("MPI_Iexscan", PLACE); }
  return heddle_mpi_host->mpi.Iexscan(PLACE, sendbuf, recvbuf, count, datatype, op, comm, request);
}
#pragma weak MPI_Iexscan = PMPI_Iexscan
int PMPI_Iexscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Iexscan_c)) { return heddle_mpi_missing("MPI_Iexscan_c", PLACE); }
  return heddle_mpi_host->mpi.Iexscan_c(PLACE, sendbuf, recvbuf, count, datatype, op, comm, request);
}
#pragma weak MPI_Iexscan_c = PMPI_Iexscan_c
int PMPI_Igather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Igather)) { return heddle_mpi_missing("MPI_Igather", PLACE); }
  return heddle_mpi_host->mpi.Igather(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
}
#pragma weak MPI_Igather = PMPI_Igather
int PMPI_Igather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Igather_c)) { return heddle_mpi_missing("MPI_Igather_c", PLACE); }
  return heddle_mpi_host->mpi.Igather_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
}
#pragma weak MPI_Igather_c = PMPI_Igather_c
int PMPI_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Igatherv)) { return heddle_mpi_missing("MPI_Igatherv", PLACE); }
  return heddle_mpi_host->mpi.Igatherv(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, request);
}
#pragma weak MPI_Igatherv = PMPI_Igatherv
int PMPI_Igatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Igatherv_c)) { return heddle_mpi_missing("MPI_Igatherv_c", PLACE); }
  return heddle_mpi_host->mpi.Igatherv_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, request);
}
#pragma weak MPI_Igatherv_c = PMPI_Igatherv_c
int PMPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status) {
  if (!SERVED(Improbe)) { return heddle_mpi_missing("MPI_Improbe", PLACE); }
  return heddle_mpi_host->mpi.Improbe(PLACE, source, tag, comm, flag, message, status);
}
#pragma weak MPI_Improbe = PMPI_Improbe
int PMPI_Imrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request) {
  if (!SERVED(Imrecv)) { return heddle_mpi_missing("MPI_Imrecv", PLACE); }
  return heddle_mpi_host->mpi.Imrecv(PLACE, buf, count, datatype, message, request);
}
#pragma weak MPI_Imrecv = PMPI_Imrecv
int PMPI_Imrecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message, MPI_Request *request) {
  if (!SERVED(Imrecv_c)) { return heddle_mpi_missing("MPI_Imrecv_c", PLACE); }
  return heddle_mpi_host->mpi.Imrecv_c(PLACE, buf, count, datatype, message, request);
}
#pragma weak MPI_Imrecv_c = PMPI_Imrecv_c
int PMPI_Ineighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ineighbor_allgather)) { return heddle_mpi_missing("MPI_Ineighbor_allgather", PLACE); }
  return heddle_mpi_host->mpi.Ineighbor_allgather(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
}
#pragma weak MPI_Ineighbor_allgather = PMPI_Ineighbor_allgather
int PMPI_Ineighbor_allgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ineighbor_allgather_c)) { return heddle_mpi_missing("MPI_Ineighbor_allgather_c", PLACE); }
  return heddle_mpi_host->mpi.Ineighbor_allgather_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
}
#pragma weak MPI_Ineighbor_allgather_c = PMPI_Ineighbor_allgather_c
int PMPI_Ineighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ineighbor_allgatherv)) { return heddle_mpi_missing("MPI_Ineighbor_allgatherv", PLACE); }
  return heddle_mpi_host->mpi.Ineighbor_allgatherv(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request);
}
#pragma weak MPI_Ineighbor_allgatherv = PMPI_Ineighbor_allgatherv
int PMPI_Ineighbor_allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ineighbor_allgatherv_c)) { return heddle_mpi_missing("MPI_Ineighbor_allgatherv_c", PLACE); }
  return heddle_mpi_host->mpi.Ineighbor_allgatherv_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request);
}
#pragma weak MPI_Ineighbor_allgatherv_c = PMPI_Ineighbor_allgatherv_c
int PMPI_Ineighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ineighbor_alltoall)) { return heddle_mpi_missing("MPI_Ineighbor_alltoall", PLACE); }
  return heddle_mpi_host->mpi.Ineighbor_alltoall(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
}
#pragma weak MPI_Ineighbor_alltoall = PMPI_Ineighbor_alltoall
int PMPI_Ineighbor_alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ineighbor_alltoall_c)) { return heddle_mpi_missing("MPI_Ineighbor_alltoall_c", PLACE); }
  return heddle_mpi_host->mpi.Ineighbor_alltoall_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
}
#pragma weak MPI_Ineighbor_alltoall_c = PMPI_Ineighbor_alltoall_c
int PMPI_Ineighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ineighbor_alltoallv)) { return heddle_mpi_missing("MPI_Ineighbor_alltoallv", PLACE); }
  return heddle_mpi_host->mpi.Ineighbor_alltoallv(PLACE, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request);
}
#pragma weak MPI_Ineighbor_alltoallv = PMPI_Ineighbor_alltoallv
int PMPI_Ineighbor_alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ineighbor_alltoallv_c)) { return heddle_mpi_missing("MPI_Ineighbor_alltoallv_c", PLACE); }
  return heddle_mpi_host->mpi.Ineighbor_alltoallv_c(PLACE, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request);
}
#pragma weak MPI_Ineighbor_alltoallv_c = PMPI_Ineighbor_alltoallv_c
int PMPI_Ineighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ineighbor_alltoallw)) { return heddle_mpi_missing("MPI_Ineighbor_alltoallw", PLACE); }
  return heddle_mpi_host->mpi.Ineighbor_alltoallw(PLACE, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request);
}
#pragma weak MPI_Ineighbor_alltoallw = PMPI_Ineighbor_alltoallw
int PMPI_Ineighbor_alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ineighbor_alltoallw_c)) { return heddle_mpi_missing("MPI_Ineighbor_alltoallw_c", PLACE); }
  return heddle_mpi_host->mpi.Ineighbor_alltoallw_c(PLACE, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request);
}
#pragma weak MPI_Ineighbor_alltoallw_c = PMPI_Ineighbor_alltoallw_c
int PMPI_Info_create(MPI_Info *info) {
  if (!SERVED(Info_create)) { return heddle_mpi_missing("MPI_Info_create", PLACE); }
  return heddle_mpi_host->mpi.Info_create(PLACE, info);
}
#pragma weak MPI_Info_create = PMPI_Info_create
int PMPI_Info_create_env(int argc, char *argv[], MPI_Info *info) {
  if (!SERVED(Info_create_env)) { return heddle_mpi_missing("MPI_Info_create_env", PLACE); }
  return heddle_mpi_host->mpi.Info_create_env(PLACE, argc, argv, info);
}
#pragma weak MPI_Info_create_env = PMPI_Info_create_env
int PMPI_Info_delete(MPI_Info info, const char *key) {
  if (!SERVED(Info_delete)) { return heddle_mpi_missing("MPI_Info_delete", PLACE); }
  return heddle_mpi_host->mpi.Info_delete(PLACE, info, key);
}
#pragma weak MPI_Info_delete = PMPI_Info_delete
int PMPI_Info_dup(MPI_Info info, MPI_Info *newinfo) {
  if (!SERVED(Info_dup)) { return heddle_mpi_missing("MPI_Info_dup", PLACE); }
  return heddle_mpi_host->mpi.Info_dup(PLACE, info, newinfo);
}
#pragma weak MPI_Info_dup = PMPI_Info_dup
int PMPI_Info_free(MPI_Info *info) {
  if (!SERVED(Info_free)) { return heddle_mpi_missing("MPI_Info_free", PLACE); }
  return heddle_mpi_host->mpi.Info_free(PLACE, info);
}
#pragma weak MPI_Info_free = PMPI_Info_free
MPI_Info PMPI_Info_fromint(int info) {
  if (!SERVED(Info_fromint)) { heddle_mpi_missing("MPI_Info_fromint", PLACE); return 0; }
  return heddle_mpi_host->mpi.Info_fromint(PLACE, info);
}
#pragma weak MPI_Info_fromint = PMPI_Info_fromint
int PMPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag) {
  if (!SERVED(Info_get)) { return heddle_mpi_missing("MPI_Info_get", PLACE); }
  return heddle_mpi_host->mpi.Info_get(PLACE, info, key, valuelen, value, flag);
}
#pragma weak MPI_Info_get = PMPI_Info_get
int PMPI_Info_get_nkeys(MPI_Info info, int *nkeys) {
  if (!SERVED(Info_get_nkeys)) { return heddle_mpi_missing("MPI_Info_get_nkeys", PLACE); }
  return heddle_mpi_host->mpi.Info_get_nkeys(PLACE, info, nkeys);
}
#pragma weak MPI_Info_get_nkeys = PMPI_Info_get_nkeys
int PMPI_Info_get_nthkey(MPI_Info info, int n, char *key) {
  if (!SERVED(Info_get_nthkey)) { return heddle_mpi_missing("MPI_Info_get_nthkey", PLACE); }
  return heddle_mpi_host->mpi.Info_get_nthkey(PLACE, info, n, key);
}
#pragma weak MPI_Info_get_nthkey = PMPI_Info_get_nthkey
int PMPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag) {
  if (!SERVED(Info_get_string)) { return heddle_mpi_missing("MPI_Info_get_string", PLACE); }
  return heddle_mpi_host->mpi.Info_get_string(PLACE, info, key, buflen, value, flag);
}
#pragma weak MPI_Info_get_string = PMPI_Info_get_string
int PMPI_Info_get_valuelen(MPI_Info info, const char *key, int *valuelen, int *flag) {
  if (!SERVED(Info_get_valuelen)) { return heddle_mpi_missing("MPI_Info_get_valuelen", PLACE); }
  return heddle_mpi_host->mpi.Info_get_valuelen(PLACE, info, key, valuelen, flag);
}
#pragma weak MPI_Info_get_valuelen = PMPI_Info_get_valuelen
int PMPI_Info_set(MPI_Info info, const char *key, const char *value) {
  if (!SERVED(Info_set)) { return heddle_mpi_missing("MPI_Info_set", PLACE); }
  return heddle_mpi_host->mpi.Info_set(PLACE, info, key, value);
}
#pragma weak MPI_Info_set = PMPI_Info_set
int PMPI_Info_toint(MPI_Info info) {
  if (!SERVED(Info_toint)) { return heddle_mpi_missing("MPI_Info_toint", PLACE); }
  return heddle_mpi_host->mpi.Info_toint(PLACE, info);
}
#pragma weak MPI_Info_toint = PMPI_Info_toint
int PMPI_Init(int *argc, char ** *argv) {
  if (!SERVED(Init)) { return heddle_mpi_missing("MPI_Init", PLACE); }
  return heddle_mpi_host->mpi.Init(PLACE, argc, argv);
}
#pragma weak MPI_Init = PMPI_Init
int PMPI_Init_thread(int *argc, char ** *argv, int required, int *provided) {
  if (!SERVED(Init_thread)) { return heddle_mpi_missing("MPI_Init_thread", PLACE); }
  return heddle_mpi_host->mpi.Init_thread(PLACE, argc, argv, required, provided);
}
#pragma weak MPI_Init_thread = PMPI_Init_thread
int PMPI_Initialized(int *flag) {
  if (!SERVED(Initialized)) { return heddle_mpi_missing("MPI_Initialized", PLACE); }
  return heddle_mpi_host->mpi.Initialized(PLACE, flag);
}
#pragma weak MPI_Initialized = PMPI_Initialized
int PMPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag, MPI_Comm *newintercomm) {
  if (!SERVED(Intercomm_create)) { return heddle_mpi_missing("MPI_Intercomm_create", PLACE); }
  return heddle_mpi_host->mpi.Intercomm_create(PLACE, local_comm, local_leader, peer_comm, remote_leader, tag, newintercomm);
}
#pragma weak MPI_Intercomm_create = PMPI_Intercomm_create
int PMPI_Intercomm_create_from_groups(MPI_Group local_group, int local_leader, MPI_Group remote_group, int remote_leader, const char *stringtag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *newintercomm) {
  if (!SERVED(Intercomm_create_from_groups)) { return heddle_mpi_missing("MPI_Intercomm_create_from_groups", PLACE); }
  return heddle_mpi_host->mpi.Intercomm_create_from_groups(PLACE, local_group, local_leader, remote_group, remote_leader, stringtag, info, errhandler, newintercomm);
}
#pragma weak MPI_Intercomm_create_from_groups = PMPI_Intercomm_create_from_groups
int PMPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm *newintracomm) {
  if (!SERVED(Intercomm_merge)) { return heddle_mpi_missing("MPI_Intercomm_merge", PLACE); }
  return heddle_mpi_host->mpi.Intercomm_merge(PLACE, intercomm, high, newintracomm);
}
#pragma weak MPI_Intercomm_merge = PMPI_Intercomm_merge
int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
  if (!SERVED(Iprobe)) { return heddle_mpi_missing("MPI_Iprobe", PLACE); }
  return heddle_mpi_host->mpi.Iprobe(PLACE, source, tag, comm, flag, status);
}
#pragma weak MPI_Iprobe = PMPI_Iprobe
int PMPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Irecv)) { return heddle_mpi_missing("MPI_Irecv", PLACE); }
  return heddle_mpi_host->mpi.Irecv(PLACE, buf, count, datatype, source, tag, comm, request);
}
#pragma weak MPI_Irecv = PMPI_Irecv
int PMPI_Irecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Irecv_c)) { return heddle_mpi_missing("MPI_Irecv_c", PLACE); }
  return heddle_mpi_host->mpi.Irecv_c(PLACE, buf, count, datatype, source, tag, comm, request);
}
#pragma weak MPI_Irecv_c = PMPI_Irecv_c
int PMPI_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ireduce)) { return heddle_mpi_missing("MPI_Ireduce", PLACE); }
  return heddle_mpi_host->mpi.Ireduce(PLACE, sendbuf, recvbuf, count, datatype, op, root, comm, request);
}
#pragma weak MPI_Ireduce = PMPI_Ireduce
int PMPI_Ireduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ireduce_c)) { return heddle_mpi_missing("MPI_Ireduce_c", PLACE); }
  return heddle_mpi_host->mpi.Ireduce_c(PLACE, sendbuf, recvbuf, count, datatype, op, root, comm, request);
}
#pragma weak MPI_Ireduce_c = PMPI_Ireduce_c
int PMPI_Ireduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ireduce_scatter)) { return heddle_mpi_missing("MPI_Ireduce_scatter", PLACE); }
  return heddle_mpi_host->mpi.Ireduce_scatter(PLACE, sendbuf, recvbuf, recvcounts, datatype, op, comm, request);
}
#pragma weak MPI_Ireduce_scatter = PMPI_Ireduce_scatter
int PMPI_Ireduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ireduce_scatter_c)) { return heddle_mpi_missing("MPI_Ireduce_scatter_c", PLACE); }
  return heddle_mpi_host->mpi.Ireduce_scatter_c(PLACE, sendbuf, recvbuf, recvcounts, datatype, op, comm, request);
}
#pragma weak MPI_Ireduce_scatter_c = PMPI_Ireduce_scatter_c
int PMPI_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ireduce_scatter_block)) { return heddle_mpi_missing("MPI_Ireduce_scatter_block", PLACE); }
  return heddle_mpi_host->mpi.Ireduce_scatter_block(PLACE, sendbuf, recvbuf, recvcount, datatype, op, comm, request);
}
#pragma weak MPI_Ireduce_scatter_block = PMPI_Ireduce_scatter_block
int PMPI_Ireduce_scatter_block_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ireduce_scatter_block_c)) { return heddle_mpi_missing("MPI_Ireduce_scatter_block_c", PLACE); }
  return heddle_mpi_host->mpi.Ireduce_scatter_block_c(PLACE, sendbuf, recvbuf, recvcount, datatype, op, comm, request);
}
#pragma weak MPI_Ireduce_scatter_block_c = PMPI_Ireduce_scatter_block_c
int PMPI_Irsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Irsend)) { return heddle_mpi_missing("MPI_Irsend", PLACE); }
  return heddle_mpi_host->mpi.Irsend(PLACE, buf, count, datatype, dest, tag, comm, request);
}
#pragma weak MPI_Irsend = PMPI_Irsend
int PMPI_Irsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Irsend_c)) { return heddle_mpi_missing("MPI_Irsend_c", PLACE); }
  return heddle_mpi_host->mpi.Irsend_c(PLACE, buf, count, datatype, dest, tag, comm, request);
}
#pragma weak MPI_Irsend_c = PMPI_Irsend_c
int PMPI_Is_thread_main(int *flag) {
  if (!SERVED(Is_thread_main)) { return heddle_mpi_missing("MPI_Is_thread_main", PLACE); }
  return heddle_mpi_host->mpi.Is_thread_main(PLACE, flag);
}
#pragma weak MPI_Is_thread_main = PMPI_Is_thread_main
int PMPI_Iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Iscan)) { return heddle_mpi_missing("MPI_Iscan", PLACE); }
  return heddle_mpi_host->mpi.Iscan(PLACE, sendbuf, recvbuf, count, datatype, op, comm, request);
}
#pragma weak MPI_Iscan = PMPI_Iscan
int PMPI_Iscan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Iscan_c)) { return heddle_mpi_missing("MPI_Iscan_c", PLACE); }
  return heddle_mpi_host->mpi.Iscan_c(PLACE, sendbuf, recvbuf, count, datatype, op, comm, request);
}
#pragma weak MPI_Iscan_c = PMPI_Iscan_c
int PMPI_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Iscatter)) { return heddle_mpi_missing("MPI_Iscatter", PLACE); }
  return heddle_mpi_host->mpi.Iscatter(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
}
#pragma weak MPI_Iscatter = PMPI_Iscatter
int PMPI_Iscatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Iscatter_c)) { return heddle_mpi_missing("MPI_Iscatter_c", PLACE); }
  return heddle_mpi_host->mpi.Iscatter_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
}
#pragma weak MPI_Iscatter_c = PMPI_Iscatter_c
int PMPI_Iscatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Iscatterv)) { return heddle_mpi_missing("MPI_Iscatterv", PLACE); }
  return heddle_mpi_host->mpi.Iscatterv(PLACE, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
}
#pragma weak MPI_Iscatterv = PMPI_Iscatterv
int PMPI_Iscatterv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Iscatterv_c)) { return heddle_mpi_missing("MPI_Iscatterv_c", PLACE); }
  return heddle_mpi_host->mpi.Iscatterv_c(PLACE, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, request);
}
#pragma weak MPI_Iscatterv_c = PMPI_Iscatterv_c
int PMPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Isend)) { return heddle_mpi_missing("MPI_Isend", PLACE); }
  return heddle_mpi_host->mpi.Isend(PLACE, buf, count, datatype, dest, tag, comm, request);
}
#pragma weak MPI_Isend = PMPI_Isend
int PMPI_Isend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Isend_c)) { return heddle_mpi_missing("MPI_Isend_c", PLACE); }
  return heddle_mpi_host->mpi.Isend_c(PLACE, buf, count, datatype, dest, tag, comm, request);
}
#pragma weak MPI_Isend_c = PMPI_Isend_c
int PMPI_Isendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Isendrecv)) { return heddle_mpi_missing("MPI_Isendrecv", PLACE); }
  return heddle_mpi_host->mpi.Isendrecv(PLACE, sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, request);
}
#pragma weak MPI_Isendrecv = PMPI_Isendrecv
int PMPI_Isendrecv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Isendrecv_c)) { return heddle_mpi_missing("MPI_Isendrecv_c", PLACE); }
  return heddle_mpi_host->mpi.Isendrecv_c(PLACE, sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, request);
}
#pragma weak MPI_Isendrecv_c = PMPI_Isendrecv_c
int PMPI_Isendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Isendrecv_replace)) { return heddle_mpi_missing("MPI_Isendrecv_replace", PLACE); }
  return heddle_mpi_host->mpi.Isendrecv_replace(PLACE, buf, count, datatype, dest, sendtag, source, recvtag, comm, request);
}
#pragma weak MPI_Isendrecv_replace = PMPI_Isendrecv_replace
int PMPI_Isendrecv_replace_c(void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Isendrecv_replace_c)) { return heddle_mpi_missing("MPI_Isendrecv_replace_c", PLACE); }
  return heddle_mpi_host->mpi.Isendrecv_replace_c(PLACE, buf, count, datatype, dest, sendtag, source, recvtag, comm, request);
}
#pragma weak MPI_Isendrecv_replace_c = PMPI_Isendrecv_replace_c
int PMPI_Issend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Issend)) { return heddle_mpi_missing("MPI_Issend", PLACE); }
  return heddle_mpi_host->mpi.Issend(PLACE, buf, count, datatype, dest, tag, comm, request);
}
#pragma weak MPI_Issend = PMPI_Issend
int PMPI_Issend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Issend_c)) { return heddle_mpi_missing("MPI_Issend_c", PLACE); }
  return heddle_mpi_host->mpi.Issend_c(PLACE, buf, count, datatype, dest, tag, comm, request);
}
#pragma weak MPI_Issend_c = PMPI_Issend_c
int PMPI_Keyval_create(MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn, int *keyval, void *extra_state) {
  if (!SERVED(Keyval_create)) { return heddle_mpi_missing("MPI_Keyval_create", PLACE); }
  return heddle_mpi_host->mpi.Keyval_create(PLACE, copy_fn, delete_fn, keyval, extra_state);
}
#pragma weak MPI_Keyval_create = PMPI_Keyval_create
int PMPI_Keyval_free(int *keyval) {
  if (!SERVED(Keyval_free)) { return heddle_mpi_missing("MPI_Keyval_free", PLACE); }
  return heddle_mpi_host->mpi.Keyval_free(PLACE, keyval);
}
#pragma weak MPI_Keyval_free = PMPI_Keyval_free
int PMPI_Lookup_name(const char *service_name, MPI_Info info, char *port_name) {
  if (!SERVED(Lookup_name)) { return heddle_mpi_missing("MPI_Lookup_name", PLACE); }
  return heddle_mpi_host->mpi.Lookup_name(PLACE, service_name, info, port_name);
}
#pragma weak MPI_Lookup_name = PMPI_Lookup_name
MPI_Message PMPI_Message_fromint(int message) {
  if (!SERVED(Message_fromint)) { heddle_mpi_missing("MPI_Message_fromint", PLACE); return 0; }
  return heddle_mpi_host->mpi.Message_fromint(PLACE, message);
}
#pragma weak MPI_Message_fromint = PMPI_Message_fromint
int PMPI_Message_toint(MPI_Message message) {
  if (!SERVED(Message_toint)) { return heddle_mpi_missing("MPI_Message_toint", PLACE); }
  return heddle_mpi_host->mpi.Message_toint(PLACE, message);
}
#pragma weak MPI_Message_toint = PMPI_Message_toint
int PMPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
  if (!SERVED(Mprobe)) { return heddle_mpi_missing("MPI_Mprobe", PLACE); }
  return heddle_mpi_host->mpi.Mprobe(PLACE, source, tag, comm, message, status);
}
#pragma weak MPI_Mprobe = PMPI_Mprobe
int PMPI_Mrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status) {
  if (!SERVED(Mrecv)) { return heddle_mpi_missing("MPI_Mrecv", PLACE); }
  return heddle_mpi_host->mpi.Mrecv(PLACE, buf, count, datatype, message, status);
}
#pragma weak MPI_Mrecv = PMPI_Mrecv
int PMPI_Mrecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status) {
  if (!SERVED(Mrecv_c)) { return heddle_mpi_missing("MPI_Mrecv_c", PLACE); }
  return heddle_mpi_host->mpi.Mrecv_c(PLACE, buf, count, datatype, message, status);
}
#pragma weak MPI_Mrecv_c = PMPI_Mrecv_c
int PMPI_Neighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  if (!SERVED(Neighbor_allgather)) { return heddle_mpi_missing("MPI_Neighbor_allgather", PLACE); }
  return heddle_mpi_host->mpi.Neighbor_allgather(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}
#pragma weak MPI_Neighbor_allgather = PMPI_Neighbor_allgather
int PMPI_Neighbor_allgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  if (!SERVED(Neighbor_allgather_c)) { return heddle_mpi_missing("MPI_Neighbor_allgather_c", PLACE); }
  return heddle_mpi_host->mpi.Neighbor_allgather_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}
#pragma weak MPI_Neighbor_allgather_c = PMPI_Neighbor_allgather_c
int PMPI_Neighbor_allgather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Neighbor_allgather_init)) { return heddle_mpi_missing("MPI_Neighbor_allgather_init", PLACE); }
  return heddle_mpi_host->mpi.Neighbor_allgather_init(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
}
#pragma weak MPI_Neighbor_allgather_init = PMPI_Neighbor_allgather_init
int PMPI_Neighbor_allgather_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Neighbor_allgather_init_c)) { return heddle_mpi_missing("MPI_Neighbor_allgather_init_c", PLACE); }
  return heddle_mpi_host->mpi.Neighbor_allgather_init_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
}
#pragma weak MPI_Neighbor_allgather_init_c = PMPI_Neighbor_allgather_init_c
int PMPI_Neighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  if (!SERVED(Neighbor_allgatherv)) { return heddle_mpi_missing("MPI_Neighbor_allgatherv", PLACE); }
  return heddle_mpi_host->mpi.Neighbor_allgatherv(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
}
#pragma weak MPI_Neighbor_allgatherv = PMPI_Neighbor_allgatherv
int PMPI_Neighbor_allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  if (!SERVED(Neighbor_allgatherv_c)) { return heddle_mpi_missing("MPI_Neighbor_allgatherv_c", PLACE); }
  return heddle_mpi_host->mpi.Neighbor_allgatherv_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
}
#pragma weak MPI_Neighbor_allgatherv_c = PMPI_Neighbor_allgatherv_c
int PMPI_Neighbor_allgatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Neighbor_allgatherv_init)) { return heddle_mpi_missing("MPI_Neighbor_allgatherv_init", PLACE); }
  return heddle_mpi_host->mpi.Neighbor_allgatherv_init(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request);
}
#pragma weak MPI_Neighbor_allgatherv_init = PMPI_Neighbor_allgatherv_init
int PMPI_Neighbor_allgatherv_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Neighbor_allgatherv_init_c)) { return heddle_mpi_missing("MPI_Neighbor_allgatherv_init_c", PLACE); }
  return heddle_mpi_host->mpi.Neighbor_allgatherv_init_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info, request);
}
#pragma weak MPI_Neighbor_allgatherv_init_c = PMPI_Neighbor_allgatherv_init_c
int PMPI_Neighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  if (!SERVED(Neighbor_alltoall)) { return heddle_mpi_missing("MPI_Neighbor_alltoall", PLACE); }
  return heddle_mpi_host->mpi.Neighbor_alltoall(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}
#pragma weak MPI_Neighbor_alltoall = PMPI_Neighbor_alltoall
int PMPI_Neighbor_alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  if (!SERVED(Neighbor_alltoall_c)) { return heddle_mpi_missing("MPI_Neighbor_alltoall_c", PLACE); }
  return heddle_mpi_host->mpi.Neighbor_alltoall_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}
#pragma weak MPI_Neighbor_alltoall_c = PMPI_Neighbor_alltoall_c
int PMPI_Neighbor_alltoall_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Neighbor_alltoall_init)) { return heddle_mpi_missing("MPI_Neighbor_alltoall_init", PLACE); }
  return heddle_mpi_host->mpi.Neighbor_alltoall_init(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
}
#pragma weak MPI_Neighbor_alltoall_init = PMPI_Neighbor_alltoall_init
int PMPI_Neighbor_alltoall_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Neighbor_alltoall_init_c)) { return heddle_mpi_missing("MPI_Neighbor_alltoall_init_c", PLACE); }
  return heddle_mpi_host->mpi.Neighbor_alltoall_init_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request);
}
#pragma weak MPI_Neighbor_alltoall_init_c = PMPI_Neighbor_alltoall_init_c
int PMPI_Neighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  if (!SERVED(Neighbor_alltoallv)) { return heddle_mpi_missing("MPI_Neighbor_alltoallv", PLACE); }
  return heddle_mpi_host->mpi.Neighbor_alltoallv(PLACE, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
}
#pragma weak MPI_Neighbor_alltoallv = PMPI_Neighbor_alltoallv
int PMPI_Neighbor_alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  if (!SERVED(Neighbor_alltoallv_c)) { return heddle_mpi_missing("MPI_Neighbor_alltoallv_c", PLACE); }
  return heddle_mpi_host->mpi.Neighbor_alltoallv_c(PLACE, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
}
#pragma weak MPI_Neighbor_alltoallv_c = PMPI_Neighbor_alltoallv_c
int PMPI_Neighbor_alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Neighbor_alltoallv_init)) { return heddle_mpi_missing("MPI_Neighbor_alltoallv_init", PLACE); }
  return heddle_mpi_host->mpi.Neighbor_alltoallv_init(PLACE, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info, request);
}
#pragma weak MPI_Neighbor_alltoallv_init = PMPI_Neighbor_alltoallv_init
int PMPI_Neighbor_alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Neighbor_alltoallv_init_c)) { return heddle_mpi_missing("MPI_Neighbor_alltoallv_init_c", PLACE); }
  return heddle_mpi_host->mpi.Neighbor_alltoallv_init_c(PLACE, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, info, request);
}
#pragma weak MPI_Neighbor_alltoallv_init_c = PMPI_Neighbor_alltoallv_init_c
int PMPI_Neighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  if (!SERVED(Neighbor_alltoallw)) { return heddle_mpi_missing("MPI_Neighbor_alltoallw", PLACE); }
  return heddle_mpi_host->mpi.Neighbor_alltoallw(PLACE, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
}
#pragma weak MPI_Neighbor_alltoallw = PMPI_Neighbor_alltoallw
int PMPI_Neighbor_alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  if (!SERVED(Neighbor_alltoallw_c)) { return heddle_mpi_missing("MPI_Neighbor_alltoallw_c", PLACE); }
  return heddle_mpi_host->mpi.Neighbor_alltoallw_c(PLACE, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
}
#pragma weak MPI_Neighbor_alltoallw_c = PMPI_Neighbor_alltoallw_c
int PMPI_Neighbor_alltoallw_init(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Neighbor_alltoallw_init)) { return heddle_mpi_missing("MPI_Neighbor_alltoallw_init", PLACE); }
  return heddle_mpi_host->mpi.Neighbor_alltoallw_init(PLACE, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info, request);
}
#pragma weak MPI_Neighbor_alltoallw_init = PMPI_Neighbor_alltoallw_init
int PMPI_Neighbor_alltoallw_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[], const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[], const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Neighbor_alltoallw_init_c)) { return heddle_mpi_missing("MPI_Neighbor_alltoallw_init_c", PLACE); }
  return heddle_mpi_host->mpi.Neighbor_alltoallw_init_c(PLACE, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, info, request);
}
#pragma weak MPI_Neighbor_alltoallw_init_c = PMPI_Neighbor_alltoallw_init_c
int PMPI_Op_commutative(MPI_Op op, int *commute) {
  if (!SERVED(Op_commutative)) { return heddle_mpi_missing("MPI_Op_commutative", PLACE); }
  return heddle_mpi_host->mpi.Op_commutative(PLACE, op, commute);
}
#pragma weak MPI_Op_commutative = PMPI_Op_commutative
int PMPI_Op_create(MPI_User_function *user_fn, int commute, MPI_Op *op) {
  if (!SERVED(Op_create)) { return heddle_mpi_missing("MPI_Op_create", PLACE); }
  return heddle_mpi_host->mpi.Op_create(PLACE, user_fn, commute, op);
}
#pragma weak MPI_Op_create = PMPI_Op_create
int PMPI_Op_create_c(MPI_User_function_c *user_fn, int commute, MPI_Op *op) {
  if (!SERVED(Op_create_c)) { return heddle_mpi_missing("MPI_Op_create_c", PLACE); }
  return heddle_mpi_host->mpi.Op_create_c(PLACE, user_fn, commute, op);
}
#pragma weak MPI_Op_create_c = PMPI_Op_create_c
int PMPI_Op_free(MPI_Op *op) {
  if (!SERVED(Op_free)) { return heddle_mpi_missing("MPI_Op_free", PLACE); }
  return heddle_mpi_host->mpi.Op_free(PLACE, op);
}
#pragma weak MPI_Op_free = PMPI_Op_free
MPI_Op PMPI_Op_fromint(int op) {
  if (!SERVED(Op_fromint)) { heddle_mpi_missing("MPI_Op_fromint", PLACE); return 0; }
  return heddle_mpi_host->mpi.Op_fromint(PLACE, op);
}
#pragma weak MPI_Op_fromint = PMPI_Op_fromint
int PMPI_Op_toint(MPI_Op op) {
  if (!SERVED(Op_toint)) { return heddle_mpi_missing("MPI_Op_toint", PLACE); }
  return heddle_mpi_host->mpi.Op_toint(PLACE, op);
}
#pragma weak MPI_Op_toint = PMPI_Op_toint
int PMPI_Open_port(MPI_Info info, char *port_name) {
  if (!SERVED(Open_port)) { return heddle_mpi_missing("MPI_Open_port", PLACE); }
  return heddle_mpi_host->mpi.Open_port(PLACE, info, port_name);
}
#pragma weak MPI_Open_port = PMPI_Open_port
int PMPI_Pack(const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize, int *position, MPI_Comm comm) {
  if (!SERVED(Pack)) { return heddle_mpi_missing("MPI_Pack", PLACE); }
  return heddle_mpi_host->mpi.Pack(PLACE, inbuf, incount, datatype, outbuf, outsize, position, comm);
}
#pragma weak MPI_Pack = PMPI_Pack
int PMPI_Pack_c(const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void *outbuf, MPI_Count outsize, MPI_Count *position, MPI_Comm comm) {
  if (!SERVED(Pack_c)) { return heddle_mpi_missing("MPI_Pack_c", PLACE); }
  return heddle_mpi_host->mpi.Pack_c(PLACE, inbuf, incount, datatype, outbuf, outsize, position, comm);
}
#pragma weak MPI_Pack_c = PMPI_Pack_c
int PMPI_Pack_external(const char *datarep, const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, MPI_Aint outsize, MPI_Aint *position) {
  if (!SERVED(Pack_external)) { return heddle_mpi_missing("MPI_Pack_external", PLACE); }
  return heddle_mpi_host->mpi.Pack_external(PLACE, datarep, inbuf, incount, datatype, outbuf, outsize, position);
}
#pragma weak MPI_Pack_external = PMPI_Pack_external
int PMPI_Pack_external_c(const char *datarep, const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void *outbuf, MPI_Count outsize, MPI_Count *position) {
  if (!SERVED(Pack_external_c)) { return heddle_mpi_missing("MPI_Pack_external_c", PLACE); }
  return heddle_mpi_host->mpi.Pack_external_c(PLACE, datarep, inbuf, incount, datatype, outbuf, outsize, position);
}
#pragma weak MPI_Pack_external_c = PMPI_Pack_external_c
int PMPI_Pack_external_size(const char *datarep, int incount, MPI_Datatype datatype, MPI_Aint *size) {
  if (!SERVED(Pack_external_size)) { return heddle_mpi_missing("MPI_Pack_external_size", PLACE); }
  return heddle_mpi_host->mpi.Pack_external_size(PLACE, datarep, incount, datatype, size);
}
#pragma weak MPI_Pack_external_size = PMPI_Pack_external_size
int PMPI_Pack_external_size_c(const char *datarep, MPI_Count incount, MPI_Datatype datatype, MPI_Count *size) {
  if (!SERVED(Pack_external_size_c)) { return heddle_mpi_missing("MPI_Pack_external_size_c", PLACE); }
  return heddle_mpi_host->mpi.Pack_external_size_c(PLACE, datarep, incount, datatype, size);
}
#pragma weak MPI_Pack_external_size_c = PMPI_Pack_external_size_c
int PMPI_Pack_size(int incount, MPI_Datatype datatype, MPI_Comm comm, int *size) {
  if (!SERVED(Pack_size)) { return heddle_mpi_missing("MPI_Pack_size", PLACE); }
  return heddle_mpi_host->mpi.Pack_size(PLACE, incount, datatype, comm, size);
}
#pragma weak MPI_Pack_size = PMPI_Pack_size
int PMPI_Pack_size_c(MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm, MPI_Count *size) {
  if (!SERVED(Pack_size_c)) { return heddle_mpi_missing("MPI_Pack_size_c", PLACE); }
  return heddle_mpi_host->mpi.Pack_size_c(PLACE, incount, datatype, comm, size);
}
#pragma weak MPI_Pack_size_c = PMPI_Pack_size_c
int PMPI_Parrived(MPI_Request request, int partition, int *flag) {
  if (!SERVED(Parrived)) { return heddle_mpi_missing("MPI_Parrived", PLACE); }
  return heddle_mpi_host->mpi.Parrived(PLACE, request, partition, flag);
}
#pragma weak MPI_Parrived = PMPI_Parrived
int PMPI_Pcontrol(const int level, ...) {
  if (!SERVED(Pcontrol)) { return heddle_mpi_missing("MPI_Pcontrol", PLACE); }
  return heddle_mpi_host->mpi.Pcontrol(PLACE, level);
}
#pragma weak MPI_Pcontrol = PMPI_Pcontrol
int PMPI_Pready(int partition, MPI_Request request) {
  if (!SERVED(Pready)) { return heddle_mpi_missing("MPI_Pready", PLACE); }
  return heddle_mpi_host->mpi.Pready(PLACE, partition, request);
}
#pragma weak MPI_Pready = PMPI_Pready
int PMPI_Pready_list(int length, int array_of_partitions[], MPI_Request request) {
  if (!SERVED(Pready_list)) { return heddle_mpi_missing("MPI_Pready_list", PLACE); }
  return heddle_mpi_host->mpi.Pready_list(PLACE, length, array_of_partitions, request);
}
#pragma weak MPI_Pready_list = PMPI_Pready_list
int PMPI_Pready_range(int partition_low, int partition_high, MPI_Request request) {
  if (!SERVED(Pready_range)) { return heddle_mpi_missing("MPI_Pready_range", PLACE); }
  return heddle_mpi_host->mpi.Pready_range(PLACE, partition_low, partition_high, request);
}
#pragma weak MPI_Pready_range = PMPI_Pready_range
int PMPI_Precv_init(void *buf, int partitions, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Precv_init)) { return heddle_mpi_missing("MPI_Precv_init", PLACE); }
  return heddle_mpi_host->mpi.Precv_init(PLACE, buf, partitions, count, datatype, dest, tag, comm, info, request);
}
#pragma weak MPI_Precv_init = PMPI_Precv_init
int PMPI_Precv_init_c(void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Precv_init_c)) { return heddle_mpi_missing("MPI_Precv_init_c", PLACE); }
  return heddle_mpi_host->mpi.Precv_init_c(PLACE, buf, partitions, count, datatype, dest, tag, comm, info, request);
}
#pragma weak MPI_Precv_init_c = PMPI_Precv_init_c
int PMPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
  if (!SERVED(Probe)) { return heddle_mpi_missing("MPI_Probe", PLACE); }
  return heddle_mpi_host->mpi.Probe(PLACE, source, tag, comm, status);
}
#pragma weak MPI_Probe = PMPI_Probe
int PMPI_Psend_init(const void *buf, int partitions, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Psend_init)) { return heddle_mpi_missing("MPI_Psend_init", PLACE); }
  return heddle_mpi_host->mpi.Psend_init(PLACE, buf, partitions, count, datatype, dest, tag, comm, info, request);
}
#pragma weak MPI_Psend_init = PMPI_Psend_init
int PMPI_Psend_init_c(const void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Psend_init_c)) { return heddle_mpi_missing("MPI_Psend_init_c", PLACE); }
  return heddle_mpi_host->mpi.Psend_init_c(PLACE, buf, partitions, count, datatype, dest, tag, comm, info, request);
}
#pragma weak MPI_Psend_init_c = PMPI_Psend_init_c
int PMPI_Publish_name(const char *service_name, MPI_Info info, const char *port_name) {
  if (!SERVED(Publish_name)) { return heddle_mpi_missing("MPI_Publish_name", PLACE); }
  return heddle_mpi_host->mpi.Publish_name(PLACE, service_name, info, port_name);
}
#pragma weak MPI_Publish_name = PMPI_Publish_name
int PMPI_Put(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win) {
  if (!SERVED(Put)) { return heddle_mpi_missing("MPI_Put", PLACE); }
  return heddle_mpi_host->mpi.Put(PLACE, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win);
}
#pragma weak MPI_Put = PMPI_Put
int PMPI_Put_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win) {
  if (!SERVED(Put_c)) { return heddle_mpi_missing("MPI_Put_c", PLACE); }
  return heddle_mpi_host->mpi.Put_c(PLACE, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win);
}
#pragma weak MPI_Put_c = PMPI_Put_c
int PMPI_Query_thread(int *provided) {
  if (!SERVED(Query_thread)) { return heddle_mpi_missing("MPI_Query_thread", PLACE); }
  return heddle_mpi_host->mpi.Query_thread(PLACE, provided);
}
#pragma weak MPI_Query_thread = PMPI_Query_thread
int PMPI_Raccumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request) {
  if (!SERVED(Raccumulate)) { return heddle_mpi_missing("MPI_Raccumulate", PLACE); }
  return heddle_mpi_host->mpi.Raccumulate(PLACE, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op, win, request);
}
#pragma weak MPI_Raccumulate = PMPI_Raccumulate
int PMPI_Raccumulate_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request) {
  if (!SERVED(Raccumulate_c)) { return heddle_mpi_missing("MPI_Raccumulate_c", PLACE); }
  return heddle_mpi_host->mpi.Raccumulate_c(PLACE, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, op, win, request);
}
#pragma weak MPI_Raccumulate_c = PMPI_Raccumulate_c
int PMPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status) {
  if (!SERVED(Recv)) { return heddle_mpi_missing("MPI_Recv", PLACE); }
  return heddle_mpi_host->mpi.Recv(PLACE, buf, count, datatype, source, tag, comm, status);
}
#pragma weak MPI_Recv = PMPI_Recv
int PMPI_Recv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status) {
  if (!SERVED(Recv_c)) { return heddle_mpi_missing("MPI_Recv_c", PLACE); }
  return heddle_mpi_host->mpi.Recv_c(PLACE, buf, count, datatype, source, tag, comm, status);
}
#pragma weak MPI_Recv_c = PMPI_Recv_c
int PMPI_Recv_init(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Recv_init)) { return heddle_mpi_missing("MPI_Recv_init", PLACE); }
  return heddle_mpi_host->mpi.Recv_init(PLACE, buf, count, datatype, source, tag, comm, request);
}
#pragma weak MPI_Recv_init = PMPI_Recv_init
int PMPI_Recv_init_c(void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Recv_init_c)) { return heddle_mpi_missing("MPI_Recv_init_c", PLACE); }
  return heddle_mpi_host->mpi.Recv_init_c(PLACE, buf, count, datatype, source, tag, comm, request);
}
#pragma weak MPI_Recv_init_c = PMPI_Recv_init_c
int PMPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm) {
  if (!SERVED(Reduce)) { return heddle_mpi_missing("MPI_Reduce", PLACE); }
  return heddle_mpi_host->mpi.Reduce(PLACE, sendbuf, recvbuf, count, datatype, op, root, comm);
}
#pragma weak MPI_Reduce = PMPI_Reduce
int PMPI_Reduce_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm) {
  if (!SERVED(Reduce_c)) { return heddle_mpi_missing("MPI_Reduce_c", PLACE); }
  return heddle_mpi_host->mpi.Reduce_c(PLACE, sendbuf, recvbuf, count, datatype, op, root, comm);
}
#pragma weak MPI_Reduce_c = PMPI_Reduce_c
int PMPI_Reduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Reduce_init)) { return heddle_mpi_missing("MPI_Reduce_init", PLACE); }
  return heddle_mpi_host->mpi.Reduce_init(PLACE, sendbuf, recvbuf, count, datatype, op, root, comm, info, request);
}
#pragma weak MPI_Reduce_init = PMPI_Reduce_init
int PMPI_Reduce_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Reduce_init_c)) { return heddle_mpi_missing("MPI_Reduce_init_c", PLACE); }
  return heddle_mpi_host->mpi.Reduce_init_c(PLACE, sendbuf, recvbuf, count, datatype, op, root, comm, info, request);
}
#pragma weak MPI_Reduce_init_c = PMPI_Reduce_init_c
int PMPI_Reduce_local(const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op) {
  if (!SERVED(Reduce_local)) { return heddle_mpi_missing("MPI_Reduce_local", PLACE); }
  return heddle_mpi_host->mpi.Reduce_local(PLACE, inbuf, inoutbuf, count, datatype, op);
}
#pragma weak MPI_Reduce_local = PMPI_Reduce_local
int PMPI_Reduce_local_c(const void *inbuf, void *inoutbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op) {
  if (!SERVED(Reduce_local_c)) { return heddle_mpi_missing("MPI_Reduce_local_c", PLACE); }
  return heddle_mpi_host->mpi.Reduce_local_c(PLACE, inbuf, inoutbuf, count, datatype, op);
}
#pragma weak MPI_Reduce_local_c = PMPI_Reduce_local_c
int PMPI_Reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  if (!SERVED(Reduce_scatter)) { return heddle_mpi_missing("MPI_Reduce_scatter", PLACE); }
  return heddle_mpi_host->mpi.Reduce_scatter(PLACE, sendbuf, recvbuf, recvcounts, datatype, op, comm);
}
#pragma weak MPI_Reduce_scatter = PMPI_Reduce_scatter
int PMPI_Reduce_scatter_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  if (!SERVED(Reduce_scatter_c)) { return heddle_mpi_missing("MPI_Reduce_scatter_c", PLACE); }
  return heddle_mpi_host->mpi.Reduce_scatter_c(PLACE, sendbuf, recvbuf, recvcounts, datatype, op, comm);
}
#pragma weak MPI_Reduce_scatter_c = PMPI_Reduce_scatter_c
int PMPI_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  if (!SERVED(Reduce_scatter_block)) { return heddle_mpi_missing("MPI_Reduce_scatter_block", PLACE); }
  return heddle_mpi_host->mpi.Reduce_scatter_block(PLACE, sendbuf, recvbuf, recvcount, datatype, op, comm);
}
#pragma weak MPI_Reduce_scatter_block = PMPI_Reduce_scatter_block
int PMPI_Reduce_scatter_block_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  if (!SERVED(Reduce_scatter_block_c)) { return heddle_mpi_missing("MPI_Reduce_scatter_block_c", PLACE); }
  return heddle_mpi_host->mpi.Reduce_scatter_block_c(PLACE, sendbuf, recvbuf, recvcount, datatype, op, comm);
}
#pragma weak MPI_Reduce_scatter_block_c = PMPI_Reduce_scatter_block_c
int PMPI_Reduce_scatter_block_init(const void *sendbuf, void *recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Reduce_scatter_block_init)) { return heddle_mpi_missing("MPI_Reduce_scatter_block_init", PLACE); }
  return heddle_mpi_host->mpi.Reduce_scatter_block_init(PLACE, sendbuf, recvbuf, recvcount, datatype, op, comm, info, request);
}
#pragma weak MPI_Reduce_scatter_block_init = PMPI_Reduce_scatter_block_init
int PMPI_Reduce_scatter_block_init_c(const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Reduce_scatter_block_init_c)) { return heddle_mpi_missing("MPI_Reduce_scatter_block_init_c", PLACE); }
  return heddle_mpi_host->mpi.Reduce_scatter_block_init_c(PLACE, sendbuf, recvbuf, recvcount, datatype, op, comm, info, request);
}
#pragma weak MPI_Reduce_scatter_block_init_c = PMPI_Reduce_scatter_block_init_c
int PMPI_Reduce_scatter_init(const void *sendbuf, void *recvbuf, const int recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Reduce_scatter_init)) { return heddle_mpi_missing("MPI_Reduce_scatter_init", PLACE); }
  return heddle_mpi_host->mpi.Reduce_scatter_init(PLACE, sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request);
}
#pragma weak MPI_Reduce_scatter_init = PMPI_Reduce_scatter_init
int PMPI_Reduce_scatter_init_c(const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Reduce_scatter_init_c)) { return heddle_mpi_missing("MPI_Reduce_scatter_init_c", PLACE); }
  return heddle_mpi_host->mpi.Reduce_scatter_init_c(PLACE, sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request);
}
#pragma weak MPI_Reduce_scatter_init_c = PMPI_Reduce_scatter_init_c
int PMPI_Register_datarep(const char *datarep, MPI_Datarep_conversion_function *read_conversion_fn, MPI_Datarep_conversion_function *write_conversion_fn, MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state) {
  if (!SERVED(Register_datarep)) { return heddle_mpi_missing("MPI_Register_datarep", PLACE); }
  return heddle_mpi_host->mpi.Register_datarep(PLACE, datarep, read_conversion_fn, write_conversion_fn, dtype_file_extent_fn, extra_state);
}
#pragma weak MPI_Register_datarep = PMPI_Register_datarep
int PMPI_Register_datarep_c(const char *datarep, MPI_Datarep_conversion_function_c *read_conversion_fn, MPI_Datarep_conversion_function_c *write_conversion_fn, MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state) {
  if (!SERVED(Register_datarep_c)) { return heddle_mpi_missing("MPI_Register_datarep_c", PLACE); }
  return heddle_mpi_host->mpi.Register_datarep_c(PLACE, datarep, read_conversion_fn, write_conversion_fn, dtype_file_extent_fn, extra_state);
}
#pragma weak MPI_Register_datarep_c = PMPI_Register_datarep_c
int PMPI_Remove_error_class(int errorclass) {
  if (!SERVED(Remove_error_class)) { return heddle_mpi_missing("MPI_Remove_error_class", PLACE); }
  return heddle_mpi_host->mpi.Remove_error_class(PLACE, errorclass);
}
#pragma weak MPI_Remove_error_class = PMPI_Remove_error_class
int PMPI_Remove_error_code(int errorcode) {
  if (!SERVED(Remove_error_code)) { return heddle_mpi_missing("MPI_Remove_error_code", PLACE); }
  return heddle_mpi_host->mpi.Remove_error_code(PLACE, errorcode);
}
#pragma weak MPI_Remove_error_code = PMPI_Remove_error_code
int PMPI_Remove_error_string(int errorcode) {
  if (!SERVED(Remove_error_string)) { return heddle_mpi_missing("MPI_Remove_error_string", PLACE); }
  return heddle_mpi_host->mpi.Remove_error_string(PLACE, errorcode);
}
#pragma weak MPI_Remove_error_string = PMPI_Remove_error_string
int PMPI_Request_free(MPI_Request *request) {
  if (!SERVED(Request_free)) { return heddle_mpi_missing("MPI_Request_free", PLACE); }
  return heddle_mpi_host->mpi.Request_free(PLACE, request);
}
#pragma weak MPI_Request_free = PMPI_Request_free
MPI_Request PMPI_Request_fromint(int request) {
  if (!SERVED(Request_fromint)) { heddle_mpi_missing("MPI_Request_fromint", PLACE); return 0; }
  return heddle_mpi_host->mpi.Request_fromint(PLACE, request);
}
#pragma weak MPI_Request_fromint = PMPI_Request_fromint
int PMPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
  if (!SERVED(Request_get_status)) { return heddle_mpi_missing("MPI_Request_get_status", PLACE); }
  return heddle_mpi_host->mpi.Request_get_status(PLACE, request, flag, status);
}
#pragma weak MPI_Request_get_status = PMPI_Request_get_status
int PMPI_Request_get_status_all(int count, MPI_Request array_of_requests[], int *flag, MPI_Status *array_of_statuses) {
  if (!SERVED(Request_get_status_all)) { return heddle_mpi_missing("MPI_Request_get_status_all", PLACE); }
  return heddle_mpi_host->mpi.Request_get_status_all(PLACE, count, array_of_requests, flag, array_of_statuses);
}
#pragma weak MPI_Request_get_status_all = PMPI_Request_get_status_all
int PMPI_Request_get_status_any(int count, MPI_Request array_of_requests[], int *indx, int *flag, MPI_Status *status) {
  if (!SERVED(Request_get_status_any)) { return heddle_mpi_missing("MPI_Request_get_status_any", PLACE); }
  return heddle_mpi_host->mpi.Request_get_status_any(PLACE, count, array_of_requests, indx, flag, status);
}
#pragma weak MPI_Request_get_status_any = PMPI_Request_get_status_any
int PMPI_Request_get_status_some(int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[], MPI_Status *array_of_statuses) {
  if (!SERVED(Request_get_status_some)) { return heddle_mpi_missing("MPI_Request_get_status_some", PLACE); }
  return heddle_mpi_host->mpi.Request_get_status_some(PLACE, incount, array_of_requests, outcount, array_of_indices, array_of_statuses);
}
#pragma weak MPI_Request_get_status_some = PMPI_Request_get_status_some
int PMPI_Request_toint(MPI_Request request) {
  if (!SERVED(Request_toint)) { return heddle_mpi_missing("MPI_Request_toint", PLACE); }
  return heddle_mpi_host->mpi.Request_toint(PLACE, request);
}
#pragma weak MPI_Request_toint = PMPI_Request_toint
int PMPI_Rget(void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request) {
  if (!SERVED(Rget)) { return heddle_mpi_missing("MPI_Rget", PLACE); }
  return heddle_mpi_host->mpi.Rget(PLACE, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win, request);
}
#pragma weak MPI_Rget = PMPI_Rget
int PMPI_Rget_c(void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request) {
  if (!SERVED(Rget_c)) { return heddle_mpi_missing("MPI_Rget_c", PLACE); }
  return heddle_mpi_host->mpi.Rget_c(PLACE, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win, request);
}
#pragma weak MPI_Rget_c = PMPI_Rget_c
int PMPI_Rget_accumulate(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr, int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request) {
  if (!SERVED(Rget_accumulate)) { return heddle_mpi_missing("MPI_Rget_accumulate", PLACE); }
  return heddle_mpi_host->mpi.Rget_accumulate(PLACE, origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, win, request);
}
#pragma weak MPI_Rget_accumulate = PMPI_Rget_accumulate
int PMPI_Rget_accumulate_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, void *result_addr, MPI_Count result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request) {
  if (!SERVED(Rget_accumulate_c)) { return heddle_mpi_missing("MPI_Rget_accumulate_c", PLACE); }
  return heddle_mpi_host->mpi.Rget_accumulate_c(PLACE, origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype, target_rank, target_disp, target_count, target_datatype, op, win, request);
}
#pragma weak MPI_Rget_accumulate_c = PMPI_Rget_accumulate_c
int PMPI_Rput(const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request) {
  if (!SERVED(Rput)) { return heddle_mpi_missing("MPI_Rput", PLACE); }
  return heddle_mpi_host->mpi.Rput(PLACE, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win, request);
}
#pragma weak MPI_Rput = PMPI_Rput
int PMPI_Rput_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request) {
  if (!SERVED(Rput_c)) { return heddle_mpi_missing("MPI_Rput_c", PLACE); }
  return heddle_mpi_host->mpi.Rput_c(PLACE, origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, target_datatype, win, request);
}
#pragma weak MPI_Rput_c = PMPI_Rput_c
int PMPI_Rsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  if (!SERVED(Rsend)) { return heddle_mpi_missing("MPI_Rsend", PLACE); }
  return heddle_mpi_host->mpi.Rsend(PLACE, buf, count, datatype, dest, tag, comm);
}
#pragma weak MPI_Rsend = PMPI_Rsend
int PMPI_Rsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  if (!SERVED(Rsend_c)) { return heddle_mpi_missing("MPI_Rsend_c", PLACE); }
  return heddle_mpi_host->mpi.Rsend_c(PLACE, buf, count, datatype, dest, tag, comm);
}
#pragma weak MPI_Rsend_c = PMPI_Rsend_c
int PMPI_Rsend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Rsend_init)) { return heddle_mpi_missing("MPI_Rsend_init", PLACE); }
  return heddle_mpi_host->mpi.Rsend_init(PLACE, buf, count, datatype, dest, tag, comm, request);
}
#pragma weak MPI_Rsend_init = PMPI_Rsend_init
int PMPI_Rsend_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Rsend_init_c)) { return heddle_mpi_missing("MPI_Rsend_init_c", PLACE); }
  return heddle_mpi_host->mpi.Rsend_init_c(PLACE, buf, count, datatype, dest, tag, comm, request);
}
#pragma weak MPI_Rsend_init_c = PMPI_Rsend_init_c
int PMPI_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  if (!SERVED(Scan)) { return heddle_mpi_missing("MPI_Scan", PLACE); }
  return heddle_mpi_host->mpi.Scan(PLACE, sendbuf, recvbuf, count, datatype, op, comm);
}
#pragma weak MPI_Scan = PMPI_Scan
int PMPI_Scan_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  if (!SERVED(Scan_c)) { return heddle_mpi_missing("MPI_Scan_c", PLACE); }
  return heddle_mpi_host->mpi.Scan_c(PLACE, sendbuf, recvbuf, count, datatype, op, comm);
}
#pragma weak MPI_Scan_c = PMPI_Scan_c
int PMPI_Scan_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Scan_init)) { return heddle_mpi_missing("MPI_Scan_init", PLACE); }
  return heddle_mpi_host->mpi.Scan_init(PLACE, sendbuf, recvbuf, count, datatype, op, comm, info, request);
}
#pragma weak MPI_Scan_init = PMPI_Scan_init
int PMPI_Scan_init_c(const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Scan_init_c)) { return heddle_mpi_missing("MPI_Scan_init_c", PLACE); }
  return heddle_mpi_host->mpi.Scan_init_c(PLACE, sendbuf, recvbuf, count, datatype, op, comm, info, request);
}
#pragma weak MPI_Scan_init_c = PMPI_Scan_init_c
int PMPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  if (!SERVED(Scatter)) { return heddle_mpi_missing("MPI_Scatter", PLACE); }
  return heddle_mpi_host->mpi.Scatter(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}
#pragma weak MPI_Scatter = PMPI_Scatter
int PMPI_Scatter_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  if (!SERVED(Scatter_c)) { return heddle_mpi_missing("MPI_Scatter_c", PLACE); }
  return heddle_mpi_host->mpi.Scatter_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
}
#pragma weak MPI_Scatter_c = PMPI_Scatter_c
int PMPI_Scatter_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Scatter_init)) { return heddle_mpi_missing("MPI_Scatter_init", PLACE); }
  return heddle_mpi_host->mpi.Scatter_init(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request);
}
#pragma weak MPI_Scatter_init = PMPI_Scatter_init
int PMPI_Scatter_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Scatter_init_c)) { return heddle_mpi_missing("MPI_Scatter_init_c", PLACE); }
  return heddle_mpi_host->mpi.Scatter_init_c(PLACE, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request);
}
#pragma weak MPI_Scatter_init_c = PMPI_Scatter_init_c
int PMPI_Scatterv(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  if (!SERVED(Scatterv)) { return heddle_mpi_missing("MPI_Scatterv", PLACE); }
  return heddle_mpi_host->mpi.Scatterv(PLACE, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm);
}
#pragma weak MPI_Scatterv = PMPI_Scatterv
int PMPI_Scatterv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  if (!SERVED(Scatterv_c)) { return heddle_mpi_missing("MPI_Scatterv_c", PLACE); }
  return heddle_mpi_host->mpi.Scatterv_c(PLACE, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm);
}
#pragma weak MPI_Scatterv_c = PMPI_Scatterv_c
int PMPI_Scatterv_init(const void *sendbuf, const int sendcounts[], const int displs[], MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Scatterv_init)) { return heddle_mpi_missing("MPI_Scatterv_init", PLACE); }
  return heddle_mpi_host->mpi.Scatterv_init(PLACE, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request);
}
#pragma weak MPI_Scatterv_init = PMPI_Scatterv_init
int PMPI_Scatterv_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[], MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  if (!SERVED(Scatterv_init_c)) { return heddle_mpi_missing("MPI_Scatterv_init_c", PLACE); }
  return heddle_mpi_host->mpi.Scatterv_init_c(PLACE, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request);
}
#pragma weak MPI_Scatterv_init_c = PMPI_Scatterv_init_c
int PMPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  if (!SERVED(Send)) { return heddle_mpi_missing("MPI_Send", PLACE); }
  return heddle_mpi_host->mpi.Send(PLACE, buf, count, datatype, dest, tag, comm);
}
#pragma weak MPI_Send = PMPI_Send
int PMPI_Send_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  if (!SERVED(Send_c)) { return heddle_mpi_missing("MPI_Send_c", PLACE); }
  return heddle_mpi_host->mpi.Send_c(PLACE, buf, count, datatype, dest, tag, comm);
}
#pragma weak MPI_Send_c = PMPI_Send_c
int PMPI_Send_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Send_init)) { return heddle_mpi_missing("MPI_Send_init", PLACE); }
  return heddle_mpi_host->mpi.Send_init(PLACE, buf, count, datatype, dest, tag, comm, request);
}
#pragma weak MPI_Send_init = PMPI_Send_init
int PMPI_Send_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Send_init_c)) { return heddle_mpi_missing("MPI_Send_init_c", PLACE); }
  return heddle_mpi_host->mpi.Send_init_c(PLACE, buf, count, datatype, dest, tag, comm, request);
}
#pragma weak MPI_Send_init_c = PMPI_Send_init_c
int PMPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status) {
  if (!SERVED(Sendrecv)) { return heddle_mpi_missing("MPI_Sendrecv", PLACE); }
  return heddle_mpi_host->mpi.Sendrecv(PLACE, sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, status);
}
#pragma weak MPI_Sendrecv = PMPI_Sendrecv
int PMPI_Sendrecv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm, MPI_Status *status) {
  if (!SERVED(Sendrecv_c)) { return heddle_mpi_missing("MPI_Sendrecv_c", PLACE); }
  return heddle_mpi_host->mpi.Sendrecv_c(PLACE, sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, status);
}
#pragma weak MPI_Sendrecv_c = PMPI_Sendrecv_c
int PMPI_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Status *status) {
  if (!SERVED(Sendrecv_replace)) { return heddle_mpi_missing("MPI_Sendrecv_replace", PLACE); }
  return heddle_mpi_host->mpi.Sendrecv_replace(PLACE, buf, count, datatype, dest, sendtag, source, recvtag, comm, status);
}
#pragma weak MPI_Sendrecv_replace = PMPI_Sendrecv_replace
int PMPI_Sendrecv_replace_c(void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Status *status) {
  if (!SERVED(Sendrecv_replace_c)) { return heddle_mpi_missing("MPI_Sendrecv_replace_c", PLACE); }
  return heddle_mpi_host->mpi.Sendrecv_replace_c(PLACE, buf, count, datatype, dest, sendtag, source, recvtag, comm, status);
}
#pragma weak MPI_Sendrecv_replace_c = PMPI_Sendrecv_replace_c
int PMPI_Session_attach_buffer(MPI_Session session, void *buffer, int size) {
  if (!SERVED(Session_attach_buffer)) { return heddle_mpi_missing("MPI_Session_attach_buffer", PLACE); }
  return heddle_mpi_host->mpi.Session_attach_buffer(PLACE, session, buffer, size);
}
#pragma weak MPI_Session_attach_buffer = PMPI_Session_attach_buffer
int PMPI_Session_attach_buffer_c(MPI_Session session, void *buffer, MPI_Count size) {
  if (!SERVED(Session_attach_buffer_c)) { return heddle_mpi_missing("MPI_Session_attach_buffer_c", PLACE); }
  return heddle_mpi_host->mpi.Session_attach_buffer_c(PLACE, session, buffer, size);
}
#pragma weak MPI_Session_attach_buffer_c = PMPI_Session_attach_buffer_c
int PMPI_Session_call_errhandler(MPI_Session session, int errorcode) {
  if (!SERVED(Session_call_errhandler)) { return heddle_mpi_missing("MPI_Session_call_errhandler", PLACE); }
  return heddle_mpi_host->mpi.Session_call_errhandler(PLACE, session, errorcode);
}
#pragma weak MPI_Session_call_errhandler = PMPI_Session_call_errhandler
int PMPI_Session_create_errhandler(MPI_Session_errhandler_function *session_errhandler_fn, MPI_Errhandler *errhandler) {
  if (!SERVED(Session_create_errhandler)) { return heddle_mpi_missing("MPI_Session_create_errhandler", PLACE); }
  return heddle_mpi_host->mpi.Session_create_errhandler(PLACE, session_errhandler_fn, errhandler);
}
#pragma weak MPI_Session_create_errhandler = PMPI_Session_create_errhandler
int PMPI_Session_detach_buffer(MPI_Session session, void *buffer_addr, int *size) {
  if (!SERVED(Session_detach_buffer)) { return heddle_mpi_missing("MPI_Session_detach_buffer", PLACE); }
  return heddle_mpi_host->mpi.Session_detach_buffer(PLACE, session, buffer_addr, size);
}
#pragma weak MPI_Session_detach_buffer = PMPI_Session_detach_buffer
int PMPI_Session_detach_buffer_c(MPI_Session session, void *buffer_addr, MPI_Count *size) {
  if (!SERVED(Session_detach_buffer_c)) { return heddle_mpi_missing("MPI_Session_detach_buffer_c", PLACE); }
  return heddle_mpi_host->mpi.Session_detach_buffer_c(PLACE, session, buffer_addr, size);
}
#pragma weak MPI_Session_detach_buffer_c = PMPI_Session_detach_buffer_c
int PMPI_Session_finalize(MPI_Session *session) {
  if (!SERVED(Session_finalize)) { return heddle_mpi_missing("MPI_Session_finalize", PLACE); }
  return heddle_mpi_host->mpi.Session_finalize(PLACE, session);
}
#pragma weak MPI_Session_finalize = PMPI_Session_finalize
int PMPI_Session_flush_buffer(MPI_Session session) {
  if (!SERVED(Session_flush_buffer)) { return heddle_mpi_missing("MPI_Session_flush_buffer", PLACE); }
  return heddle_mpi_host->mpi.Session_flush_buffer(PLACE, session);
}
#pragma weak MPI_Session_flush_buffer = PMPI_Session_flush_buffer
MPI_Session PMPI_Session_fromint(int session) {
  if (!SERVED(Session_fromint)) { heddle_mpi_missing("MPI_Session_fromint", PLACE); return 0; }
  return heddle_mpi_host->mpi.Session_fromint(PLACE, session);
}
#pragma weak MPI_Session_fromint = PMPI_Session_fromint
int PMPI_Session_get_errhandler(MPI_Session session, MPI_Errhandler *errhandler) {
  if (!SERVED(Session_get_errhandler)) { return heddle_mpi_missing("MPI_Session_get_errhandler", PLACE); }
  return heddle_mpi_host->mpi.Session_get_errhandler(PLACE, session, errhandler);
}
#pragma weak MPI_Session_get_errhandler = PMPI_Session_get_errhandler
int PMPI_Session_get_info(MPI_Session session, MPI_Info *info_used) {
  if (!SERVED(Session_get_info)) { return heddle_mpi_missing("MPI_Session_get_info", PLACE); }
  return heddle_mpi_host->mpi.Session_get_info(PLACE, session, info_used);
}
#pragma weak MPI_Session_get_info = PMPI_Session_get_info
int PMPI_Session_get_nth_pset(MPI_Session session, MPI_Info info, int n, int *pset_len, char *pset_name) {
  if (!SERVED(Session_get_nth_pset)) { return heddle_mpi_missing("MPI_Session_get_nth_pset", PLACE); }
  return heddle_mpi_host->mpi.Session_get_nth_pset(PLACE, session, info, n, pset_len, pset_name);
}
#pragma weak MPI_Session_get_nth_pset = PMPI_Session_get_nth_pset
int PMPI_Session_get_num_psets(MPI_Session session, MPI_Info info, int *npset_names) {
  if (!SERVED(Session_get_num_psets)) { return heddle_mpi_missing("MPI_Session_get_num_psets", PLACE); }
  return heddle_mpi_host->mpi.Session_get_num_psets(PLACE, session, info, npset_names);
}
#pragma weak MPI_Session_get_num_psets = PMPI_Session_get_num_psets
int PMPI_Session_get_pset_info(MPI_Session session, const char *pset_name, MPI_Info *info) {
  if (!SERVED(Session_get_pset_info)) { return heddle_mpi_missing("MPI_Session_get_pset_info", PLACE); }
  return heddle_mpi_host->mpi.Session_get_pset_info(PLACE, session, pset_name, info);
}
#pragma weak MPI_Session_get_pset_info = PMPI_Session_get_pset_info
int PMPI_Session_iflush_buffer(MPI_Session session, MPI_Request *request) {
  if (!SERVED(Session_iflush_buffer)) { return heddle_mpi_missing("MPI_Session_iflush_buffer", PLACE); }
  return heddle_mpi_host->mpi.Session_iflush_buffer(PLACE, session, request);
}
#pragma weak MPI_Session_iflush_buffer = PMPI_Session_iflush_buffer
int PMPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session) {
  if (!SERVED(Session_init)) { return heddle_mpi_missing("MPI_Session_init", PLACE); }
  return heddle_mpi_host->mpi.Session_init(PLACE, info, errhandler, session);
}
#pragma weak MPI_Session_init = PMPI_Session_init
int PMPI_Session_set_errhandler(MPI_Session session, MPI_Errhandler errhandler) {
  if (!SERVED(Session_set_errhandler)) { return heddle_mpi_missing("MPI_Session_set_errhandler", PLACE); }
  return heddle_mpi_host->mpi.Session_set_errhandler(PLACE, session, errhandler);
}
#pragma weak MPI_Session_set_errhandler = PMPI_Session_set_errhandler
int PMPI_Session_toint(MPI_Session session) {
  if (!SERVED(Session_toint)) { return heddle_mpi_missing("MPI_Session_toint", PLACE); }
  return heddle_mpi_host->mpi.Session_toint(PLACE, session);
}
#pragma weak MPI_Session_toint = PMPI_Session_toint
int PMPI_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  if (!SERVED(Ssend)) { return heddle_mpi_missing("MPI_Ssend", PLACE); }
  return heddle_mpi_host->mpi.Ssend(PLACE, buf, count, datatype, dest, tag, comm);
}
#pragma weak MPI_Ssend = PMPI_Ssend
int PMPI_Ssend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  if (!SERVED(Ssend_c)) { return heddle_mpi_missing("MPI_Ssend_c", PLACE); }
  return heddle_mpi_host->mpi.Ssend_c(PLACE, buf, count, datatype, dest, tag, comm);
}
#pragma weak MPI_Ssend_c = PMPI_Ssend_c
int PMPI_Ssend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ssend_init)) { return heddle_mpi_missing("MPI_Ssend_init", PLACE); }
  return heddle_mpi_host->mpi.Ssend_init(PLACE, buf, count, datatype, dest, tag, comm, request);
}
#pragma weak MPI_Ssend_init = PMPI_Ssend_init
int PMPI_Ssend_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
  if (!SERVED(Ssend_init_c)) { return heddle_mpi_missing("MPI_Ssend_init_c", PLACE); }
  return heddle_mpi_host->mpi.Ssend_init_c(PLACE, buf, count, datatype, dest, tag, comm, request);
}
#pragma weak MPI_Ssend_init_c = PMPI_Ssend_init_c
int PMPI_Start(MPI_Request *request) {
  if (!SERVED(Start)) { return heddle_mpi_missing("MPI_Start", PLACE); }
  return heddle_mpi_host->mpi.Start(PLACE, request);
}
#pragma weak MPI_Start = PMPI_Start
int PMPI_Startall(int count, MPI_Request array_of_requests[]) {
  if (!SERVED(Startall)) { return heddle_mpi_missing("MPI_Startall", PLACE); }
  return heddle_mpi_host->mpi.Startall(PLACE, count, array_of_requests);
}
#pragma weak MPI_Startall = PMPI_Startall
int PMPI_Status_get_error(const MPI_Status *status, int *error) {
  if (!SERVED(Status_get_error)) { return heddle_mpi_missing("MPI_Status_get_error", PLACE); }
  return heddle_mpi_host->mpi.Status_get_error(PLACE, status, error);
}
#pragma weak MPI_Status_get_error = PMPI_Status_get_error
int PMPI_Status_get_source(const MPI_Status *status, int *source) {
  if (!SERVED(Status_get_source)) { return heddle_mpi_missing("MPI_Status_get_source", PLACE); }
  return heddle_mpi_host->mpi.Status_get_source(PLACE, status, source);
}
#pragma weak MPI_Status_get_source = PMPI_Status_get_source
int PMPI_Status_get_tag(const MPI_Status *status, int *tag) {
  if (!SERVED(Status_get_tag)) { return heddle_mpi_missing("MPI_Status_get_tag", PLACE); }
  return heddle_mpi_host->mpi.Status_get_tag(PLACE, status, tag);
}
#pragma weak MPI_Status_get_tag = PMPI_Status_get_tag
int PMPI_Status_set_cancelled(MPI_Status *status, int flag) {
  if (!SERVED(Status_set_cancelled)) { return heddle_mpi_missing("MPI_Status_set_cancelled", PLACE); }
  return heddle_mpi_host->mpi.Status_set_cancelled(PLACE, status, flag);
}
#pragma weak MPI_Status_set_cancelled = PMPI_Status_set_cancelled
int PMPI_Status_set_elements(MPI_Status *status, MPI_Datatype datatype, int count) {
  if (!SERVED(Status_set_elements)) { return heddle_mpi_missing("MPI_Status_set_elements", PLACE); }
  return heddle_mpi_host->mpi.Status_set_elements(PLACE, status, datatype, count);
}
#pragma weak MPI_Status_set_elements = PMPI_Status_set_elements
int PMPI_Status_set_elements_c(MPI_Status *status, MPI_Datatype datatype, MPI_Count count) {
  if (!SERVED(Status_set_elements_c)) { return heddle_mpi_missing("MPI_Status_set_elements_c", PLACE); }
  return heddle_mpi_host->mpi.Status_set_elements_c(PLACE, status, datatype, count);
}
#pragma weak MPI_Status_set_elements_c = PMPI_Status_set_elements_c
int PMPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype datatype, MPI_Count count) {
  if (!SERVED(Status_set_elements_x)) { return heddle_mpi_missing("MPI_Status_set_elements_x", PLACE); }
  return heddle_mpi_host->mpi.Status_set_elements_x(PLACE, status, datatype, count);
}
#pragma weak MPI_Status_set_elements_x = PMPI_Status_set_elements_x
int PMPI_Status_set_error(MPI_Status *status, int error) {
  if (!SERVED(Status_set_error)) { return heddle_mpi_missing("MPI_Status_set_error", PLACE); }
  return heddle_mpi_host->mpi.Status_set_error(PLACE, status, error);
}
#pragma weak MPI_Status_set_error = PMPI_Status_set_error
int PMPI_Status_set_source(MPI_Status *status, int source) {
  if (!SERVED(Status_set_source)) { return heddle_mpi_missing("MPI_Status_set_source", PLACE); }
  return heddle_mpi_host->mpi.Status_set_source(PLACE, status, source);
}
#pragma weak MPI_Status_set_source = PMPI_Status_set_source
int PMPI_Status_set_tag(MPI_Status *status, int tag) {
  if (!SERVED(Status_set_tag)) { return heddle_mpi_missing("MPI_Status_set_tag", PLACE); }
  return heddle_mpi_host->mpi.Status_set_tag(PLACE, status, tag);
}
#pragma weak MPI_Status_set_tag = PMPI_Status_set_tag
int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  if (!SERVED(Test)) { return heddle_mpi_missing("MPI_Test", PLACE); }
  return heddle_mpi_host->mpi.Test(PLACE, request, flag, status);
}
#pragma weak MPI_Test = PMPI_Test
int PMPI_Test_cancelled(const MPI_Status *status, int *flag) {
  if (!SERVED(Test_cancelled)) { return heddle_mpi_missing("MPI_Test_cancelled", PLACE); }
  return heddle_mpi_host->mpi.Test_cancelled(PLACE, status, flag);
}
#pragma weak MPI_Test_cancelled = PMPI_Test_cancelled
int PMPI_Testall(int count, MPI_Request array_of_requests[], int *flag, MPI_Status *array_of_statuses) {
  if (!SERVED(Testall)) { return heddle_mpi_missing("MPI_Testall", PLACE); }
  return heddle_mpi_host->mpi.Testall(PLACE, count, array_of_requests, flag, array_of_statuses);
}
#pragma weak MPI_Testall = PMPI_Testall
int PMPI_Testany(int count, MPI_Request array_of_requests[], int *indx, int *flag, MPI_Status *status) {
  if (!SERVED(Testany)) { return heddle_mpi_missing("MPI_Testany", PLACE); }
  return heddle_mpi_host->mpi.Testany(PLACE, count, array_of_requests, indx, flag, status);
}
#pragma weak MPI_Testany = PMPI_Testany
int PMPI_Testsome(int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[], MPI_Status *array_of_statuses) {
  if (!SERVED(Testsome)) { return heddle_mpi_missing("MPI_Testsome", PLACE); }
  return heddle_mpi_host->mpi.Testsome(PLACE, incount, array_of_requests, outcount, array_of_indices, array_of_statuses);
}
#pragma weak MPI_Testsome = PMPI_Testsome
int PMPI_Topo_test(MPI_Comm comm, int *status) {
  if (!SERVED(Topo_test)) { return heddle_mpi_missing("MPI_Topo_test", PLACE); }
  return heddle_mpi_host->mpi.Topo_test(PLACE, comm, status);
}
#pragma weak MPI_Topo_test = PMPI_Topo_test
int PMPI_Type_commit(MPI_Datatype *datatype) {
  if (!SERVED(Type_commit)) { return heddle_mpi_missing("MPI_Type_commit", PLACE); }
  return heddle_mpi_host->mpi.Type_commit(PLACE, datatype);
}
#pragma weak MPI_Type_commit = PMPI_Type_commit
int PMPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_contiguous)) { return heddle_mpi_missing("MPI_Type_contiguous", PLACE); }
  return heddle_mpi_host->mpi.Type_contiguous(PLACE, count, oldtype, newtype);
}
#pragma weak MPI_Type_contiguous = PMPI_Type_contiguous
int PMPI_Type_contiguous_c(MPI_Count count, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_contiguous_c)) { return heddle_mpi_missing("MPI_Type_contiguous_c", PLACE); }
  return heddle_mpi_host->mpi.Type_contiguous_c(PLACE, count, oldtype, newtype);
}
#pragma weak MPI_Type_contiguous_c = PMPI_Type_contiguous_c
int PMPI_Type_create_darray(int size, int rank, int ndims, const int array_of_gsizes[], const int array_of_distribs[], const int array_of_dargs[], const int array_of_psizes[], int order, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_create_darray)) { return heddle_mpi_missing("MPI_Type_create_darray", PLACE); }
  return heddle_mpi_host->mpi.Type_create_darray(PLACE, size, rank, ndims, array_of_gsizes, array_of_distribs, array_of_dargs, array_of_psizes, order, oldtype, newtype);
}
#pragma weak MPI_Type_create_darray = PMPI_Type_create_darray
int PMPI_Type_create_darray_c(int size, int rank, int ndims, const MPI_Count array_of_gsizes[], const int array_of_distribs[], const int array_of_dargs[], const int array_of_psizes[], int order, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_create_darray_c)) { return heddle_mpi_missing("MPI_Type_create_darray_c", PLACE); }
  return heddle_mpi_host->mpi.Type_create_darray_c(PLACE, size, rank, ndims, array_of_gsizes, array_of_distribs, array_of_dargs, array_of_psizes, order, oldtype, newtype);
}
#pragma weak MPI_Type_create_darray_c = PMPI_Type_create_darray_c
int PMPI_Type_create_f90_complex(int p, int r, MPI_Datatype *newtype) {
  if (!SERVED(Type_create_f90_complex)) { return heddle_mpi_missing("MPI_Type_create_f90_complex", PLACE); }
  return heddle_mpi_host->mpi.Type_create_f90_complex(PLACE, p, r, newtype);
}
#pragma weak MPI_Type_create_f90_complex = PMPI_Type_create_f90_complex
int PMPI_Type_create_f90_integer(int r, MPI_Datatype *newtype) {
  if (!SERVED(Type_create_f90_integer)) { return heddle_mpi_missing("MPI_Type_create_f90_integer", PLACE); }
  return heddle_mpi_host->mpi.Type_create_f90_integer(PLACE, r, newtype);
}
#pragma weak MPI_Type_create_f90_integer = PMPI_Type_create_f90_integer
int PMPI_Type_create_f90_real(int p, int r, MPI_Datatype *newtype) {
  if (!SERVED(Type_create_f90_real)) { return heddle_mpi_missing("MPI_Type_create_f90_real", PLACE); }
  return heddle_mpi_host->mpi.Type_create_f90_real(PLACE, p, r, newtype);
}
#pragma weak MPI_Type_create_f90_real = PMPI_Type_create_f90_real
int PMPI_Type_create_hindexed(int count, const int array_of_blocklengths[], const MPI_Aint array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_create_hindexed)) { return heddle_mpi_missing("MPI_Type_create_hindexed", PLACE); }
  return heddle_mpi_host->mpi.Type_create_hindexed(PLACE, count, array_of_blocklengths, array_of_displacements, oldtype, newtype);
}
#pragma weak MPI_Type_create_hindexed = PMPI_Type_create_hindexed
int PMPI_Type_create_hindexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[], const MPI_Count array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_create_hindexed_c)) { return heddle_mpi_missing("MPI_Type_create_hindexed_c", PLACE); }
  return heddle_mpi_host->mpi.Type_create_hindexed_c(PLACE, count, array_of_blocklengths, array_of_displacements, oldtype, newtype);
}
#pragma weak MPI_Type_create_hindexed_c = PMPI_Type_create_hindexed_c
int PMPI_Type_create_hindexed_block(int count, int blocklength, const MPI_Aint array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_create_hindexed_block)) { return heddle_mpi_missing("MPI_Type_create_hindexed_block", PLACE); }
  return heddle_mpi_host->mpi.Type_create_hindexed_block(PLACE, count, blocklength, array_of_displacements, oldtype, newtype);
}
#pragma weak MPI_Type_create_hindexed_block = PMPI_Type_create_hindexed_block
int PMPI_Type_create_hindexed_block_c(MPI_Count count, MPI_Count blocklength, const MPI_Count array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_create_hindexed_block_c)) { return heddle_mpi_missing("MPI_Type_create_hindexed_block_c", PLACE); }
  return heddle_mpi_host->mpi.Type_create_hindexed_block_c(PLACE, count, blocklength, array_of_displacements, oldtype, newtype);
}
#pragma weak MPI_Type_create_hindexed_block_c = PMPI_Type_create_hindexed_block_c
int PMPI_Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_create_hvector)) { return heddle_mpi_missing("MPI_Type_create_hvector", PLACE); }
  return heddle_mpi_host->mpi.Type_create_hvector(PLACE, count, blocklength, stride, oldtype, newtype);
}
#pragma weak MPI_Type_create_hvector = PMPI_Type_create_hvector
int PMPI_Type_create_hvector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_create_hvector_c)) { return heddle_mpi_missing("MPI_Type_create_hvector_c", PLACE); }
  return heddle_mpi_host->mpi.Type_create_hvector_c(PLACE, count, blocklength, stride, oldtype, newtype);
}
#pragma weak MPI_Type_create_hvector_c = PMPI_Type_create_hvector_c
int PMPI_Type_create_indexed_block(int count, int blocklength, const int array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_create_indexed_block)) { return heddle_mpi_missing("MPI_Type_create_indexed_block", PLACE); }
  return heddle_mpi_host->mpi.Type_create_indexed_block(PLACE, count, blocklength, array_of_displacements, oldtype, newtype);
}
#pragma weak MPI_Type_create_indexed_block = PMPI_Type_create_indexed_block
int PMPI_Type_create_indexed_block_c(MPI_Count count, MPI_Count blocklength, const MPI_Count array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_create_indexed_block_c)) { return heddle_mpi_missing("MPI_Type_create_indexed_block_c", PLACE); }
  return heddle_mpi_host->mpi.Type_create_indexed_block_c(PLACE, count, blocklength, array_of_displacements, oldtype, newtype);
}
#pragma weak MPI_Type_create_indexed_block_c = PMPI_Type_create_indexed_block_c
int PMPI_Type_create_keyval(MPI_Type_copy_attr_function *type_copy_attr_fn, MPI_Type_delete_attr_function *type_delete_attr_fn, int *type_keyval, void *extra_state) {
  if (!SERVED(Type_create_keyval)) { return heddle_mpi_missing("MPI_Type_create_keyval", PLACE); }
  return heddle_mpi_host->mpi.Type_create_keyval(PLACE, type_copy_attr_fn, type_delete_attr_fn, type_keyval, extra_state);
}
#pragma weak MPI_Type_create_keyval = PMPI_Type_create_keyval
int PMPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *newtype) {
  if (!SERVED(Type_create_resized)) { return heddle_mpi_missing("MPI_Type_create_resized", PLACE); }
  return heddle_mpi_host->mpi.Type_create_resized(PLACE, oldtype, lb, extent, newtype);
}
#pragma weak MPI_Type_create_resized = PMPI_Type_create_resized
int PMPI_Type_create_resized_c(MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent, MPI_Datatype *newtype) {
  if (!SERVED(Type_create_resized_c)) { return heddle_mpi_missing("MPI_Type_create_resized_c", PLACE); }
  return heddle_mpi_host->mpi.Type_create_resized_c(PLACE, oldtype, lb, extent, newtype);
}
#pragma weak MPI_Type_create_resized_c = PMPI_Type_create_resized_c
int PMPI_Type_create_struct(int count, const int array_of_blocklengths[], const MPI_Aint array_of_displacements[], const MPI_Datatype array_of_types[], MPI_Datatype *newtype) {
  if (!SERVED(Type_create_struct)) { return heddle_mpi_missing("MPI_Type_create_struct", PLACE); }
  return heddle_mpi_host->mpi.Type_create_struct(PLACE, count, array_of_blocklengths, array_of_displacements, array_of_types, newtype);
}
#pragma weak MPI_Type_create_struct = PMPI_Type_create_struct
int PMPI_Type_create_struct_c(MPI_Count count, const MPI_Count array_of_blocklengths[], const MPI_Count array_of_displacements[], const MPI_Datatype array_of_types[], MPI_Datatype *newtype) {
  if (!SERVED(Type_create_struct_c)) { return heddle_mpi_missing("MPI_Type_create_struct_c", PLACE); }
  return heddle_mpi_host->mpi.Type_create_struct_c(PLACE, count, array_of_blocklengths, array_of_displacements, array_of_types, newtype);
}
#pragma weak MPI_Type_create_struct_c = PMPI_Type_create_struct_c
int PMPI_Type_create_subarray(int ndims, const int array_of_sizes[], const int array_of_subsizes[], const int array_of_starts[], int order, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_create_subarray)) { return heddle_mpi_missing("MPI_Type_create_subarray", PLACE); }
  return heddle_mpi_host->mpi.Type_create_subarray(PLACE, ndims, array_of_sizes, array_of_subsizes, array_of_starts, order, oldtype, newtype);
}
#pragma weak MPI_Type_create_subarray = PMPI_Type_create_subarray
int PMPI_Type_create_subarray_c(int ndims, const MPI_Count array_of_sizes[], const MPI_Count array_of_subsizes[], const MPI_Count array_of_starts[], int order, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_create_subarray_c)) { return heddle_mpi_missing("MPI_Type_create_subarray_c", PLACE); }
  return heddle_mpi_host->mpi.Type_create_subarray_c(PLACE, ndims, array_of_sizes, array_of_subsizes, array_of_starts, order, oldtype, newtype);
}
#pragma weak MPI_Type_create_subarray_c = PMPI_Type_create_subarray_c
int PMPI_Type_delete_attr(MPI_Datatype datatype, int type_keyval) {
  if (!SERVED(Type_delete_attr)) { return heddle_mpi_missing("MPI_Type_delete_attr", PLACE); }
  return heddle_mpi_host->mpi.Type_delete_attr(PLACE, datatype, type_keyval);
}
#pragma weak MPI_Type_delete_attr = PMPI_Type_delete_attr
int PMPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_dup)) { return heddle_mpi_missing("MPI_Type_dup", PLACE); }
  return heddle_mpi_host->mpi.Type_dup(PLACE, oldtype, newtype);
}
#pragma weak MPI_Type_dup = PMPI_Type_dup
int PMPI_Type_free(MPI_Datatype *datatype) {
  if (!SERVED(Type_free)) { return heddle_mpi_missing("MPI_Type_free", PLACE); }
  return heddle_mpi_host->mpi.Type_free(PLACE, datatype);
}
#pragma weak MPI_Type_free = PMPI_Type_free
int PMPI_Type_free_keyval(int *type_keyval) {
  if (!SERVED(Type_free_keyval)) { return heddle_mpi_missing("MPI_Type_free_keyval", PLACE); }
  return heddle_mpi_host->mpi.Type_free_keyval(PLACE, type_keyval);
}
#pragma weak MPI_Type_free_keyval = PMPI_Type_free_keyval
MPI_Datatype PMPI_Type_fromint(int datatype) {
  if (!SERVED(Type_fromint)) { heddle_mpi_missing("MPI_Type_fromint", PLACE); return 0; }
  return heddle_mpi_host->mpi.Type_fromint(PLACE, datatype);
}
#pragma weak MPI_Type_fromint = PMPI_Type_fromint
int PMPI_Type_get_attr(MPI_Datatype datatype, int type_keyval, void *attribute_val, int *flag) {
  if (!SERVED(Type_get_attr)) { return heddle_mpi_missing("MPI_Type_get_attr", PLACE); }
  return heddle_mpi_host->mpi.Type_get_attr(PLACE, datatype, type_keyval, attribute_val, flag);
}
#pragma weak MPI_Type_get_attr = PMPI_Type_get_attr
int PMPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes, int array_of_integers[], MPI_Aint array_of_addresses[], MPI_Datatype array_of_datatypes[]) {
  if (!SERVED(Type_get_contents)) { return heddle_mpi_missing("MPI_Type_get_contents", PLACE); }
  return heddle_mpi_host->mpi.Type_get_contents(PLACE, datatype, max_integers, max_addresses, max_datatypes, array_of_integers, array_of_addresses, array_of_datatypes);
}
#pragma weak MPI_Type_get_contents = PMPI_Type_get_contents
int PMPI_Type_get_contents_c(MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses, MPI_Count max_large_counts, MPI_Count max_datatypes, int array_of_integers[], MPI_Aint array_of_addresses[], MPI_Count array_of_large_counts[], MPI_Datatype array_of_datatypes[]) {
  if (!SERVED(Type_get_contents_c)) { return heddle_mpi_missing("MPI_Type_get_contents_c", PLACE); }
  return heddle_mpi_host->mpi.Type_get_contents_c(PLACE, datatype, max_integers, max_addresses, max_large_counts, max_datatypes, array_of_integers, array_of_addresses, array_of_large_counts, array_of_datatypes);
}
#pragma weak MPI_Type_get_contents_c = PMPI_Type_get_contents_c
int PMPI_Type_get_envelope(MPI_Datatype datatype, int *num_integers, int *num_addresses, int *num_datatypes, int *combiner) {
  if (!SERVED(Type_get_envelope)) { return heddle_mpi_missing("MPI_Type_get_envelope", PLACE); }
  return heddle_mpi_host->mpi.Type_get_envelope(PLACE, datatype, num_integers, num_addresses, num_datatypes, combiner);
}
#pragma weak MPI_Type_get_envelope = PMPI_Type_get_envelope
int PMPI_Type_get_envelope_c(MPI_Datatype datatype, MPI_Count *num_integers, MPI_Count *num_addresses, MPI_Count *num_large_counts, MPI_Count *num_datatypes, int *combiner) {
  if (!SERVED(Type_get_envelope_c)) { return heddle_mpi_missing("MPI_Type_get_envelope_c", PLACE); }
  return heddle_mpi_host->mpi.Type_get_envelope_c(PLACE, datatype, num_integers, num_addresses, num_large_counts, num_datatypes, combiner);
}
#pragma weak MPI_Type_get_envelope_c = PMPI_Type_get_envelope_c
int PMPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent) {
  if (!SERVED(Type_get_extent)) { return heddle_mpi_missing("MPI_Type_get_extent", PLACE); }
  return heddle_mpi_host->mpi.Type_get_extent(PLACE, datatype, lb, extent);
}
#pragma weak MPI_Type_get_extent = PMPI_Type_get_extent
int PMPI_Type_get_extent_c(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent) {
  if (!SERVED(Type_get_extent_c)) { return heddle_mpi_missing("MPI_Type_get_extent_c", PLACE); }
  return heddle_mpi_host->mpi.Type_get_extent_c(PLACE, datatype, lb, extent);
}
#pragma weak MPI_Type_get_extent_c = PMPI_Type_get_extent_c
int PMPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent) {
  if (!SERVED(Type_get_extent_x)) { return heddle_mpi_missing("MPI_Type_get_extent_x", PLACE); }
  return heddle_mpi_host->mpi.Type_get_extent_x(PLACE, datatype, lb, extent);
}
#pragma weak MPI_Type_get_extent_x = PMPI_Type_get_extent_x
int PMPI_Type_get_name(MPI_Datatype datatype, char *type_name, int *resultlen) {
  if (!SERVED(Type_get_name)) { return heddle_mpi_missing("MPI_Type_get_name", PLACE); }
  return heddle_mpi_host->mpi.Type_get_name(PLACE, datatype, type_name, resultlen);
}
#pragma weak MPI_Type_get_name = PMPI_Type_get_name
int PMPI_Type_get_true_extent(MPI_Datatype datatype, MPI_Aint *true_lb, MPI_Aint *true_extent) {
  if (!SERVED(Type_get_true_extent)) { return heddle_mpi_missing("MPI_Type_get_true_extent", PLACE); }
  return heddle_mpi_host->mpi.Type_get_true_extent(PLACE, datatype, true_lb, true_extent);
}
#pragma weak MPI_Type_get_true_extent = PMPI_Type_get_true_extent
int PMPI_Type_get_true_extent_c(MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent) {
  if (!SERVED(Type_get_true_extent_c)) { return heddle_mpi_missing("MPI_Type_get_true_extent_c", PLACE); }
  return heddle_mpi_host->mpi.Type_get_true_extent_c(PLACE, datatype, true_lb, true_extent);
}
#pragma weak MPI_Type_get_true_extent_c = PMPI_Type_get_true_extent_c
int PMPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent) {
  if (!SERVED(Type_get_true_extent_x)) { return heddle_mpi_missing("MPI_Type_get_true_extent_x", PLACE); }
  return heddle_mpi_host->mpi.Type_get_true_extent_x(PLACE, datatype, true_lb, true_extent);
}
#pragma weak MPI_Type_get_true_extent_x = PMPI_Type_get_true_extent_x
int PMPI_Type_get_value_index(MPI_Datatype value_type, MPI_Datatype index_type, MPI_Datatype *pair_type) {
  if (!SERVED(Type_get_value_index)) { return heddle_mpi_missing("MPI_Type_get_value_index", PLACE); }
  return heddle_mpi_host->mpi.Type_get_value_index(PLACE, value_type, index_type, pair_type);
}
#pragma weak MPI_Type_get_value_index = PMPI_Type_get_value_index
int PMPI_Type_indexed(int count, const int array_of_blocklengths[], const int array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_indexed)) { return heddle_mpi_missing("MPI_Type_indexed", PLACE); }
  return heddle_mpi_host->mpi.Type_indexed(PLACE, count, array_of_blocklengths, array_of_displacements, oldtype, newtype);
}
#pragma weak MPI_Type_indexed = PMPI_Type_indexed
int PMPI_Type_indexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[], const MPI_Count array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_indexed_c)) { return heddle_mpi_missing("MPI_Type_indexed_c", PLACE); }
  return heddle_mpi_host->mpi.Type_indexed_c(PLACE, count, array_of_blocklengths, array_of_displacements, oldtype, newtype);
}
#pragma weak MPI_Type_indexed_c = PMPI_Type_indexed_c
int PMPI_Type_match_size(int typeclass, int size, MPI_Datatype *datatype) {
  if (!SERVED(Type_match_size)) { return heddle_mpi_missing("MPI_Type_match_size", PLACE); }
  return heddle_mpi_host->mpi.Type_match_size(PLACE, typeclass, size, datatype);
}
#pragma weak MPI_Type_match_size = PMPI_Type_match_size
int PMPI_Type_set_attr(MPI_Datatype datatype, int type_keyval, void *attribute_val) {
  if (!SERVED(Type_set_attr)) { return heddle_mpi_missing("MPI_Type_set_attr", PLACE); }
  return heddle_mpi_host->mpi.Type_set_attr(PLACE, datatype, type_keyval, attribute_val);
}
#pragma weak MPI_Type_set_attr = PMPI_Type_set_attr
int PMPI_Type_set_name(MPI_Datatype datatype, const char *type_name) {
  if (!SERVED(Type_set_name)) { return heddle_mpi_missing("MPI_Type_set_name", PLACE); }
  return heddle_mpi_host->mpi.Type_set_name(PLACE, datatype, type_name);
}
#pragma weak MPI_Type_set_name = PMPI_Type_set_name
int PMPI_Type_size(MPI_Datatype datatype, int *size) {
  if (!SERVED(Type_size)) { return heddle_mpi_missing("MPI_Type_size", PLACE); }
  return heddle_mpi_host->mpi.Type_size(PLACE, datatype, size);
}
#pragma weak MPI_Type_size = PMPI_Type_size
int PMPI_Type_size_c(MPI_Datatype datatype, MPI_Count *size) {
  if (!SERVED(Type_size_c)) { return heddle_mpi_missing("MPI_Type_size_c", PLACE); }
  return heddle_mpi_host->mpi.Type_size_c(PLACE, datatype, size);
}
#pragma weak MPI_Type_size_c = PMPI_Type_size_c
int PMPI_Type_size_x(MPI_Datatype datatype, MPI_Count *size) {
  if (!SERVED(Type_size_x)) { return heddle_mpi_missing("MPI_Type_size_x", PLACE); }
  return heddle_mpi_host->mpi.Type_size_x(PLACE, datatype, size);
}
#pragma weak MPI_Type_size_x = PMPI_Type_size_x
int PMPI_Type_toint(MPI_Datatype datatype) {
  if (!SERVED(Type_toint)) { return heddle_mpi_missing("MPI_Type_toint", PLACE); }
  return heddle_mpi_host->mpi.Type_toint(PLACE, datatype);
}
#pragma weak MPI_Type_toint = PMPI_Type_toint
int PMPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_vector)) { return heddle_mpi_missing("MPI_Type_vector", PLACE); }
  return heddle_mpi_host->mpi.Type_vector(PLACE, count, blocklength, stride, oldtype, newtype);
}
#pragma weak MPI_Type_vector = PMPI_Type_vector
int PMPI_Type_vector_c(MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_vector_c)) { return heddle_mpi_missing("MPI_Type_vector_c", PLACE); }
  return heddle_mpi_host->mpi.Type_vector_c(PLACE, count, blocklength, stride, oldtype, newtype);
}
#pragma weak MPI_Type_vector_c = PMPI_Type_vector_c
int PMPI_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount, MPI_Datatype datatype, MPI_Comm comm) {
  if (!SERVED(Unpack)) { return heddle_mpi_missing("MPI_Unpack", PLACE); }
  return heddle_mpi_host->mpi.Unpack(PLACE, inbuf, insize, position, outbuf, outcount, datatype, comm);
}
#pragma weak MPI_Unpack = PMPI_Unpack
int PMPI_Unpack_c(const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf, MPI_Count outcount, MPI_Datatype datatype, MPI_Comm comm) {
  if (!SERVED(Unpack_c)) { return heddle_mpi_missing("MPI_Unpack_c", PLACE); }
  return heddle_mpi_host->mpi.Unpack_c(PLACE, inbuf, insize, position, outbuf, outcount, datatype, comm);
}
#pragma weak MPI_Unpack_c = PMPI_Unpack_c
int PMPI_Unpack_external(const char datarep[], const void *inbuf, MPI_Aint insize, MPI_Aint *position, void *outbuf, int outcount, MPI_Datatype datatype) {
  if (!SERVED(Unpack_external)) { return heddle_mpi_missing("MPI_Unpack_external", PLACE); }
  return heddle_mpi_host->mpi.Unpack_external(PLACE, datarep, inbuf, insize, position, outbuf, outcount, datatype);
}
#pragma weak MPI_Unpack_external = PMPI_Unpack_external
int PMPI_Unpack_external_c(const char datarep[], const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf, MPI_Count outcount, MPI_Datatype datatype) {
  if (!SERVED(Unpack_external_c)) { return heddle_mpi_missing("MPI_Unpack_external_c", PLACE); }
  return heddle_mpi_host->mpi.Unpack_external_c(PLACE, datarep, inbuf, insize, position, outbuf, outcount, datatype);
}
#pragma weak MPI_Unpack_external_c = PMPI_Unpack_external_c
int PMPI_Unpublish_name(const char *service_name, MPI_Info info, const char *port_name) {
  if (!SERVED(Unpublish_name)) { return heddle_mpi_missing("MPI_Unpublish_name", PLACE); }
  return heddle_mpi_host->mpi.Unpublish_name(PLACE, service_name, info, port_name);
}
#pragma weak MPI_Unpublish_name = PMPI_Unpublish_name
int PMPI_Wait(MPI_Request *request, MPI_Status *status) {
  if (!SERVED(Wait)) { return heddle_mpi_missing("MPI_Wait", PLACE); }
  return heddle_mpi_host->mpi.Wait(PLACE, request, status);
}
#pragma weak MPI_Wait = PMPI_Wait
int PMPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status *array_of_statuses) {
  if (!SERVED(Waitall)) { return heddle_mpi_missing("MPI_Waitall", PLACE); }
  return heddle_mpi_host->mpi.Waitall(PLACE, count, array_of_requests, array_of_statuses);
}
#pragma weak MPI_Waitall = PMPI_Waitall
int PMPI_Waitany(int count, MPI_Request array_of_requests[], int *indx, MPI_Status *status) {
  if (!SERVED(Waitany)) { return heddle_mpi_missing("MPI_Waitany", PLACE); }
  return heddle_mpi_host->mpi.Waitany(PLACE, count, array_of_requests, indx, status);
}
#pragma weak MPI_Waitany = PMPI_Waitany
int PMPI_Waitsome(int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[], MPI_Status *array_of_statuses) {
  if (!SERVED(Waitsome)) { return heddle_mpi_missing("MPI_Waitsome", PLACE); }
  return heddle_mpi_host->mpi.Waitsome(PLACE, incount, array_of_requests, outcount, array_of_indices, array_of_statuses);
}
#pragma weak MPI_Waitsome = PMPI_Waitsome
int PMPI_Win_allocate(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win) {
  if (!SERVED(Win_allocate)) { return heddle_mpi_missing("MPI_Win_allocate", PLACE); }
  return heddle_mpi_host->mpi.Win_allocate(PLACE, size, disp_unit, info, comm, baseptr, win);
}
#pragma weak MPI_Win_allocate = PMPI_Win_allocate
int PMPI_Win_allocate_c(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win) {
  if (!SERVED(Win_allocate_c)) { return heddle_mpi_missing("MPI_Win_allocate_c", PLACE); }
  return heddle_mpi_host->mpi.Win_allocate_c(PLACE, size, disp_unit, info, comm, baseptr, win);
}
#pragma weak MPI_Win_allocate_c = PMPI_Win_allocate_c
int PMPI_Win_allocate_shared(MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win) {
  if (!SERVED(Win_allocate_shared)) { return heddle_mpi_missing("MPI_Win_allocate_shared", PLACE); }
  return heddle_mpi_host->mpi.Win_allocate_shared(PLACE, size, disp_unit, info, comm, baseptr, win);
}
#pragma weak MPI_Win_allocate_shared = PMPI_Win_allocate_shared
int PMPI_Win_allocate_shared_c(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win) {
  if (!SERVED(Win_allocate_shared_c)) { return heddle_mpi_missing("MPI_Win_allocate_shared_c", PLACE); }
  return heddle_mpi_host->mpi.Win_allocate_shared_c(PLACE, size, disp_unit, info, comm, baseptr, win);
}
#pragma weak MPI_Win_allocate_shared_c = PMPI_Win_allocate_shared_c
int PMPI_Win_attach(MPI_Win win, void *base, MPI_Aint size) {
  if (!SERVED(Win_attach)) { return heddle_mpi_missing("MPI_Win_attach", PLACE); }
  return heddle_mpi_host->mpi.Win_attach(PLACE, win, base, size);
}
#pragma weak MPI_Win_attach = PMPI_Win_attach
int PMPI_Win_call_errhandler(MPI_Win win, int errorcode) {
  if (!SERVED(Win_call_errhandler)) { return heddle_mpi_missing("MPI_Win_call_errhandler", PLACE); }
  return heddle_mpi_host->mpi.Win_call_errhandler(PLACE, win, errorcode);
}
#pragma weak MPI_Win_call_errhandler = PMPI_Win_call_errhandler
int PMPI_Win_complete(MPI_Win win) {
  if (!SERVED(Win_complete)) { return heddle_mpi_missing("MPI_Win_complete", PLACE); }
  return heddle_mpi_host->mpi.Win_complete(PLACE, win);
}
#pragma weak MPI_Win_complete = PMPI_Win_complete
int PMPI_Win_create(void *base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win) {
  if (!SERVED(Win_create)) { return heddle_mpi_missing("MPI_Win_create", PLACE); }
  return heddle_mpi_host->mpi.Win_create(PLACE, base, size, disp_unit, info, comm, win);
}
#pragma weak MPI_Win_create = PMPI_Win_create
int PMPI_Win_create_c(void *base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win) {
  if (!SERVED(Win_create_c)) { return heddle_mpi_missing("MPI_Win_create_c", PLACE); }
  return heddle_mpi_host->mpi.Win_create_c(PLACE, base, size, disp_unit, info, comm, win);
}
#pragma weak MPI_Win_create_c = PMPI_Win_create_c
int PMPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win) {
  if (!SERVED(Win_create_dynamic)) { return heddle_mpi_missing("MPI_Win_create_dynamic", PLACE); }
  return heddle_mpi_host->mpi.Win_create_dynamic(PLACE, info, comm, win);
}
#pragma weak MPI_Win_create_dynamic = PMPI_Win_create_dynamic
int PMPI_Win_create_errhandler(MPI_Win_errhandler_function *win_errhandler_fn, MPI_Errhandler *errhandler) {
  if (!SERVED(Win_create_errhandler)) { return heddle_mpi_missing("MPI_Win_create_errhandler", PLACE); }
  return heddle_mpi_host->mpi.Win_create_errhandler(PLACE, win_errhandler_fn, errhandler);
}
#pragma weak MPI_Win_create_errhandler = PMPI_Win_create_errhandler
int PMPI_Win_create_keyval(MPI_Win_copy_attr_function *win_copy_attr_fn, MPI_Win_delete_attr_function *win_delete_attr_fn, int *win_keyval, void *extra_state) {
  if (!SERVED(Win_create_keyval)) { return heddle_mpi_missing("MPI_Win_create_keyval", PLACE); }
  return heddle_mpi_host->mpi.Win_create_keyval(PLACE, win_copy_attr_fn, win_delete_attr_fn, win_keyval, extra_state);
}
#pragma weak MPI_Win_create_keyval = PMPI_Win_create_keyval
int PMPI_Win_delete_attr(MPI_Win win, int win_keyval) {
  if (!SERVED(Win_delete_attr)) { return heddle_mpi_missing("MPI_Win_delete_attr", PLACE); }
  return heddle_mpi_host->mpi.Win_delete_attr(PLACE, win, win_keyval);
}
#pragma weak MPI_Win_delete_attr = PMPI_Win_delete_attr
int PMPI_Win_detach(MPI_Win win, const void *base) {
  if (!SERVED(Win_detach)) { return heddle_mpi_missing("MPI_Win_detach", PLACE); }
  return heddle_mpi_host->mpi.Win_detach(PLACE, win, base);
}
#pragma weak MPI_Win_detach = PMPI_Win_detach
int PMPI_Win_fence(int assert, MPI_Win win) {
  if (!SERVED(Win_fence)) { return heddle_mpi_missing("MPI_Win_fence", PLACE); }
  return heddle_mpi_host->mpi.Win_fence(PLACE, assert, win);
}
#pragma weak MPI_Win_fence = PMPI_Win_fence
int PMPI_Win_flush(int rank, MPI_Win win) {
  if (!SERVED(Win_flush)) { return heddle_mpi_missing("MPI_Win_flush", PLACE); }
  return heddle_mpi_host->mpi.Win_flush(PLACE, rank, win);
}
#pragma weak MPI_Win_flush = PMPI_Win_flush
int PMPI_Win_flush_all(MPI_Win win) {
  if (!SERVED(Win_flush_all)) { return heddle_mpi_missing("MPI_Win_flush_all", PLACE); }
  return heddle_mpi_host->mpi.Win_flush_all(PLACE, win);
}
#pragma weak MPI_Win_flush_all = PMPI_Win_flush_all
int PMPI_Win_flush_local(int rank, MPI_Win win) {
  if (!SERVED(Win_flush_local)) { return heddle_mpi_missing("MPI_Win_flush_local", PLACE); }
  return heddle_mpi_host->mpi.Win_flush_local(PLACE, rank, win);
}
#pragma weak MPI_Win_flush_local = PMPI_Win_flush_local
int PMPI_Win_flush_local_all(MPI_Win win) {
  if (!SERVED(Win_flush_local_all)) { return heddle_mpi_missing("MPI_Win_flush_local_all", PLACE); }
  return heddle_mpi_host->mpi.Win_flush_local_all(PLACE, win);
}
#pragma weak MPI_Win_flush_local_all = PMPI_Win_flush_local_all
int PMPI_Win_free(MPI_Win *win) {
  if (!SERVED(Win_free)) { return heddle_mpi_missing("MPI_Win_free", PLACE); }
  return heddle_mpi_host->mpi.Win_free(PLACE, win);
}
#pragma weak MPI_Win_free = PMPI_Win_free
int PMPI_Win_free_keyval(int *win_keyval) {
  if (!SERVED(Win_free_keyval)) { return heddle_mpi_missing("MPI_Win_free_keyval", PLACE); }
  return heddle_mpi_host->mpi.Win_free_keyval(PLACE, win_keyval);
}
#pragma weak MPI_Win_free_keyval = PMPI_Win_free_keyval
MPI_Win PMPI_Win_fromint(int win) {
  if (!SERVED(Win_fromint)) { heddle_mpi_missing("MPI_Win_fromint", PLACE); return 0; }
  return heddle_mpi_host->mpi.Win_fromint(PLACE, win);
}
#pragma weak MPI_Win_fromint = PMPI_Win_fromint
int PMPI_Win_get_attr(MPI_Win win, int win_keyval, void *attribute_val, int *flag) {
  if (!SERVED(Win_get_attr)) { return heddle_mpi_missing("MPI_Win_get_attr", PLACE); }
  return heddle_mpi_host->mpi.Win_get_attr(PLACE, win, win_keyval, attribute_val, flag);
}
#pragma weak MPI_Win_get_attr = PMPI_Win_get_attr
int PMPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler *errhandler) {
  if (!SERVED(Win_get_errhandler)) { return heddle_mpi_missing("MPI_Win_get_errhandler", PLACE); }
  return heddle_mpi_host->mpi.Win_get_errhandler(PLACE, win, errhandler);
}
#pragma weak MPI_Win_get_errhandler = PMPI_Win_get_errhandler
int PMPI_Win_get_group(MPI_Win win, MPI_Group *group) {
  if (!SERVED(Win_get_group)) { return heddle_mpi_missing("MPI_Win_get_group", PLACE); }
  return heddle_mpi_host->mpi.Win_get_group(PLACE, win, group);
}
#pragma weak MPI_Win_get_group = PMPI_Win_get_group
int PMPI_Win_get_info(MPI_Win win, MPI_Info *info_used) {
  if (!SERVED(Win_get_info)) { return heddle_mpi_missing("MPI_Win_get_info", PLACE); }
  return heddle_mpi_host->mpi.Win_get_info(PLACE, win, info_used);
}
#pragma weak MPI_Win_get_info = PMPI_Win_get_info
int PMPI_Win_get_name(MPI_Win win, char *win_name, int *resultlen) {
  if (!SERVED(Win_get_name)) { return heddle_mpi_missing("MPI_Win_get_name", PLACE); }
  return heddle_mpi_host->mpi.Win_get_name(PLACE, win, win_name, resultlen);
}
#pragma weak MPI_Win_get_name = PMPI_Win_get_name
int PMPI_Win_lock(int lock_type, int rank, int assert, MPI_Win win) {
  if (!SERVED(Win_lock)) { return heddle_mpi_missing("MPI_Win_lock", PLACE); }
  return heddle_mpi_host->mpi.Win_lock(PLACE, lock_type, rank, assert, win);
}
#pragma weak MPI_Win_lock = PMPI_Win_lock
int PMPI_Win_lock_all(int assert, MPI_Win win) {
  if (!SERVED(Win_lock_all)) { return heddle_mpi_missing("MPI_Win_lock_all", PLACE); }
  return heddle_mpi_host->mpi.Win_lock_all(PLACE, assert, win);
}
#pragma weak MPI_Win_lock_all = PMPI_Win_lock_all
int PMPI_Win_post(MPI_Group group, int assert, MPI_Win win) {
  if (!SERVED(Win_post)) { return heddle_mpi_missing("MPI_Win_post", PLACE); }
  return heddle_mpi_host->mpi.Win_post(PLACE, group, assert, win);
}
#pragma weak MPI_Win_post = PMPI_Win_post
int PMPI_Win_set_attr(MPI_Win win, int win_keyval, void *attribute_val) {
  if (!SERVED(Win_set_attr)) { return heddle_mpi_missing("MPI_Win_set_attr", PLACE); }
  return heddle_mpi_host->mpi.Win_set_attr(PLACE, win, win_keyval, attribute_val);
}
#pragma weak MPI_Win_set_attr = PMPI_Win_set_attr
int PMPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler) {
  if (!SERVED(Win_set_errhandler)) { return heddle_mpi_missing("MPI_Win_set_errhandler", PLACE); }
  return heddle_mpi_host->mpi.Win_set_errhandler(PLACE, win, errhandler);
}
#pragma weak MPI_Win_set_errhandler = PMPI_Win_set_errhandler
int PMPI_Win_set_info(MPI_Win win, MPI_Info info) {
  if (!SERVED(Win_set_info)) { return heddle_mpi_missing("MPI_Win_set_info", PLACE); }
  return heddle_mpi_host->mpi.Win_set_info(PLACE, win, info);
}
#pragma weak MPI_Win_set_info = PMPI_Win_set_info
int PMPI_Win_set_name(MPI_Win win, const char *win_name) {
  if (!SERVED(Win_set_name)) { return heddle_mpi_missing("MPI_Win_set_name", PLACE); }
  return heddle_mpi_host->mpi.Win_set_name(PLACE, win, win_name);
}
#pragma weak MPI_Win_set_name = PMPI_Win_set_name
int PMPI_Win_shared_query(MPI_Win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr) {
  if (!SERVED(Win_shared_query)) { return heddle_mpi_missing("MPI_Win_shared_query", PLACE); }
  return heddle_mpi_host->mpi.Win_shared_query(PLACE, win, rank, size, disp_unit, baseptr);
}
#pragma weak MPI_Win_shared_query = PMPI_Win_shared_query
int PMPI_Win_shared_query_c(MPI_Win win, int rank, MPI_Aint *size, MPI_Aint *disp_unit, void *baseptr) {
  if (!SERVED(Win_shared_query_c)) { return heddle_mpi_missing("MPI_Win_shared_query_c", PLACE); }
  return heddle_mpi_host->mpi.Win_shared_query_c(PLACE, win, rank, size, disp_unit, baseptr);
}
#pragma weak MPI_Win_shared_query_c = PMPI_Win_shared_query_c
int PMPI_Win_start(MPI_Group group, int assert, MPI_Win win) {
  if (!SERVED(Win_start)) { return heddle_mpi_missing("MPI_Win_start", PLACE); }
  return heddle_mpi_host->mpi.Win_start(PLACE, group, assert, win);
}
#pragma weak MPI_Win_start = PMPI_Win_start
int PMPI_Win_sync(MPI_Win win) {
  if (!SERVED(Win_sync)) { return heddle_mpi_missing("MPI_Win_sync", PLACE); }
  return heddle_mpi_host->mpi.Win_sync(PLACE, win);
}
#pragma weak MPI_Win_sync = PMPI_Win_sync
int PMPI_Win_test(MPI_Win win, int *flag) {
  if (!SERVED(Win_test)) { return heddle_mpi_missing("MPI_Win_test", PLACE); }
  return heddle_mpi_host->mpi.Win_test(PLACE, win, flag);
}
#pragma weak MPI_Win_test = PMPI_Win_test
int PMPI_Win_toint(MPI_Win win) {
  if (!SERVED(Win_toint)) { return heddle_mpi_missing("MPI_Win_toint", PLACE); }
  return heddle_mpi_host->mpi.Win_toint(PLACE, win);
}
#pragma weak MPI_Win_toint = PMPI_Win_toint
int PMPI_Win_unlock(int rank, MPI_Win win) {
  if (!SERVED(Win_unlock)) { return heddle_mpi_missing("MPI_Win_unlock", PLACE); }
  return heddle_mpi_host->mpi.Win_unlock(PLACE, rank, win);
}
#pragma weak MPI_Win_unlock = PMPI_Win_unlock
int PMPI_Win_unlock_all(MPI_Win win) {
  if (!SERVED(Win_unlock_all)) { return heddle_mpi_missing("MPI_Win_unlock_all", PLACE); }
  return heddle_mpi_host->mpi.Win_unlock_all(PLACE, win);
}
#pragma weak MPI_Win_unlock_all = PMPI_Win_unlock_all
int PMPI_Win_wait(MPI_Win win) {
  if (!SERVED(Win_wait)) { return heddle_mpi_missing("MPI_Win_wait", PLACE); }
  return heddle_mpi_host->mpi.Win_wait(PLACE, win);
}
#pragma weak MPI_Win_wait = PMPI_Win_wait
double PMPI_Wtick(void) {
  if (!SERVED(Wtick)) { heddle_mpi_missing("MPI_Wtick", PLACE); return 0; }
  return heddle_mpi_host->mpi.Wtick(PLACE);
}
#pragma weak MPI_Wtick = PMPI_Wtick
double PMPI_Wtime(void) {
  if (!SERVED(Wtime)) { heddle_mpi_missing("MPI_Wtime", PLACE); return 0; }
  return heddle_mpi_host->mpi.Wtime(PLACE);
}
#pragma weak MPI_Wtime = PMPI_Wtime
int PMPI_T_category_changed(int *update_number) {
  if (!SERVED(T_category_changed)) { return heddle_mpi_missing("MPI_T_category_changed", PLACE); }
  return heddle_mpi_host->mpi.T_category_changed(PLACE, update_number);
}
#pragma weak MPI_T_category_changed = PMPI_T_category_changed
int PMPI_T_category_get_categories(int cat_index, int len, int indices[]) {
  if (!SERVED(T_category_get_categories)) { return heddle_mpi_missing("MPI_T_category_get_categories", PLACE); }
  return heddle_mpi_host->mpi.T_category_get_categories(PLACE, cat_index, len, indices);
}
#pragma weak MPI_T_category_get_categories = PMPI_T_category_get_categories
int PMPI_T_category_get_cvars(int cat_index, int len, int indices[]) {
  if (!SERVED(T_category_get_cvars)) { return heddle_mpi_missing("MPI_T_category_get_cvars", PLACE); }
  return heddle_mpi_host->mpi.T_category_get_cvars(PLACE, cat_index, len, indices);
}
#pragma weak MPI_T_category_get_cvars = PMPI_T_category_get_cvars
int PMPI_T_category_get_events(int cat_index, int len, int indices[]) {
  if (!SERVED(T_category_get_events)) { return heddle_mpi_missing("MPI_T_category_get_events", PLACE); }
  return heddle_mpi_host->mpi.T_category_get_events(PLACE, cat_index, len, indices);
}
#pragma weak MPI_T_category_get_events = PMPI_T_category_get_events
int PMPI_T_category_get_index(const char *name, int *cat_index) {
  if (!SERVED(T_category_get_index)) { return heddle_mpi_missing("MPI_T_category_get_index", PLACE); }
  return heddle_mpi_host->mpi.T_category_get_index(PLACE, name, cat_index);
}
#pragma weak MPI_T_category_get_index = PMPI_T_category_get_index
int PMPI_T_category_get_info(int cat_index, char *name, int *name_len, char *desc, int *desc_len, int *num_cvars, int *num_pvars, int *num_categories) {
  if (!SERVED(T_category_get_info)) { return heddle_mpi_missing("MPI_T_category_get_info", PLACE); }
  return heddle_mpi_host->mpi.T_category_get_info(PLACE, cat_index, name, name_len, desc, desc_len, num_cvars, num_pvars, num_categories);
}
#pragma weak MPI_T_category_get_info = PMPI_T_category_get_info
int PMPI_T_category_get_num(int *num_cat) {
  if (!SERVED(T_category_get_num)) { return heddle_mpi_missing("MPI_T_category_get_num", PLACE); }
  return heddle_mpi_host->mpi.T_category_get_num(PLACE, num_cat);
}
#pragma weak MPI_T_category_get_num = PMPI_T_category_get_num
int PMPI_T_category_get_num_events(int cat_index, int *num_events) {
  if (!SERVED(T_category_get_num_events)) { return heddle_mpi_missing("MPI_T_category_get_num_events", PLACE); }
  return heddle_mpi_host->mpi.T_category_get_num_events(PLACE, cat_index, num_events);
}
#pragma weak MPI_T_category_get_num_events = PMPI_T_category_get_num_events
int PMPI_T_category_get_pvars(int cat_index, int len, int indices[]) {
  if (!SERVED(T_category_get_pvars)) { return heddle_mpi_missing("MPI_T_category_get_pvars", PLACE); }
  return heddle_mpi_host->mpi.T_category_get_pvars(PLACE, cat_index, len, indices);
}
#pragma weak MPI_T_category_get_pvars = PMPI_T_category_get_pvars
int PMPI_T_cvar_get_index(const char *name, int *cvar_index) {
  if (!SERVED(T_cvar_get_index)) { return heddle_mpi_missing("MPI_T_cvar_get_index", PLACE); }
  return heddle_mpi_host->mpi.T_cvar_get_index(PLACE, name, cvar_index);
}
#pragma weak MPI_T_cvar_get_index = PMPI_T_cvar_get_index
int PMPI_T_cvar_get_info(int cvar_index, char *name, int *name_len, int *verbosity, MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *scope) {
  if (!SERVED(T_cvar_get_info)) { return heddle_mpi_missing("MPI_T_cvar_get_info", PLACE); }
  return heddle_mpi_host->mpi.T_cvar_get_info(PLACE, cvar_index, name, name_len, verbosity, datatype, enumtype, desc, desc_len, bind, scope);
}
#pragma weak MPI_T_cvar_get_info = PMPI_T_cvar_get_info
int PMPI_T_cvar_get_num(int *num_cvar) {
  if (!SERVED(T_cvar_get_num)) { return heddle_mpi_missing("MPI_T_cvar_get_num", PLACE); }
  return heddle_mpi_host->mpi.T_cvar_get_num(PLACE, num_cvar);
}
#pragma weak MPI_T_cvar_get_num = PMPI_T_cvar_get_num
int PMPI_T_cvar_handle_alloc(int cvar_index, void *obj_handle, MPI_T_cvar_handle *handle, int *count) {
  if (!SERVED(T_cvar_handle_alloc)) { return heddle_mpi_missing("MPI_T_cvar_handle_alloc", PLACE); }
  return heddle_mpi_host->mpi.T_cvar_handle_alloc(PLACE, cvar_index, obj_handle, handle, count);
}
#pragma weak MPI_T_cvar_handle_alloc = PMPI_T_cvar_handle_alloc
int PMPI_T_cvar_handle_free(MPI_T_cvar_handle *handle) {
  if (!SERVED(T_cvar_handle_free)) { return heddle_mpi_missing("MPI_T_cvar_handle_free", PLACE); }
  return heddle_mpi_host->mpi.T_cvar_handle_free(PLACE, handle);
}
#pragma weak MPI_T_cvar_handle_free = PMPI_T_cvar_handle_free
int PMPI_T_cvar_read(MPI_T_cvar_handle handle, void *buf) {
  if (!SERVED(T_cvar_read)) { return heddle_mpi_missing("MPI_T_cvar_read", PLACE); }
  return heddle_mpi_host->mpi.T_cvar_read(PLACE, handle, buf);
}
#pragma weak MPI_T_cvar_read = PMPI_T_cvar_read
int PMPI_T_cvar_write(MPI_T_cvar_handle handle, const void *buf) {
  if (!SERVED(T_cvar_write)) { return heddle_mpi_missing("MPI_T_cvar_write", PLACE); }
  return heddle_mpi_host->mpi.T_cvar_write(PLACE, handle, buf);
}
#pragma weak MPI_T_cvar_write = PMPI_T_cvar_write
int PMPI_T_enum_get_info(MPI_T_enum enumtype, int *num, char *name, int *name_len) {
  if (!SERVED(T_enum_get_info)) { return heddle_mpi_missing("MPI_T_enum_get_info", PLACE); }
  return heddle_mpi_host->mpi.T_enum_get_info(PLACE, enumtype, num, name, name_len);
}
#pragma weak MPI_T_enum_get_info = PMPI_T_enum_get_info
int PMPI_T_enum_get_item(MPI_T_enum enumtype, int indx, int *value, char *name, int *name_len) {
  if (!SERVED(T_enum_get_item)) { return heddle_mpi_missing("MPI_T_enum_get_item", PLACE); }
  return heddle_mpi_host->mpi.T_enum_get_item(PLACE, enumtype, indx, value, name, name_len);
}
#pragma weak MPI_T_enum_get_item = PMPI_T_enum_get_item
int PMPI_T_event_callback_get_info(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info *info_used) {
  if (!SERVED(T_event_callback_get_info)) { return heddle_mpi_missing("MPI_T_event_callback_get_info", PLACE); }
  return heddle_mpi_host->mpi.T_event_callback_get_info(PLACE, event_registration, cb_safety, info_used);
}
#pragma weak MPI_T_event_callback_get_info = PMPI_T_event_callback_get_info
int PMPI_T_event_callback_set_info(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info info) {
  if (!SERVED(T_event_callback_set_info)) { return heddle_mpi_missing("MPI_T_event_callback_set_info", PLACE); }
  return heddle_mpi_host->mpi.T_event_callback_set_info(PLACE, event_registration, cb_safety, info);
}
#pragma weak MPI_T_event_callback_set_info = PMPI_T_event_callback_set_info
int PMPI_T_event_copy(MPI_T_event_instance event_instance, void *buffer) {
  if (!SERVED(T_event_copy)) { return heddle_mpi_missing("MPI_T_event_copy", PLACE); }
  return heddle_mpi_host->mpi.T_event_copy(PLACE, event_instance, buffer);
}
#pragma weak MPI_T_event_copy = PMPI_T_event_copy
int PMPI_T_event_get_index(const char *name, int *event_index) {
  if (!SERVED(T_event_get_index)) { return heddle_mpi_missing("MPI_T_event_get_index", PLACE); }
  return heddle_mpi_host->mpi.T_event_get_index(PLACE, name, event_index);
}
#pragma weak MPI_T_event_get_index = PMPI_T_event_get_index
int PMPI_T_event_get_info(int event_index, char *name, int *name_len, int *verbosity, MPI_Datatype array_of_datatypes[], MPI_Aint array_of_displacements[], int *num_elements, MPI_T_enum *enumtype, MPI_Info *info, char *desc, int *desc_len, int *bind) {
  if (!SERVED(T_event_get_info)) { return heddle_mpi_missing("MPI_T_event_get_info", PLACE); }
  return heddle_mpi_host->mpi.T_event_get_info(PLACE, event_index, name, name_len, verbosity, array_of_datatypes, array_of_displacements, num_elements, enumtype, info, desc, desc_len, bind);
}
#pragma weak MPI_T_event_get_info = PMPI_T_event_get_info
int PMPI_T_event_get_num(int *num_events) {
  if (!SERVED(T_event_get_num)) { return heddle_mpi_missing("MPI_T_event_get_num", PLACE); }
  return heddle_mpi_host->mpi.T_event_get_num(PLACE, num_events);
}
#pragma weak MPI_T_event_get_num = PMPI_T_event_get_num
int PMPI_T_event_get_source(MPI_T_event_instance event_instance, int *source_index) {
  if (!SERVED(T_event_get_source)) { return heddle_mpi_missing("MPI_T_event_get_source", PLACE); }
  return heddle_mpi_host->mpi.T_event_get_source(PLACE, event_instance, source_index);
}
#pragma weak MPI_T_event_get_source = PMPI_T_event_get_source
int PMPI_T_event_get_timestamp(MPI_T_event_instance event_instance, MPI_Count *event_timestamp) {
  if (!SERVED(T_event_get_timestamp)) { return heddle_mpi_missing("MPI_T_event_get_timestamp", PLACE); }
  return heddle_mpi_host->mpi.T_event_get_timestamp(PLACE, event_instance, event_timestamp);
}
#pragma weak MPI_T_event_get_timestamp = PMPI_T_event_get_timestamp
int PMPI_T_event_handle_alloc(int event_index, void *obj_handle, MPI_Info info, MPI_T_event_registration *event_registration) {
  if (!SERVED(T_event_handle_alloc)) { return heddle_mpi_missing("MPI_T_event_handle_alloc", PLACE); }
  return heddle_mpi_host->mpi.T_event_handle_alloc(PLACE, event_index, obj_handle, info, event_registration);
}
#pragma weak MPI_T_event_handle_alloc = PMPI_T_event_handle_alloc
int PMPI_T_event_handle_free(MPI_T_event_registration event_registration, void *user_data, MPI_T_event_free_cb_function free_cb_function) {
  if (!SERVED(T_event_handle_free)) { return heddle_mpi_missing("MPI_T_event_handle_free", PLACE); }
  return heddle_mpi_host->mpi.T_event_handle_free(PLACE, event_registration, user_data, free_cb_function);
}
#pragma weak MPI_T_event_handle_free = PMPI_T_event_handle_free
int PMPI_T_event_handle_get_info(MPI_T_event_registration event_registration, MPI_Info *info_used) {
  if (!SERVED(T_event_handle_get_info)) { return heddle_mpi_missing("MPI_T_event_handle_get_info", PLACE); }
  return heddle_mpi_host->mpi.T_event_handle_get_info(PLACE, event_registration, info_used);
}
#pragma weak MPI_T_event_handle_get_info = PMPI_T_event_handle_get_info
int PMPI_T_event_handle_set_info(MPI_T_event_registration event_registration, MPI_Info info) {
  if (!SERVED(T_event_handle_set_info)) { return heddle_mpi_missing("MPI_T_event_handle_set_info", PLACE); }
  return heddle_mpi_host->mpi.T_event_handle_set_info(PLACE, event_registration, info);
}
#pragma weak MPI_T_event_handle_set_info = PMPI_T_event_handle_set_info
int PMPI_T_event_read(MPI_T_event_instance event_instance, int element_index, void *buffer) {
  if (!SERVED(T_event_read)) { return heddle_mpi_missing("MPI_T_event_read", PLACE); }
  return heddle_mpi_host->mpi.T_event_read(PLACE, event_instance, element_index, buffer);
}
#pragma weak MPI_T_event_read = PMPI_T_event_read
int PMPI_T_event_register_callback(MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info info, void *user_data, MPI_T_event_cb_function event_cb_function) {
  if (!SERVED(T_event_register_callback)) { return heddle_mpi_missing("MPI_T_event_register_callback", PLACE); }
  return heddle_mpi_host->mpi.T_event_register_callback(PLACE, event_registration, cb_safety, info, user_data, event_cb_function);
}
#pragma weak MPI_T_event_register_callback = PMPI_T_event_register_callback
int PMPI_T_event_set_dropped_handler(MPI_T_event_registration event_registration, MPI_T_event_dropped_cb_function dropped_cb_function) {
  if (!SERVED(T_event_set_dropped_handler)) { return heddle_mpi_missing("MPI_T_event_set_dropped_handler", PLACE); }
  return heddle_mpi_host->mpi.T_event_set_dropped_handler(PLACE, event_registration, dropped_cb_function);
}
#pragma weak MPI_T_event_set_dropped_handler = PMPI_T_event_set_dropped_handler
int PMPI_T_finalize(void) {
  if (!SERVED(T_finalize)) { return heddle_mpi_missing("MPI_T_finalize", PLACE); }
  return heddle_mpi_host->mpi.T_finalize(PLACE);
}
#pragma weak MPI_T_finalize = PMPI_T_finalize
int PMPI_T_init_thread(int required, int *provided) {
  if (!SERVED(T_init_thread)) { return heddle_mpi_missing("MPI_T_init_thread", PLACE); }
  return heddle_mpi_host->mpi.T_init_thread(PLACE, required, provided);
}
#pragma weak MPI_T_init_thread = PMPI_T_init_thread
int PMPI_T_pvar_get_index(const char *name, int var_class, int *pvar_index) {
  if (!SERVED(T_pvar_get_index)) { return heddle_mpi_missing("MPI_T_pvar_get_index", PLACE); }
  return heddle_mpi_host->mpi.T_pvar_get_index(PLACE, name, var_class, pvar_index);
}
#pragma weak MPI_T_pvar_get_index = PMPI_T_pvar_get_index
int PMPI_T_pvar_get_info(int pvar_index, char *name, int *name_len, int *verbosity, int *var_class, MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *readonly, int *continuous, int *atomic) {
  if (!SERVED(T_pvar_get_info)) { return heddle_mpi_missing("MPI_T_pvar_get_info", PLACE); }
  return heddle_mpi_host->mpi.T_pvar_get_info(PLACE, pvar_index, name, name_len, verbosity, var_class, datatype, enumtype, desc, desc_len, bind, readonly, continuous, atomic);
}
#pragma weak MPI_T_pvar_get_info = PMPI_T_pvar_get_info
int PMPI_T_pvar_get_num(int *num_pvar) {
  if (!SERVED(T_pvar_get_num)) { return heddle_mpi_missing("MPI_T_pvar_get_num", PLACE); }
  return heddle_mpi_host->mpi.T_pvar_get_num(PLACE, num_pvar);
}
#pragma weak MPI_T_pvar_get_num = PMPI_T_pvar_get_num
int PMPI_T_pvar_handle_alloc(MPI_T_pvar_session session, int pvar_index, void *obj_handle, MPI_T_pvar_handle *handle, int *count) {
  if (!SERVED(T_pvar_handle_alloc)) { return heddle_mpi_missing("MPI_T_pvar_handle_alloc", PLACE); }
  return heddle_mpi_host->mpi.T_pvar_handle_alloc(PLACE, session, pvar_index, obj_handle, handle, count);
}
#pragma weak MPI_T_pvar_handle_alloc = PMPI_T_pvar_handle_alloc
int PMPI_T_pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle *handle) {
  if (!SERVED(T_pvar_handle_free)) { return heddle_mpi_missing("MPI_T_pvar_handle_free", PLACE); }
  return heddle_mpi_host->mpi.T_pvar_handle_free(PLACE, session, handle);
}
#pragma weak MPI_T_pvar_handle_free = PMPI_T_pvar_handle_free
int PMPI_T_pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf) {
  if (!SERVED(T_pvar_read)) { return heddle_mpi_missing("MPI_T_pvar_read", PLACE); }
  return heddle_mpi_host->mpi.T_pvar_read(PLACE, session, handle, buf);
}
#pragma weak MPI_T_pvar_read = PMPI_T_pvar_read
int PMPI_T_pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf) {
  if (!SERVED(T_pvar_readreset)) { return heddle_mpi_missing("MPI_T_pvar_readreset", PLACE); }
  return heddle_mpi_host->mpi.T_pvar_readreset(PLACE, session, handle, buf);
}
#pragma weak MPI_T_pvar_readreset = PMPI_T_pvar_readreset
int PMPI_T_pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  if (!SERVED(T_pvar_reset)) { return heddle_mpi_missing("MPI_T_pvar_reset", PLACE); }
  return heddle_mpi_host->mpi.T_pvar_reset(PLACE, session, handle);
}
#pragma weak MPI_T_pvar_reset = PMPI_T_pvar_reset
int PMPI_T_pvar_session_create(MPI_T_pvar_session *session) {
  if (!SERVED(T_pvar_session_create)) { return heddle_mpi_missing("MPI_T_pvar_session_create", PLACE); }
  return heddle_mpi_host->mpi.T_pvar_session_create(PLACE, session);
}
#pragma weak MPI_T_pvar_session_create = PMPI_T_pvar_session_create
int PMPI_T_pvar_session_free(MPI_T_pvar_session *session) {
  if (!SERVED(T_pvar_session_free)) { return heddle_mpi_missing("MPI_T_pvar_session_free", PLACE); }
  return heddle_mpi_host->mpi.T_pvar_session_free(PLACE, session);
}
#pragma weak MPI_T_pvar_session_free = PMPI_T_pvar_session_free
int PMPI_T_pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  if (!SERVED(T_pvar_start)) { return heddle_mpi_missing("MPI_T_pvar_start", PLACE); }
  return heddle_mpi_host->mpi.T_pvar_start(PLACE, session, handle);
}
#pragma weak MPI_T_pvar_start = PMPI_T_pvar_start
int PMPI_T_pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
  if (!SERVED(T_pvar_stop)) { return heddle_mpi_missing("MPI_T_pvar_stop", PLACE); }
  return heddle_mpi_host->mpi.T_pvar_stop(PLACE, session, handle);
}
#pragma weak MPI_T_pvar_stop = PMPI_T_pvar_stop
int PMPI_T_pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *buf) {
  if (!SERVED(T_pvar_write)) { return heddle_mpi_missing("MPI_T_pvar_write", PLACE); }
  return heddle_mpi_host->mpi.T_pvar_write(PLACE, session, handle, buf);
}
#pragma weak MPI_T_pvar_write = PMPI_T_pvar_write
int PMPI_T_source_get_info(int source_index, char *name, int *name_len, char *desc, int *desc_len, MPI_T_source_order *ordering, MPI_Count *ticks_per_second, MPI_Count *max_ticks, MPI_Info *info) {
  if (!SERVED(T_source_get_info)) { return heddle_mpi_missing("MPI_T_source_get_info", PLACE); }
  return heddle_mpi_host->mpi.T_source_get_info(PLACE, source_index, name, name_len, desc, desc_len, ordering, ticks_per_second, max_ticks, info);
}
#pragma weak MPI_T_source_get_info = PMPI_T_source_get_info
int PMPI_T_source_get_num(int *num_sources) {
  if (!SERVED(T_source_get_num)) { return heddle_mpi_missing("MPI_T_source_get_num", PLACE); }
  return heddle_mpi_host->mpi.T_source_get_num(PLACE, num_sources);
}
#pragma weak MPI_T_source_get_num = PMPI_T_source_get_num
int PMPI_T_source_get_timestamp(int source_index, MPI_Count *timestamp) {
  if (!SERVED(T_source_get_timestamp)) { return heddle_mpi_missing("MPI_T_source_get_timestamp", PLACE); }
  return heddle_mpi_host->mpi.T_source_get_timestamp(PLACE, source_index, timestamp);
}
#pragma weak MPI_T_source_get_timestamp = PMPI_T_source_get_timestamp
int PMPI_Address(void *location, MPI_Aint *address) {
  if (!SERVED(Get_address)) { return heddle_mpi_missing("MPI_Address", PLACE); }
  return heddle_mpi_host->mpi.Get_address(PLACE, location, address);
}
#pragma weak MPI_Address = PMPI_Address
int PMPI_Errhandler_create(MPI_Comm_errhandler_function *handler_fn, MPI_Errhandler *errhandler) {
  if (!SERVED(Comm_create_errhandler)) { return heddle_mpi_missing("MPI_Errhandler_create", PLACE); }
  return heddle_mpi_host->mpi.Comm_create_errhandler(PLACE, handler_fn, errhandler);
}
#pragma weak MPI_Errhandler_create = PMPI_Errhandler_create
int PMPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler) {
  if (!SERVED(Comm_get_errhandler)) { return heddle_mpi_missing("MPI_Errhandler_get", PLACE); }
  return heddle_mpi_host->mpi.Comm_get_errhandler(PLACE, comm, errhandler);
}
#pragma weak MPI_Errhandler_get = PMPI_Errhandler_get
int PMPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler) {
  if (!SERVED(Comm_set_errhandler)) { return heddle_mpi_missing("MPI_Errhandler_set", PLACE); }
  return heddle_mpi_host->mpi.Comm_set_errhandler(PLACE, comm, errhandler);
}
#pragma weak MPI_Errhandler_set = PMPI_Errhandler_set
int PMPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent) {
  if (!SERVED(Type_get_extent)) { return heddle_mpi_missing("MPI_Type_extent", PLACE); }
  return heddle_mpi_host->mpi.Type_get_extent(PLACE, datatype, &(MPI_Aint){0}, extent);
}
#pragma weak MPI_Type_extent = PMPI_Type_extent
int PMPI_Type_hindexed(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[], MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_create_hindexed)) { return heddle_mpi_missing("MPI_Type_hindexed", PLACE); }
  return heddle_mpi_host->mpi.Type_create_hindexed(PLACE, count, array_of_blocklengths, array_of_displacements, oldtype, newtype);
}
#pragma weak MPI_Type_hindexed = PMPI_Type_hindexed
int PMPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype, MPI_Datatype *newtype) {
  if (!SERVED(Type_create_hvector)) { return heddle_mpi_missing("MPI_Type_hvector", PLACE); }
  return heddle_mpi_host->mpi.Type_create_hvector(PLACE, count, blocklength, stride, oldtype, newtype);
}
#pragma weak MPI_Type_hvector = PMPI_Type_hvector
int PMPI_Type_lb(MPI_Datatype datatype, MPI_Aint *displacement) {
  if (!SERVED(Type_get_extent)) { return heddle_mpi_missing("MPI_Type_lb", PLACE); }
  return heddle_mpi_host->mpi.Type_get_extent(PLACE, datatype, displacement, &(MPI_Aint){0});
}
#pragma weak MPI_Type_lb = PMPI_Type_lb
int PMPI_Type_struct(int count, int array_of_blocklengths[], MPI_Aint array_of_displacements[], MPI_Datatype array_of_types[], MPI_Datatype *newtype) {
  if (!SERVED(Type_create_struct)) { return heddle_mpi_missing("MPI_Type_struct", PLACE); }
  return heddle_mpi_host->mpi.Type_create_struct(PLACE, count, array_of_blocklengths, array_of_displacements, array_of_types, newtype);
}
#pragma weak MPI_Type_struct = PMPI_Type_struct
int PMPI_Type_ub(MPI_Datatype datatype, MPI_Aint *displacement) {
  if (!SERVED(Type_ub)) { return heddle_mpi_missing("MPI_Type_ub", PLACE); }
  return heddle_mpi_host->mpi.Type_ub(PLACE, datatype, displacement);
}
#pragma weak MPI_Type_ub = PMPI_Type_ub
MPI_Fint PMPI_Comm_c2f(MPI_Comm comm) {
  if (!SERVED(Comm_toint)) { heddle_mpi_missing("MPI_Comm_c2f", PLACE); return 0; }
  return heddle_mpi_host->mpi.Comm_toint(PLACE, comm);
}
#pragma weak MPI_Comm_c2f = PMPI_Comm_c2f
MPI_Comm PMPI_Comm_f2c(MPI_Fint comm) {
  if (!SERVED(Comm_fromint)) { heddle_mpi_missing("MPI_Comm_f2c", PLACE); return 0; }
  return heddle_mpi_host->mpi.Comm_fromint(PLACE, comm);
}
#pragma weak MPI_Comm_f2c = PMPI_Comm_f2c
MPI_Fint PMPI_Errhandler_c2f(MPI_Errhandler errhandler) {
  if (!SERVED(Errhandler_toint)) { heddle_mpi_missing("MPI_Errhandler_c2f", PLACE); return 0; }
  return heddle_mpi_host->mpi.Errhandler_toint(PLACE, errhandler);
}
#pragma weak MPI_Errhandler_c2f = PMPI_Errhandler_c2f
MPI_Errhandler PMPI_Errhandler_f2c(MPI_Fint errhandler) {
  if (!SERVED(Errhandler_fromint)) { heddle_mpi_missing("MPI_Errhandler_f2c", PLACE); return 0; }
  return heddle_mpi_host->mpi.Errhandler_fromint(PLACE, errhandler);
}
#pragma weak MPI_Errhandler_f2c = PMPI_Errhandler_f2c
MPI_Fint PMPI_File_c2f(MPI_File file) {
  if (!SERVED(File_toint)) { heddle_mpi_missing("MPI_File_c2f", PLACE); return 0; }
  return heddle_mpi_host->mpi.File_toint(PLACE, file);
}
#pragma weak MPI_File_c2f = PMPI_File_c2f
MPI_File PMPI_File_f2c(MPI_Fint file) {
  if (!SERVED(File_fromint)) { heddle_mpi_missing("MPI_File_f2c", PLACE); return 0; }
  return heddle_mpi_host->mpi.File_fromint(PLACE, file);
}
#pragma weak MPI_File_f2c = PMPI_File_f2c
MPI_Fint PMPI_Group_c2f(MPI_Group group) {
  if (!SERVED(Group_toint)) { heddle_mpi_missing("MPI_Group_c2f", PLACE); return 0; }
  return heddle_mpi_host->mpi.Group_toint(PLACE, group);
}
#pragma weak MPI_Group_c2f = PMPI_Group_c2f
MPI_Group PMPI_Group_f2c(MPI_Fint group) {
  if (!SERVED(Group_fromint)) { heddle_mpi_missing("MPI_Group_f2c", PLACE); return 0; }
  return heddle_mpi_host->mpi.Group_fromint(PLACE, group);
}
#pragma weak MPI_Group_f2c = PMPI_Group_f2c
MPI_Fint PMPI_Info_c2f(MPI_Info info) {
  if (!SERVED(Info_toint)) { heddle_mpi_missing("MPI_Info_c2f", PLACE); return 0; }
  return heddle_mpi_host->mpi.Info_toint(PLACE, info);
}
#pragma weak MPI_Info_c2f = PMPI_Info_c2f
MPI_Info PMPI_Info_f2c(MPI_Fint info) {
  if (!SERVED(Info_fromint)) { heddle_mpi_missing("MPI_Info_f2c", PLACE); return 0; }
  return heddle_mpi_host->mpi.Info_fromint(PLACE, info);
}
#pragma weak MPI_Info_f2c = PMPI_Info_f2c
MPI_Fint PMPI_Message_c2f(MPI_Message message) {
  if (!SERVED(Message_toint)) { heddle_mpi_missing("MPI_Message_c2f", PLACE); return 0; }
  return heddle_mpi_host->mpi.Message_toint(PLACE, message);
}
#pragma weak MPI_Message_c2f = PMPI_Message_c2f
MPI_Message PMPI_Message_f2c(MPI_Fint message) {
  if (!SERVED(Message_fromint)) { heddle_mpi_missing("MPI_Message_f2c", PLACE); return 0; }
  return heddle_mpi_host->mpi.Message_fromint(PLACE, message);
}
#pragma weak MPI_Message_f2c = PMPI_Message_f2c
MPI_Fint PMPI_Op_c2f(MPI_Op op) {
  if (!SERVED(Op_toint)) { heddle_mpi_missing("MPI_Op_c2f", PLACE); return 0; }
  return heddle_mpi_host->mpi.Op_toint(PLACE, op);
}
#pragma weak MPI_Op_c2f = PMPI_Op_c2f
MPI_Op PMPI_Op_f2c(MPI_Fint op) {
  if (!SERVED(Op_fromint)) { heddle_mpi_missing("MPI_Op_f2c", PLACE); return 0; }
  return heddle_mpi_host->mpi.Op_fromint(PLACE, op);
}
#pragma weak MPI_Op_f2c = PMPI_Op_f2c
MPI_Fint PMPI_Request_c2f(MPI_Request request) {
  if (!SERVED(Request_toint)) { heddle_mpi_missing("MPI_Request_c2f", PLACE); return 0; }
  return heddle_mpi_host->mpi.Request_toint(PLACE, request);
}
#pragma weak MPI_Request_c2f = PMPI_Request_c2f
MPI_Request PMPI_Request_f2c(MPI_Fint request) {
  if (!SERVED(Request_fromint)) { heddle_mpi_missing("MPI_Request_f2c", PLACE); return 0; }
  return heddle_mpi_host->mpi.Request_fromint(PLACE, request);
}
#pragma weak MPI_Request_f2c = PMPI_Request_f2c
MPI_Fint PMPI_Session_c2f(MPI_Session session) {
  if (!SERVED(Session_toint)) { heddle_mpi_missing("MPI_Session_c2f", PLACE); return 0; }
  return heddle_mpi_host->mpi.Session_toint(PLACE, session);
}
#pragma weak MPI_Session_c2f = PMPI_Session_c2f
MPI_Session PMPI_Session_f2c(MPI_Fint session) {
  if (!SERVED(Session_fromint)) { heddle_mpi_missing("MPI_Session_f2c", PLACE); return 0; }
  return heddle_mpi_host->mpi.Session_fromint(PLACE, session);
}
#pragma weak MPI_Session_f2c = PMPI_Session_f2c
MPI_Fint PMPI_Type_c2f(MPI_Datatype datatype) {
  if (!SERVED(Type_toint)) { heddle_mpi_missing("MPI_Type_c2f", PLACE); return 0; }
  return heddle_mpi_host->mpi.Type_toint(PLACE, datatype);
}
#pragma weak MPI_Type_c2f = PMPI_Type_c2f
MPI_Datatype PMPI_Type_f2c(MPI_Fint datatype) {
  if (!SERVED(Type_fromint)) { heddle_mpi_missing("MPI_Type_f2c", PLACE); return 0; }
  return heddle_mpi_host->mpi.Type_fromint(PLACE, datatype);
}
#pragma weak MPI_Type_f2c = PMPI_Type_f2c
MPI_Fint PMPI_Win_c2f(MPI_Win win) {
  if (!SERVED(Win_toint)) { heddle_mpi_missing("MPI_Win_c2f", PLACE); return 0; }
  return heddle_mpi_host->mpi.Win_toint(PLACE, win);
}
#pragma weak MPI_Win_c2f = PMPI_Win_c2f
MPI_Win PMPI_Win_f2c(MPI_Fint win) {
  if (!SERVED(Win_fromint)) { heddle_mpi_missing("MPI_Win_f2c", PLACE); return 0; }
  return heddle_mpi_host->mpi.Win_fromint(PLACE, win);
}
#pragma weak MPI_Win_f2c = PMPI_Win_f2c
int PMPI_Status_c2f(const MPI_Status *c_status, MPI_Fint *f_status) {
  if (!SERVED(Status_c2f)) { return heddle_mpi_missing("MPI_Status_c2f", PLACE); }
  return heddle_mpi_host->mpi.Status_c2f(PLACE, c_status, f_status);
}
#pragma weak MPI_Status_c2f = PMPI_Status_c2f
int PMPI_Status_f2c(const MPI_Fint *f_status, MPI_Status *c_status) {
  if (!SERVED(Status_f2c)) { return heddle_mpi_missing("MPI_Status_f2c", PLACE); }
  return heddle_mpi_host->mpi.Status_f2c(PLACE, f_status, c_status);
}
#pragma weak MPI_Status_f2c = PMPI_Status_f2c
int PMPI_Status_c2f08(const MPI_Status *c_status, MPI_F08_status *f08_status) {
  if (!SERVED(Status_c2f08)) { return heddle_mpi_missing("MPI_Status_c2f08", PLACE); }
  return heddle_mpi_host->mpi.Status_c2f08(PLACE, c_status, f08_status);
}
#pragma weak MPI_Status_c2f08 = PMPI_Status_c2f08
int PMPI_Status_f082c(const MPI_F08_status *f08_status, MPI_Status *c_status) {
  if (!SERVED(Status_f082c)) { return heddle_mpi_missing("MPI_Status_f082c", PLACE); }
  return heddle_mpi_host->mpi.Status_f082c(PLACE, f08_status, c_status);
}
#pragma weak MPI_Status_f082c = PMPI_Status_f082c
int PMPI_Status_f2f08(const MPI_Fint *f_status, MPI_F08_status *f08_status) {
  if (!SERVED(Status_f2f08)) { return heddle_mpi_missing("MPI_Status_f2f08", PLACE); }
  return heddle_mpi_host->mpi.Status_f2f08(PLACE, f_status, f08_status);
}
#pragma weak MPI_Status_f2f08 = PMPI_Status_f2f08
int PMPI_Status_f082f(const MPI_F08_status *f08_status, MPI_Fint *f_status) {
  if (!SERVED(Status_f082f)) { return heddle_mpi_missing("MPI_Status_f082f", PLACE); }
  return heddle_mpi_host->mpi.Status_f082f(PLACE, f08_status, f_status);
}
#pragma weak MPI_Status_f082f = PMPI_Status_f082f
