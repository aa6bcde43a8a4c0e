/* SPDX-License-Identifier: Apache-2.0 */
/* expects: MPI_Allgatherv at blocks\.c:13: blocks 0 and 1 of the receive buffer overlap */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int out[8] = {0}, in[8], counts[3] = {2, 2, 2}, places[3] = {0, 2, 4}, close[3] = {0, 1, 2};
  MPI_Init(&argc, &argv);
  /* The same error is returned where the program wants it so. */
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (MPI_Alltoallv(out, counts, places, MPI_INT, out + 1, counts, places, MPI_INT, MPI_COMM_WORLD) != MPI_ERR_BUFFER) exit(3);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Allgatherv(out, 2, MPI_INT, in, counts, close, MPI_INT, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
