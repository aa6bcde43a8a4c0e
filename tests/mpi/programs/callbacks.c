/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the program's that MPI calls: each is called as its own rank, though others have run since the call began. */
#include "check.h"

static int calls;

static void who(void) {
  int it = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &it);
  CHECK(it == rank);
  ++calls;
}
static void handle(MPI_Comm* comm, int* code, ...) { who(); }
static int copy(MPI_Comm comm, int key, void* extra, void* value, void* to, int* is_copied) {
  who();
  *is_copied = 1;
  return MPI_SUCCESS;
}
static int drop(MPI_Comm comm, int key, void* value, void* extra) {
  who();
  return MPI_SUCCESS;
}
static int query(void* extra, MPI_Status* status) {
  who();
  MPI_Status_set_elements(status, MPI_INT, 0);
  MPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}
static int release(void* extra) {
  who();
  return MPI_SUCCESS;
}
static int cancel(void* extra, int is_complete) { return MPI_SUCCESS; }
static void combine(void* in, void* inout, int* count, MPI_Datatype* type) {
  who();
  MPI_Reduce_local(in, inout, *count, *type, MPI_SUM);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  int given[4] = {0}, got[4], key;
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  MPI_Comm world, other;
  MPI_Errhandler handler;
  MPI_Request requests[2];
  MPI_Op op;
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(world, handler);
  MPI_Isend(given, 4, MPI_INT, next, 0, world, requests);
  MPI_Recv(got, 2, MPI_INT, previous, 0, world, MPI_STATUS_IGNORE);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
  CHECK(calls == 1);

  MPI_Comm_create_keyval(copy, drop, &key, NULL);
  MPI_Comm_set_attr(world, key, NULL);
  MPI_Comm_dup(world, &other);
  MPI_Comm_disconnect(&other);
  CHECK(calls == 3);

  MPI_Grequest_start(query, release, cancel, NULL, requests);
  MPI_Grequest_complete(requests[0]);
  MPI_Irecv(got, 4, MPI_INT, previous, 1, world, requests + 1);
  MPI_Send(given, 4, MPI_INT, next, 1, world);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(calls == 5);

  MPI_Op_create(combine, 1, &op);
  given[0] = 1;
  MPI_Allreduce(given, got, 1, MPI_INT, op, world);
  MPI_Iallreduce(given, got + 1, 1, MPI_INT, op, world, requests);
  MPI_Wait(requests, MPI_STATUS_IGNORE);
  CHECK(got[0] == size && got[1] == size);
  MPI_Op_free(&op);
  MPI_Errhandler_free(&handler);
  MPI_Comm_free_keyval(&key);
  MPI_Comm_free(&world);
  return end();
}
