/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: a rank leaves out a collective call. */
/* expects: rank 1 waits in MPI_Barrier at left_out.c:14 */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, data[8] = {0};
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    MPI_Recv(data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
