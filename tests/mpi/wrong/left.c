/* SPDX-License-Identifier: Apache-2.0 */
/* expects: returned without waiting for 2 of its requests */
#include <mpi.h>

/* Ranks end while their collectives have not begun. */
int main(int argc, char **argv) {
  int one = 1, sums[2];
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Iallreduce(&one, &sums[0], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  MPI_Iallreduce(&one, &sums[1], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
  MPI_Finalize();
  return 0;
}
