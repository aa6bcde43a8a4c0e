/* SPDX-License-Identifier: Apache-2.0 */
/* Two allreduces of one's own in plain MPI, for numbers of ranks that are powers of two: the second forgets that the lower rank's operand
   stands on the left.

     heddle mpicc -O2 -g -shared -o libmine.so my_allreduce.c
     heddle run allreduce --algo mpi:libmine.so:my_allreduce:ranks=power_of_two,ring --topo torus:4x4 --size 1MiB
     heddle fuzz allreduce --algo mpi:libmine.so:hasty_allreduce:ranks=power_of_two */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Recursive doubling: in each round two ranks exchange what they have, and both combine it. */
static int recursive_doubling(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm, int keeps_order) {
  int rank, size;
  MPI_Aint lower, extent;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Type_get_extent(type, &lower, &extent);
  const size_t bytes = (size_t)count * (size_t)extent;
  char *theirs = malloc(bytes + 1);
  if (send != MPI_IN_PLACE) memcpy(recv, send, bytes);
  for (int distance = 1; distance < size; distance *= 2) {
    const int peer = rank ^ distance;
    MPI_Sendrecv(recv, count, type, peer, 0, theirs, count, type, peer, 0, comm, MPI_STATUS_IGNORE);
    if (peer < rank || !keeps_order) {
      MPI_Reduce_local(theirs, recv, count, type, op); /* recv = theirs ∘ recv */
    } else {
      MPI_Reduce_local(recv, theirs, count, type, op); /* theirs = recv ∘ theirs */
      memcpy(recv, theirs, bytes);
    }
  }
  free(theirs);
  return MPI_SUCCESS;
}

int my_allreduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return recursive_doubling(send, recv, count, type, op, comm, 1);
}

int hasty_allreduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return recursive_doubling(send, recv, count, type, op, comm, 0);
}
