/* SPDX-License-Identifier: Apache-2.0 */
/* Every collective in each of its forms: blocking, with a request, persistent; with counts of int and of MPI_Count. */
#include "check.h"

#include <string.h>

enum { N = 3 };
static MPI_Comm comm, ring;
static int *in, *out, *counts, *displs, *byte_displs;
static MPI_Count *large_counts;
static MPI_Aint *large_displs, *large_byte_displs;
static MPI_Datatype *types;
static int all; /* N elements of each rank */

static int value(int of, int e) { return of * 1000 + e; }
static int sum(int ranks, int e) { return ranks * (ranks - 1) / 2 * 1000 + ranks * e; }

static void reset(void) {
  for (int e = 0; e < all; ++e) in[e] = value(rank, e), out[e] = -1;
}
/* Elements first … first + n - 1 of `what`. */
#define EACH(name, n, condition)                       \
  static int name(void) {                              \
    for (int e = 0; e < (n); ++e)                      \
      if (!(condition)) return 0;                      \
    return 1;                                          \
  }
EACH(has_root, all, in[e] == value(0, e))
EACH(has_sum, all, out[e] == sum(size, e))
EACH(has_sum_at_root, rank == 0 ? all : 0, out[e] == sum(size, e))
EACH(has_scan, all, out[e] == sum(rank + 1, e))
EACH(has_exscan, rank == 0 ? 0 : all, out[e] == sum(rank, e))
EACH(has_own_sum, N, out[e] == sum(size, rank * N + e))
EACH(has_all, all, out[e] == value(e / N, e % N))
EACH(has_all_at_root, rank == 0 ? all : 0, out[e] == value(e / N, e % N))
EACH(has_own, N, out[e] == value(0, rank * N + e))
EACH(has_turned, all, out[e] == value(e / N, rank * N + e % N))
static int left(void) { return (rank + size - 1) % size; }
static int right(void) { return (rank + 1) % size; }
EACH(has_neighbours, 2 * N, out[e] == value(e < N ? left() : right(), e % N))
/* Block 0 goes to the left, block 1 to the right: from the left comes its block 1. With one rank on both sides MPI 4.1 says which is
   which, and earlier libraries differ. */
EACH(has_turned_neighbours, size > 2 ? 2 * N : 0, out[e] == value(e < N ? left() : right(), e < N ? N + e : e - N))
static int met(void) { return 1; }

#if MPI_VERSION >= 4 && !defined(WITHOUT_PERSISTENT)
#define PERSISTENT(name, suffix, check, ...)                           \
  do {                                                                 \
    MPI_Request started;                                               \
    MPI_##name##_init##suffix(__VA_ARGS__, MPI_INFO_NULL, &started);   \
    for (int i = 0; i < 2; ++i) {                                      \
      reset();                                                         \
      MPI_Start(&started);                                             \
      MPI_Wait(&started, MPI_STATUS_IGNORE);                           \
      CHECK(check());                                                  \
    }                                                                  \
    MPI_Request_free(&started);                                        \
  } while (0)
#else
#define PERSISTENT(name, suffix, check, ...) (void)0
#endif
#if MPI_VERSION >= 4
#define LARGE(...) FORMS(__VA_ARGS__)
#else
#define LARGE(...) (void)0
#endif
#define FORMS(name, lower, suffix, check, ...)     \
  do {                                             \
    MPI_Request request;                           \
    reset();                                       \
    MPI_##name##suffix(__VA_ARGS__);               \
    CHECK(check());                                \
    reset();                                       \
    MPI_I##lower##suffix(__VA_ARGS__, &request);   \
    MPI_Wait(&request, MPI_STATUS_IGNORE);         \
    CHECK(check());                                \
    PERSISTENT(name, suffix, check, __VA_ARGS__);  \
  } while (0)
/* Both forms have the same arguments. */
#define BOTH(name, lower, check, ...)              \
  do {                                             \
    FORMS(name, lower, , check, __VA_ARGS__);      \
    LARGE(name, lower, _c, check, __VA_ARGS__);    \
  } while (0)

static void whole_world(void) {
  FORMS(Barrier, barrier, , met, comm);
  BOTH(Bcast, bcast, has_root, in, all, MPI_INT, 0, comm);
  BOTH(Reduce, reduce, has_sum_at_root, in, out, all, MPI_INT, MPI_SUM, 0, comm);
  BOTH(Allreduce, allreduce, has_sum, in, out, all, MPI_INT, MPI_SUM, comm);
  BOTH(Scan, scan, has_scan, in, out, all, MPI_INT, MPI_SUM, comm);
  BOTH(Exscan, exscan, has_exscan, in, out, all, MPI_INT, MPI_SUM, comm);
  BOTH(Reduce_scatter_block, reduce_scatter_block, has_own_sum, in, out, N, MPI_INT, MPI_SUM, comm);
  FORMS(Reduce_scatter, reduce_scatter, , has_own_sum, in, out, counts, MPI_INT, MPI_SUM, comm);
  LARGE(Reduce_scatter, reduce_scatter, _c, has_own_sum, in, out, large_counts, MPI_INT, MPI_SUM, comm);
  BOTH(Gather, gather, has_all_at_root, in, N, MPI_INT, out, N, MPI_INT, 0, comm);
  FORMS(Gatherv, gatherv, , has_all_at_root, in, N, MPI_INT, out, counts, displs, MPI_INT, 0, comm);
  LARGE(Gatherv, gatherv, _c, has_all_at_root, in, N, MPI_INT, out, large_counts, large_displs, MPI_INT, 0, comm);
  BOTH(Scatter, scatter, has_own, in, N, MPI_INT, out, N, MPI_INT, 0, comm);
  FORMS(Scatterv, scatterv, , has_own, in, counts, displs, MPI_INT, out, N, MPI_INT, 0, comm);
  LARGE(Scatterv, scatterv, _c, has_own, in, large_counts, large_displs, MPI_INT, out, N, MPI_INT, 0, comm);
  BOTH(Allgather, allgather, has_all, in, N, MPI_INT, out, N, MPI_INT, comm);
  FORMS(Allgatherv, allgatherv, , has_all, in, N, MPI_INT, out, counts, displs, MPI_INT, comm);
  LARGE(Allgatherv, allgatherv, _c, has_all, in, N, MPI_INT, out, large_counts, large_displs, MPI_INT, comm);
  BOTH(Alltoall, alltoall, has_turned, in, N, MPI_INT, out, N, MPI_INT, comm);
  FORMS(Alltoallv, alltoallv, , has_turned, in, counts, displs, MPI_INT, out, counts, displs, MPI_INT, comm);
  LARGE(Alltoallv, alltoallv, _c, has_turned, in, large_counts, large_displs, MPI_INT, out, large_counts, large_displs,
        MPI_INT, comm);
  FORMS(Alltoallw, alltoallw, , has_turned, in, counts, byte_displs, types, out, counts, byte_displs, types, comm);
  LARGE(Alltoallw, alltoallw, _c, has_turned, in, large_counts, large_byte_displs, types, out, large_counts,
        large_byte_displs, types, comm);
}

static void neighbours(void) {
  BOTH(Neighbor_allgather, neighbor_allgather, has_neighbours, in, N, MPI_INT, out, N, MPI_INT, ring);
  FORMS(Neighbor_allgatherv, neighbor_allgatherv, , has_neighbours, in, N, MPI_INT, out, counts, displs, MPI_INT, ring);
  LARGE(Neighbor_allgatherv, neighbor_allgatherv, _c, has_neighbours, in, N, MPI_INT, out, large_counts, large_displs,
        MPI_INT, ring);
  BOTH(Neighbor_alltoall, neighbor_alltoall, has_turned_neighbours, in, N, MPI_INT, out, N, MPI_INT, ring);
  FORMS(Neighbor_alltoallv, neighbor_alltoallv, , has_turned_neighbours, in, counts, displs, MPI_INT, out, counts, displs,
        MPI_INT, ring);
  LARGE(Neighbor_alltoallv, neighbor_alltoallv, _c, has_turned_neighbours, in, large_counts, large_displs, MPI_INT, out,
        large_counts, large_displs, MPI_INT, ring);
  FORMS(Neighbor_alltoallw, neighbor_alltoallw, , has_turned_neighbours, in, counts, large_byte_displs, types, out, counts,
        large_byte_displs, types, ring);
  LARGE(Neighbor_alltoallw, neighbor_alltoallw, _c, has_turned_neighbours, in, large_counts, large_byte_displs, types, out,
        large_counts, large_byte_displs, types, ring);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  comm = MPI_COMM_WORLD;
  all = N * size;
  const int blocks = size < 2 ? 2 : size; /* a rank has two neighbours */
  in = malloc((size_t)blocks * N * sizeof *in);
  out = malloc((size_t)blocks * N * sizeof *out);
  counts = malloc((size_t)blocks * sizeof *counts);
  displs = malloc((size_t)blocks * sizeof *displs);
  byte_displs = malloc((size_t)blocks * sizeof *byte_displs);
  large_counts = malloc((size_t)blocks * sizeof *large_counts);
  large_displs = malloc((size_t)blocks * sizeof *large_displs);
  large_byte_displs = malloc((size_t)blocks * sizeof *large_byte_displs);
  types = malloc((size_t)blocks * sizeof *types);
  for (int r = 0; r < blocks; ++r) {
    counts[r] = N, displs[r] = r * N, byte_displs[r] = r * N * (int)sizeof(int);
    large_counts[r] = N, large_displs[r] = displs[r], large_byte_displs[r] = byte_displs[r];
    types[r] = MPI_INT;
  }
  whole_world();
  int periodic = 1;
  MPI_Cart_create(comm, 1, &size, &periodic, 0, &ring);
  all = N * blocks;
  neighbours();
  MPI_Comm_free(&ring);
  free(in), free(out), free(counts), free(displs), free(byte_displs), free(large_counts), free(large_displs);
  free(large_byte_displs), free(types);
  return end();
}
