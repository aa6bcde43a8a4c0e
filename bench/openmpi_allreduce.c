// SPDX-License-Identifier: Apache-2.0
// The times of MPI_Allreduce, in place, on 32-bit integers: of the slowest rank, since all began together.
// usage: openmpi_allreduce BYTES REPETITIONS WARMUP; prints the seconds of each call, and checks its result.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 4) MPI_Abort(MPI_COMM_WORLD, 2);
  const int count = (int)(atoll(argv[1]) / (long long)sizeof(int32_t));
  const int repetitions = atoi(argv[2]), warmup = atoi(argv[3]);
  int32_t* vector = malloc((size_t)count * sizeof(int32_t));
  double* times = malloc((size_t)repetitions * sizeof(double));
  for (int i = -warmup; i < repetitions; ++i) {
    for (int e = 0; e < count; ++e) vector[e] = rank + e % 1000;
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    MPI_Allreduce(MPI_IN_PLACE, vector, count, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD);
    const double own = MPI_Wtime() - begin;
    double slowest;
    MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (i >= 0) times[i] = slowest;
    for (int e = 0; e < count; ++e) {
      if (vector[e] == ranks * (ranks - 1) / 2 + ranks * (e % 1000)) continue;
      fprintf(stderr, "openmpi_allreduce: wrong result at element %d\n", e);
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  }
  for (int i = 0; rank == 0 && i < repetitions; ++i) printf("%.9f\n", times[i]);
  free(times);
  free(vector);
  MPI_Finalize();
  return 0;
}
