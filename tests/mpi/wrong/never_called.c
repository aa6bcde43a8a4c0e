/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: a rank leaves out a collective that no other rank waits in. */
/* expects: rank 2 calls MPI_Finalize without MPI_Bcast at never_called.c:11, which rank 0 calls */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, x = 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank < 2) MPI_Bcast(&x, 0, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
