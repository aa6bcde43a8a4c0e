/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: a rank names its part of an exchange as numbers of another kind, of the same size. */
/* expects: rank [01] calls MPI_Alltoallv at parts_types.c:13 with elements of MPI_\w+, where rank [01] calls MPI_Alltoallv at parts_types.c:13 with elements of MPI_\w+: */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, size, sent[3] = {1, 2, 3}, received[3], counts[3] = {1, 1, 1}, places[3] = {0, 1, 2};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size > 3) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Datatype type = rank == 0 ? MPI_FLOAT : MPI_INT;
  MPI_Alltoallv(sent, counts, places, type, received, counts, places, type, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
