/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that are freed, cancelled, looked at or end with an error; what statuses and error handlers are told then. */
#include "check.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

static int next, previous, value[16], got[16];
static MPI_Status status;
static MPI_Request request;

/* What is freed completes unseen, by MPI_Finalize at the latest. */
static void freed(void) {
  MPI_Request requests[3];
  MPI_Isend(value, 4, MPI_INT, next, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Issend(value, 4, MPI_INT, next, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Send_init(value, 4, MPI_INT, next, 3, MPI_COMM_WORLD, &requests[2]);
  MPI_Start(&requests[2]);
  for (int i = 0; i < 3; ++i) {
    MPI_Request_free(&requests[i]);
    CHECK(requests[i] == MPI_REQUEST_NULL);
  }
  for (int tag = 3; tag > 0; --tag) MPI_Recv(got, 4, MPI_INT, previous, tag, MPI_COMM_WORLD, &status);
  static int late[4];
  MPI_Irecv(late, 4, MPI_INT, previous, 4, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  MPI_Send(value, 4, MPI_INT, next, 4, MPI_COMM_WORLD);
}

static int was_cancelled(MPI_Request* of) {
  int flag = 0;
  MPI_Cancel(of);
  MPI_Wait(of, &status);
  MPI_Test_cancelled(&status, &flag);
  return flag;
}

/* A send that nobody receives can be cancelled at any time: before it has left, on its way, or where it lies. */
static void cancelled(void) {
  MPI_Issend(value, 1, MPI_INT, next, 5, MPI_COMM_WORLD, &request);
  CHECK(was_cancelled(&request));
  MPI_Isend(value, 1, MPI_INT, next, 5, MPI_COMM_WORLD, &request);
  CHECK(was_cancelled(&request));
  MPI_Isend(value, 1, MPI_INT, next, 5, MPI_COMM_WORLD, &request);
  sleep(1);
  CHECK(was_cancelled(&request));
  MPI_Send_init(value, 2, MPI_INT, next, 5, MPI_COMM_WORLD, &request);
  MPI_Start(&request);
  CHECK(was_cancelled(&request));
  MPI_Start(&request);
  MPI_Recv(got, 4, MPI_INT, previous, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  int count;
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(count == 2);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(!was_cancelled(&request));
  MPI_Request_free(&request);
}

static void replaced(void) {
  int data[3] = {rank, rank, rank};
  for (int i = 0; i < 3; ++i) {
    MPI_Isendrecv_replace(data, 3, MPI_INT, next, 6, previous, 6, MPI_COMM_WORLD, &request);
    if (rank == 0) sleep(1);
    MPI_Wait(&request, &status);
    CHECK(status.MPI_SOURCE == previous);
  }
  CHECK(data[0] == (rank + 3 * (size - 1)) % size && data[2] == data[0]);
}

static MPI_Comm told;
static void handle(MPI_Comm* comm, int* code, ...) {
  told = *comm;
  (void)code;
}

/* Statuses say whose message an error is of. The handler is that of the communicator, even where the call names none. */
static void errors(void) {
  MPI_Comm comm;
  MPI_Errhandler handler;
  MPI_Status statuses[2];
  MPI_Request requests[2];
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Errhandler_free(&handler);
  MPI_Irecv(got, 2, MPI_INT, previous, 7, comm, &requests[0]);
  MPI_Irecv(got + 4, 2, MPI_INT, previous, 8, comm, &requests[1]);
  MPI_Send(value, 2, MPI_INT, next, 7, comm);
  MPI_Send(value, 3, MPI_INT, next, 8, comm);
  CHECK(MPI_Waitall(2, requests, statuses) == MPI_ERR_IN_STATUS);
  CHECK(told == comm);
  CHECK(statuses[0].MPI_ERROR == MPI_SUCCESS && statuses[0].MPI_TAG == 7);
  CHECK(statuses[1].MPI_ERROR == MPI_ERR_TRUNCATE && statuses[1].MPI_TAG == 8 && statuses[1].MPI_SOURCE == previous);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Irecv(got, 2, MPI_INT, previous, 9, comm, &request);
  MPI_Send(value, 3, MPI_INT, next, 9, comm);
  int flag = 0;
  while (!flag) MPI_Request_get_status(request, &flag, &status);
  CHECK(status.MPI_TAG == 9);
  CHECK(MPI_Wait(&request, &status) == MPI_ERR_TRUNCATE && status.MPI_SOURCE == previous);
  CHECK(request == MPI_REQUEST_NULL);
  MPI_Comm_free(&comm);
}

/* Null pointers and other wrong arguments are returned as errors of their classes. */
static void arguments(void) {
  MPI_Datatype type;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(MPI_Type_size(MPI_INT, NULL) == MPI_ERR_ARG);
  CHECK(MPI_Type_contiguous(2, MPI_INT, NULL) == MPI_ERR_ARG);
  CHECK(MPI_Type_create_struct(2, NULL, NULL, NULL, &type) == MPI_ERR_ARG);
  CHECK(MPI_Get_count(MPI_STATUS_IGNORE, MPI_INT, value) == MPI_ERR_ARG);
  CHECK(MPI_Isend(value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, NULL) == MPI_ERR_ARG);
  CHECK(MPI_Comm_get_errhandler(MPI_COMM_WORLD, NULL) == MPI_ERR_ARG);
  CHECK(MPI_Comm_get_parent(NULL) == MPI_ERR_ARG);
  CHECK(MPI_Comm_get_name(MPI_COMM_WORLD, NULL, value) == MPI_ERR_ARG);
  CHECK(MPI_Waitall(2, NULL, MPI_STATUSES_IGNORE) == MPI_ERR_ARG);
  CHECK(MPI_Add_error_string(MPI_ERR_RANK, "mine") == MPI_ERR_ARG);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  char text[MPI_MAX_ERROR_STRING];
  int code, length;
  MPI_Add_error_class(&code);
  MPI_Error_string(code, text, &length);
  CHECK(length == 0 && text[0] == 0);
  MPI_Error_string(MPI_ERR_ARG, text, &length);
  CHECK(length > 0);
}

/* A request for work of the program's own: what its functions were asked, and what they answer. */
struct work {
  int queries, frees, cancels, was_complete, answer;
};
static int query_work(void* state, MPI_Status* status) {
  struct work* work = state;
  ++work->queries;
  status->MPI_SOURCE = 7;
  status->MPI_TAG = 42;
  MPI_Status_set_elements(status, MPI_INT, 3);
  MPI_Status_set_cancelled(status, work->cancels > 0);
  return work->answer;
}
static int free_work(void* state) {
  ++((struct work*)state)->frees;
  return MPI_SUCCESS;
}
static int cancel_work(void* state, int complete) {
  struct work* work = state;
  ++work->cancels;
  work->was_complete = complete;
  return MPI_SUCCESS;
}

static void generalized(void) {
  struct work work[3] = {{0, 0, 0, -1, MPI_SUCCESS}};
  MPI_Request all[3], kept;
  MPI_Status statuses[3];
  int flag, index, count, indices[3];
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  /* test, get_status, wait */
  MPI_Grequest_start(query_work, free_work, cancel_work, &work[0], &request);
  kept = request;
  MPI_Test(&request, &flag, &status);
  CHECK(!flag && work[0].queries == 0);
  CHECK(MPI_Grequest_complete(request) == MPI_SUCCESS);
  CHECK(MPI_Grequest_complete(request) == MPI_ERR_REQUEST);
  MPI_Request_get_status(request, &flag, &status);
  CHECK(flag && status.MPI_TAG == 42 && work[0].queries == 1 && work[0].frees == 0);
  MPI_Wait(&request, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(status.MPI_SOURCE == 7 && status.MPI_TAG == 42 && count == 3 && request == MPI_REQUEST_NULL);
  CHECK(work[0].queries == 2 && work[0].frees == 1 && work[0].cancels == 0);
  CHECK(MPI_Grequest_complete(kept) == MPI_ERR_REQUEST && MPI_Wait(&kept, &status) == MPI_ERR_REQUEST);
  /* beside messages, in all forms for several */
  for (int form = 0; form < 6; ++form) {
    memset(work, 0, sizeof work);
    MPI_Irecv(got, 1, MPI_INT, previous, 20 + form, MPI_COMM_WORLD, &all[0]);
    for (int i = 1; i < 3; ++i) MPI_Grequest_start(query_work, free_work, cancel_work, &work[i], &all[i]);
    MPI_Testsome(3, all, &count, indices, statuses);
    MPI_Barrier(MPI_COMM_WORLD); /* nobody has sent yet */
    CHECK(count == 0);
    MPI_Grequest_complete(all[1]);
    flag = 0;
    if (form == 0) MPI_Waitany(3, all, &index, &status);
    if (form == 1) MPI_Testany(3, all, &index, &flag, &status);
    if (form == 2) MPI_Waitsome(3, all, &count, indices, statuses);
    if (form == 3) MPI_Testsome(3, all, &count, indices, statuses);
    if (form < 2) CHECK(index == 1 && status.MPI_TAG == 42);
    if (form == 2 || form == 3) CHECK(count == 1 && indices[0] == 1 && statuses[0].MPI_TAG == 42);
    if (form < 4) CHECK(all[1] == MPI_REQUEST_NULL && work[1].frees == 1);
    if (form == 5) MPI_Testall(3, all, &flag, statuses);
    CHECK(form != 5 || !flag);
    MPI_Grequest_complete(all[2]);
    MPI_Send(value, 1, MPI_INT, next, 20 + form, MPI_COMM_WORLD);
    if (form == 5) {
      while (!flag) MPI_Testall(3, all, &flag, statuses);
    } else {
      MPI_Waitall(3, all, statuses);
    }
    CHECK(work[1].queries == 1 && work[1].frees == 1 && work[2].queries == 1 && work[2].frees == 1);
    CHECK(statuses[0].MPI_TAG == 20 + form && statuses[2].MPI_TAG == 42);
  }
  /* cancelled, before and after it is complete */
  memset(work, 0, sizeof work);
  MPI_Grequest_start(query_work, free_work, cancel_work, &work[0], &request);
  MPI_Cancel(&request);
  CHECK(work[0].cancels == 1 && work[0].was_complete == 0);
  MPI_Grequest_complete(request);
  MPI_Cancel(&request);
  CHECK(work[0].cancels == 2 && work[0].was_complete == 1);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &flag);
  CHECK(flag && work[0].frees == 1);
  /* freed, before and after it is complete */
  for (int late = 0; late < 2; ++late) {
    memset(work, 0, sizeof work);
    MPI_Grequest_start(query_work, free_work, cancel_work, &work[0], &request);
    kept = request;
    if (late) MPI_Grequest_complete(kept);
    MPI_Request_free(&request);
    CHECK(request == MPI_REQUEST_NULL && work[0].frees == late);
    request = kept;
    CHECK(MPI_Wait(&request, &status) == MPI_ERR_REQUEST);
    if (!late) CHECK(MPI_Grequest_complete(kept) == MPI_SUCCESS);
    CHECK(work[0].frees == 1 && work[0].queries == 0 && MPI_Grequest_complete(kept) == MPI_ERR_REQUEST);
  }
  /* what the program's functions return is an error of the request */
  memset(work, 0, sizeof work);
  for (int i = 0; i < 2; ++i) MPI_Grequest_start(query_work, free_work, cancel_work, &work[i], &all[i]);
  for (int i = 0; i < 2; ++i) MPI_Grequest_complete(all[i]);
  work[1].answer = MPI_ERR_OTHER;
  CHECK(MPI_Waitall(2, all, statuses) == MPI_ERR_IN_STATUS && work[1].frees == 1);
  CHECK(statuses[0].MPI_ERROR == MPI_SUCCESS && statuses[1].MPI_ERROR == MPI_ERR_OTHER && statuses[1].MPI_TAG == 42);
  MPI_Irecv(got, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
  CHECK(MPI_Grequest_complete(request) == MPI_ERR_REQUEST && MPI_Grequest_complete(MPI_REQUEST_NULL) == MPI_ERR_REQUEST);
  MPI_Wait(&request, &status);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* What lies beside the bytes of open requests is the program's. */
static void beside_open_requests(void) {
  struct {
    int first;
    char hole;
    double second;
  } given = {rank, 1, 2}, got = {-1, 1, -1};
  int ints[4] = {rank, rank, rank, rank}, sums[2];
  MPI_Request requests[2];
  MPI_Datatype type;
  MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &type);
  MPI_Type_commit(&type);
  MPI_Irecv(&got, 1, type, previous, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&given, 1, type, next, 0, MPI_COMM_WORLD, &requests[1]);
  got.hole = given.hole = 5;
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(got.first == previous && got.hole == 5 && got.second == 2);
  MPI_Type_free(&type);
  MPI_Ibcast(ints, 2, MPI_INT, 0, MPI_COMM_WORLD, &requests[0]);
  ints[2] = ints[3] = 7;
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
#if MPI_VERSION >= 4 && !defined(WITHOUT_PERSISTENT)
  MPI_Allreduce_init(ints + 2, sums, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
  for (int i = 0; i < 2; ++i) {
    ints[2] = i;
    MPI_Start(&requests[0]);
    ints[1] = rank;
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    CHECK(sums[0] == i * size && sums[1] == 7 * size && ints[0] == 0);
  }
  MPI_Request_free(&requests[0]);
#endif
}

/* Benchmarks go on until a time has come, with calls that may take none. */
static void until_a_time(void) {
  int given = 1, got = 0, is_over = 0;
  MPI_Request request;
  MPI_Iallreduce(&given, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  for (const double end = MPI_Wtime() + 1e-4; MPI_Wtime() < end;) MPI_Test(&request, &is_over, MPI_STATUS_IGNORE);
  CHECK(is_over && got == size && request == MPI_REQUEST_NULL);
  for (const double end = MPI_Wtime() + 1e-4; MPI_Wtime() < end;) MPI_Barrier(MPI_COMM_SELF);
}

/* Reads the clock until `seconds` have passed, with a question behind each `reads` of them (0: none): how many times as long it took. */
static double wait_for_clock(double seconds, int reads, MPI_Request* request) {
  int over = 0;
  MPI_Barrier(MPI_COMM_SELF);
  const double begin = MPI_Wtime();
  for (int i = 1; MPI_Wtime() < begin + seconds; ++i) {
    if (reads > 0 && i % reads == 0) MPI_Test(request, &over, MPI_STATUS_IGNORE);
  }
  return (MPI_Wtime() - begin) / seconds;
}

static long nanoseconds(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec * 1000000000L + at.tv_nsec;
}

/* Adds up what goes by between two reads of the clock, as benchmarks of overlap do: how many times as long as `seconds` it took. */
static double compute_for(double seconds) {
  MPI_Barrier(MPI_COMM_SELF);
  const double begin = MPI_Wtime();
  for (double computed = 0; computed < seconds;) {
    const double before = MPI_Wtime();
    const double after = MPI_Wtime();
    computed += after - before;
  }
  return (MPI_Wtime() - begin) / seconds;
}

/* Benchmarks compute for as long as a message takes, in parts with a question behind each. They end soon after their time, and soon. */
static void for_a_time(void) {
  int got = 0, over = 0;
  MPI_Request request;
  MPI_Irecv(&got, 1, MPI_INT, previous, 5, MPI_COMM_WORLD, &request);
  CHECK(wait_for_clock(0.1, 0, &request) < 1.1);
  CHECK(wait_for_clock(1e-5, 0, &request) < 1.15);
  CHECK(compute_for(1e-6) < 1.1 && compute_for(1e-3) < 1.1);
  /* A wait is as near to its time as one alone, whatever the rank has waited for before, with no call between them. */
  const double before_two = MPI_Wtime();
  for (const double end = MPI_Wtime() + 1e-4; MPI_Wtime() < end;) continue;
  const double between_two = MPI_Wtime();
  for (const double end = between_two + 1e-6; MPI_Wtime() < end;) continue;
  CHECK(MPI_Wtime() - between_two < 1.15e-6 && between_two - before_two < 1.1e-4);
  for (int reads = 1; reads <= 100; reads *= 3) CHECK(wait_for_clock(1e-5, reads, &request) < 1.15);
  for (double part = 1e-6; part > 1e-8; part /= 10) {
    MPI_Barrier(MPI_COMM_SELF);
    const double before = MPI_Wtime();
    for (int i = 0; i < 100; ++i) {
      for (const double end = MPI_Wtime() + part; MPI_Wtime() < end;) continue;
      MPI_Test(&request, &over, MPI_STATUS_IGNORE);
    }
    CHECK(MPI_Wtime() - before < 115 * part);
  }
  CHECK(!over);
  int reads = 0;
  for (const long end = nanoseconds() + 10000; nanoseconds() < end;) ++reads;
  CHECK(reads < 10000);
  /* A program that computes may read the clock with each of many parts, and call nothing else: it has not waited for days. */
  const long begin = nanoseconds();
  for (int i = 0; rank == 0 && i < 20000; ++i) nanoseconds();
  CHECK(nanoseconds() - begin < 30000000000L);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(&rank, 1, MPI_INT, next, 5, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(got == previous);
}

int main(int argc, char** argv) {
  begin(&argc, &argv);
  next = (rank + 1) % size;
  previous = (rank + size - 1) % size;
  freed();
  cancelled();
  replaced();
  errors();
  arguments();
  generalized();
  beside_open_requests();
  until_a_time();
  for_a_time();
  volatile char stack[4 << 20]; /* as much as programs expect */
  memset((char*)stack, 1, sizeof stack);
  CHECK(stack[1] == 1);
  return end();
}
