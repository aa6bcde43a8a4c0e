/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: what a receive will write is written by the program before it has waited for it. */
/* expects: the buffer of a receive of rank 1 was written to before its message was there: MPI_Irecv\(8 x MPI_INT, source 0, tag 0\) at written_receive.c:\d+, byte 8 of it */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, data[8] = {0};
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) MPI_Send(data, 8, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    MPI_Irecv(data, 8, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    data[2] = 7;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
