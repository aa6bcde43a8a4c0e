/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong calls, one for each word that the program is given. */
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
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

static void meets(void *in, void *inout, int *count, MPI_Datatype *type) { MPI_Barrier(MPI_COMM_WORLD); }
static void exits(void *in, void *inout, int *count, MPI_Datatype *type) { exit(3); }

static jmp_buf before_call;
static void jumps(void *in, void *inout, int *count, MPI_Datatype *type) { longjmp(before_call, 1); }

static void reduce_by(MPI_User_function *function, int is_nonblocking) {
  int given = 1, sum;
  MPI_Op operation;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Op_create(function, 1, &operation);
  if (is_nonblocking)
    MPI_Iallreduce(&given, &sum, 1, MPI_INT, operation, MPI_COMM_WORLD, &request);
  else
    MPI_Allreduce(&given, &sum, 1, MPI_INT, operation, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
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

/* expects no_root: all ranks call MPI_Bcast at calls\.c:\d+, and none of them with MPI_ROOT */
static void no_root(void) {
  int data = 1;
  MPI_Bcast(&data, 1, MPI_INT, rank == 1 ? 0 : MPI_PROC_NULL, two_groups());
}

/* expects two_roots: rank \d calls MPI_Gather at calls\.c:\d+ with root MPI_ROOT, where rank \d calls MPI_Gather at calls\.c:\d+ with root MPI_ROOT in the same group */
static void two_roots(void) {
  int data = 1, all[2];
  MPI_Gather(&data, 1, MPI_INT, all, 1, MPI_INT, rank == 1 ? 0 : MPI_ROOT, two_groups());
}

/* expects named_root: rank \d calls MPI_Reduce at calls\.c:\d+ with root \S+, where rank \d calls MPI_Reduce at calls\.c:\d+ with root \S+ in the other group */
static void named_root(void) {
  int data = 1, sum;
  MPI_Reduce(&data, &sum, 1, MPI_INT, MPI_SUM, rank == 1 ? 0 : rank == 2 ? MPI_ROOT : MPI_PROC_NULL, two_groups());
}

/* expects high: rank 2 calls MPI_Intercomm_merge at calls\.c:\d+ with low, where rank 0 calls MPI_Intercomm_merge at calls\.c:\d+ with high */
static void high(void) {
  MPI_Comm merged;
  MPI_Intercomm_merge(two_groups(), rank < 2, &merged);
}

/* expects bytes: rank 1 calls MPI_Allreduce at calls\.c:\d+ with 4 x MPI_BYTE, where rank 0 calls MPI_Allreduce at calls\.c:\d+ with 1 x MPI_INT */
static void bytes(void) {
  int sum;
  MPI_Allreduce(&rank, &sum, rank == 1 ? 4 : 1, rank == 1 ? MPI_BYTE : MPI_INT, MPI_BOR, MPI_COMM_WORLD);
}

/* expects block: rank 1 calls MPI_Reduce_scatter_block at calls\.c:\d+ with 1 x MPI_FLOAT, where rank 0 calls MPI_Reduce_scatter_block at calls\.c:\d+ with 1 x MPI_INT */
static void block(void) {
  int given[8] = {0}, sum;
  MPI_Reduce_scatter_block(given, &sum, 1, rank == 1 ? MPI_FLOAT : MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/* expects displaced: rank \d failed .*: MPI_Alltoallv at calls\.c:\d+: the send buffer is a null pointer and 4 bytes, for 1 x MPI_INT */
static void displaced(void) {
  int one[8] = {0, 1}, none[8] = {0}, got;
  MPI_Alltoallv(NULL, one, one, MPI_INT, &got, none, none, MPI_INT, MPI_COMM_WORLD);
}

/* expects far: rank 0 waits in MPI_Recv\(1 x MPI_INT, source 0 of the other group, tag 5\) at calls\.c:\d+\n */
static void far(void) {
  if (rank == 0) MPI_Recv(&size, 1, MPI_INT, 0, 5, two_groups(), MPI_STATUS_IGNORE);
  else two_groups();
}

/* expects grid: rank 2 calls MPI_Cart_create at calls\.c:\d+ with sizes 1 x 3 and periods 0 0, where rank 0 calls MPI_Cart_create at calls\.c:\d+ with sizes 3 x 1 and periods 0 0 */
static void grid(void) {
  const int sizes[] = {3, 1, 3}, periods[2] = {0};
  MPI_Comm made;
  MPI_Cart_create(MPI_COMM_WORLD, 2, &sizes[rank / 2], periods, 0, &made);
}

/* expects edge: MPI_Dist_graph_create_adjacent at calls\.c:\d+: rank 0 names rank 1 2 times as a destination, and that names it once as a source */
static void edge(void) {
  const int before[] = {(rank + 2) % 3}, after[] = {(rank + 1) % 3, 1};
  MPI_Comm made;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, before, MPI_UNWEIGHTED, rank == 0 ? 2 : 1, after, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
}

/* expects groups: rank 1 failed .*: MPI_Comm_create at calls\.c:\d+: the group is of ranks 0, 1, 2 of the world, and .* ranks 0, 1 are in their own */
static void groups(void) {
  MPI_Group all, some;
  MPI_Comm made;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  const int ranks[] = {0, 1, 2};
  MPI_Group_incl(all, rank == 1 ? 3 : 2, ranks, &some);
  MPI_Comm_create(MPI_COMM_WORLD, some, &made);
}

/* expects not_made_yet: rank 0 failed .*: MPI_Barrier at calls\.c:\d+: the communicator is used before the request of MPI_Comm_idup is complete */
static void not_made_yet(void) {
  MPI_Comm copy;
  MPI_Request request;
  MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
  MPI_Barrier(copy);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* expects stale: MPI_Waitall at calls\.c:\d+: the request at place 1 of the list has been freed */
static void stale(void) {
  MPI_Request requests[2];
  MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
  requests[1] = requests[0];
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  requests[1] = requests[0];
  requests[0] = MPI_REQUEST_NULL;
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* Whoever has room for less than the root sends gets the class of a receive that is too short. */
/* expects lengths: (?s)rank 2 got MPI_ERR_TRUNCATE.*MPI_Bcast at calls\.c:\d+ with 1 x MPI_INT, where rank 0 calls MPI_Bcast at calls\.c:\d+ with 2 x MPI_INT */
static void lengths(void) {
  int data[2] = {0};
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (MPI_Bcast(data, rank == 2 ? 1 : 2, MPI_INT, 0, MPI_COMM_WORLD) == MPI_ERR_TRUNCATE) fprintf(stderr, "rank %d got MPI_ERR_TRUNCATE\n", rank);
}

/* expects exchange: rank \d calls MPI_Alltoallv at calls\.c:\d+ with \d bytes (for|from) rank \d, where rank \d calls MPI_Alltoallv at calls\.c:\d+ with \d bytes (for|from) rank \d */
static void exchange(void) {
  const int counts[] = {1, 1, 1}, more[] = {2, 1, 1}, places[] = {0, 2, 4};
  int sent[6] = {0}, got[6];
  MPI_Alltoallv(sent, counts, places, MPI_INT, got, rank == 1 ? more : counts, places, MPI_INT, MPI_COMM_WORLD);
}

/* expects gathered: rank \d calls MPI_Allgatherv at calls\.c:\d+ with \d bytes for rank 2, where rank \d calls MPI_Allgatherv at calls\.c:\d+ with \d bytes for rank 2 */
static void gathered(void) {
  const int counts[] = {1, 1, rank == 1 ? 2 : 1}, places[] = {0, 1, 2};
  int all[4];
  MPI_Allgatherv(&rank, 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
}

/* expects before: the receive buffer of 4 bytes begins 20 bytes before a block that was allocated at calls\.c:\d+, of 12 bytes */
static void before(void) {
  const int counts[] = {1, 1, 1}, places[] = {0, 1, -5};
  MPI_Allgatherv(&rank, 1, MPI_INT, malloc(12), counts, places, MPI_INT, MPI_COMM_WORLD);
}

/* expects within: rank \d failed .*: MPI_Barrier at calls\.c:\d+: called within an operation */
static void within(void) {
  reduce_by(meets, 0);
}

/* expects within_begun: rank \d failed .*: MPI_Barrier at calls\.c:\d+: called within an operation */
static void within_begun(void) {
  reduce_by(meets, 1);
}

/* expects end_within: MPI_Allreduce at calls\.c:\d+: an operation of the program's has called exit with 3 */
static void end_within(void) {
  reduce_by(exits, 0);
}

/* expects in_place: rank 1 calls MPI_Alltoall at calls\.c:\d+ with MPI_IN_PLACE, where rank 0 calls MPI_Alltoall at calls\.c:\d+ without MPI_IN_PLACE */
static void in_place(void) {
  int sent[3] = {0}, got[3] = {0};
  MPI_Alltoall(rank == 1 ? MPI_IN_PLACE : sent, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
}

/* expects polls: rank 0 waits by polling in MPI_Test at calls\.c:\d+ for MPI_Irecv\(.*\n(.*\n)*  rank 0 waits for tag 1, rank 1 sent tag 0:  */
static void polls(void) {
  int data = 1, is_done = 0;
  MPI_Request request;
  if (rank == 0) MPI_Irecv(&data, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
  if (rank == 1) MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  while (rank == 0 && !is_done) MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
}

/* expects addresses: rank 0 failed .*: MPI_Bcast at calls\.c:\d+: the send buffer begins where no program has memory */
static void addresses(void) {
  int *data = calloc(1, sizeof *data), one = 1;
  MPI_Aint address;
  MPI_Datatype type;
  MPI_Get_address(data, &address);
  MPI_Type_create_hindexed(1, &one, &address, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Bcast(data, 1, type, 0, MPI_COMM_WORLD);
}

/* expects received_into: rank 0 failed .*: MPI_Iallreduce at calls\.c:\d+: its receive buffer and the receive buffer of MPI_Irecv at calls\.c:\d+, which is under way, overlap */
static void received_into(void) {
  int given = 1, got;
  MPI_Request requests[2];
  MPI_Irecv(&got, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Iallreduce(&given, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* expects jump: rank \d failed in MPI_Barrier at calls\.c:\d+: it has left an operation of its own \(MPI_Op_create\) by a jump */
static void jump(void) {
  if (setjmp(before_call) == 0) reduce_by(jumps, 0);
  MPI_Barrier(MPI_COMM_WORLD);
}

/* expects for_ever: endless: ranks poll for ever.*\n  rank 0 waits in MPI_Iprobe\(any source, tag 3\) at calls\.c:\d+ */
static void for_ever(void) {
  volatile double now;
  for (int is_there = 0; !is_there; now = MPI_Wtime()) MPI_Iprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
}

/* expects cancelled: (?s)deadlock.*# rank 0: MPI_Cancel at calls\.c:\d+: the message of MPI_Issend at calls\.c:\d+ to rank 1 \(tag 4\) was cancelled */
static void cancelled(void) {
  MPI_Request request;
  if (rank == 1) MPI_Recv(&size, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank != 0) return;
  MPI_Issend(&rank, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static int ones[3] = {1, 1, 1}, places[3] = {0, 1, 2}, values[3];

/* expects lists: rank 1 failed .*: MPI_Wait at calls\.c:\d+: the list of counts, displacements or types of MPI_Iallgatherv at calls\.c:\d+ was written to before that was over */
static void lists(void) {
  MPI_Request request;
  MPI_Iallgatherv(&rank, 1, MPI_INT, values, ones, places, MPI_INT, MPI_COMM_WORLD, &request);
  if (rank == 1) places[1] = 0;
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* expects kept_lists: rank 2 failed .*: MPI_Start at calls\.c:\d+: a list of counts, displacements or types of MPI_Reduce_scatter_init at calls\.c:\d+ was written to since */
static void kept_lists(void) {
  int given[3] = {0}, got;
  MPI_Request request;
  MPI_Reduce_scatter_init(given, &got, ones, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  if (rank == 2) ones[0] = 0, ones[1] = 2;
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* expects detached: rank 0 failed .*: MPI_Buffer_detach at calls\.c:\d+: the buffer of MPI_Buffer_attach at calls\.c:\d+ was written to or freed since */
static void detached(void) {
  int size = 1 << 20;
  void *room = malloc(size);
  MPI_Buffer_attach(room, size);
  free(room);
  MPI_Buffer_detach(&room, &size);
}

/* expects reused: rank 1 failed .*: MPI_Bsend at calls\.c:\d+: the buffer of MPI_Buffer_attach at calls\.c:\d+ was written to or freed since */
static void reused(void) {
  static char room[2000];
  MPI_Buffer_attach(room, sizeof room);
  if (rank == 1) room[77] = 1;
  MPI_Bsend(&rank, 1, MPI_INT, rank, 0, MPI_COMM_WORLD);
  MPI_Recv(&size, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
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
    {"no_root", no_root},
    {"two_roots", two_roots},
    {"named_root", named_root},
    {"high", high},
    {"bytes", bytes},
    {"block", block},
    {"displaced", displaced},
    {"far", far},
    {"grid", grid},
    {"edge", edge},
    {"groups", groups},
    {"not_made_yet", not_made_yet},
    {"stale", stale},
    {"lengths", lengths},
    {"exchange", exchange},
    {"gathered", gathered},
    {"before", before},
    {"within", within},
    {"within_begun", within_begun},
    {"end_within", end_within},
    {"in_place", in_place},
    {"polls", polls},
    {"addresses", addresses},
    {"received_into", received_into},
    {"jump", jump},
    {"for_ever", for_ever},
    {"cancelled", cancelled},
    {"lists", lists},
    {"kept_lists", kept_lists},
    {"detached", detached},
    {"reused", reused},
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
