/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: a type that was not committed. */
/* expects: the type \(contiguous of 2 x MPI_INT\) has not been committed */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int x[2] = {0};
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Bcast(x, 1, pair, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
