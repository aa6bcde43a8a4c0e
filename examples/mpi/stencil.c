/* SPDX-License-Identifier: Apache-2.0 */
/* Heat along a rod: each rank has a part of it, and exchanges the ends with its neighbours in each step.

     heddle mpicc -O2 -g -o stencil stencil.c
     heddle mpirun -n 16 --topo torus:4x4 --report ./stencil 100 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 1000 };

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int steps = argc > 1 ? atoi(argv[1]) : 10;
  const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  double cells[CELLS + 2] = {0}, next[CELLS + 2] = {0};
  if (rank == 0) cells[1] = 1;
  for (int step = 0; step < steps; ++step) {
    MPI_Sendrecv(&cells[1], 1, MPI_DOUBLE, left, 0, &cells[CELLS + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&cells[CELLS], 1, MPI_DOUBLE, right, 1, &cells[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) cells[0] = cells[1];
    if (rank == size - 1) cells[CELLS + 1] = cells[CELLS];
    for (int i = 1; i <= CELLS; ++i) next[i] = cells[i] + (cells[i - 1] - 2 * cells[i] + cells[i + 1]) / 4;
    for (int i = 1; i <= CELLS; ++i) cells[i] = next[i];
  }
  double own = 0, all = 0;
  for (int i = 1; i <= CELLS; ++i) own += cells[i];
  MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("heat after %d steps: %.6f\n", steps, all);
  MPI_Finalize();
  return 0;
}
