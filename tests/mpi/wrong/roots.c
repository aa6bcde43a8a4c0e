/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: two ranks name other roots. */
/* expects: calls MPI_Bcast at roots.c:\d+ with root 1, where rank 0 calls MPI_Bcast at roots.c:\d+ with root 0 */
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
  MPI_Bcast(&x, 1, MPI_INT, rank == 0 ? 0 : 1, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
