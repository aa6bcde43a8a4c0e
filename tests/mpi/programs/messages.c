/* SPDX-License-Identifier: Apache-2.0 */
/* Sends of all modes, wildcards, probes, requests in all ways, persistent requests, cancelling. */
#include "check.h"

#include <string.h>

static int next, previous;

static void rings(void) {
  int got = -1, sent = rank * 10;
  MPI_Status status;
  MPI_Sendrecv(&sent, 1, MPI_INT, next, 3, &got, 1, MPI_INT, previous, 3, MPI_COMM_WORLD, &status);
  CHECK(got == previous * 10);
  CHECK(status.MPI_SOURCE == previous && status.MPI_TAG == 3);
  int count = -1;
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(count == 1);
  got = rank;
  MPI_Sendrecv_replace(&got, 1, MPI_INT, next, 4, previous, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(got == previous);
}

static void modes(void) {
  MPI_Request requests[2];
  int out = rank + 1, in = 0;
  MPI_Irecv(&in, 1, MPI_INT, previous, 5, MPI_COMM_WORLD, &requests[0]);
  MPI_Issend(&out, 1, MPI_INT, next, 5, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(in == previous + 1);
  CHECK(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);

  int bytes;
  MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &bytes);
  bytes += MPI_BSEND_OVERHEAD;
  void *buffer = malloc(bytes), *back;
  MPI_Buffer_attach(buffer, bytes);
  MPI_Bsend(&out, 1, MPI_INT, next, 6, MPI_COMM_WORLD);
  MPI_Recv(&in, 1, MPI_INT, previous, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(in == previous + 1);
  MPI_Buffer_detach(&back, &bytes);
  CHECK(back == buffer);
  free(buffer);

  MPI_Irecv(&in, 1, MPI_INT, previous, 7, MPI_COMM_WORLD, &requests[0]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Rsend(&out, 1, MPI_INT, next, 7, MPI_COMM_WORLD);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  CHECK(in == previous + 1);
}

static void wildcards(void) {
  if (rank == 0) {
    int seen = 0;
    for (int i = 1; i < size; ++i) {
      int got;
      MPI_Status status;
      MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      CHECK(got == status.MPI_SOURCE && status.MPI_TAG == 100 + got);
      seen += got;
    }
    CHECK(seen == size * (size - 1) / 2);
  } else {
    MPI_Send(&rank, 1, MPI_INT, 0, 100 + rank, MPI_COMM_WORLD);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  /* Messages of one pair are taken in the order in which they were sent, whatever their tags. */
  if (rank == 0 && size > 1) {
    for (int tag = 5; tag > 0; --tag) MPI_Send(&tag, 1, MPI_INT, 1, tag, MPI_COMM_WORLD);
  } else if (rank == 1) {
    for (int tag = 5; tag > 0; --tag) {
      int got;
      MPI_Recv(&got, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(got == tag);
    }
  }
}

static void probes(void) {
  if (rank == 0) {
    for (int i = 1; i < size; ++i) {
      MPI_Status status;
      MPI_Probe(i, 8, MPI_COMM_WORLD, &status);
      int count;
      MPI_Get_count(&status, MPI_CHAR, &count);
      CHECK(count == i);
      char text[64];
      MPI_Recv(text, count, MPI_CHAR, i, 8, MPI_COMM_WORLD, &status);
      CHECK(text[0] == 'a' + i % 20);
      int flag = 0;
      MPI_Message message;
      while (!flag) MPI_Improbe(i, 9, MPI_COMM_WORLD, &flag, &message, &status);
      MPI_Mrecv(text, 1, MPI_CHAR, &message, &status);
      CHECK(message == MPI_MESSAGE_NULL && text[0] == 'm');
    }
    int flag = 1;
    MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    CHECK(!flag);
  } else {
    char text[64];
    memset(text, 'a' + rank % 20, sizeof text);
    MPI_Send(text, rank, MPI_CHAR, 0, 8, MPI_COMM_WORLD);
    MPI_Send("m", 1, MPI_CHAR, 0, 9, MPI_COMM_WORLD);
  }
}

static void completions(void) {
  enum { N = 6 };
  MPI_Request requests[2 * N];
  int out[N], in[N];
  for (int i = 0; i < N; ++i) {
    out[i] = rank * 100 + i;
    MPI_Irecv(&in[i], 1, MPI_INT, previous, i, MPI_COMM_WORLD, &requests[i]);
  }
  for (int i = 0; i < N; ++i) MPI_Isend(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &requests[N + i]);
  int index, flag = 0, count, indices[2 * N];
  MPI_Status statuses[2 * N];
  MPI_Waitany(2 * N, requests, &index, MPI_STATUS_IGNORE);
  CHECK(index >= 0 && requests[index] == MPI_REQUEST_NULL);
  MPI_Waitsome(2 * N, requests, &count, indices, statuses);
  CHECK(count >= 1);
  while (!flag) MPI_Testany(2 * N, requests, &index, &flag, MPI_STATUS_IGNORE);
  while (MPI_Testsome(2 * N, requests, &count, indices, statuses), count != MPI_UNDEFINED)
    ;
  flag = 0;
  MPI_Testall(2 * N, requests, &flag, MPI_STATUSES_IGNORE);
  CHECK(flag);
  for (int i = 0; i < N; ++i) CHECK(in[i] == previous * 100 + i);
  MPI_Request none = MPI_REQUEST_NULL;
  MPI_Status status;
  status.MPI_ERROR = MPI_ERR_OTHER;
  MPI_Wait(&none, &status);
  CHECK(status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG && status.MPI_ERROR == MPI_SUCCESS);
}

static void persistent(void) {
  int out = 0, in = 0;
  MPI_Request requests[2];
  MPI_Recv_init(&in, 1, MPI_INT, previous, 11, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(&out, 1, MPI_INT, next, 11, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 3; ++i) {
    out = rank + i;
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(in == previous + i);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  CHECK(requests[0] == MPI_REQUEST_NULL);
}

static void nobody(void) {
  int value = 7;
  MPI_Status status;
  MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  CHECK(value == 7 && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);
  MPI_Request request;
  MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 999, MPI_COMM_WORLD, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  int flag;
  MPI_Test_cancelled(&status, &flag);
  CHECK(flag && value == 7);
  MPI_Send(NULL, 0, MPI_INT, rank == 0 ? MPI_PROC_NULL : 0, 12, MPI_COMM_WORLD);
  for (int i = 1; rank == 0 && i < size; ++i) MPI_Recv(NULL, 0, MPI_INT, i, 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* What processes usually have room for on their stacks. */
static void large_array(void) {
  char large[4 << 20];
  for (size_t i = 0; i < sizeof large; i += 4096) large[i] = (char)rank;
  MPI_Sendrecv(large, sizeof large / 2, MPI_CHAR, next, 0, large + sizeof large / 2, sizeof large / 2, MPI_CHAR, previous, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(large[sizeof large / 2] == (char)previous);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  next = (rank + 1) % size;
  previous = (rank + size - 1) % size;
  rings();
  modes();
  wildcards();
  probes();
  completions();
  persistent();
  nobody();
  large_array();
  return end();
}
