/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: what a collective sends is written before the program has waited for it. */
/* expects: rank 1 failed .*: MPI_Wait at written_collective.c:13: the send buffer of MPI_Iallreduce at written_collective.c:11 was written to before that was over */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, given = 1, got;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Iallreduce(&given, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  if (rank == 1) given = 2;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
