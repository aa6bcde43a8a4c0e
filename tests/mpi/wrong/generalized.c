/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: waits for work of its own that it says nowhere to be complete. */
/* expects: deadlock[\s\S]*rank 1 waits in MPI_Wait at generalized.c:\d+ for MPI_Grequest_start at generalized.c:\d+, whose request MPI_Grequest_complete has not completed */
#include <mpi.h>
#include <stddef.h>

static int query(void *state, MPI_Status *status) { return MPI_Status_set_elements(status, *(MPI_Datatype *)state, 0); }
static int release(void *state) { return state == NULL; }
static int cancel(void *state, int complete) { return state == NULL && complete; }

int main(int argc, char **argv) {
  int rank;
  MPI_Datatype type = MPI_INT;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Grequest_start(query, release, cancel, &type, &request);
  if (rank != 1) MPI_Grequest_complete(request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
