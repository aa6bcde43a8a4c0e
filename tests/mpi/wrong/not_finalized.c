/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: a rank ends without MPI_Finalize, as if all were well. */
/* expects: usage: rank 1: the program ended without MPI_Finalize, after MPI_Init at not_finalized.c:8 */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) return 0;
  MPI_Finalize();
  return 0;
}
