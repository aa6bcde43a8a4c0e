/* SPDX-License-Identifier: Apache-2.0 */
/* MPI without MPI_Init: sessions, their process sets, and communicators made of groups. */
#include "check.h"

#include <string.h>

static int calls;
static void handle(MPI_Session *session, int *code, ...) {
  (void)session;
  CHECK(*code == MPI_ERR_ARG);
  ++calls;
}

static MPI_Comm world_of(MPI_Session session, const char *tag) {
  MPI_Group group;
  MPI_Comm comm;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
  MPI_Group_free(&group);
  return comm;
}

static void sets(MPI_Session session) {
  int count = 0, seen = 0;
  MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count);
  CHECK(count >= 2);
  for (int i = 0; i < count; ++i) {
    char name[MPI_MAX_PSET_NAME_LEN], number[MPI_MAX_INFO_VAL];
    int length = 0, flag = 0;
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, NULL);
    CHECK(length > 1 && length <= (int)sizeof name);
    MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name);
    CHECK((int)strlen(name) + 1 == length);
    MPI_Info info;
    MPI_Session_get_pset_info(session, name, &info);
    MPI_Info_get(info, "mpi_size", MPI_MAX_INFO_VAL - 1, number, &flag);
    CHECK(flag);
    const int is_world = strcmp(name, "mpi://WORLD") == 0, is_self = strcmp(name, "mpi://SELF") == 0;
    if (is_world || is_self) CHECK(atoi(number) == (is_world ? size : 1));
    seen += is_world + is_self;
    MPI_Info_free(&info);
  }
  CHECK(seen == 2);
}

static void handlers(MPI_Session session) {
  MPI_Errhandler own;
  MPI_Group group = MPI_GROUP_EMPTY;
  CHECK(MPI_Group_from_session_pset(session, "mpi://NOWHERE", &group) != MPI_SUCCESS);
  MPI_Session_create_errhandler(handle, &own);
  MPI_Session_set_errhandler(session, own);
  MPI_Errhandler_free(&own);
  MPI_Session_call_errhandler(session, MPI_ERR_ARG);
  CHECK(calls == 1);
}

static void two_groups(MPI_Comm comm) {
  if (size < 2) return;
  MPI_Group all, low, high;
  MPI_Comm both;
  int range[1][3] = {{0, size / 2 - 1, 1}};
  MPI_Comm_group(comm, &all);
  MPI_Group_range_incl(all, 1, range, &low);
  MPI_Group_difference(all, low, &high);
  const int is_low = rank < size / 2;
  MPI_Intercomm_create_from_groups(is_low ? low : high, 0, is_low ? high : low, 0, "both", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &both);
  int remote, one = 1, sum = 0;
  MPI_Comm_remote_size(both, &remote);
  CHECK(remote == (is_low ? size - size / 2 : size / 2));
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, both);
  CHECK(sum == remote);
  MPI_Comm_free(&both);
  MPI_Group_free(&all);
  MPI_Group_free(&low);
  MPI_Group_free(&high);
}

int main(void) {
  MPI_Session first, second;
  int flag;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &first);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &second);
  MPI_Initialized(&flag);
  CHECK(!flag);
  MPI_Comm comm = world_of(first, "first"), other = world_of(second, "second");
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  sets(first);
  handlers(first);
  two_groups(comm);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&first);
  CHECK(first == MPI_SESSION_NULL);
  int all = 0;
  MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, other);
  if (rank == 0 && all == 0) printf("ok\n");
  MPI_Comm_free(&other);
  MPI_Session_finalize(&second);
  return wrong != 0;
}
