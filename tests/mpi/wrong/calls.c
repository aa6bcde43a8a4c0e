/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong calls, one for each word that the program is given. */
#include <mpi.h>
#include <string.h>

static int rank, size;

static MPI_Comm ring(void) {
  MPI_Comm made;
  const int is_periodic = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &is_periodic, 0, &made);
  return made;
}

/* Even ranks and odd ones. */
static MPI_Comm two_groups(void) {
  MPI_Comm half, made;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 ? 0 : 1, 7, &made);
  return made;
}

/* expects message: rank 0 waits in MPI_Recv\(.*\) at calls\.c:\d+, and rank 1 has sent to it by MPI_Gather at calls\.c:\d+: only the same call */
static void message(void) {
  int sent = 1, got[3];
  if (rank == 0)
    MPI_Recv(got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Gather(&sent, 1, MPI_INT, got, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

/* expects taken: from rank 0 to rank 1 \(tag 1\), sent by MPI_Send\(.*\) at calls\.c:\d+, which rank 1 has taken by a matched probe */
static void taken(void) {
  int data = 1;
  MPI_Message found;
  if (rank == 0) MPI_Send(&data, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  if (rank != 1) return;
  MPI_Mprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  MPI_Recv(&data, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* expects shorter: rank \d failed .*: MPI_Neighbor_alltoall at calls\.c:\d+: rank 0 has sent 1 x MPI_INT, and the block for it is of 2 x MPI_INT */
static void shorter(void) {
  int sent[4] = {0}, got[4];
  MPI_Neighbor_alltoall(sent, rank == 0 ? 1 : 2, MPI_INT, got, 2, MPI_INT, ring());
}

/* expects other_type: rank \d failed .*: MPI_Ineighbor_allgather at calls\.c:\d+: rank 2 has sent 1 x MPI_FLOAT, and the block for it is of 1 x MPI_INT */
static void other_type(void) {
  float number = 1;
  int sent = 1, got[2];
  MPI_Request request;
  MPI_Ineighbor_allgather(rank == 2 ? (void *)&number : &sent, 1, rank == 2 ? MPI_FLOAT : MPI_INT, got, 1, MPI_INT, ring(), &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* expects other_group: rank \d failed .*: MPI_Allgather at calls\.c:\d+: rank 0 of the other group has sent 1 x MPI_INT, and the block for it is of 2 x MPI_INT */
static void other_group(void) {
  int sent[2] = {0}, got[4];
  MPI_Allgather(sent, rank == 1 ? 1 : 2, MPI_INT, got, 2, MPI_INT, two_groups());
}

/* expects read_early: rank 0 failed .*: MPI_Send at calls\.c:\d+: its send buffer and the receive buffer of MPI_Ibcast at calls\.c:\d+, which is under way, overlap */
static void read_early(void) {
  int data = 1;
  MPI_Request request;
  MPI_Ibcast(&data, 1, MPI_INT, 1, MPI_COMM_WORLD, &request);
  if (rank == 0) MPI_Send(&data, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* expects started: rank 0 failed .*: MPI_Bcast at calls\.c:\d+: its send buffer and the receive buffer of MPI_Allreduce_init at calls\.c:\d+, which is under way, overlap */
static void started(void) {
  int given = 1, sum;
  MPI_Request request;
  MPI_Allreduce_init(&given, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  for (int i = 0; i < 2; ++i) {
    MPI_Start(&request);
    if (i == 1) MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

static const struct {
  const char *word;
  void (*call)(void);
} table[] = {
    {"message", message},
    {"taken", taken},
    {"shorter", shorter},
    {"other_type", other_type},
    {"other_group", other_group},
    {"read_early", read_early},
    {"started", started},
};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (unsigned i = 0; i < sizeof table / sizeof *table; ++i)
    if (strcmp(table[i].word, argv[1]) == 0) table[i].call();
  MPI_Finalize();
  return 0;
}
