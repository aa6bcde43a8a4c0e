/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: a byte behind a block of malloc. */
/* expects: it wrote behind the end of a block of 10 bytes allocated at overrun.c:\d+, at byte 10 */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char *block = malloc(10);
  if (rank == 1) memset(block, 1, 11);
  free(block);
  MPI_Finalize();
  return 0;
}
