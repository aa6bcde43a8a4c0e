// SPDX-License-Identifier: Apache-2.0
// Calls a collective of MPI and checks its result.
// usage: mpi_calls NAME COUNT: the whole vector has so many 32-bit integers, and each rank's block 1/p of them.
// `everything`: each collective that MPI 3 has for blocks and whole vectors, blocking or not; COUNT is that of a block.
// `nothing`: what a program sends that calls none.
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, ranks;

static void fail(const char* what, const char* name, int count) {
  fprintf(stderr, "mpi_calls: %s: %s of %d, rank %d of %d\n", what, name, count, rank, ranks);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

// Element e of rank r's input.
static int32_t in(int r, int e) { return r * 7 + e % 1000 + 1; }
static int32_t sum(int e) { return ranks * (ranks - 1) / 2 * 7 + ranks * (e % 1000 + 1); }

static void call(const char* name, int count) {
  const int block = count / ranks;
  int32_t* a = malloc(((size_t)count + 1) * sizeof *a);
  int32_t* b = malloc(((size_t)count + 1) * sizeof *b);
  int* counts = malloc((size_t)ranks * sizeof *counts);
  for (int r = 0; r < ranks; ++r) counts[r] = block;
  for (int e = 0; e < count; ++e) a[e] = in(rank, e), b[e] = -1;
  int right = 1;
#define EACH(n, condition) for (int e = 0; e < (n); ++e) right = right && (condition)
  if (strcmp(name, "bcast") == 0) {
    for (int e = 0; e < count; ++e) b[e] = rank == 0 ? in(0, e) : -1;
    MPI_Bcast(b, count, MPI_INT32_T, 0, MPI_COMM_WORLD);
    EACH(count, b[e] == in(0, e));
  } else if (strcmp(name, "reduce") == 0) {
    MPI_Reduce(a, b, count, MPI_INT32_T, MPI_SUM, 0, MPI_COMM_WORLD);
    EACH(rank == 0 ? count : 0, b[e] == sum(e));
  } else if (strcmp(name, "allreduce") == 0) {
    MPI_Allreduce(a, b, count, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD);
    EACH(count, b[e] == sum(e));
  } else if (strcmp(name, "reduce_scatter") == 0) {
    MPI_Reduce_scatter(a, b, counts, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD);
    EACH(block, b[e] == sum(rank * block + e));
  } else if (strcmp(name, "reduce_scatter_block") == 0) {
    MPI_Reduce_scatter_block(a, b, block, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD);
    EACH(block, b[e] == sum(rank * block + e));
  } else if (strcmp(name, "allgather") == 0) {
    MPI_Allgather(a, block, MPI_INT32_T, b, block, MPI_INT32_T, MPI_COMM_WORLD);
    EACH(block * ranks, b[e] == in(e / block, e % block));
  } else if (strcmp(name, "gather") == 0) {
    MPI_Gather(a, block, MPI_INT32_T, b, block, MPI_INT32_T, 0, MPI_COMM_WORLD);
    EACH(rank == 0 ? block * ranks : 0, b[e] == in(e / block, e % block));
  } else if (strcmp(name, "scatter") == 0) {
    MPI_Scatter(a, block, MPI_INT32_T, b, block, MPI_INT32_T, 0, MPI_COMM_WORLD);
    EACH(block, b[e] == in(0, rank * block + e));
  } else if (strcmp(name, "alltoall") == 0) {
    MPI_Alltoall(a, block, MPI_INT32_T, b, block, MPI_INT32_T, MPI_COMM_WORLD);
    EACH(block * ranks, b[e] == in(e / block, rank * block + e % block));
  } else if (strcmp(name, "barrier") == 0) {
    MPI_Barrier(MPI_COMM_WORLD);
  } else {
    fail("unknown", name, count);
  }
  if (!right) fail("wrong result", name, count);
  free(counts);
  free(b);
  free(a);
}

// Blocks of `block` elements each.
static void call_everything(int block) {
  const char* usual[] = {"bcast",     "reduce", "allreduce", "reduce_scatter", "reduce_scatter_block",
                         "allgather", "gather", "scatter",   "alltoall",       "barrier"};
  const int count = block * ranks;
  for (size_t i = 0; i < sizeof usual / sizeof *usual; ++i) call(usual[i], count);
  int32_t* a = malloc((size_t)count * sizeof *a);
  int32_t* b = malloc((size_t)count * sizeof *b);
  int* counts = malloc((size_t)ranks * sizeof *counts);
  int* places = malloc((size_t)ranks * sizeof *places);
  int* bytes = malloc((size_t)ranks * sizeof *bytes);
  MPI_Datatype* types = malloc((size_t)ranks * sizeof *types);
  for (int r = 0; r < ranks; ++r) counts[r] = block, places[r] = r * block, bytes[r] = places[r] * 4, types[r] = MPI_INT32_T;
  int right = 1;
#define FRESH for (int e = 0; e < count; ++e) a[e] = in(rank, e), b[e] = -1
#define WAIT MPI_Wait(&request, MPI_STATUS_IGNORE)
#define HOLD(n, condition, what) do { EACH(n, condition); if (!right) fail("wrong result", what, count); } while (0)
  MPI_Request request;
  for (int later = 0; later < 2; ++later) {
    FRESH;
    if (later) { MPI_Iallgatherv(a, block, MPI_INT32_T, b, counts, places, MPI_INT32_T, MPI_COMM_WORLD, &request); WAIT; }
    else MPI_Allgatherv(a, block, MPI_INT32_T, b, counts, places, MPI_INT32_T, MPI_COMM_WORLD);
    HOLD(count, b[e] == in(e / block, e % block), "allgatherv");
    FRESH;
    if (later) { MPI_Igatherv(a, block, MPI_INT32_T, b, counts, places, MPI_INT32_T, 0, MPI_COMM_WORLD, &request); WAIT; }
    else MPI_Gatherv(a, block, MPI_INT32_T, b, counts, places, MPI_INT32_T, 0, MPI_COMM_WORLD);
    HOLD(rank == 0 ? count : 0, b[e] == in(e / block, e % block), "gatherv");
    FRESH;
    if (later) { MPI_Iscatterv(a, counts, places, MPI_INT32_T, b, block, MPI_INT32_T, 0, MPI_COMM_WORLD, &request); WAIT; }
    else MPI_Scatterv(a, counts, places, MPI_INT32_T, b, block, MPI_INT32_T, 0, MPI_COMM_WORLD);
    HOLD(block, b[e] == in(0, rank * block + e), "scatterv");
    FRESH;
    if (later) { MPI_Ialltoallv(a, counts, places, MPI_INT32_T, b, counts, places, MPI_INT32_T, MPI_COMM_WORLD, &request); WAIT; }
    else MPI_Alltoallv(a, counts, places, MPI_INT32_T, b, counts, places, MPI_INT32_T, MPI_COMM_WORLD);
    HOLD(count, b[e] == in(e / block, rank * block + e % block), "alltoallv");
    FRESH;
    if (later) { MPI_Ialltoallw(a, counts, bytes, types, b, counts, bytes, types, MPI_COMM_WORLD, &request); WAIT; }
    else MPI_Alltoallw(a, counts, bytes, types, b, counts, bytes, types, MPI_COMM_WORLD);
    HOLD(count, b[e] == in(e / block, rank * block + e % block), "alltoallw");
    FRESH;
    if (later) { MPI_Iscan(a, b, count, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD, &request); WAIT; }
    else MPI_Scan(a, b, count, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD);
    HOLD(count, b[e] == (rank + 1) * rank / 2 * 7 + (rank + 1) * (e % 1000 + 1), "scan");
    FRESH;
    if (later) { MPI_Iexscan(a, b, count, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD, &request); WAIT; }
    else MPI_Exscan(a, b, count, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD);
    HOLD(rank == 0 ? 0 : count, b[e] == rank * (rank - 1) / 2 * 7 + rank * (e % 1000 + 1), "exscan");
  }
  FRESH;
  MPI_Iallreduce(a, b, count, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD, &request); WAIT;
  HOLD(count, b[e] == sum(e), "iallreduce");
  FRESH;
  MPI_Ireduce(a, b, count, MPI_INT32_T, MPI_SUM, 0, MPI_COMM_WORLD, &request); WAIT;
  HOLD(rank == 0 ? count : 0, b[e] == sum(e), "ireduce");
  FRESH;
  MPI_Ireduce_scatter(a, b, counts, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD, &request); WAIT;
  HOLD(block, b[e] == sum(rank * block + e), "ireduce_scatter");
  FRESH;
  MPI_Ireduce_scatter_block(a, b, block, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD, &request); WAIT;
  HOLD(block, b[e] == sum(rank * block + e), "ireduce_scatter_block");
  FRESH;
  MPI_Iallgather(a, block, MPI_INT32_T, b, block, MPI_INT32_T, MPI_COMM_WORLD, &request); WAIT;
  HOLD(count, b[e] == in(e / block, e % block), "iallgather");
  FRESH;
  MPI_Ialltoall(a, block, MPI_INT32_T, b, block, MPI_INT32_T, MPI_COMM_WORLD, &request); WAIT;
  HOLD(count, b[e] == in(e / block, rank * block + e % block), "ialltoall");
  FRESH;
  MPI_Ibcast(a, count, MPI_INT32_T, 0, MPI_COMM_WORLD, &request); WAIT;
  HOLD(count, a[e] == in(0, e), "ibcast");
  FRESH;
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT32_T, a, block, MPI_INT32_T, MPI_COMM_WORLD);
  HOLD(count, a[e] == in(e / block, rank * block + e % block), "alltoall in place");
  FRESH;
  MPI_Allreduce(MPI_IN_PLACE, a, count, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD);
  HOLD(count, a[e] == sum(e), "allreduce in place");
  MPI_Ibarrier(MPI_COMM_WORLD, &request); WAIT;
  free(types);
  free(bytes);
  free(places);
  free(counts);
  free(b);
  free(a);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 3) fail("usage: mpi_calls NAME COUNT", "", 0);
  const int count = atoi(argv[2]);
  if (strcmp(argv[1], "everything") == 0)
    call_everything(count);
  else if (strcmp(argv[1], "nothing") != 0)
    call(argv[1], count);
  MPI_Finalize();
  return 0;
}
