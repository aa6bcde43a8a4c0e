/* SPDX-License-Identifier: Apache-2.0 */
/* Calls whose cost could grow with the square of the ranks: each is to be small on thousands of them. */
#include "check.h"

static void communicators(void) {
  MPI_Comm made, row;
  int at, its_size, sizes[2] = {0, 0}, periods[2] = {1, 0}, keeps[2] = {0, 1};
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &made);
  MPI_Comm_rank(made, &at);
  MPI_Comm_size(made, &its_size);
  CHECK(its_size == (size + 1 - rank % 2) / 2);
  CHECK(at == (size - 1 - rank) / 2);
  MPI_Comm_free(&made);

  MPI_Dims_create(size, 2, sizes);
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &made);
  MPI_Cart_sub(made, keeps, &row);
  MPI_Comm_rank(row, &at);
  MPI_Comm_size(row, &its_size);
  CHECK(its_size == sizes[1] && at == rank % sizes[1]);
  MPI_Comm_free(&row);
  MPI_Comm_dup(made, &row);
  MPI_Comm_compare(made, row, &at);
  CHECK(at == MPI_CONGRUENT);
  MPI_Comm_free(&row);
  MPI_Comm_free(&made);

  int one = 1, next = (rank + 1) % size, from, to, weight;
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &next, &rank, MPI_INFO_NULL, 0, &made);
  MPI_Dist_graph_neighbors(made, 1, &from, &weight, 1, &to, &one);
  CHECK(from == (rank + size - 1) % size && weight == from && to == next && one == rank);
  MPI_Comm_free(&made);
}

static void collectives(void) {
  int *sent = malloc((size_t)size * sizeof *sent), *got = malloc((size_t)size * sizeof *got), sum = 0, bad = 0;
  for (int r = 0; r < size; ++r) sent[r] = rank - r, got[r] = -1;
  MPI_Alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < size; ++r) bad += got[r] != r - rank;
  MPI_Reduce_scatter_block(sent, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == size * (size - 1) / 2 - size * rank);
  MPI_Allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < size; ++r) bad += got[r] != r;
  MPI_Gather(&rank, 1, MPI_INT, rank == 0 ? got : NULL, 1, MPI_INT, 0, MPI_COMM_WORLD);
  CHECK(bad == 0);

  /* Of all blocks one is not empty. */
  int *counts = calloc((size_t)size, sizeof *counts), *from = calloc((size_t)size, sizeof *from);
  int *places = calloc((size_t)size, sizeof *places);
  MPI_Datatype *types = malloc((size_t)size * sizeof *types);
  for (int r = 0; r < size; ++r) types[r] = MPI_INT;
  counts[(rank + 1) % size] = 1;
  from[(rank + size - 1) % size] = 1;
  MPI_Alltoallw(&rank, counts, places, types, got, from, places, types, MPI_COMM_WORLD);
  CHECK(got[0] == (rank + size - 1) % size);
  free(types);
  free(counts);
  free(from);
  free(places);
  free(sent);
  free(got);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  communicators();
  if (argc == 1) collectives();
  return end();
}
