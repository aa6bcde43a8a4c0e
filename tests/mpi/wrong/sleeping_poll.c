/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: ranks that sleep between the tests of what never comes. */
/* expects: poll for ever[^$]*rank 2 waits by polling in MPI_Test at sleeping_poll.c:16 for MPI_Irecv */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int value, flag = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request);
  /* So long that the run is soon taken for one that never ends. */
  while (!flag) {
    sleep(10);

    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
