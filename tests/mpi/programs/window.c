/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of receives into one buffer, as benchmarks of bandwidth have them: the last message stays. So does the last block of an exchange
 * whose displacements are in elements where MPI counts bytes. */
#include <mpi.h>
#include <stdio.h>

enum { WINDOW = 8, COUNT = 1000 };

static int sent[WINDOW][COUNT], got[COUNT];
static MPI_Request requests[WINDOW];

static void send_window(int to, int first) {
  for (int i = 0; i < WINDOW; ++i) {
    for (int k = 0; k < COUNT; ++k) sent[i][k] = first + i;
    MPI_Isend(sent[i], COUNT, MPI_INT, to, 100, MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
  MPI_Recv(0, 0, MPI_INT, to, 101, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void receive_window(int source, int tag) {
  for (int i = 0; i < WINDOW; ++i) MPI_Irecv(got, COUNT, MPI_INT, source, tag, MPI_COMM_WORLD, &requests[i]);
  MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
  printf("%d %d\n", got[0], got[COUNT - 1]);
  MPI_Send(0, 0, MPI_INT, 0, 101, MPI_COMM_WORLD);
}

/* The second vector gets the first one, and the first one, which is input alone, gets the second. */
static void swap(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) {
    const int first = ((int*)in)[i];
    ((int*)in)[i] = ((int*)inout)[i];
    ((int*)inout)[i] = first;
  }
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    for (int window = 0; window < 4; ++window) send_window(1, 10 * window);
  if (rank == 1) {
    receive_window(0, 100);
    receive_window(MPI_ANY_SOURCE, MPI_ANY_TAG);
    receive_window(0, 100);
    for (int i = 0; i < WINDOW; ++i) MPI_Recv_init(got, COUNT, MPI_INT, 0, 100, MPI_COMM_WORLD, &requests[i]);
    MPI_Startall(WINDOW, requests);
    MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
    printf("%d %d\n", got[0], got[COUNT - 1]);
    for (int i = 0; i < WINDOW; ++i) MPI_Request_free(&requests[i]);
    MPI_Send(0, 0, MPI_INT, 0, 101, MPI_COMM_WORLD);
  }
  const int ones[2] = {1, 1}, places[2] = {0, 1};
  const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
  unsigned char from[5] = {rank + 1, rank + 1, rank + 1, rank + 1, rank + 1}, to[6] = {0};
  MPI_Alltoallw(from, ones, places, types, to, ones, places, types, MPI_COMM_WORLD);
  if (rank == 0) printf("%d %d%d%d%d\n", to[0], to[1], to[2], to[3], to[4]);
  const int both[2] = {0, 1};
  const MPI_Aint addresses[2] = {0, 1};
  MPI_Comm graph;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, both, MPI_UNWEIGHTED, 2, both, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  MPI_Neighbor_alltoallw(from, ones, addresses, types, to + rank, ones, addresses, types, graph);
  if (rank == 1) printf("%d %d%d%d%d\n", to[1], to[2], to[3], to[4], to[5]);
  MPI_Comm_free(&graph);
  const int given = 5 + rank;
  int first;
  MPI_Op operation;
  MPI_Op_create(swap, 0, &operation);
  MPI_Allreduce(&given, &first, 1, MPI_INT, operation, MPI_COMM_WORLD);
  MPI_Op_free(&operation);
  if (rank == 1) printf("%d of %d\n", first, given);
  MPI_Finalize();
  return 0;
}
