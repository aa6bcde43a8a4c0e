/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: two receives that are open at once share memory. */
/* expects: MPI_Irecv at overlapping.c:13: buffers of receives that are open at once overlap */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, data[8] = {0};
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1) {
    MPI_Irecv(data, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(data + 2, 4, MPI_INT, 0, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  for (int tag = 0; rank == 0 && tag < 2; ++tag) MPI_Send(data, 4, MPI_INT, 1, tag, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
