/* SPDX-License-Identifier: Apache-2.0 */
/* A buffered send, with room for so many bytes as its argument says beside those of the data. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int sent = 1, got = 0;
  char buffer[1024];
  void *attached;
  int size;
  MPI_Init(&argc, &argv);
  MPI_Buffer_attach(buffer, (int)sizeof sent + atoi(argv[1]));
  MPI_Bsend(&sent, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
  MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Buffer_detach(&attached, &size);
  MPI_Finalize();
  return got != sent;
}
