/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: one of the pieces of a type of addresses ends behind its block. */
/* expects send: MPI_Send at addresses.c:\d+: the buffer of 12 bytes begins at byte 0 of a block .* addresses.c:\d+, of 8 bytes, and ends 4 bytes behind */
/* expects receive: the buffer of 12 bytes begins at byte 0 of a block .* addresses.c:\d+, of 8 bytes, and ends 4 bytes behind .* and the message of rank 0 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int rank, ints[6] = {0}, lengths[2] = {3, 3};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int *whole = malloc(3 * sizeof(int)), *half = calloc(2, sizeof(int));
  memset(whole, 0, 3 * sizeof(int));
  MPI_Aint at[2];
  MPI_Get_address(whole, &at[0]);
  MPI_Get_address(half, &at[1]);
  MPI_Datatype type;
  MPI_Type_create_hindexed(2, lengths, at, MPI_INT, &type);
  MPI_Type_commit(&type);
  const int sends = strcmp(argv[1], "send") == 0;
  if (rank == 0) sends ? MPI_Send(MPI_BOTTOM, 1, type, 1, 0, MPI_COMM_WORLD) : MPI_Send(ints, 6, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (rank == 1) sends ? MPI_Recv(ints, 6, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) : MPI_Recv(MPI_BOTTOM, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
