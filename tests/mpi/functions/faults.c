/* SPDX-License-Identifier: Apache-2.0 */
/* Functions with MPI_Allreduce's parameters, each wrong in its own way: mpi_functions.py has what is said of each. */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Right out of place, on powers of two, for operations that commute. In place it copies from MPI_IN_PLACE. */
int copies(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  int rank, size, bytes;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Type_size(type, &bytes);
  memcpy(recvbuf, sendbuf, (size_t)count * (size_t)bytes);
  char other[4096];
  for (int distance = 1; distance < size; distance *= 2) {
    const int peer = rank ^ distance;
    MPI_Sendrecv(recvbuf, count, type, peer, 0, other, count, type, peer, 0, comm, MPI_STATUS_IGNORE);
    MPI_Reduce_local(other, recvbuf, count, type, op);
  }
  return MPI_SUCCESS;
}

/* In blocks of no elements, where there are fewer elements than ranks. */
int divides(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  int size;
  MPI_Comm_size(comm, &size);
  const int block = count / size;
  const int blocks = count / block;
  return blocks < size ? MPI_ERR_COUNT : MPI_Allreduce(sendbuf, recvbuf, count, type, op, comm);
}

/* A number of ranks that it does not serve. */
int asserts(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  assert(rank != 3);
  return MPI_Allreduce(sendbuf, recvbuf, count, type, op, comm);
}

/* The message brings one element more than there is room for, up to where the first that is sent lies. */
int overlaps(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  int rank, size, bytes;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Type_size(type, &bytes);
  MPI_Allreduce(sendbuf, recvbuf, count, type, op, comm);
  const int half = count / 2;
  MPI_Sendrecv((char *)recvbuf + half * bytes, half + 1, type, (rank + 1) % size, 0, recvbuf, half + 1, type, (rank + size - 1) % size, 0,
               comm, MPI_STATUS_IGNORE);
  return MPI_SUCCESS;
}

/* One message that nobody receives, and one request that nobody waits for. */
int leaves_message(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Allreduce(sendbuf, recvbuf, count, type, op, comm);
  if (rank == 0) MPI_Send(recvbuf, count, type, 1, 7, comm);
  return MPI_SUCCESS;
}
int leaves_request(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  int rank;
  MPI_Request request;
  MPI_Comm_rank(comm, &rank);
  MPI_Allreduce(sendbuf, recvbuf, count, type, op, comm);
  if (rank == 1) MPI_Irecv(malloc(sizeof(int)), 1, MPI_INT, 0, 5, comm, &request);
  return MPI_SUCCESS;
}

/* The buffer of an open send changes. */
int changes(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  int rank;
  char other[4096];
  MPI_Request request;
  MPI_Comm_rank(comm, &rank);
  MPI_Allreduce(sendbuf, recvbuf, count, type, op, comm);
  if (rank == 0) {
    MPI_Isend(recvbuf, count, type, 1, 0, comm, &request);
    ((char *)recvbuf)[0] ^= 1;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(other, count, type, 0, 0, comm, MPI_STATUS_IGNORE);
  }
  return MPI_SUCCESS;
}

/* Each rank adds up in an order of its own: right, but for what floats are rounded to. */
int rotates(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  int rank, size, bytes;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Type_size(type, &bytes);
  char *const all = malloc((size_t)size * (size_t)count * (size_t)bytes);
  MPI_Allgather(sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf, count, type, all, count, type, comm);
  memcpy(recvbuf, all + rank * count * bytes, (size_t)count * (size_t)bytes);
  for (int i = 1; i < size; i++) MPI_Reduce_local(all + (rank + i) % size * count * bytes, recvbuf, count, type, op);
  free(all);
  return MPI_SUCCESS;
}

/* Of what each call makes, one type is freed, and one block of memory is kept for the next. */
int leaves_types(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  static void *kept;
  MPI_Datatype both, one;
  if (!kept) kept = malloc(8);
  MPI_Type_contiguous(2, type, &both);
  MPI_Type_free(&both);
  MPI_Type_dup(type, &one);
  char *volatile lost = malloc(8);
  lost[0] = 0;
  return MPI_Bcast(buffer, count, type, root, comm);
}
