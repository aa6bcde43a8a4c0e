/* SPDX-License-Identifier: Apache-2.0 */
/* Every way to send, against every way to receive: round a ring, one int to the right. */
#include "check.h"

#include <string.h>

enum { TAG = 7, BUFFER = 4096 };
static int left, right, sent, got;
static MPI_Status status;
static MPI_Request requests[2];

static void reset(void) {
  sent = 100 + rank, got = -1;
  memset(&status, 0, sizeof status);
}
static int has_come(void) {
  int count = -1;
  MPI_Get_count(&status, MPI_INT, &count);
  return got == 100 + left && status.MPI_SOURCE == left && status.MPI_TAG == TAG && count == 1;
}
#define TO_RIGHT &sent, 1, MPI_INT, right, TAG, MPI_COMM_WORLD
#define FROM_LEFT &got, 1, MPI_INT, left, TAG, MPI_COMM_WORLD

/* A receive is posted on all ranks before any sends: a ready send needs it. */
#define SENDS(name, lower, suffix)                          \
  do {                                                      \
    reset();                                                \
    MPI_Irecv(FROM_LEFT, &requests[0]);                     \
    MPI_Barrier(MPI_COMM_WORLD);                            \
    if (strcmp(#name, "Ssend") != 0 || size > 1) {          \
      MPI_##name##suffix(TO_RIGHT);                         \
      MPI_Wait(&requests[0], &status);                      \
      CHECK(has_come());                                    \
    } else {                                                \
      MPI_Send(TO_RIGHT);                                   \
      MPI_Wait(&requests[0], &status);                      \
    }                                                       \
    reset();                                                \
    MPI_Irecv(FROM_LEFT, &requests[0]);                     \
    MPI_Barrier(MPI_COMM_WORLD);                            \
    MPI_I##lower##suffix(TO_RIGHT, &requests[1]);           \
    MPI_Wait(&requests[0], &status);                        \
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);              \
    CHECK(has_come());                                      \
    MPI_##name##_init##suffix(TO_RIGHT, &requests[1]);      \
    MPI_Recv_init##suffix(FROM_LEFT, &requests[0]);         \
    for (int i = 0; i < 2; ++i) {                           \
      reset();                                              \
      MPI_Start(&requests[0]);                              \
      MPI_Barrier(MPI_COMM_WORLD);                          \
      MPI_Start(&requests[1]);                              \
      MPI_Wait(&requests[0], &status);                      \
      MPI_Wait(&requests[1], MPI_STATUS_IGNORE);            \
      CHECK(has_come());                                    \
    }                                                       \
    MPI_Request_free(&requests[0]);                         \
    MPI_Request_free(&requests[1]);                         \
  } while (0)

/* `receive` takes the message that an MPI_Isend has under way. */
#define RECEIVES(receive)                        \
  do {                                           \
    reset();                                     \
    MPI_Isend(TO_RIGHT, &requests[1]);           \
    receive;                                     \
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);   \
    CHECK(has_come());                           \
  } while (0)
#define EXCHANGES(exchange) \
  do {                      \
    reset();                \
    exchange;               \
    CHECK(has_come());      \
  } while (0)

int main(int argc, char **argv) {
  static char room[BUFFER];
  void *returned;
  int bytes, flag;
  MPI_Message message;
  begin(&argc, &argv);
  left = (rank + size - 1) % size, right = (rank + 1) % size;
  MPI_Buffer_attach(room, BUFFER);
  SENDS(Send, send, );
  SENDS(Ssend, ssend, );
  SENDS(Rsend, rsend, );
  SENDS(Bsend, bsend, );
  MPI_Buffer_detach(&returned, &bytes);
  CHECK(returned == room && bytes == BUFFER);

  RECEIVES(MPI_Recv(FROM_LEFT, &status));
  RECEIVES(MPI_Irecv(FROM_LEFT, &requests[0]); MPI_Wait(&requests[0], &status));
  RECEIVES(MPI_Probe(left, TAG, MPI_COMM_WORLD, &status); MPI_Recv(FROM_LEFT, MPI_STATUS_IGNORE));
  RECEIVES(MPI_Mprobe(left, TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE); MPI_Mrecv(&got, 1, MPI_INT, &message, &status));
  CHECK(message == MPI_MESSAGE_NULL);
  RECEIVES(
      do MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE); while (!flag);
      MPI_Imrecv(&got, 1, MPI_INT, &message, &requests[0]); MPI_Wait(&requests[0], &status));
  EXCHANGES(MPI_Sendrecv(&sent, 1, MPI_INT, right, TAG, &got, 1, MPI_INT, left, TAG, MPI_COMM_WORLD, &status));
  EXCHANGES(got = sent; MPI_Sendrecv_replace(&got, 1, MPI_INT, right, TAG, left, TAG, MPI_COMM_WORLD, &status));

  /* Whether requests are complete, without ending them. */
  reset();
  MPI_Irecv(FROM_LEFT, &requests[0]);
  MPI_Isend(TO_RIGHT, &requests[1]);
  do MPI_Request_get_status(requests[0], &flag, &status);
  while (!flag);
  CHECK(has_come() && requests[0] != MPI_REQUEST_NULL);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);

#if MPI_VERSION >= 4
  MPI_Count large_bytes;
  MPI_Buffer_attach_c(room, BUFFER);
  SENDS(Send, send, _c);
  SENDS(Ssend, ssend, _c);
  SENDS(Rsend, rsend, _c);
  SENDS(Bsend, bsend, _c);
  MPI_Buffer_detach_c(&returned, &large_bytes);
  CHECK(returned == room && large_bytes == BUFFER);
  RECEIVES(MPI_Recv_c(FROM_LEFT, &status));
  RECEIVES(MPI_Irecv_c(FROM_LEFT, &requests[0]); MPI_Wait(&requests[0], &status));
  RECEIVES(MPI_Mprobe(left, TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
           MPI_Mrecv_c(&got, 1, MPI_INT, &message, &status));
  RECEIVES(MPI_Mprobe(left, TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
           MPI_Imrecv_c(&got, 1, MPI_INT, &message, &requests[0]); MPI_Wait(&requests[0], &status));
  EXCHANGES(MPI_Sendrecv_c(&sent, 1, MPI_INT, right, TAG, &got, 1, MPI_INT, left, TAG, MPI_COMM_WORLD, &status));
  EXCHANGES(got = sent; MPI_Sendrecv_replace_c(&got, 1, MPI_INT, right, TAG, left, TAG, MPI_COMM_WORLD, &status));
  /* What the status of a pair says of the source, MPI leaves open: the data counts. */
#define PAIRS(exchange)                           \
  do {                                            \
    reset();                                      \
    exchange;                                     \
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);    \
    CHECK(got == 100 + left);                     \
  } while (0)
  PAIRS(MPI_Isendrecv(&sent, 1, MPI_INT, right, TAG, &got, 1, MPI_INT, left, TAG, MPI_COMM_WORLD, &requests[0]));
  PAIRS(MPI_Isendrecv_c(&sent, 1, MPI_INT, right, TAG, &got, 1, MPI_INT, left, TAG, MPI_COMM_WORLD, &requests[0]));
  PAIRS(got = sent; MPI_Isendrecv_replace(&got, 1, MPI_INT, right, TAG, left, TAG, MPI_COMM_WORLD, &requests[0]));
  PAIRS(got = sent; MPI_Isendrecv_replace_c(&got, 1, MPI_INT, right, TAG, left, TAG, MPI_COMM_WORLD, &requests[0]));
  MPI_Count large;
  reset();
  MPI_Sendrecv(&sent, 1, MPI_INT, right, TAG, &got, 1, MPI_INT, left, TAG, MPI_COMM_WORLD, &status);
  MPI_Get_count_c(&status, MPI_INT, &large);
  CHECK(large == 1);
#endif
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
  int index, indices[2], completed;
  MPI_Status statuses[2];
  MPI_Buffer_attach(room, BUFFER);
  reset();
  MPI_Irecv(FROM_LEFT, &requests[0]);
  MPI_Bsend(TO_RIGHT);
  MPI_Buffer_flush();
  MPI_Buffer_detach(&returned, &bytes);
  requests[1] = MPI_REQUEST_NULL;
  do MPI_Request_get_status_all(2, requests, &flag, statuses);
  while (!flag);
  status = statuses[0];
  CHECK(has_come());
  MPI_Request_get_status_any(2, requests, &index, &flag, &status);
  CHECK(flag && index == 0 && has_come());
  MPI_Request_get_status_some(2, requests, &completed, indices, statuses);
  CHECK(completed == 1 && indices[0] == 0);
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
#endif
  return end();
}
