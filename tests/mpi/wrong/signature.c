/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: what is sent is not what is received. */
/* expects: has 1 x MPI_DOUBLE, and the receive is of 2 x MPI_INT */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double d = 1;
  int x[2];
  if (rank == 0) MPI_Send(&d, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) MPI_Recv(x, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
