/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives that wait for nobody: begun late by some ranks, started in any order, on types and operations that are freed meanwhile. */
#include "check.h"

static void last_of_all(void (*before)(MPI_Comm, void *), void *data, MPI_Comm comm) {
  /* Rank 0 calls when all others have returned from the call. */
  if (rank == 0)
    for (int i = 1; i < size; ++i) MPI_Recv(NULL, 0, MPI_INT, i, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  before(comm, data);
  if (rank != 0) MPI_Ssend(NULL, 0, MPI_INT, 0, 5, MPI_COMM_WORLD);
}

static void begin_barrier(MPI_Comm comm, void *request) { MPI_Ibarrier(comm, request); }

static void first_on_a_communicator(void) {
  MPI_Comm comm;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  last_of_all(begin_barrier, &request, comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&comm);
}

struct copying {
  MPI_Comm copy;
  MPI_Request request;
};
static void begin_copy(MPI_Comm comm, void *data) {
  struct copying *to = data;
  MPI_Comm_idup(comm, &to->copy, &to->request);
}
static void check_sum(MPI_Comm comm, int expected) {
  int one = 1, sum = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
  CHECK(sum == expected);
}

static void copies(void) {
  struct copying first, second;
  last_of_all(begin_copy, &first, MPI_COMM_WORLD);
  MPI_Wait(&first.request, MPI_STATUS_IGNORE);
  check_sum(first.copy, size);
  /* Two communicators of the same ranks are copied in different orders. */
  struct copying others[2];
  MPI_Comm from[2] = {MPI_COMM_WORLD, first.copy};
  for (int i = 0; i < 2; ++i) begin_copy(from[(i + rank) % 2], &others[(i + rank) % 2]);
  begin_copy(MPI_COMM_WORLD, &second);
  int sum = 0;
  MPI_Request reduction;
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, first.copy, &reduction);
  MPI_Request requests[4] = {others[0].request, others[1].request, second.request, reduction};
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  CHECK(sum == size * (size - 1) / 2);
  MPI_Comm made[4] = {others[0].copy, others[1].copy, second.copy, first.copy};
  for (int i = 0; i < 4; ++i) {
    int one = 1;
    MPI_Request all[4];
    int sums[4];
    for (int k = 0; k < 4; ++k) MPI_Iallreduce(&one, &sums[k], 1, MPI_INT, MPI_SUM, made[(k + rank) % 4], &all[k]);
    MPI_Waitall(4, all, MPI_STATUSES_IGNORE);
    for (int k = 0; k < 4; ++k) CHECK(sums[k] == size);
  }
  for (int i = 0; i < 4; ++i) MPI_Comm_free(&made[i]);
}

static void persistent_ones(void) {
  int value = -1, one = 1, sum = 0;
  MPI_Request requests[3];
  MPI_Bcast_init(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  MPI_Allreduce_init(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]);
  for (int round = 0; round < 3; ++round) {
    value = rank == 0 ? 42 + round : -1;
    if (rank == 1) {
      MPI_Startall(3, requests);
    } else {
      for (int i = 0; i < 3; ++i) MPI_Start(&requests[(i + rank + round) % 3]);
    }
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    CHECK(value == 42 + round && sum == size);
    check_sum(MPI_COMM_WORLD, size);
  }
  for (int i = 0; i < 3; ++i) MPI_Request_free(&requests[i]);
}

/* Adds pairs, and asks for the type that it is handed. */
static void add_pairs(void *in, void *inout, int *count, MPI_Datatype *type) {
  int bytes = 0;
  MPI_Type_size(*type, &bytes);
  CHECK(bytes == 2 * (int)sizeof(int));
  for (int i = 0; i < 2 * *count; ++i) ((int *)inout)[i] += ((int *)in)[i];
}
static void make(MPI_Datatype *pair, MPI_Op *op) {
  MPI_Type_contiguous(2, MPI_INT, pair);
  MPI_Type_commit(pair);
  MPI_Op_create(add_pairs, 1, op);
}

static void freed_arguments(void) {
  MPI_Datatype pair;
  MPI_Op op;
  MPI_Request request;
  int own[2] = {1, rank}, sum[2] = {0, 0};
  make(&pair, &op);
  MPI_Iallreduce(own, sum, 1, pair, op, MPI_COMM_WORLD, &request);
  MPI_Type_free(&pair);
  MPI_Op_free(&op);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(sum[0] == size && sum[1] == size * (size - 1) / 2);
  make(&pair, &op);
  MPI_Allreduce_init(own, sum, 1, pair, op, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Type_free(&pair);
  MPI_Op_free(&op);
  for (int round = 0; round < 2; ++round) {
    own[0] = 10 + round;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(sum[0] == (10 + round) * size && sum[1] == size * (size - 1) / 2);
  }
  MPI_Request_free(&request);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  first_on_a_communicator();
  copies();
  persistent_ones();
  freed_arguments();
  return end();
}
