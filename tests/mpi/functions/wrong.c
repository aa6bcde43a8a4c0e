/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives with one planted bug each. The line before each says how it is handed over and what must be said of it:
   "runs: COLLECTIVE OPTIONS expects: regex". mpi_functions.py fuzzes them. */
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define RANK_AND_SIZE(comm) \
  int rank, size;           \
  MPI_Comm_rank(comm, &rank), MPI_Comm_size(comm, &size)
#define ALLREDUCE(name) int name(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
#define BROADCAST(name) int name(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
#define ALLGATHER(name) int name(const void *send, int sent, MPI_Datatype type, void *recv, int count, MPI_Datatype into, MPI_Comm comm)

static MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint lower, extent;
  MPI_Type_get_extent(type, &lower, &extent);
  return extent;
}
static size_t begin(const void *send, void *recv, int count, MPI_Datatype type) {
  const size_t bytes = (size_t)count * (size_t)extent_of(type);
  if (send != MPI_IN_PLACE) memcpy(recv, send, bytes);
  return bytes;
}

/* Tags: the lower rank of a pair sends with another tag than it is received with. */
/* runs: broadcast expects: (?s)deadlock.*MPI_Recv\(.*tag 1\) at wrong\.c:\d+ */
BROADCAST(other_tag) {
  RANK_AND_SIZE(comm);
  if (rank == root)
    for (int r = 0; r < size; ++r) r != root ? MPI_Send(buffer, count, type, r, 0, comm) : 0;
  else
    MPI_Recv(buffer, count, type, root, 1, comm, MPI_STATUS_IGNORE);
  return MPI_SUCCESS;
}

/* Counts: the last rank receives one element less. */
/* runs: broadcast expects: MPI_Recv at wrong\.c:\d+.*the message of rank \d+ with tag 0 has \d+ x \S+, and the receive room for */
BROADCAST(short_receive) {
  RANK_AND_SIZE(comm);
  if (rank == root)
    for (int r = 0; r < size; ++r) r != root ? MPI_Send(buffer, count, type, r, 0, comm) : 0;
  else
    MPI_Recv(buffer, rank == size - 1 && count > 0 ? count - 1 : count, type, root, 0, comm, MPI_STATUS_IGNORE);
  return MPI_SUCCESS;
}

/* Counts: the root forgets the rest of the division. */
/* runs: broadcast expects: (?s)wrong_result.*never written.*missing: element \d+ of rank \d+ */
BROADCAST(forgets_rest) {
  RANK_AND_SIZE(comm);
  const int each = count / size;
  for (int part = 0; part < size; ++part) {
    char *const at = (char *)buffer + part * each * extent_of(type);
    if (rank != root) MPI_Recv(at, each, type, root, part, comm, MPI_STATUS_IGNORE);
    else
      for (int r = 0; r < size; ++r) r != root ? MPI_Send(at, each, type, r, part, comm) : 0;
  }
  return MPI_SUCCESS;
}

/* Displacements: in bytes of an int, whatever the type. */
/* runs: allgather expects: (wrong_result|usage|input_changed|ended) */
ALLGATHER(int_displacements) {
  RANK_AND_SIZE(comm);
  char *const own = (char *)recv + rank * count * (int)sizeof(int);
  if (send != MPI_IN_PLACE) memcpy(own, send, (size_t)(sent * extent_of(type)));
  for (int step = 1; step < size; ++step)
    MPI_Sendrecv(own, count, into, (rank + step) % size, 0, (char *)recv + (rank + size - step) % size * count * (int)sizeof(int), count, into,
                 (rank + size - step) % size, 0, comm, MPI_STATUS_IGNORE);
  return MPI_SUCCESS;
}

/* Displacements: the block is put where the rank before belongs. */
/* runs: allgather in_place=no expects: (?s)wrong_result.*cause: the message from rank \d+ to rank \d+ .*brought element \d+ of rank \d+ where element */
ALLGATHER(wrong_block) {
  RANK_AND_SIZE(comm);
  const MPI_Aint block = count * extent_of(into);
  for (int step = 0; step < size; ++step) {
    const int from = (rank + size - step) % size;
    MPI_Sendrecv(send, sent, type, (rank + step) % size, 0, (char *)recv + (from + 1) % size * block, count, into, from, 0, comm,
                 MPI_STATUS_IGNORE);
  }
  return MPI_SUCCESS;
}

/* Datatypes: sent as doubles, received as what they are. */
/* runs: broadcast expects: (?s)MPI_Recv at wrong\.c:\d+.*MPI_DOUBLE|wrong_result.*shorter than its receive */
BROADCAST(as_doubles) {
  RANK_AND_SIZE(comm);
  if (rank == root)
    for (int r = 0; r < size; ++r) r != root ? MPI_Send(buffer, (int)(count * extent_of(type) / 8), MPI_DOUBLE, r, 0, comm) : 0;
  else
    MPI_Recv(buffer, count, type, root, 0, comm, MPI_STATUS_IGNORE);
  return MPI_SUCCESS;
}

/* Datatypes: a derived type that was not committed. */
/* runs: broadcast expects: MPI_(Send|Recv) at wrong\.c:\d+.*has not been committed: MPI_Type_commit */
BROADCAST(uncommitted) {
  RANK_AND_SIZE(comm);
  MPI_Datatype all;
  MPI_Type_contiguous(count, type, &all);
  if (rank == root)
    for (int r = 0; r < size; ++r) r != root ? MPI_Send(buffer, 1, all, r, 0, comm) : 0;
  else
    MPI_Recv(buffer, 1, all, root, 0, comm, MPI_STATUS_IGNORE);
  MPI_Type_free(&all);
  return MPI_SUCCESS;
}

/* Datatypes: a vector with a stride of one element too many. */
/* runs: broadcast expects: MPI_Recv at wrong\.c:\d+: the buffer of \d+ bytes begins at byte 0 of the output of the call, of \d+ bytes, and ends */
BROADCAST(wide_stride) {
  RANK_AND_SIZE(comm);
  MPI_Datatype all;
  MPI_Type_vector(count, 1, count > 4 ? 2 : 1, type, &all);
  MPI_Type_commit(&all);
  if (rank == root)
    for (int r = 0; r < size; ++r) r != root ? MPI_Send(buffer, count, type, r, 0, comm) : 0;
  else
    MPI_Recv(buffer, 1, all, root, 0, comm, MPI_STATUS_IGNORE);
  MPI_Type_free(&all);
  return MPI_SUCCESS;
}

/* Aliasing: sends from where it receives. */
/* runs: allreduce expects: overlap: MPI_Sendrecv\(.*\) at wrong\.c:\d+ and MPI_Sendrecv\(.*\) at wrong\.c:\d+.*; each needs memory of its own, for as long as it is open; the message from rank \d+ is of */
ALLREDUCE(aliased_exchange) {
  RANK_AND_SIZE(comm);
  begin(send, recv, count, type);
  for (int distance = 1; distance < size; distance *= 2)
    MPI_Sendrecv(recv, count, type, (rank + distance) % size, 0, recv, count, type, (rank + size - distance) % size, 0, comm, MPI_STATUS_IGNORE);
  (void)op;
  return MPI_SUCCESS;
}

/* Aliasing: adds its result onto the input. */
/* runs: allreduce ranks=power_of_two:op=commutative expects: (?s)input_changed.*rank \d+|MPI_Sendrecv at wrong\.c:\d+.*MPI_IN_PLACE */
ALLREDUCE(changes_input) {
  RANK_AND_SIZE(comm);
  begin(send, recv, count, type);
  for (int distance = 1; distance < size; distance *= 2) {
    MPI_Sendrecv(recv, count, type, rank ^ distance, 0, (void *)send, count, type, rank ^ distance, 0, comm, MPI_STATUS_IGNORE);
    MPI_Reduce_local(send, recv, count, type, op);
  }
  return MPI_SUCCESS;
}

/* Aliasing: MPI_IN_PLACE is taken for an address. */
/* runs: allreduce ranks=2-64 expects: MPI_Reduce at wrong\.c:\d+: .*MPI_IN_PLACE */
ALLREDUCE(no_in_place) {
  MPI_Reduce(send, recv, count, type, op, 0, comm);
  return MPI_Bcast(recv, count, type, 0, comm);
}

/* Requests: a missing wait for the receive. */
/* runs: broadcast expects: (?s)missing_wait returned on rank \d+, and the request of MPI_Irecv at wrong\.c:\d+ was never completed */
BROADCAST(missing_wait) {
  RANK_AND_SIZE(comm);
  MPI_Request request;
  if (rank == root)
    for (int r = 0; r < size; ++r) r != root ? MPI_Send(buffer, count, type, r, 0, comm) : 0;
  else
    MPI_Irecv(buffer, count, type, root, 0, comm, &request);
  return MPI_SUCCESS;
}

/* Requests: waits for the first of two alone. */
/* runs: allgather in_place=no expects: (half_wait returned on rank \d+, and the request of MPI_Isend at wrong\.c:\d+ was never completed) */
ALLGATHER(half_wait) {
  RANK_AND_SIZE(comm);
  const MPI_Aint block = count * extent_of(into);
  MPI_Request requests[2];
  for (int step = 0; step < size; ++step) {
    const int from = (rank + size - step) % size;
    MPI_Irecv((char *)recv + from * block, count, into, from, 0, comm, &requests[0]);
    MPI_Isend(send, sent, type, (rank + step) % size, 0, comm, &requests[1]);
    MPI_Waitall(1, requests, MPI_STATUSES_IGNORE);
  }
  return MPI_SUCCESS;
}

/* Requests: the buffer is used before the wait. */
/* runs: allreduce op=commutative:ranks=power_of_two expects: (wrong_result|usage|order) */
ALLREDUCE(early_use) {
  RANK_AND_SIZE(comm);
  const size_t bytes = begin(send, recv, count, type);
  char *const theirs = calloc(bytes + 1, 1);
  for (int distance = 1; distance < size; distance *= 2) {
    MPI_Request both[2];
    MPI_Irecv(theirs, count, type, rank ^ distance, 0, comm, &both[0]);
    MPI_Isend(recv, count, type, rank ^ distance, 0, comm, &both[1]);
    MPI_Reduce_local(theirs, recv, count, type, op);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  }
  free(theirs);
  return MPI_SUCCESS;
}

/* Overruns: room for one block, and two are received. */
/* runs: allgather in_place=no expects: MPI_Recv at wrong\.c:\d+: the buffer of \d+ bytes begins at byte \d+ of a block that was allocated at wrong\.c:\d+, of \d+ bytes */
ALLGATHER(small_room) {
  RANK_AND_SIZE(comm);
  const MPI_Aint block = count * extent_of(into);
  char *const room = malloc((size_t)((size - 1) * block));
  if (rank != 0) MPI_Send(send, sent, type, 0, 0, comm);
  if (rank == 0) {
    memcpy(recv, send, (size_t)block);
    for (int r = 1; r < size; ++r) MPI_Recv(room + r * block, count, into, r, 0, comm, MPI_STATUS_IGNORE);
    memcpy((char *)recv + block, room + block, (size_t)((size - 1) * block));
  }
  free(room);
  return MPI_Bcast(recv, size * count, into, 0, comm);
}

/* Overruns: a copy of its own writes one byte behind its block. */
/* runs: allreduce expects: rank \d+ failed at \S+: it wrote behind the end of a block of \d+ bytes allocated at wrong\.c:\d+, at byte \d+ \(found at wrong\.c:\d+\) */
ALLREDUCE(one_byte_more) {
  const size_t bytes = begin(send, recv, count, type);
  char *const copy = malloc(bytes);
  memcpy(copy, recv, bytes);
  copy[bytes] = 0;
  MPI_Allreduce(copy, recv, count, type, op, comm);
  free(copy);
  return MPI_SUCCESS;
}

/* Overruns: one byte before the block, which is never freed. */
/* runs: allreduce expects: rank \d+ failed at \S+: it wrote before the beginning of a block of \d+ bytes allocated at wrong\.c:\d+ */
ALLREDUCE(one_byte_before) {
  const size_t bytes = begin(send, recv, count, type);
  char *const copy = malloc(bytes + 1);
  memcpy(copy, recv, bytes);
  copy[-1] = 0;
  return MPI_Allreduce(copy, recv, count, type, op, comm);
}

/* The world in place of the communicator. */
/* runs: broadcast expects: (wrong_result|deadlock|usage|hygiene) */
BROADCAST(world) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == root)
    for (int r = 0; r < size; ++r) r != root ? MPI_Send(buffer, count, type, r, 0, comm) : 0;
  else
    MPI_Recv(buffer, count, type, root, 0, comm, MPI_STATUS_IGNORE);
  return MPI_SUCCESS;
}

/* Sends on the world what is received on the communicator. */
/* runs: broadcast expects: (?s)deadlock.*MPI_Recv\(.* at wrong\.c:\d+ */
BROADCAST(half_world) {
  RANK_AND_SIZE(comm);
  if (rank == root)
    for (int r = 0; r < size; ++r) r != root ? MPI_Send(buffer, count, type, r, 0, MPI_COMM_WORLD) : 0;
  else
    MPI_Recv(buffer, count, type, root, 0, comm, MPI_STATUS_IGNORE);
  return MPI_SUCCESS;
}

/* All ranks of the world call it here, and nobody waits in vain. */
/* runs: broadcast ranks=2-64 expects: MPI_Barrier at wrong\.c:\d+: it is called on MPI_COMM_WORLD, and the function was given another */
BROADCAST(world_barrier) {
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Bcast(buffer, count, type, root, comm);
}

/* Overruns: an array of its own has room for seven ranks. */
/* runs: barrier ranks=8 expects: rank \d+ failed at \S+: in few_ranks at wrong\.c:\d+: bytes behind its local variables were written */
int few_ranks(MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  char ranks[7];
  MPI_Allgather(&(char){(char)rank}, 1, MPI_CHAR, ranks, 1, MPI_CHAR, comm);
  return ranks[0] == 0 ? MPI_SUCCESS : MPI_ERR_OTHER;
}

/* The order of operands, which not all operations forgive. */
/* runs: allreduce ranks=power_of_two expects: (?s)order.*out of order: combined as */
ALLREDUCE(wrong_order) {
  RANK_AND_SIZE(comm);
  const size_t bytes = begin(send, recv, count, type);
  char *const theirs = malloc(bytes);
  for (int distance = 1; distance < size; distance *= 2) {
    MPI_Sendrecv(recv, count, type, rank ^ distance, 0, theirs, count, type, rank ^ distance, 0, comm, MPI_STATUS_IGNORE);
    MPI_Reduce_local(theirs, recv, count, type, op);
  }
  free(theirs);
  return MPI_SUCCESS;
}

/* A static keeps the number of ranks and the room of the first call. */
/* runs: allreduce expects: (?s)(second|third|fourth|fifth) call|block of \d+ bytes|wrote behind */
ALLREDUCE(keeps_room) {
  static char *room;
  static size_t bytes;
  begin(send, recv, count, type);
  if (!room) room = malloc(bytes = (size_t)count * (size_t)extent_of(type));
  memcpy(room, recv, bytes);
  return MPI_Allreduce(room, recv, count, type, op, comm);
}

/* A static counts calls, and every second one goes wrong. */
/* runs: broadcast expects: (?s)second call */
BROADCAST(every_second) {
  static int calls;
  if (calls++ % 2) return MPI_SUCCESS;
  return MPI_Bcast(buffer, count, type, root, comm);
}

/* The root is always rank 0. */
/* runs: reduce expects: (?s)wrong_result.*at root [1-9] */
int wrong_root(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  const void *const from = send == MPI_IN_PLACE ? recv : send;
  char *const sum = malloc((size_t)count * (size_t)extent_of(type));
  MPI_Reduce(from, sum, count, type, op, 0, comm);
  if (rank == 0 && recv) memcpy(recv, sum, (size_t)count * (size_t)extent_of(type));
  free(sum);
  (void)root, (void)size;
  return MPI_SUCCESS;
}

/* Ranks name different roots. */
/* runs: broadcast expects: calls MPI_Bcast at wrong\.c:\d+ with root \d+, where rank \d+ calls MPI_Bcast at wrong\.c:\d+ with root */
BROADCAST(roots_differ) {
  RANK_AND_SIZE(comm);
  return MPI_Bcast(buffer, count, type, rank == size - 1 ? 0 : root, comm);
}

/* Numbers of ranks: recursive doubling without a fold. */
/* runs: allreduce op=commutative expects: rank \d+ failed.*MPI_Sendrecv at wrong\.c:\d+: the destination is \d+, in a communicator of \d+ ranks */
ALLREDUCE(powers_alone) {
  RANK_AND_SIZE(comm);
  const size_t bytes = begin(send, recv, count, type);
  char *const theirs = malloc(bytes);
  for (int distance = 1; distance < size; distance *= 2) {
    MPI_Sendrecv(recv, count, type, rank ^ distance, 0, theirs, count, type, rank ^ distance, 0, comm, MPI_STATUS_IGNORE);
    MPI_Reduce_local(theirs, recv, count, type, op);
  }
  free(theirs);
  return MPI_SUCCESS;
}

/* Numbers of ranks: those above the power of two are forgotten. */
/* runs: allreduce op=commutative expects: (?s)wrong_result.*missing: .*contribution */
ALLREDUCE(forgets_ranks) {
  RANK_AND_SIZE(comm);
  const size_t bytes = begin(send, recv, count, type);
  char *const theirs = malloc(bytes);
  for (int distance = 1; distance < size; distance *= 2) {
    if ((rank ^ distance) >= size) continue;
    MPI_Sendrecv(recv, count, type, rank ^ distance, 0, theirs, count, type, rank ^ distance, 0, comm, MPI_STATUS_IGNORE);
    MPI_Reduce_local(theirs, recv, count, type, op);
  }
  free(theirs);
  return MPI_SUCCESS;
}

/* A ring one step too long: a contribution comes twice. */
/* runs: allreduce op=commutative:ranks=2-64 expects: (?s)wrong_result.*more than once: rank \d+'s contribution \(twice\) */
ALLREDUCE(once_more) {
  RANK_AND_SIZE(comm);
  const size_t bytes = begin(send, recv, count, type);
  char *const passed = malloc(bytes), *const next = malloc(bytes);
  memcpy(passed, recv, bytes);
  for (int step = 0; step < size; ++step) {
    MPI_Sendrecv(passed, count, type, (rank + 1) % size, 0, next, count, type, (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE);
    memcpy(passed, next, bytes);
    MPI_Reduce_local(passed, recv, count, type, op);
  }
  free(passed), free(next);
  return MPI_SUCCESS;
}

/* Counts below the number of ranks: blocks of no element make it divide by zero. */
/* runs: broadcast expects: (?s)ended.*SIGFPE */
BROADCAST(divides) {
  RANK_AND_SIZE(comm);
  const int each = count / size;
  const int parts = count / each; /* of no element */
  (void)rank;
  return parts < 0 ? MPI_ERR_COUNT : MPI_Bcast(buffer, count, type, root, comm);
}

/* Counts below the number of ranks: nothing is done at all. */
/* runs: allreduce expects: (?s)wrong_result.*(missing|never written|own contribution) */
ALLREDUCE(ignores_few) {
  RANK_AND_SIZE(comm);
  begin(send, recv, count, type);
  if (count < size) return MPI_SUCCESS;
  (void)rank;
  return MPI_Allreduce(MPI_IN_PLACE, recv, count, type, op, comm);
}

/* A count of zero: some ranks return, the others go on. */
/* runs: barrier expects: (wrong_result|deadlock|hygiene|too_fast) */
int leaves_early(MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  char token = 0;
  if (rank + 1 < size) MPI_Send(&token, 1, MPI_CHAR, rank + 1, 0, comm);
  if (rank > 0) MPI_Recv(&token, 1, MPI_CHAR, rank - 1, 0, comm, MPI_STATUS_IGNORE);
  return MPI_SUCCESS;
}

/* Blocking sends before receives: it relies on buffers. */
/* runs: alltoall in_place=no expects: (?s)deadlock.*MPI_Send\(.*at wrong\.c:\d+ */
int needs_buffers(const void *send, int sent, MPI_Datatype type, void *recv, int count, MPI_Datatype into, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  for (int step = 0; step < size; ++step) {
    const int to = (rank + step) % size, from = (rank + size - step) % size;
    if (step > 0) MPI_Send((const char *)send + to * sent * extent_of(type), sent, type, to, 0, comm);
    if (step > 0) MPI_Recv((char *)recv + from * count * extent_of(into), count, into, from, 0, comm, MPI_STATUS_IGNORE);
    else memcpy((char *)recv + rank * count * extent_of(into), (const char *)send + rank * sent * extent_of(type), (size_t)(sent * extent_of(type)));
  }
  return MPI_SUCCESS;
}

/* An error of its own on one rank, after messages. */
/* runs: broadcast expects: (?s)returned_error.*says_no returned MPI_ERR_ARG on rank \d+ */
BROADCAST(says_no) {
  RANK_AND_SIZE(comm);
  const int code = MPI_Bcast(buffer, count, type, root, comm);
  return rank == size - 1 && count > 3 ? MPI_ERR_ARG : code;
}

/* A receive from any source takes the next call's message. */
/* runs: gather as=gatherv expects: (?s)MPI_Recv at wrong\.c:\d+|wrong_result */
int any_source(const void *send, int sent, MPI_Datatype type, void *recv, const int *counts, const int *displs, MPI_Datatype into, int root,
               MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  if (rank != root) return MPI_Send(send, sent, type, root, 11, comm);
  const MPI_Aint extent = extent_of(into);
  for (int left = size - 1; left > 0; --left) {
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, 11, comm, &status);
    const int from = status.MPI_SOURCE;
    MPI_Recv((char *)recv + displs[from] * extent, counts[from], into, from, 11, comm, MPI_STATUS_IGNORE);
  }
  if (send != MPI_IN_PLACE) memcpy((char *)recv + displs[rank] * extent, send, (size_t)(sent * extent_of(type)));
  return MPI_SUCCESS;
}

/* Tags of a linear reduction that do not meet. */
/* runs: reduce op=commutative expects: (?s)deadlock.*MPI_Recv\(.*tag 1\) at wrong\.c:\d+ */
int unmet_reduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  if (rank != root) return MPI_Send(send, count, type, root, 0, comm);
  const size_t bytes = begin(send, recv, count, type);
  char *const theirs = malloc(bytes);
  for (int r = 0; r < size; ++r) {
    if (r == root) continue;
    MPI_Recv(theirs, count, type, r, 1, comm, MPI_STATUS_IGNORE);
    MPI_Reduce_local(theirs, recv, count, type, op);
  }
  free(theirs);
  return MPI_SUCCESS;
}

/* Displacements: the last segment is sent whole, and received behind the end. */
/* runs: broadcast expects: MPI_Irecv at wrong\.c:\d+: the buffer of \d+ bytes begins at byte \d+ of the output of the call, of \d+ bytes, and ends \d+ bytes behind it, and the message of rank \d+ with tag 0 has 5 x */
BROADCAST(whole_last_segment) {
  RANK_AND_SIZE(comm);
  const MPI_Aint extent = extent_of(type);
  const int after = (rank + 1) % size, is_last = after == root;
  char *const copy = malloc((size_t)(count + 5) * (size_t)extent);
  if (rank == root) memset(copy, 0, (size_t)(count + 5) * (size_t)extent), memcpy(copy, buffer, (size_t)(count * extent));
  for (int at = 0; at < count; at += 5) {
    if (rank != root) {
      MPI_Request request;
      MPI_Irecv((char *)buffer + at * extent, 5, type, (rank + size - 1) % size, 0, comm, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      memcpy(copy + at * extent, (char *)buffer + at * extent, (size_t)(5 * extent));
    }
    if (!is_last) MPI_Send(copy + at * extent, 5, type, after, 0, comm);
  }
  free(copy);
  return MPI_SUCCESS;
}

/* Aliasing: a block is received with room for two, and two come, while the second is sent. */
/* runs: broadcast expects: (?s)buffers of a receive and a send that are open at once overlap: MPI_Irecv\(.*\) at wrong\.c:\d+ and MPI_Isend\(.*\) at wrong\.c:\d+.*; the message from rank \d+ is of \d+ bytes */
BROADCAST(received_onto_sent) {
  RANK_AND_SIZE(comm);
  const int half = count / 2;
  char *const second = (char *)buffer + half * extent_of(type);
  MPI_Request requests[2];
  if (rank == root) {
    for (int r = 0; r < size; ++r) r != root ? MPI_Send(buffer, count, type, r, 0, comm) : 0;
  } else {
    MPI_Irecv(buffer, count, type, root, 0, comm, &requests[0]);
    MPI_Isend(second, half, type, rank, 1, comm, &requests[1]);
    char *const own = malloc((size_t)count * (size_t)extent_of(type));
    MPI_Recv(own, half, type, rank, 1, comm, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    free(own);
  }
  return MPI_SUCCESS;
}

/* Crashes: divides by the number of elements. */
/* runs: broadcast expects: rank \d+ (failed at \S+: in|ended the process by SIGFPE \(Floating point exception\) in) divides_by_count at wrong\.c:\d+(: was ended by SIGFPE.*)?, a division by zero */
BROADCAST(divides_by_count) {
  static volatile int segments;
  segments = 1000 / count;
  return MPI_Bcast(buffer, count, type, root, comm);
}

/* Displacements: the root of a gatherv takes them for sums of the counts. */
/* runs: gather as=gatherv expects: MPI_Recv at wrong\.c:\d+: the buffer of \d+ bytes begins at byte \d+ of the output of the call, and byte \d+ is in no block: .*block \d+ has displs\[\d+\] = \d+ and recvcounts\[\d+\] = \d+ */
int gathers_packed(const void *send, int sent, MPI_Datatype type, void *recv, const int *counts, const int *displs, MPI_Datatype into, int root,
                   MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  if (rank != root) return MPI_Send(send, sent, type, root, 0, comm);
  const MPI_Aint extent = extent_of(into);
  for (int r = 0, at = 0; r < size; at += counts[r++])
    if (r != rank) MPI_Recv((char *)recv + at * extent, counts[r], into, r, 0, comm, MPI_STATUS_IGNORE);
  if (send != MPI_IN_PLACE) memcpy((char *)recv + displs[rank] * extent, send, (size_t)(sent * extent));
  return MPI_SUCCESS;
}

/* Displacements: the root of a scatterv sends from where it sums up the counts. */
/* runs: scatter as=scatterv expects: (?s)wrong_result.*sent by MPI_Send\(.*\) at wrong\.c:\d+, whose buffer of \d+ bytes begins at byte \d+ of the input of the call, and byte \d+ is in no block: .*block \d+ has displs\[\d+\] = \d+ and sendcounts\[\d+\] = \d+ */
int scatters_packed(const void *send, const int *counts, const int *displs, MPI_Datatype type, void *recv, int received, MPI_Datatype into, int root,
                    MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  if (rank != root) return MPI_Recv(recv, received, into, root, 0, comm, MPI_STATUS_IGNORE);
  const MPI_Aint extent = extent_of(type);
  for (int r = 0, at = 0; r < size; at += counts[r++])
    if (r != rank) MPI_Send((const char *)send + at * extent, counts[r], type, r, 0, comm);
  if (recv != MPI_IN_PLACE) memcpy(recv, (const char *)send + displs[rank] * extent, (size_t)(counts[rank] * extent));
  return MPI_SUCCESS;
}

/* Displacements: the own block of an allgatherv is put behind those of the ranks before. */
/* runs: allgather as=allgatherv:in_place=no expects: puts_own_packed on rank \d+ has written to byte \d+ of the output of the call, which is in no block: .*displs */
int puts_own_packed(const void *send, int sent, MPI_Datatype type, void *recv, const int *counts, const int *displs, MPI_Datatype into, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  int before = 0;
  for (int r = 0; r < rank; ++r) before += counts[r];
  memcpy((char *)recv + before * extent_of(into), send, (size_t)(sent * extent_of(type)));
  return MPI_Allgatherv(send, sent, type, recv, counts, displs, into, comm);
}

/* Datatypes: a type's size is taken for its extent. */
/* runs: broadcast types=derived:ranks=2-64 expects: MPI_Send at wrong\.c:\d+: the buffer of \d+ bytes begins at byte \d+ of a block that was allocated at wrong\.c:\d+|type=\w+: usage\n.*size_for_extent on rank \d+ has written to byte \d+ of the output of the call, which is in no element: the type has a size of \d+ bytes, an extent of \d+ and a lower bound of \d+ */
BROADCAST(size_for_extent) {
  RANK_AND_SIZE(comm);
  int bytes;
  MPI_Type_size(type, &bytes);
  char *const own = malloc((size_t)count * (size_t)bytes + 1);
  if (rank == root) memcpy(own, buffer, (size_t)count * (size_t)bytes);
  for (int r = 0; r < size; ++r)
    if (rank == root && r != root) MPI_Send(own, count * bytes, MPI_BYTE, r, 0, comm);
  if (rank != root) MPI_Recv(own, count * bytes, MPI_BYTE, root, 0, comm, MPI_STATUS_IGNORE);
  memcpy(buffer, own, (size_t)count * (size_t)bytes);
  free(own);
  return MPI_SUCCESS;
}

/* Displacements: a number of 32 bits is read as one of 64, with whatever lies behind it. */
/* runs: broadcast count=positive:ranks=2-64 expects: MPI_Recv at wrong\.c:\d+: the buffer of \d+ bytes lies where there is no memory */
BROADCAST(far_away) {
  RANK_AND_SIZE(comm);
  const int parts[2] = {0, 1 << 12};
  MPI_Aint at;
  memcpy(&at, parts, sizeof at);
  if (rank == root)
    for (int r = 0; r < size; ++r) r != root ? MPI_Send(buffer, count, type, r, 0, comm) : 0;
  else
    MPI_Recv((char *)buffer + at, count, type, root, 0, comm, MPI_STATUS_IGNORE);
  return MPI_SUCCESS;
}

/* Blocks: of the ranks whose blocks are longer by one, the last is forgotten. */
/* runs: reduce_scatter op=commutative expects: (?s)wrong_result.*cause: rank \d+ itself made */
int forgets_one_rest(const void *send, void *recv, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  const MPI_Aint extent = extent_of(type);
  int total = 0;
  for (int r = 0; r < size; ++r) total += counts[r];
  const int rest = total % size > 0 ? total % size - 1 : 0, begin = rank * (total / size) + (rank < rest ? rank : rest);
  char *const all = malloc((size_t)(total * extent) + 1);
  MPI_Allreduce(send == MPI_IN_PLACE ? recv : send, all, total, type, op, comm);
  const int own = begin + counts[rank] <= total ? begin : total - counts[rank];
  memcpy(recv, all + own * extent, (size_t)(counts[rank] * extent));
  free(all);
  return MPI_SUCCESS;
}

/* A ring whose receives have room for two blocks, the one that is sent among them, and which ends a round too early. */
/* runs: allgather in_place=no:ranks=3-64:count=positive expects: (?s)wrong_result.*missing: element \d+ of rank \d+\n.*cause: no message brought */
int short_ring(const void *send, int sent, MPI_Datatype type, void *recv, int count, MPI_Datatype into, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  const MPI_Aint block = count * extent_of(into);
  MPI_Sendrecv(send, sent, type, 0, 0, (char *)recv + rank * block, count, into, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  for (int step = 0; step < size - 2; ++step) {
    const int out = (rank - step + size) % size, in = (out + size - 1) % size;
    MPI_Sendrecv((char *)recv + out * block, count, into, (rank + 1) % size, 0, (char *)recv + in * block,
                 in + 1 < size ? 2 * count : count, into, (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE);
  }
  return MPI_SUCCESS;
}

/* The second half is sent, and received by the next call. */
/* runs: broadcast ranks=2-64:count=at_least_ranks expects: (?s)cause: rank \d+ did not receive the message from rank \d+ to rank \d+ \(.*\)( in this call, but in a later one)?: it carried element */
int half_for_later(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  const int half = count / 2;
  char *const second = (char *)buffer + half * extent_of(type);
  if (rank == root) {
    for (int r = 0; r < size; ++r) {
      if (r == root) continue;
      MPI_Send(buffer, half, type, r, 0, comm);
      MPI_Send(second, count - half, type, r, 0, comm);
    }
  } else {
    MPI_Recv(buffer, count, type, root, 0, comm, MPI_STATUS_IGNORE);
  }
  return MPI_SUCCESS;
}

/* Ranks send as many elements as their number says: who has ended the call before another fails depends on the order alone. */
/* runs: allreduce ranks=3-64:count=at_least_ranks expects: (?s)\A(?!.*(share memory|take turns)).*MPI_Sendrecv at wrong\.c:\d+: the message of rank \d+ with tag 0 has \d+ x \S+, and the receive room for 1 x .*besides, wrong result of the first call */
ALLREDUCE(length_of_rank) {
  RANK_AND_SIZE(comm);
  const MPI_Aint bytes = count * extent_of(type);
  char *const theirs = malloc((size_t)bytes);
  if (send != MPI_IN_PLACE) memcpy(recv, send, (size_t)bytes);
  MPI_Sendrecv(recv, rank + 1, type, (rank + 1) % size, 0, theirs, 1, type, (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE);
  free(theirs);
  return MPI_SUCCESS;
}

/* Numbers that are no elements go ahead, and the last block is never copied to where it belongs. */
/* runs: allgather in_place=no:ranks=3-64:count=positive expects: cause: rank \d+ did not use element \d+ of rank \d+, which the message .*tag 0, .*\) brought */
int leaves_last_block(const void *send, int sent, MPI_Datatype type, void *recv, int count, MPI_Datatype into, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  const size_t block = (size_t)(count * extent_of(into));
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;
  int theirs;
  MPI_Sendrecv(&count, 1, MPI_INT, right, 5, &theirs, 1, MPI_INT, left, 5, comm, MPI_STATUS_IGNORE);
  char *const all = malloc((size_t)size * block);
  memcpy(all + (size_t)rank * block, send, block);
  for (int step = 0; step < size - 1; ++step) {
    const int out = (rank - step + size) % size, in = (out + size - 1) % size;
    MPI_Sendrecv(all + (size_t)out * block, theirs, type, right, 0, all + (size_t)in * block, count, into, left, 0, comm, MPI_STATUS_IGNORE);
  }
  memcpy(recv, all, (size_t)(size - 1) * block);
  free(all);
  return MPI_SUCCESS;
}
