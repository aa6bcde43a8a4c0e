/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: the request of a collective is freed while it is under way. */
/* expects: MPI_Request_free at freed_collective.c:12: the request of MPI_Ibarrier is a collective.s */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, data[8] = {0};
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
  MPI_Request_free(&requests[0]);
  MPI_Finalize();
  return 0;
}
