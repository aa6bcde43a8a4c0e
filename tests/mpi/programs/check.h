/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of these tests check themselves: run by heddle, by MPICH or by Open MPI they print "ok" once, or what is wrong. */
#ifndef CHECK_H
#define CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size, wrong;

#define CHECK(what)                                                               \
  do {                                                                            \
    if (!(what)) {                                                                \
      ++wrong;                                                                    \
      printf("rank %d of %d, %s:%d: %s\n", rank, size, __FILE__, __LINE__, #what); \
    }                                                                             \
  } while (0)

static void begin(int *argc, char ***argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
}

static int end(void) {
  int all = 0;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0 && all == 0) printf("ok\n");
  MPI_Finalize();
  return wrong != 0;
}

#endif
