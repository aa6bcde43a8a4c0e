/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: a null pointer is written through. */
/* expects: rank 1 failed at \S+: in main at null.c:\d+: was ended by SIGSEGV .*: it writes to a null pointer */
#include <mpi.h>
#include <stddef.h>

int *volatile nowhere = NULL;

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) *nowhere = 1;
  MPI_Finalize();
  return 0;
}
