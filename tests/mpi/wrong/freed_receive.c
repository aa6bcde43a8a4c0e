/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: a receive that was freed, and whose message is never sent. */
/* expects: rank 0 waits in MPI_Finalize at freed_receive.c:15 for MPI_Irecv\(1 x MPI_INT, source 1, tag 0\) at freed_receive.c:12 */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, data[8] = {0};
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Irecv(data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Request_free(&requests[0]);
  }
  MPI_Finalize();
  return 0;
}
