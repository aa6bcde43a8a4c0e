/* SPDX-License-Identifier: Apache-2.0 */
/* Not served: partitioned messages. */
/* expects: MPI_Psend_init at partitioned.c:9: MPI_Psend_init is not served by heddle; docs/mpi.md has the list */
#include <mpi.h>
int main(int argc, char **argv) {
  int data[8] = {0};
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Psend_init(data, 2, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Finalize();
  return 0;
}
