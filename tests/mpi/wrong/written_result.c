/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: writes to where a collective that is not over will put its result. */
/* expects: MPI_Wait at written_result.c:\d+: the receive buffer of MPI_Iallreduce at written_result.c:\d+ was written to before that was over; wait for it first */
#include <mpi.h>

int main(int argc, char **argv) {
  int one = 1, sum = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  sum++;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
