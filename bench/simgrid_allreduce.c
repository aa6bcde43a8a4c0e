// SPDX-License-Identifier: Apache-2.0
// Allreduces in plain MPI, for SMPI and for `heddle mpirun`: in place, on 32-bit integers, with the messages of heddle's rows in heddle's order.
// usage: simgrid_allreduce ALGORITHM BYTES; on 2^k ranks, BYTES / 4 a multiple of them. Prints the virtual seconds from where all begin
// together to where the slowest rank is done, and checks the result.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char* what) {
  fprintf(stderr, "simgrid_allreduce: %s\n", what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void exchange(int to, const int32_t* given, int from, int32_t* got, int count) {
  MPI_Sendrecv(given, count, MPI_INT32_T, to, 0, got, count, MPI_INT32_T, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void add(int32_t* sums, const int32_t* others, int count) {
  for (int e = 0; e < count; ++e) sums[e] += others[e];
}

// algorithms/families/ring.cpp
static void ring(int rank, int ranks, int32_t* vector, int count, int32_t* scratch) {
  const int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks, length = count / ranks;
  for (int round = 0; round < ranks - 1; ++round) {
    int32_t* kept = vector + (size_t)((rank - round - 2 + 2 * ranks) % ranks) * length;
    exchange(right, vector + (size_t)((rank - round - 1 + 2 * ranks) % ranks) * length, left, scratch, length);
    add(kept, scratch, length);
  }
  for (int round = 0; round < ranks - 1; ++round)
    exchange(right, vector + (size_t)((rank - round + ranks) % ranks) * length, left,
         vector + (size_t)((rank - round - 1 + ranks) % ranks) * length, length);
}

// algorithms/families/recursive_doubling.cpp
static void recursive_doubling(int rank, int ranks, int32_t* vector, int count, int32_t* scratch) {
  for (int distance = 1; distance < ranks; distance *= 2) {
    exchange(rank ^ distance, vector, rank ^ distance, scratch, count);
    add(vector, scratch, count);
  }
}

// algorithms/families/rabenseifner.cpp
static void rabenseifner(int rank, int ranks, int32_t* vector, int count, int32_t* scratch) {
  int first = 0, held = count;
  for (int distance = 1; distance < ranks; distance *= 2) {
    held /= 2;
    const int lower = first, upper = first + held, is_upper = (rank & distance) != 0;
    first = is_upper ? upper : lower;
    exchange(rank ^ distance, vector + (is_upper ? lower : upper), rank ^ distance, scratch, held);
    add(vector + first, scratch, held);
  }
  for (int distance = ranks / 2; distance > 0; distance /= 2) {
    const int is_upper = (rank & distance) != 0, partners = is_upper ? first - held : first + held;
    exchange(rank ^ distance, vector + first, rank ^ distance, vector + partners, held);
    if (is_upper) first = partners;
    held *= 2;
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 3) fail("usage: simgrid_allreduce ALGORITHM BYTES");
  const int count = (int)(atoll(argv[2]) / (long long)sizeof(int32_t));
  if ((ranks & (ranks - 1)) != 0 || count % ranks != 0) fail("the ranks are no power of two, or the elements no multiple of them");
  const int is_ring = strcmp(argv[1], "ring") == 0, is_doubling = strcmp(argv[1], "recursive_doubling") == 0;
  if (!is_ring && !is_doubling && strcmp(argv[1], "rabenseifner") != 0) fail("no such algorithm");

  int32_t* vector = malloc((size_t)count * sizeof(int32_t));
  // As long as the longest message that is to be added.
  const int longest = is_ring ? count / ranks : is_doubling ? count : (count + 1) / 2;
  int32_t* scratch = malloc((size_t)longest * sizeof(int32_t));
  if (!vector || !scratch) fail("no memory");
  for (int e = 0; e < count; ++e) vector[e] = rank + e % 1000;
  // No barrier: its messages would take virtual time, and not the same on each rank. All are here at virtual time 0.
  double begin = MPI_Wtime();
  (is_ring ? ring : is_doubling ? recursive_doubling : rabenseifner)(rank, ranks, vector, count, scratch);
  double end = MPI_Wtime();
  for (int e = 0; e < count; ++e)
    if (vector[e] != ranks * (ranks - 1) / 2 + ranks * (e % 1000)) fail("wrong result");
  double first, last, slowest;
  MPI_Reduce(&begin, &first, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
  MPI_Reduce(&begin, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Reduce(&end, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0 && first != last) fail("the ranks did not begin together");
  if (rank == 0) printf("%.15f\n", slowest - first);
  free(scratch);
  free(vector);
  MPI_Finalize();
  return 0;
}
