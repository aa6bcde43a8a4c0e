/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives whose partners are at distances of negabinary numbers: Bine trees and butterflies (De Sensi et al., "Bine Trees", SC 2025)
   and Swing (De Sensi et al., NSDI 2024), with point-to-point messages of MPI, as libraries of such collectives write them.
   The line before each says how it is handed over, as in right.c. The variable FAULT gives one of them
   a fault, and mpi_functions.py says which is found. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int fault(void) {
  const char *const number = getenv("FAULT");
  return number ? atoi(number) : 0;
}
#define FAULT fault()

#define CHECK(call)                         \
  do {                                      \
    const int code_ = (call);               \
    if (code_ != MPI_SUCCESS) return code_; \
  } while (0)

static int modulo(int a, int p) { return ((a % p) + p) % p; }
static int steps_of(int p) {
  int steps = 0;
  while (1 << steps < p) ++steps;
  return steps;
}
static MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint lower, extent;
  MPI_Type_get_extent(type, &lower, &extent);
  return extent;
}

/* (1 - (-2)^n) / 3: 1, -1, 3, -5, 11, … for n = 1, 2, 3, … */
static int negabinary_ones(int n) {
  int power = 1;
  for (int i = 0; i < n; ++i) power *= -2;
  return (1 - power) / 3;
}
/* All of them are odd: even ranks go up, odd ones down, so that two name each other. */
static int partner(int rank, int n, int p) {
  const int distance = negabinary_ones(n);
  return modulo(rank % 2 == 0 ? rank + distance : rank - distance, p);
}

/* The ranks that reach each other within partners of 1, …, n are 2^n that follow each other, round the ring: the first of them. */
static int first_of(int rank, int n, int p) {
  if (n == 0) return rank;
  const int mine = first_of(rank, n - 1, p), theirs = first_of(partner(rank, n, p), n - 1, p);
  return modulo(mine + (1 << (n - 1)), p) == theirs ? mine : theirs;
}

/* A range of blocks round the ring: at most two pieces. */
struct pieces {
  int from[2], count[2];
};
static struct pieces pieces_of(int first, int length, int p) {
  const int until_end = length < p - first ? length : p - first;
  const struct pieces pieces = {{first, 0}, {until_end, length - until_end}};
  return pieces;
}

/* The step of a tree, counted down from the number of steps, at which a rank hears from its parent; of the root one more. */
static int level_of(int relative, int steps, int p) {
  int *const levels = calloc((size_t)p, sizeof *levels);
  levels[0] = steps + 1;
  for (int n = steps; n > 0; --n)
    for (int r = 0; r < p; ++r)
      if (levels[r] > n) levels[partner(r, n, p)] = n;
  const int level = levels[relative];
  free(levels);
  return level;
}

#define SETUP(of)                                               \
  int rank, size;                                               \
  MPI_Comm_rank(comm, &rank), MPI_Comm_size(comm, &size);       \
  const int steps = steps_of(size);                             \
  const MPI_Aint extent = extent_of(of)
#define TREE(of)                                                \
  SETUP(of);                                                    \
  const int me = modulo(rank - root, size), level = level_of(me, steps, size)
#define RANK_AT(relative) modulo((relative) + root, size)

/* runs: broadcast ranks=power_of_two */
int bine_bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  TREE(type);
  (void)extent;
  for (int n = steps; n > 0; --n) {
    const int peer = RANK_AT(partner(me, n, size));
    if (n == level) CHECK(MPI_Recv(buffer, count - (FAULT == 1 && n == 1 && count > 1), type, peer, n, comm, MPI_STATUS_IGNORE));
    if (n < level) CHECK(MPI_Send(buffer, count, type, peer, n, comm));
  }
  return MPI_SUCCESS;
}

/* The same tree the other way. */
/* runs: reduce ranks=power_of_two:op=commutative */
int bine_reduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  TREE(type);
  const size_t bytes = (size_t)count * (size_t)extent;
  char *const theirs = malloc(bytes), *const sum = rank == root ? recv : malloc(bytes);
  if (send != MPI_IN_PLACE) memcpy(sum, send, bytes);
  for (int n = 1; n <= steps; ++n) {
    const int peer = RANK_AT(partner(me, n, size));
    if (n < level) {
      CHECK(MPI_Recv(theirs, count, type, peer, n, comm, MPI_STATUS_IGNORE));
      if (FAULT != 2 || n != 2) CHECK(MPI_Reduce_local(theirs, sum, count, type, op));
    }
    if (n == level) CHECK(MPI_Send(sum, count, type, peer, n, comm));
  }
  free(theirs);
  if (rank != root) free(sum);
  return MPI_SUCCESS;
}

/* Subtrees are ranges of ranks round the ring: what is kept of a range stands in the ring's order from its first rank on. */
/* runs: gather ranks=power_of_two */
int bine_gather(const void *send, int count, MPI_Datatype send_type, void *recv, int recv_count, MPI_Datatype type, int root,
                MPI_Comm comm) {
  int here;
  MPI_Comm_rank(comm, &here);
  const int in_place = here == root && send == MPI_IN_PLACE;
  if (here != root) type = send_type, recv_count = count;
  TREE(type);
  const size_t block = (size_t)recv_count * (size_t)extent;
  char *const kept = malloc(block * (size_t)size);
  const int top = first_of(me, level - 1, size);
#define PLACE(relative) (kept + block * (size_t)modulo((relative) - top, size))
  memcpy(PLACE(me), in_place ? (char *)recv + block * (size_t)rank : (const char *)send, block);
  for (int n = 1; n <= steps && n <= level; ++n) {
    const int other = partner(me, n, size), length = 1 << (n - 1);
    if (n < level) {
      const int from = first_of(other, n - 1, size);
      CHECK(MPI_Recv(PLACE(from), length * recv_count, type, RANK_AT(other), n, comm, MPI_STATUS_IGNORE));
    } else {
      CHECK(MPI_Send(PLACE(first_of(me, n - 1, size)), length * recv_count, type, RANK_AT(other), n, comm));
    }
  }
  if (rank == root)
    for (int r = 0; r < size; ++r) memcpy((char *)recv + block * (size_t)RANK_AT(r + (FAULT == 3)), PLACE(r), block);
  free(kept);
  return MPI_SUCCESS;
}

/* runs: scatter ranks=power_of_two */
int bine_scatter(const void *send, int send_count, MPI_Datatype send_type, void *recv, int count, MPI_Datatype type, int root,
                 MPI_Comm comm) {
  int here;
  MPI_Comm_rank(comm, &here);
  const int in_place = here == root && recv == MPI_IN_PLACE;
  if (here == root) type = send_type, count = send_count;
  TREE(type);
  const size_t block = (size_t)count * (size_t)extent;
  char *const kept = malloc(block * (size_t)size);
  const int top = first_of(me, level - 1, size);
  if (rank == root)
    for (int r = 0; r < size; ++r) memcpy(PLACE(r), (const char *)send + block * (size_t)RANK_AT(r), block);
  for (int n = steps; n > 0; --n) {
    const int other = partner(me, n, size), length = 1 << (n - 1);
    if (n == level)
      CHECK(MPI_Recv(PLACE(first_of(me, n - 1, size)), length * count, type, RANK_AT(other), n, comm, MPI_STATUS_IGNORE));
    if (n < level) {
      const int from = first_of(other, n - 1, size) + (FAULT == 4 && n == 2 ? -1 : 0);
      CHECK(MPI_Send(PLACE(from), length * count, type, RANK_AT(other), n, comm));
    }
  }
  if (!in_place) memcpy(recv, PLACE(me), block);
  free(kept);
  return MPI_SUCCESS;
}

/* Ranges double: in the end each rank has the ring. */
/* runs: allgather ranks=power_of_two */
int bine_allgather(const void *send, int send_count, MPI_Datatype send_type, void *recv, int count, MPI_Datatype type, MPI_Comm comm) {
  SETUP(type);
  (void)send_count, (void)send_type;
  const MPI_Aint block = count * extent;
  if (send != MPI_IN_PLACE) memcpy((char *)recv + rank * block, send, (size_t)block);
  for (int n = 1; n <= steps; ++n) {
    const int peer = partner(rank, n, size), length = 1 << (n - 1);
    const struct pieces mine = pieces_of(first_of(rank, n - 1, size), length, size);
    const struct pieces theirs = pieces_of(first_of(peer, n - 1, size), length, size);
    MPI_Request requests[4];
    for (int i = 0; i < 2; ++i) {
      const int from = FAULT == 5 && n == 2 && i == 0 ? mine.from[0] : theirs.from[i];
      CHECK(MPI_Irecv((char *)recv + from * block, theirs.count[i] * count, type, peer, i, comm, &requests[i]));
    }
    for (int i = 0; i < 2; ++i)
      CHECK(MPI_Isend((char *)recv + mine.from[i] * block, mine.count[i] * count, type, peer, i, comm, &requests[2 + i]));
    CHECK(MPI_Waitall(4, requests, MPI_STATUSES_IGNORE));
  }
  return MPI_SUCCESS;
}

/* Ranges halve: each rank sends the half that its partner keeps. */
/* runs: reduce_scatter ranks=power_of_two:op=commutative */
int bine_reduce_scatter(const void *send, void *recv, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  SETUP(type);
  int *const offsets = malloc(((size_t)size + 1) * sizeof *offsets);
  offsets[0] = 0;
  for (int r = 0; r < size; ++r) offsets[r + 1] = offsets[r] + counts[r];
  const size_t bytes = (size_t)offsets[size] * (size_t)extent;
  char *const sums = malloc(bytes), *const theirs = malloc(bytes);
  memcpy(sums, send == MPI_IN_PLACE ? recv : send, bytes);
  for (int n = steps; n > 0; --n) {
    const int peer = partner(rank, n, size), length = 1 << (n - 1);
    const struct pieces kept = pieces_of(first_of(rank, n - 1, size), length, size);
    const struct pieces given = pieces_of(first_of(peer, n - 1, size), length, size);
    for (int i = 0; i < 2; ++i) {
#define COUNT(of) (offsets[(of).from[i] + (of).count[i]] - offsets[(of).from[i]])
#define AT(of) (offsets[(of).from[i]] * extent)
      CHECK(MPI_Sendrecv(sums + AT(given), COUNT(given), type, peer, i, theirs + AT(kept), COUNT(kept), type, peer, i, comm,
                         MPI_STATUS_IGNORE));
      for (int again = 0; again <= (FAULT == 6 && n == 1); ++again)
        CHECK(MPI_Reduce_local(theirs + AT(kept), sums + AT(kept), COUNT(kept), type, op));
    }
  }
  memcpy(recv, sums + offsets[rank] * extent, (size_t)counts[rank] * (size_t)extent);
  free(sums), free(theirs), free(offsets);
  return MPI_SUCCESS;
}

/* Swing, all of the vector at each step: near partners first. */
/* runs: allreduce ranks=power_of_two:op=commutative:bits=may_differ */
int swing_allreduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  SETUP(type);
  const size_t bytes = (size_t)count * (size_t)extent;
  char *const theirs = malloc(bytes);
  if (send != MPI_IN_PLACE) memcpy(recv, send, bytes);
  for (int n = 1; n <= steps; ++n) {
    int peer = partner(rank, n, size);
    if (FAULT == 7 && n == 3) peer = partner(rank, 1, size);
    CHECK(MPI_Sendrecv(recv, count, type, peer, n, theirs, count, type, peer, n, comm, MPI_STATUS_IGNORE));
    CHECK(MPI_Reduce_local(theirs, recv, count, type, op));
  }
  free(theirs);
  return MPI_SUCCESS;
}

/* Whether `peer` is reached from `rank` within partners of n, n + 1, …, steps: Swing's blocks, which are no ranges. */
static int reaches(int rank, int peer, int n, int steps, int p) {
  if (n > steps) return rank == peer;
  return reaches(rank, peer, n + 1, steps, p) || reaches(partner(rank, n, p), peer, n + 1, steps, p);
}

/* Swing with blocks: a reduce-scatter and an allgather, both of blocks that are packed by a type of MPI. */
/* runs: allreduce ranks=power_of_two:op=commutative:count=positive */
int swing_blocks(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  SETUP(type);
  if (count == 0) return MPI_ERR_COUNT; /* MPI_Allreduce, which calls it, has returned before */
  const size_t bytes = (size_t)count * (size_t)extent;
  char *const theirs = malloc(bytes);
  int *const lengths = malloc((size_t)size * sizeof *lengths), *const places = malloc((size_t)size * sizeof *places);
  if (send != MPI_IN_PLACE) memcpy(recv, send, bytes);
#define FROM(block) ((int)((long long)count * (block) / size))
#define TYPE_OF(owner, n, made)                                                \
  do {                                                                         \
    int of = 0;                                                                \
    for (int b = 0; b < size; ++b)                                             \
      if (reaches(owner, b, (n) + 1, steps, size)) places[of] = FROM(b), lengths[of++] = FROM(b + 1) - FROM(b); \
    CHECK(MPI_Type_indexed(of, lengths, places, type, &(made)));               \
    CHECK(MPI_Type_commit(&(made)));                                           \
  } while (0)
  for (int half = 0; half < 2; ++half) {
    for (int i = 1; i <= steps; ++i) {
      const int n = half == 0 ? i : steps + 1 - i, peer = partner(rank, n, size);
      MPI_Datatype mine, given;
      TYPE_OF(rank, n, mine);
      TYPE_OF(peer, n, given);
      if (half == 0) {
        CHECK(MPI_Sendrecv(recv, 1, given, peer, n, theirs, 1, mine, peer, n, comm, MPI_STATUS_IGNORE));
        for (int b = 0; b < size; ++b)
          if (reaches(rank, b, n + 1, steps, size) && !(FAULT == 8 && b == 0 && n == 1))
            CHECK(MPI_Reduce_local(theirs + FROM(b) * extent, (char *)recv + FROM(b) * extent, FROM(b + 1) - FROM(b), type, op));
      } else {
        CHECK(MPI_Sendrecv(recv, 1, mine, peer, n, recv, 1, given, peer, n, comm, MPI_STATUS_IGNORE));
      }
      MPI_Type_free(&mine), MPI_Type_free(&given);
    }
  }
  free(theirs), free(lengths), free(places);
  return MPI_SUCCESS;
}

/* Blocks go by way of others: at each step all that are for ranks on the partner's side, with a list of who they are from and for. */
/* runs: alltoall ranks=power_of_two */
int bine_alltoall(const void *send, int send_count, MPI_Datatype send_type, void *recv, int count, MPI_Datatype type, MPI_Comm comm) {
  SETUP(type);
  (void)send_count, (void)send_type;
  const size_t block = (size_t)count * (size_t)extent;
  const int half = size / 2;
  char *const kept = malloc(block * (size_t)size), *const out = malloc(block * (size_t)size), *const in = malloc(block * (size_t)size);
  int *const labels = malloc(6 * (size_t)size * sizeof *labels), *const leaving = labels + 2 * size, *const coming = leaving + 2 * size;
  memcpy(kept, send == MPI_IN_PLACE ? recv : send, block * (size_t)size);
  for (int r = 0; r < size; ++r) labels[2 * r] = rank, labels[2 * r + 1] = r;
  for (int n = steps; n > 0; --n) {
    const int peer = partner(rank, n, size), first = first_of(peer, n - 1, size);
    int gone = 0;
    for (int r = 0; r < size; ++r) {
      if (modulo(labels[2 * r + 1] - first, size) >= 1 << (n - 1)) continue;
      memcpy(out + block * (size_t)gone, kept + block * (size_t)r, block);
      leaving[2 * gone] = labels[2 * r], leaving[2 * gone + 1] = labels[2 * r + 1];
      labels[2 * r] = -1, ++gone;
    }
    CHECK(MPI_Sendrecv(leaving, 2 * half, MPI_INT, peer, n, coming, 2 * half, MPI_INT, peer, n, comm, MPI_STATUS_IGNORE));
    CHECK(MPI_Sendrecv(out, half * count, type, peer, 0, in, half * count, type, peer, FAULT == 9 && n == 1 ? 1 : 0, comm, MPI_STATUS_IGNORE));
    for (int r = 0, next = 0; r < size; ++r) {
      if (labels[2 * r] >= 0) continue;
      memcpy(kept + block * (size_t)r, in + block * (size_t)next, block);
      labels[2 * r] = coming[2 * next], labels[2 * r + 1] = coming[2 * next + 1], ++next;
    }
  }
  for (int r = 0; r < size; ++r) memcpy((char *)recv + block * (size_t)labels[2 * r], kept + block * (size_t)r, block);
  free(kept), free(out), free(in), free(labels);
  return MPI_SUCCESS;
}

/* Binomial trees for any number of ranks: far ranks first, and near ranks first. */
/* runs: broadcast */
int halving_bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  SETUP(type);
  (void)extent;
  const int me = modulo(rank - root, size);
  for (int n = steps - 1; n >= 0; --n) {
    const int distance = 1 << n;
    if (me % (2 * distance) == distance) CHECK(MPI_Recv(buffer, count, type, RANK_AT(me - distance), 0, comm, MPI_STATUS_IGNORE));
    if (me % (2 * distance) == 0 && me + distance < size) CHECK(MPI_Send(buffer, count, type, RANK_AT(me + distance), 0, comm));
  }
  return MPI_SUCCESS;
}
/* runs: broadcast */
int doubling_bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  SETUP(type);
  (void)extent;
  const int me = modulo(rank - root, size);
  for (int n = 0; n < steps; ++n) {
    const int distance = 1 << n;
    if (me >= distance && me < 2 * distance) CHECK(MPI_Recv(buffer, count, type, RANK_AT(me - distance), 0, comm, MPI_STATUS_IGNORE));
    if (me < distance && me + distance < size) CHECK(MPI_Send(buffer, count, type, RANK_AT(me + distance), 0, comm));
  }
  return MPI_SUCCESS;
}
