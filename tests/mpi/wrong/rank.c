/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: a destination that there is not. */
/* expects: MPI_Send at rank.c:\d+: the destination is 9, in a communicator of 3 ranks */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x = 1;
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 9, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
