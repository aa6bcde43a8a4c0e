/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong: the counts of a reduce-scatter add up alike on all ranks, but rank 1 gives its own part what is rank 0's. */
/* expects: rank \d calls MPI_Reduce_scatter at parts\.c:\d+ with a count of \d for rank 0, where rank \d calls MPI_Reduce_scatter at parts\.c:\d+ with a count of \d for rank 0 */
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int send[128] = {0}, recv[128], counts[64];
  for (int r = 0; r < size; ++r) counts[r] = 1;
  if (rank == 1) counts[0] = 0, counts[1] = 2;
  MPI_Reduce_scatter(send, recv, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
