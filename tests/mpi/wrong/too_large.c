/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: a type of more bytes than 64 bits count. */
/* expects: MPI_Type_contiguous at too_large.c:11: sizes and displacements in bytes must be within 64 bits */
#include <limits.h>
#include <mpi.h>

int main(int argc, char **argv) {
  MPI_Datatype large, larger;
  MPI_Init(&argc, &argv);
  MPI_Type_contiguous(INT_MAX, MPI_DOUBLE, &large);
  MPI_Type_contiguous(INT_MAX, large, &larger);
  MPI_Finalize();
  return 0;
}
