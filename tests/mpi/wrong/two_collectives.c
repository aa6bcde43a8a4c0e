/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: two collectives that are open at once receive into one buffer. The call between them is not to be named. */
/* expects: MPI_Iallreduce at two_collectives\.c:13: its receive buffer and the receive buffer of MPI_Iallreduce at two_collectives\.c:13, which is under way, overlap */
#include <mpi.h>

int main(int argc, char **argv) {
  int in[2] = {1, 2}, out[2];
  MPI_Request requests[3];
  MPI_Comm copy;
  MPI_Init(&argc, &argv);
  MPI_Comm world = MPI_COMM_WORLD;
  for (int i = 0; i < 2; ++i) {
    MPI_Iallreduce(in, out, 2, MPI_INT, MPI_SUM, world, &requests[2 * i]);
    if (i == 0) MPI_Comm_idup(world, &copy, &requests[1]);
  }
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Comm_free(&copy);
  MPI_Finalize();
  return 0;
}
