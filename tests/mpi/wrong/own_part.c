/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: the root of a gather receives numbers of another kind than it sends. */
/* expects: rank 0 failed .*MPI_Gather at own_part.c:12: 1 x MPI_INT are sent to oneself, and the receive buffer has 1 x MPI_FLOAT */
#include <mpi.h>

int main(int argc, char **argv) {
  int size, one = 1;
  float all[16];
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > 16) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Gather(&one, 1, MPI_INT, all, 1, MPI_FLOAT, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
