/* SPDX-License-Identifier: Apache-2.0 */
/* A nonblocking exchange of blocks of different sizes, which not every algorithm serves. */
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int sizes[2] = {rank + 1, rank + 1}, at[2] = {0, rank + 1}, from[2] = {1, 2}, into[2] = {0, 1};
  int sent[4] = {0}, received[3];
  MPI_Request request;
  MPI_Ialltoallv(sent, sizes, at, MPI_INT, received, from, into, MPI_INT, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
