/* SPDX-License-Identifier: Apache-2.0 */
/* All collectives: blocking, nonblocking and, where MPI has them, in place; types with holes; operations of one's own. */
#include "check.h"

#include <string.h>

enum { MOST = 64 };

/* Affine maps x -> a·x + b as pairs (a, b): associative, and not commutative. */
static void compose(void *in, void *inout, int *count, MPI_Datatype *type) {
  (void)type;
  const int *f = in;
  int *g = inout;
  for (int i = 0; i < *count; ++i) {
    const int a = f[2 * i], b = f[2 * i + 1];
    /* f first, then g */
    g[2 * i + 1] += g[2 * i] * b;
    g[2 * i] *= a;
  }
}

static void roots(int root) {
  int values[3] = {0}, all[3 * MOST];
  if (rank == root)
    for (int i = 0; i < 3; ++i) values[i] = 100 + i;
  MPI_Bcast(values, 3, MPI_INT, root, MPI_COMM_WORLD);
  for (int i = 0; i < 3; ++i) CHECK(values[i] == 100 + i);

  int sum = -1, one = rank + 1;
  MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
  if (rank == root) CHECK(sum == size * (size + 1) / 2);
  sum = one;
  MPI_Reduce(rank == root ? MPI_IN_PLACE : &sum, rank == root ? &sum : NULL, 1, MPI_INT, MPI_MAX, root, MPI_COMM_WORLD);
  if (rank == root) CHECK(sum == size);

  MPI_Gather(&one, 1, MPI_INT, all, 1, MPI_INT, root, MPI_COMM_WORLD);
  for (int i = 0; rank == root && i < size; ++i) CHECK(all[i] == i + 1);
  int got = -1;
  MPI_Scatter(all, 1, MPI_INT, &got, 1, MPI_INT, root, MPI_COMM_WORLD);
  CHECK(got == rank + 1);

  int counts[MOST], displacements[MOST];
  for (int i = 0, at = 0; i < size; ++i) {
    counts[i] = i % 3;
    displacements[i] = at;
    at += counts[i] + 1;
  }
  int own[3] = {rank, rank, rank};
  memset(all, 0xff, sizeof all);
  MPI_Gatherv(own, rank % 3, MPI_INT, all, counts, displacements, MPI_INT, root, MPI_COMM_WORLD);
  for (int i = 0; rank == root && i < size; ++i) {
    for (int k = 0; k < counts[i]; ++k) CHECK(all[displacements[i] + k] == i);
    CHECK(all[displacements[i] + counts[i]] == -1);
  }
  int back[3] = {-5, -5, -5};
  MPI_Scatterv(all, counts, displacements, MPI_INT, back, rank % 3, MPI_INT, root, MPI_COMM_WORLD);
  for (int k = 0; k < 3; ++k) CHECK(back[k] == (k < rank % 3 ? rank : -5));
}

static void everywhere(void) {
  double x = rank + 0.5, sum;
  MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == size * size / 2.0);
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  CHECK(x == 0.5);
  struct {
    double value;
    int at;
  } in = {(double)((rank * 7) % size), rank}, out;
  MPI_Allreduce(&in, &out, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  CHECK((out.at * 7) % size == (int)out.value);
  signed char c = 1;
  MPI_Allreduce(MPI_IN_PLACE, &c, 1, MPI_SIGNED_CHAR, MPI_SUM, MPI_COMM_WORLD);
  CHECK(c == (signed char)size);
  /* MPI does not define these; MPICH serves them. */
  char letter = (char)(rank == size - 1 ? -3 : 3), least = 0;
  MPI_Allreduce(&letter, &least, 1, MPI_CHAR, MPI_MIN, MPI_COMM_WORLD);
  CHECK(least == -3);
  double truth = rank == 0 ? 0.0 : 0.5;
  MPI_Allreduce(MPI_IN_PLACE, &truth, 1, MPI_DOUBLE, MPI_LXOR, MPI_COMM_WORLD);
  CHECK(truth == (size - 1) % 2);
  float half = rank == 0 ? 0.0F : 0.5F, both[2] = {0};
  MPI_Allreduce(&half, &both[0], 1, MPI_FLOAT, MPI_LAND, MPI_COMM_WORLD);
  MPI_Allreduce(&half, &both[1], 1, MPI_FLOAT, MPI_LOR, MPI_COMM_WORLD);
  CHECK(both[0] == 0 && both[1] == (size > 1));
  int yes = rank != 0, any;
  MPI_Allreduce(&yes, &any, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
  CHECK(any == (size > 1));

  int all[2 * MOST], one[2] = {rank, -rank};
  MPI_Allgather(one, 2, MPI_INT, all, 2, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) CHECK(all[2 * i] == i && all[2 * i + 1] == -i);
  memset(all, 0, sizeof all);
  all[rank] = rank + 5;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) CHECK(all[i] == i + 5);

  int to[MOST], from[MOST];
  for (int i = 0; i < size; ++i) to[i] = rank * 1000 + i;
  MPI_Alltoall(to, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) CHECK(from[i] == i * 1000 + rank);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_INT, to, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) CHECK(to[i] == i * 1000 + rank);

  int counts[MOST], places[MOST], received[MOST], received_places[MOST], out_data[3 * MOST], in_data[3 * MOST];
  for (int i = 0, a = 0, b = 0; i < size; ++i) {
    counts[i] = (rank + 2 * i) % 3;
    received[i] = (i + 2 * rank) % 3;
    places[i] = a;
    received_places[i] = b;
    a += counts[i];
    b += received[i];
    for (int k = 0; k < counts[i]; ++k) out_data[places[i] + k] = rank * 100 + i;
  }
  MPI_Alltoallv(out_data, counts, places, MPI_INT, in_data, received, received_places, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i)
    for (int k = 0; k < received[i]; ++k) CHECK(in_data[received_places[i] + k] == i * 100 + rank);

  int blocks[MOST], mine = 0;
  for (int i = 0; i < size; ++i) {
    blocks[i] = 1;
    to[i] = rank + i;
  }
  MPI_Reduce_scatter(to, &mine, blocks, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(mine == size * (size - 1) / 2 + size * rank);
  MPI_Reduce_scatter_block(to, &mine, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(mine == size * (size - 1) / 2 + size * rank);

  int prefix = 0, value = rank + 1;
  MPI_Scan(&value, &prefix, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(prefix == (rank + 1) * (rank + 2) / 2);
  prefix = -3;
  MPI_Exscan(&value, &prefix, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(prefix == (rank == 0 ? -3 : rank * (rank + 1) / 2));

  // The receive buffer is not significant on rank 0 (MPI 5.0, section 6.11.2): null, the send buffer, one for two calls.
  MPI_Exscan(&value, rank == 0 ? NULL : &prefix, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Exscan(&value, rank == 0 ? &value : &prefix, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(value == rank + 1);
  int prefixes[2] = {-3, -3};
  MPI_Request scans[2];
  for (int i = 0; i < 2; ++i)
    MPI_Iexscan(&value, &prefixes[rank == 0 ? 0 : i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &scans[i]);
  if (rank == 0) prefixes[0] = -4;
  MPI_Waitall(2, scans, MPI_STATUSES_IGNORE);
  CHECK(rank == 0 ? prefixes[0] == -4 : prefixes[0] == rank * (rank + 1) / 2 && prefixes[1] == prefixes[0]);
  prefix = value;
  MPI_Exscan(MPI_IN_PLACE, &prefix, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(prefix == (rank == 0 ? 1 : rank * (rank + 1) / 2));
}

/* On a grid with ends nothing comes from beyond them: such blocks may lie where others are received. */
static void beyond_ends(void) {
  MPI_Comm line;
  const int dims[] = {size}, periods[] = {0}, counts[] = {1, 1}, displs[] = {0, rank == 0 || rank == size - 1 ? 0 : 1};
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &line);
  const int sent[] = {rank, rank};
  for (int is_gather = 0; is_gather < 2; ++is_gather) {
    int got[] = {-1, -1};
    if (is_gather)
      MPI_Neighbor_allgatherv(sent, 1, MPI_INT, got, counts, displs, MPI_INT, line);
    else
      MPI_Neighbor_alltoallv(sent, counts, displs, MPI_INT, got, counts, displs, MPI_INT, line);
    if (rank > 0) CHECK(got[0] == rank - 1);
    if (rank < size - 1) CHECK(got[rank == 0 ? 0 : 1] == rank + 1);
  }
  MPI_Request requests[2];
  int block[] = {-1, -1}, one[] = {1, 1}, through = -1;
  MPI_Aint places[2];
  MPI_Datatype types[] = {MPI_INT, MPI_INT};
  MPI_Get_address(rank == 0 ? &through : &block[0], &places[0]);
  MPI_Get_address(rank == size - 1 ? &through : &block[1], &places[1]);
  MPI_Aint ours[] = {0, sizeof(int)};
  MPI_Ineighbor_alltoallw(sent, one, ours, types, MPI_BOTTOM, one, places, types, line, &requests[0]);
  MPI_Irecv(&through, 1, MPI_INT, rank, 7, MPI_COMM_WORLD, &requests[1]);
  MPI_Send(&rank, 1, MPI_INT, rank, 7, MPI_COMM_WORLD);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK((rank == 0 || block[0] == rank - 1) && (rank == size - 1 || block[1] == rank + 1));
  if (rank == 0 || rank == size - 1) CHECK(through == rank);
  MPI_Comm_free(&line);
}

static void own_operation(void) {
  MPI_Op op;
  MPI_Op_create(compose, 0, &op);
  MPI_Datatype map;
  MPI_Type_contiguous(2, MPI_INT, &map);
  MPI_Type_commit(&map);
  int f[2] = {rank % 2 + 1, rank}, all[2], expected[2] = {1, 0};
  for (int i = 0; i < size; ++i) {
    const int a = i % 2 + 1;
    expected[1] = expected[1] * a + i;
    expected[0] *= a;
  }
  MPI_Allreduce(f, all, 1, map, op, MPI_COMM_WORLD);
  CHECK(all[0] == expected[0] && all[1] == expected[1]);
  MPI_Scan(f, all, 1, map, op, MPI_COMM_WORLD);
  if (rank == size - 1) CHECK(all[0] == expected[0] && all[1] == expected[1]);
  MPI_Reduce(f, all, 1, map, op, size - 1, MPI_COMM_WORLD);
  if (rank == size - 1) CHECK(all[0] == expected[0] && all[1] == expected[1]);
  int commutes;
  MPI_Op_commutative(op, &commutes);
  CHECK(!commutes);
  MPI_Op_free(&op);
  MPI_Type_free(&map);
}

static void with_holes(void) {
  MPI_Datatype column;
  MPI_Type_vector(4, 1, 3, MPI_INT, &column);
  MPI_Type_commit(&column);
  int table[12];
  for (int i = 0; i < 12; ++i) table[i] = rank == 0 ? i : -1;
  MPI_Bcast(table + 1, 1, column, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 12; ++i) CHECK(table[i] == (i % 3 == 1 || rank == 0 ? i : -1));
  MPI_Datatype spaced;
  MPI_Type_create_resized(MPI_INT, 0, 8, &spaced);
  MPI_Type_commit(&spaced);
  int out[2 * MOST], in[2 * MOST];
  for (int i = 0; i < 2 * size; ++i) out[i] = i % 2 ? -7 : rank * 50 + i / 2, in[i] = -9;
  MPI_Alltoall(out, 1, spaced, in, 1, spaced, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) CHECK(in[2 * i] == i * 50 + rank && in[2 * i + 1] == -9);
  MPI_Type_free(&spaced);
  MPI_Type_free(&column);
}

static void at_once(void) {
  MPI_Request requests[4];
  int sum = 0, one = 1, from_root = rank == 0 ? 42 : 0, all[MOST], to[MOST], from[MOST];
  for (int i = 0; i < size; ++i) to[i] = i;
  MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
  MPI_Ibcast(&from_root, 1, MPI_INT, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Iallgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &requests[2]);
  MPI_Ialltoall(to, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  CHECK(sum == size && from_root == 42);
  for (int i = 0; i < size; ++i) CHECK(all[i] == i && from[i] == rank);
  MPI_Request request;
  int flag = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  for (int root = 0; root < size; ++root) roots(root);
  everywhere();
  beyond_ends();
  own_operation();
  with_holes();
  at_once();
  return end();
}
