/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives as published libraries write them, all right. The line before each says how it is handed over:
   "runs: COLLECTIVE OPTIONS". mpi_functions.py fuzzes them, and none may be accused. */
#include <heddle_mpi.h>
#include <limits.h>
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define RANK_AND_SIZE(comm) \
  int rank, size;           \
  MPI_Comm_rank(comm, &rank), MPI_Comm_size(comm, &size)
#define CHECK(call)                       \
  do {                                    \
    const int code_ = (call);             \
    if (code_ != MPI_SUCCESS) return code_; \
  } while (0)

static MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint lower, extent;
  MPI_Type_get_extent(type, &lower, &extent);
  return extent;
}
static int highest_power(int n) {
  int power = 1;
  while (power * 2 <= n) power *= 2;
  return power;
}

/* Rabenseifner's: the first 2 r ranks fold in pairs, then recursive halving and doubling. */
/* runs: allreduce op=commutative */
int rabenseifner(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  const MPI_Aint extent = extent_of(type);
  const int power = highest_power(size), rest = size - power;
  char *const theirs = malloc((size_t)count * (size_t)extent);
  int *const offsets = malloc(((size_t)power + 1) * sizeof *offsets);
  if (send != MPI_IN_PLACE) memcpy(recv, send, (size_t)count * (size_t)extent);
  int me = rank < 2 * rest ? (rank % 2 ? rank / 2 : -1) : rank - rest;
  if (rank < 2 * rest) {
    if (me < 0) {
      MPI_Send(recv, count, type, rank + 1, 7, comm);
    } else {
      MPI_Recv(theirs, count, type, rank - 1, 7, comm, MPI_STATUS_IGNORE);
      MPI_Reduce_local(theirs, recv, count, type, op);
    }
  }
#define REAL(virtual) ((virtual) < rest ? (virtual) * 2 + 1 : (virtual) + rest)
  if (me >= 0) {
    for (int b = 0; b <= power; ++b) offsets[b] = (int)((long long)count * b / power);
    int low = 0, high = power;
    for (int half = power / 2; half > 0; half /= 2) {
      const int peer = REAL(me ^ half), middle = low + half;
      const int keep_low = !(me & half);
      const int from = offsets[keep_low ? middle : low], to = offsets[keep_low ? high : middle];
      if (keep_low) high = middle; else low = middle;
      const int mine = offsets[low], own = offsets[high] - mine;
      MPI_Sendrecv((char *)recv + from * extent, to - from, type, peer, 8, theirs, own, type, peer, 8, comm, MPI_STATUS_IGNORE);
      MPI_Reduce_local(theirs, (char *)recv + mine * extent, own, type, op);
    }
    for (int half = 1; half < power; half *= 2) {
      const int peer = REAL(me ^ half), other = me & half ? low - half : high;
      MPI_Sendrecv((char *)recv + offsets[low] * extent, offsets[high] - offsets[low], type, peer, 9, (char *)recv + offsets[other] * extent,
                   offsets[other + half] - offsets[other], type, peer, 9, comm, MPI_STATUS_IGNORE);
      if (me & half) low -= half; else high += half;
    }
  }
#undef REAL
  if (rank < 2 * rest) {
    if (me < 0) MPI_Recv(recv, count, type, rank + 1, 10, comm, MPI_STATUS_IGNORE);
    else MPI_Send(recv, count, type, rank - 1, 10, comm);
  }
  free(theirs), free(offsets);
  return MPI_SUCCESS;
}

/* Two levels of a split that is made anew in each call: groups of up to 3 ranks in a row, so that operands stay in order. */
/* runs: allreduce */
int hierarchical(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  MPI_Comm group, leaders;
  int place;
  CHECK(MPI_Comm_split(comm, rank / 3, rank, &group));
  MPI_Comm_rank(group, &place);
  CHECK(MPI_Comm_split(comm, place ? MPI_UNDEFINED : 0, rank, &leaders));
  const void *const mine = send == MPI_IN_PLACE ? recv : send;
  char *const sum = malloc((size_t)count * (size_t)extent_of(type) + 1);
  CHECK(MPI_Reduce(mine, sum, count, type, op, 0, group));
  if (leaders != MPI_COMM_NULL) {
    CHECK(MPI_Allreduce(sum, recv, count, type, op, leaders));
    MPI_Comm_free(&leaders);
  }
  CHECK(MPI_Bcast(recv, count, type, 0, group));
  MPI_Comm_free(&group);
  free(sum);
  return MPI_SUCCESS;
}

/* A chain of segments; the root's number is subtracted. The next segment is received while this one is sent. */
/* runs: broadcast */
int pipelined_chain(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  enum { SEGMENT = 17 };
  RANK_AND_SIZE(comm);
  const MPI_Aint extent = extent_of(type);
  const int place = (rank - root + size) % size, next = (rank + 1) % size, before = (rank + size - 1) % size;
  const int segments = (count + SEGMENT - 1) / SEGMENT;
  MPI_Request *const sends = malloc((size_t)segments * sizeof *sends + 1);
  MPI_Request receive = MPI_REQUEST_NULL;
#define PART(s) (char *)buffer + (s) * SEGMENT * extent, ((s) + 1) * SEGMENT > count ? count - (s) * SEGMENT : SEGMENT, type
  if (place > 0 && segments > 0) MPI_Irecv(PART(0), before, 3, comm, &receive);
  for (int s = 0; s < segments; ++s) {
    sends[s] = MPI_REQUEST_NULL;
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    if (place > 0 && s + 1 < segments) MPI_Irecv(PART(s + 1), before, 3, comm, &receive);
    if (place + 1 < size) MPI_Isend(PART(s), next, 3, comm, &sends[s]);
  }
#undef PART
  MPI_Waitall(segments, sends, MPI_STATUSES_IGNORE);
  free(sends);
  return MPI_SUCCESS;
}

/* A binomial tree over rank 0, so that operands stay in order; the root gets it last. */
/* runs: reduce */
int ordered_binomial(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  const size_t bytes = (size_t)count * (size_t)extent_of(type);
  char *sum = malloc(bytes), *theirs = malloc(bytes);
  memcpy(sum, send == MPI_IN_PLACE ? recv : send, bytes);
  for (int mask = 1; mask < size; mask <<= 1) {
    if (rank & mask) {
      MPI_Send(sum, count, type, rank ^ mask, mask, comm);
      break;
    }
    if (rank + mask >= size) continue;
    MPI_Recv(theirs, count, type, rank + mask, mask, comm, MPI_STATUS_IGNORE);
    MPI_Reduce_local(sum, theirs, count, type, op);
    char *const swap = sum;
    sum = theirs, theirs = swap;
  }
  if (rank == 0 && root != 0) MPI_Send(sum, count, type, root, 0, comm);
  if (rank == root) {
    if (root != 0) MPI_Recv(recv, count, type, 0, 0, comm, MPI_STATUS_IGNORE);
    else memcpy(recv, sum, bytes);
  }
  free(sum);
  free(theirs);
  return MPI_SUCCESS;
}

/* Bruck's, for any number of ranks: blocks turn at the end. */
/* runs: allgather */
int bruck(const void *send, int sent, MPI_Datatype type, void *recv, int count, MPI_Datatype into, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  const MPI_Aint block = count * extent_of(into);
  char *const turned = malloc((size_t)(size * block));
  memcpy(turned, send == MPI_IN_PLACE ? (char *)recv + rank * block : send, (size_t)block);
  for (int have = 1; have < size; have *= 2) {
    const int n = have < size - have ? have : size - have;
    MPI_Sendrecv(turned, n * count, into, (rank - have + size) % size, have, turned + have * block, n * count, into, (rank + have) % size,
                 have, comm, MPI_STATUS_IGNORE);
  }
  for (int i = 0; i < size; ++i) memcpy((char *)recv + (rank + i) % size * block, turned + i * block, (size_t)block);
  free(turned);
  (void)sent, (void)type;
  return MPI_SUCCESS;
}

/* A ring on a duplicate of the communicator that is kept with it, as libraries keep theirs. */
static int forget(MPI_Comm comm, int key, void *kept, void *state) {
  (void)comm, (void)key, (void)state;
  MPI_Comm_free((MPI_Comm *)kept);
  free(kept);
  return MPI_SUCCESS;
}
/* runs: allgather as=allgatherv */
int cached_ring(const void *send, int sent, MPI_Datatype type, void *recv, const int *counts, const int *displs, MPI_Datatype into,
                MPI_Comm comm) {
  static int key = MPI_KEYVAL_INVALID;
  MPI_Comm *own;
  int found;
  if (key == MPI_KEYVAL_INVALID) MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key, NULL);
  MPI_Comm_get_attr(comm, key, &own, &found);
  if (!found) {
    own = malloc(sizeof *own);
    MPI_Comm_dup(comm, own);
    MPI_Comm_set_attr(comm, key, own);
  }
  RANK_AND_SIZE(*own);
  const MPI_Aint extent = extent_of(into);
  if (send != MPI_IN_PLACE)
    MPI_Sendrecv(send, sent, type, 0, 0, (char *)recv + displs[rank] * extent, counts[rank], into, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  for (int step = 0; step < size - 1; ++step) {
    const int out = (rank - step + size) % size, in = (out + size - 1) % size;
    MPI_Request both[2];
    MPI_Irecv((char *)recv + displs[in] * extent, counts[in], into, (rank + size - 1) % size, step, *own, &both[0]);
    MPI_Isend((char *)recv + displs[out] * extent, counts[out], into, (rank + 1) % size, step, *own, &both[1]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  }
  return MPI_SUCCESS;
}

/* Neighbours exchange pairs of blocks, on even numbers of ranks. */
/* runs: allgather ranks=even */
int neighbor_exchange(const void *send, int sent, MPI_Datatype type, void *recv, int count, MPI_Datatype into, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  if (size % 2) return MPI_ERR_COMM;
  const MPI_Aint block = count * extent_of(into);
  if (send != MPI_IN_PLACE) memcpy((char *)recv + rank * block, send, (size_t)(sent * extent_of(type)));
  int neighbors[2], from[2], step[2];
  if (rank % 2 == 0) {
    neighbors[0] = (rank + 1) % size, neighbors[1] = (rank + size - 1) % size;
    from[0] = from[1] = rank, step[0] = +2, step[1] = -2;
  } else {
    neighbors[0] = (rank + size - 1) % size, neighbors[1] = (rank + 1) % size;
    from[0] = from[1] = neighbors[0], step[0] = -2, step[1] = +2;
  }
#define BLOCK(b) (char *)recv + (b) * block
  MPI_Sendrecv(BLOCK(rank), count, into, neighbors[0], 5, BLOCK(neighbors[0]), count, into, neighbors[0], 5, comm, MPI_STATUS_IGNORE);
  int last = rank % 2 ? neighbors[0] : rank;
  for (int i = 1; i < size / 2; ++i) {
    const int which = i % 2;
    from[which] = (from[which] + step[which] + size) % size;
    MPI_Sendrecv(BLOCK(last), 2 * count, into, neighbors[which], 5, BLOCK(from[which]), 2 * count, into, neighbors[which], 5, comm,
                 MPI_STATUS_IGNORE);
    last = from[which];
  }
#undef BLOCK
  return MPI_SUCCESS;
}

/* Everyone sends to everyone its block, and adds up in the order of ranks. */
/* runs: reduce_scatter */
int direct_reduce_scatter(const void *send, void *recv, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  const MPI_Aint extent = extent_of(type);
  const int own = counts[rank];
  const char *const from = send == MPI_IN_PLACE ? recv : send;
  char *const all = malloc((size_t)size * (size_t)own * (size_t)extent);
  MPI_Request requests[2 * size];
  MPI_Aint offset = 0;
  for (int r = 0; r < size; ++r) {
    MPI_Irecv(all + r * own * extent, own, type, r, 1, comm, &requests[2 * r]);
    MPI_Isend(from + offset * extent, counts[r], type, r, 1, comm, &requests[2 * r + 1]);
    offset += counts[r];
  }
  MPI_Waitall(2 * size, requests, MPI_STATUSES_IGNORE);
  for (int r = 1; r < size; ++r) MPI_Reduce_local(all + (r - 1) * own * extent, all + r * own * extent, own, type, op);
  memcpy(recv, all + (size - 1) * own * extent, (size_t)(own * extent));
  free(all);
  return MPI_SUCCESS;
}

/* runs: reduce_scatter as=reduce_scatter_block:ranks=power_of_two:op=commutative */
int recursive_halving(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  if (size & (size - 1)) return MPI_ERR_COMM;
  const MPI_Aint block = count * extent_of(type);
  char *const work = malloc((size_t)(size * block)), *const theirs = malloc((size_t)(size * block));
  memcpy(work, send == MPI_IN_PLACE ? recv : send, (size_t)(size * block));
  int low = 0;
  for (int half = size / 2; half > 0; half /= 2) {
    const int give = rank & half ? low : low + half;
    if (rank & half) low += half;
    MPI_Request request;
    MPI_Irecv(theirs, half * count, type, rank ^ half, half, comm, &request);
    MPI_Send(work + give * block, half * count, type, rank ^ half, half, comm);
    int flag = 0;
    while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    MPI_Reduce_local(theirs, work + low * block, half * count, type, op);
  }
  memcpy(recv, work + rank * block, (size_t)block);
  free(work), free(theirs);
  return MPI_SUCCESS;
}

/* Bruck's alltoall: blocks that go the same way are one derived type. */
/* runs: alltoall */
int bruck_alltoall(const void *send, int sent, MPI_Datatype type, void *recv, int count, MPI_Datatype into, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  const MPI_Aint block = count * extent_of(into);
  char *const turned = malloc((size_t)(size * block)), *const inbox = malloc((size_t)(size * block));
  const char *const from = send == MPI_IN_PLACE ? recv : send;
  for (int i = 0; i < size; ++i) memcpy(turned + i * block, from + (rank + i) % size * block, (size_t)block);
  for (int bit = 1; bit < size; bit *= 2) {
    int lengths[size], places[size], n = 0;
    for (int i = 0; i < size; ++i) {
      if (i & bit) lengths[n] = count, places[n++] = i * count;
    }
    MPI_Datatype blocks;
    MPI_Type_indexed(n, lengths, places, into, &blocks);
    MPI_Type_commit(&blocks);
    MPI_Sendrecv(turned, 1, blocks, (rank + bit) % size, 2, inbox, 1, blocks, (rank - bit + size) % size, 2, comm, MPI_STATUS_IGNORE);
    for (int k = 0; k < n; ++k) memcpy(turned + places[k] / (count ? count : 1) * block, inbox + places[k] / (count ? count : 1) * block, (size_t)block);
    MPI_Type_free(&blocks);
  }
  for (int i = 0; i < size; ++i) memcpy((char *)recv + (rank - i + size) % size * block, turned + i * block, (size_t)block);
  free(turned), free(inbox);
  (void)sent, (void)type;
  return MPI_SUCCESS;
}

/* runs: alltoall as=alltoallv:in_place=no */
int pairwise_alltoallv(const void *send, const int *sent, const int *from, MPI_Datatype type, void *recv, const int *counts,
                       const int *displs, MPI_Datatype into, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  for (int step = 0; step < size; ++step) {
    const int to = (rank + step) % size, source = (rank - step + size) % size;
    MPI_Sendrecv((const char *)send + from[to] * extent_of(type), sent[to], type, to, step, (char *)recv + displs[source] * extent_of(into),
                 counts[source], into, source, step, comm, MPI_STATUS_IGNORE);
  }
  return MPI_SUCCESS;
}

/* A binomial tree; an inner rank has its subtree's blocks in a heap block of its own. */
/* runs: gather */
int binomial_gather(const void *send, int sent, MPI_Datatype type, void *recv, int count, MPI_Datatype into, int root, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  const int place = (rank - root + size) % size;
  const int own_count = rank == root && send == MPI_IN_PLACE ? count : sent;
  const MPI_Datatype own_type = rank == root && send == MPI_IN_PLACE ? into : type;
  const MPI_Aint block = own_count * extent_of(own_type);
  char *const subtree = malloc((size_t)(size * block));
  memcpy(subtree, send == MPI_IN_PLACE ? (char *)recv + rank * block : send, (size_t)block);
  int have = 1;
  for (int mask = 1; mask < size; mask *= 2) {
    if (place & mask) {
      MPI_Send(subtree, have * own_count, own_type, (place - mask + root) % size, 4, comm);
      break;
    }
    if (place + mask >= size) continue;
    const int more = mask < size - place - mask ? mask : size - place - mask;
    MPI_Recv(subtree + have * block, more * own_count, own_type, (place + mask + root) % size, 4, comm, MPI_STATUS_IGNORE);
    have += more;
  }
  if (rank == root)
    for (int i = 0; i < size; ++i) memcpy((char *)recv + (root + i) % size * block, subtree + i * block, (size_t)block);
  free(subtree);
  return MPI_SUCCESS;
}

/* In the order in which the blocks come in. */
/* runs: gather as=gatherv */
int linear_gatherv(const void *send, int sent, MPI_Datatype type, void *recv, const int *counts, const int *displs, MPI_Datatype into,
                   int root, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  if (rank != root) return MPI_Ssend(send, sent, type, root, 11, comm);
  const MPI_Aint extent = extent_of(into);
  MPI_Request receives[size];
  for (int r = 0; r < size; ++r) {
    receives[r] = MPI_REQUEST_NULL;
    if (r != root) MPI_Irecv((char *)recv + displs[r] * extent, counts[r], into, r, 11, comm, &receives[r]);
  }
  for (int left = size - 1, index; left > 0; --left) MPI_Waitany(size, receives, &index, MPI_STATUS_IGNORE);
  if (send != MPI_IN_PLACE) memcpy((char *)recv + displs[rank] * extent, send, (size_t)(sent * extent_of(type)));
  return MPI_SUCCESS;
}

/* The root's requests are persistent. */
/* runs: scatter as=scatterv */
int persistent_scatterv(const void *send, const int *counts, const int *displs, MPI_Datatype type, void *recv, int count,
                        MPI_Datatype into, int root, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  if (rank != root) return MPI_Recv(recv, count, into, root, 12, comm, MPI_STATUS_IGNORE);
  const MPI_Aint extent = extent_of(type);
  MPI_Request *const sends = calloc((size_t)size, sizeof *sends);
  int n = 0;
  for (int r = 0; r < size; ++r) {
    if (r != root) MPI_Send_init((const char *)send + displs[r] * extent, counts[r], type, r, 12, comm, &sends[n++]);
  }
  MPI_Startall(n, sends);
  if (recv != MPI_IN_PLACE) memcpy(recv, (const char *)send + displs[rank] * extent, (size_t)(counts[rank] * extent));
  MPI_Waitall(n, sends, MPI_STATUSES_IGNORE);
  for (int i = 0; i < n; ++i) MPI_Request_free(&sends[i]);
  free(sends);
  return MPI_SUCCESS;
}

/* runs: barrier */
int dissemination(MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  for (int distance = 1; distance < size; distance <<= 1)
    CHECK(MPI_Sendrecv(NULL, 0, MPI_BYTE, (rank + distance) % size, 13, NULL, 0, MPI_BYTE, (rank + size - distance) % size, 13, comm,
                       MPI_STATUS_IGNORE));
  return MPI_SUCCESS;
}

/* Counts of 64 bits, and an operation of the library's own for what it sums up itself. */
static void add_up(void *in, void *inout, int *count, MPI_Datatype *type) {
  (void)type;
  for (int i = 0; i < *count; ++i) ((int64_t *)inout)[i] += ((int64_t *)in)[i];
}
/* Refuses ranks of which not all have the same count, as its own operation finds out. */
/* runs: allreduce */
int checked_allreduce(const void *send, void *recv, size_t count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  static MPI_Op add;
  static int has_add;
  int64_t total, mine = (int64_t)count;
  if (!has_add) has_add = MPI_Op_create(add_up, 1, &add) == MPI_SUCCESS;
  MPI_Allreduce(&mine, &total, 1, MPI_INT64_T, add, comm);
  if (total != mine * size || count > INT_MAX) return MPI_ERR_COUNT;
  return MPI_Allreduce(send, recv, (int)count, type, op, comm);
}

/* Refuses what it does not serve, on all ranks alike and before it sends. */
int refuses_few(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  (void)rank;
  if (count < size) return MPI_ERR_COUNT;
  return MPI_Allreduce(send, recv, count, type, op, comm);
}

HEDDLE_MPI_ALGORITHM(allreduce, rabenseifner, "op=commutative");
HEDDLE_MPI_ALGORITHM(allgather, bruck, "");
HEDDLE_MPI_ALGORITHM(allgather, neighbor_exchange, "ranks=even");
HEDDLE_MPI_ALGORITHM(bcast, pipelined_chain, "");

/* It looks again and again: while one rank comes late, the others poll. */
/* runs: barrier */
int polled_barrier(MPI_Comm comm) {
  MPI_Request request;
  int is_over = 0;
  MPI_Ibarrier(comm, &request);
  while (!is_over) MPI_Test(&request, &is_over, MPI_STATUS_IGNORE);
  return MPI_SUCCESS;
}

/* Segments down a chain: all are received with the room of a whole one, and the last is shorter. */
/* runs: broadcast */
int segments_by_room(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  enum { kSegment = 5 };
  const int place = (rank - root + size) % size, before = (rank + size - 1) % size, after = (rank + 1) % size;
  for (int at = 0; at < count; at += kSegment) {
    char *const segment = (char *)buffer + at * extent_of(type);
    MPI_Request request;
    if (place > 0) {
      CHECK(MPI_Irecv(segment, kSegment, type, before, 0, comm, &request));
      CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    const int length = count - at < kSegment ? count - at : kSegment;
    if (place < size - 1) CHECK(MPI_Send(segment, length, type, after, 0, comm));
  }
  return MPI_SUCCESS;
}

/* A scatter and recursive doubling, as in MPICH and Open MPI: a block is received with room up to the end of the vector, where a block
   lies that is sent meanwhile. */
/* runs: broadcast ranks=power_of_two */
int doubling_by_room(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  const MPI_Aint extent = extent_of(type);
  const int each = (count + size - 1) / size, place = (rank - root + size) % size;
#define BEGIN(block) ((block) * each < count ? (block) * each : count)
#define LEFT(block) (BEGIN((block) + 1) - BEGIN(block))
  if (rank == root)
    for (int block = 1; block < size; ++block)
      CHECK(MPI_Send((char *)buffer + BEGIN(block) * extent, LEFT(block), type, (root + block) % size, 0, comm));
  else
    CHECK(MPI_Recv((char *)buffer + BEGIN(place) * extent, count - BEGIN(place), type, root, 0, comm, MPI_STATUS_IGNORE));
  for (int distance = 1; distance < size; distance *= 2) {
    const int mine = place / distance * distance, other = place ^ distance, theirs = other / distance * distance;
    CHECK(MPI_Sendrecv((char *)buffer + BEGIN(mine) * extent, BEGIN(mine + distance) - BEGIN(mine), type, (other + root) % size, 1,
                       (char *)buffer + BEGIN(theirs) * extent, count - BEGIN(theirs), type, (other + root) % size, 1, comm, MPI_STATUS_IGNORE));
  }
  return MPI_SUCCESS;
}

/* Recursion and arrays on the stack, as any process has room for. */
static int deep(int levels, const volatile char *above) {
  volatile char room[100000];
  room[0] = (char)(above ? above[0] : 0);
  return levels == 0 ? room[0] : deep(levels - 1, room) + room[0];
}
/* runs: barrier */
int on_a_large_stack(MPI_Comm comm) { return deep(30, NULL) == 0 ? MPI_Barrier(comm) : MPI_ERR_OTHER; }

/* Of any type: memory has room for its true extent, and begins before its lower bound; what is copied are elements and not the bytes
   between them. */
static void copied(const void *from, void *to, int count, MPI_Datatype type) {
  MPI_Sendrecv(from, count, type, 0, 0, to, count, type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}
/* runs: allreduce types=derived */
int reduce_any_type(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  MPI_Aint lower, extent, true_lower, true_extent;
  CHECK(MPI_Type_get_extent(type, &lower, &extent));
  CHECK(MPI_Type_get_true_extent(type, &true_lower, &true_extent));
  char *const memory = malloc((size_t)(true_extent + (count > 0 ? count - 1 : 0) * extent));
  char *const theirs = memory - true_lower;
  if (send != MPI_IN_PLACE) copied(send, recv, count, type);
  if (rank < size - 1) {
    CHECK(MPI_Recv(theirs, count, type, rank + 1, 0, comm, MPI_STATUS_IGNORE));
    char *const both = malloc((size_t)(true_extent + (count > 0 ? count - 1 : 0) * extent));
    copied(theirs, both - true_lower, count, type);
    CHECK(MPI_Reduce_local(recv, both - true_lower, count, type, op));
    copied(both - true_lower, recv, count, type);
    free(both);
  }
  if (rank > 0) CHECK(MPI_Send(recv, count, type, rank - 1, 0, comm));
  free(memory);
  return MPI_Bcast(recv, count, type, 0, comm);
}
/* runs: alltoall as=alltoallv:types=derived:in_place=no */
int any_displacements(const void *send, const int *sent, const int *from, MPI_Datatype type, void *recv, const int *received, const int *to,
                      MPI_Datatype into, MPI_Comm comm) {
  RANK_AND_SIZE(comm);
  MPI_Aint lower, extent;
  CHECK(MPI_Type_get_extent(type, &lower, &extent));
  for (int step = 0; step < size; ++step) {
    const int after = (rank + step) % size, before = (rank + size - step) % size;
    CHECK(MPI_Sendrecv((const char *)send + from[after] * extent, sent[after], type, after, 0, (char *)recv + to[before] * extent, received[before], into,
                       before, 0, comm, MPI_STATUS_IGNORE));
  }
  return MPI_SUCCESS;
}
