/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: a message that is longer than its receive, which was posted before. */
/* expects: MPI_Wait at late_truncation.c:14: .*the receive of MPI_Irecv at late_truncation.c:13 room for 4 x MPI_INT */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, data[8] = {0};
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(data, 5, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Irecv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
