/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: the type of a Fortran kind is freed, which is MPI's own. */
/* expects: MPI_Type_free at kinds\.c:\d+: MPI_DOUBLE_PRECISION is MPI's own, and stays */
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Datatype kind;
  MPI_Init(&argc, &argv);
  MPI_Type_create_f90_real(15, 307, &kind);
  MPI_Type_free(&kind);
  MPI_Finalize();
  return 0;
}
