/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators made in all ways, groups, attributes, topologies with their neighbour collectives, two groups, errors that are returned. */
#include "check.h"

#include <string.h>

static void parts(void) {
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  int r, n, first;
  MPI_Comm_rank(half, &r);
  MPI_Comm_size(half, &n);
  CHECK(n == (size + (rank % 2 == 0)) / 2);
  first = rank;
  MPI_Bcast(&first, 1, MPI_INT, 0, half);
  CHECK(first == (size - 1) - ((size - 1) % 2 != rank % 2));
  MPI_Comm copy;
  MPI_Comm_dup(half, &copy);
  int result;
  MPI_Comm_compare(half, copy, &result);
  CHECK(result == MPI_CONGRUENT);
  MPI_Comm_compare(half, MPI_COMM_WORLD, &result);
  CHECK(result == (size == 1 ? MPI_CONGRUENT : MPI_UNEQUAL));
  MPI_Comm_free(&copy);
  MPI_Comm_free(&half);
  CHECK(half == MPI_COMM_NULL);
  MPI_Comm none;
  MPI_Comm_split(MPI_COMM_WORLD, MPI_UNDEFINED, 0, &none);
  CHECK(none == MPI_COMM_NULL);

  MPI_Group world, some;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int range[1][3] = {{size - 1, 0, -2}};
  MPI_Group_range_incl(world, 1, range, &some);
  MPI_Comm made;
  MPI_Comm_create(MPI_COMM_WORLD, some, &made);
  int place;
  MPI_Group_rank(some, &place);
  CHECK((made == MPI_COMM_NULL) == (place == MPI_UNDEFINED));
  if (made != MPI_COMM_NULL) {
    MPI_Comm_rank(made, &r);
    CHECK(r == place && rank == size - 1 - 2 * r);
    MPI_Comm again;
    MPI_Comm_create_group(MPI_COMM_WORLD, some, 5, &again);
    int sum = 0, one = 1;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, again);
    MPI_Group_size(some, &n);
    CHECK(sum == n);
    MPI_Comm_free(&again);
    MPI_Comm_free(&made);
  }
  MPI_Group_free(&some);
  MPI_Group_free(&world);
}

static int copies, deletions;
static int copy_attribute(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag) {
  (void)comm, (void)key, (void)extra;
  *(void **)out = (char *)in + 1;
  *flag = 1;
  ++copies;
  return MPI_SUCCESS;
}
static int delete_attribute(MPI_Comm comm, int key, void *value, void *extra) {
  (void)comm, (void)key, (void)value, (void)extra;
  ++deletions;
  return MPI_SUCCESS;
}

static void attributes(void) {
  int key, flag;
  char base[4], *value;
  MPI_Comm_create_keyval(copy_attribute, delete_attribute, &key, NULL);
  MPI_Comm comm, copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_attr(comm, key, base);
  MPI_Comm_dup(comm, &copy);
  MPI_Comm_get_attr(copy, key, &value, &flag);
  CHECK(flag && value == base + 1 && copies == 1);
  MPI_Comm_free(&copy);
  CHECK(deletions == 1);
  MPI_Comm_delete_attr(comm, key);
  CHECK(deletions == 2);
  MPI_Comm_free(&comm);
  MPI_Comm_free_keyval(&key);
  int *bound;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &flag);
  CHECK(flag && *bound >= 32767);
  char name[MPI_MAX_OBJECT_NAME];
  int length;
  MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
  CHECK(strcmp(name, "MPI_COMM_WORLD") == 0 && length == (int)strlen(name));
}

static int no_copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag) {
  (void)comm, (void)key, (void)in, (void)out;
  *flag = 0;
  return *(int *)extra;
}

/* A function's own code is what the call returns, and there is no copy. */
static void copies_that_fail(void) {
  int key, class, code, given;
  MPI_Add_error_class(&class);
  MPI_Add_error_code(class, &code);
  MPI_Comm_create_keyval(no_copy, MPI_COMM_NULL_DELETE_FN, &key, &code);
  MPI_Comm comm, copy = MPI_COMM_WORLD;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  MPI_Comm_set_attr(comm, key, NULL);
  given = MPI_Comm_dup(comm, &copy);
  CHECK(given == code && copy == MPI_COMM_NULL);
  MPI_Error_class(given, &given);
  CHECK(given == class);
  MPI_Comm_delete_attr(comm, key);
  MPI_Comm_free_keyval(&key);
  CHECK(MPI_Comm_dup(comm, &copy) == MPI_SUCCESS);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
}

/* MPI_Finalize deletes what MPI_COMM_SELF has, the last that was set first. */
static int next_to_go = 2;
static int goes(MPI_Comm comm, int key, void *value, void *extra) {
  (void)comm, (void)key, (void)extra;
  CHECK((int)(size_t)value == next_to_go);
  --next_to_go;
  return MPI_SUCCESS;
}
static void attributes_of_self(void) {
  int keys[3];
  for (int i = 0; i < 3; ++i) MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, goes, &keys[i], NULL);
  const int order[3] = {1, 2, 0};
  for (int i = 0; i < 3; ++i) MPI_Comm_set_attr(MPI_COMM_SELF, keys[order[i]], (void *)(size_t)i);
  for (int i = 0; i < 3; ++i) MPI_Comm_free_keyval(&keys[i]);
}

static void environment(void) {
  char value[MPI_MAX_INFO_VAL];
  int flag;
  MPI_Info_get(MPI_INFO_ENV, "wdir", MPI_MAX_INFO_VAL - 1, value, &flag);
  CHECK(!flag || value[0] == '/');
  MPI_Info_get(MPI_INFO_ENV, "no such key", MPI_MAX_INFO_VAL - 1, value, &flag);
  CHECK(!flag);
#if MPI_VERSION >= 4
  char *words[] = {"name", "first", "second", NULL};
  MPI_Info info;
  MPI_Info_create_env(3, words, &info);
  MPI_Info_get(info, "command", MPI_MAX_INFO_VAL - 1, value, &flag);
  CHECK(!flag || strcmp(value, "name") == 0);
  MPI_Info_free(&info);
#endif
}

/* As close to each other as can be. */
static void balanced(void) {
  const int expected[][4] = {{7488, 26, 18, 16}, {19008, 33, 24, 24}, {34425, 51, 27, 25}, {64, 4, 4, 4}, {7, 7, 1, 1}};
  for (int i = 0; i < 5; ++i) {
    int dims[3] = {0, 0, 0};
    MPI_Dims_create(expected[i][0], 3, dims);
    for (int k = 0; k < 3; ++k) CHECK(dims[k] == expected[i][k + 1]);
  }
#if MPI_VERSION >= 4
  /* Of those that differ least, 14 x 12 x 12 x 7 x 7 has smaller ones. */
  int five[5] = {0, 0, 0, 0, 0};
  MPI_Dims_create(98784, 5, five);
  CHECK(five[0] == 14 && five[1] == 14 && five[2] == 9 && five[3] == 8 && five[4] == 7);
#endif
}

static void grids(void) {
  int dims[2] = {0, 0}, periods[2] = {1, 0}, coordinates[2], back;
  MPI_Dims_create(size, 2, dims);
  CHECK(dims[0] * dims[1] == size && dims[0] >= dims[1]);
  MPI_Comm grid, row;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Cart_coords(grid, rank, 2, coordinates);
  MPI_Cart_rank(grid, coordinates, &back);
  CHECK(back == rank);
  int from, to;
  MPI_Cart_shift(grid, 1, 1, &from, &to);
  CHECK(to == (coordinates[1] + 1 < dims[1] ? rank + 1 : MPI_PROC_NULL));
  int remains[2] = {0, 1}, n;
  MPI_Cart_sub(grid, remains, &row);
  MPI_Comm_size(row, &n);
  CHECK(n == dims[1]);
  int around[4] = {-1, -1, -1, -1}, out[4];
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, around, 1, MPI_INT, grid);
  int down[4];
  MPI_Cart_shift(grid, 0, 1, &down[0], &down[1]);
  MPI_Cart_shift(grid, 1, 1, &down[2], &down[3]);
  for (int i = 0; i < 4; ++i) CHECK(around[i] == (down[i] == MPI_PROC_NULL ? -1 : down[i]));
  for (int i = 0; i < 4; ++i) out[i] = rank * 4 + i, around[i] = -1;
  MPI_Neighbor_alltoall(out, 1, MPI_INT, around, 1, MPI_INT, grid);
  for (int i = 0; i < 4; ++i) CHECK(around[i] == (down[i] == MPI_PROC_NULL ? -1 : down[i] * 4 + (i ^ 1)));
  MPI_Comm_free(&row);
  MPI_Comm_free(&grid);

  int source = (rank + size - 1) % size, dest = (rank + 1) % size, got = -1;
  MPI_Comm graph;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &source, MPI_UNWEIGHTED, 1, &dest, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  MPI_Request request;
  MPI_Ineighbor_allgather(&rank, 1, MPI_INT, &got, 1, MPI_INT, graph, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(got == source);
  MPI_Comm_free(&graph);
}

static void two_groups(void) {
  if (size < 2) return;
  MPI_Comm half, both, all;
  const int is_low = rank < size / 2;
  MPI_Comm_split(MPI_COMM_WORLD, is_low, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_low ? size / 2 : 0, 9, &both);
  int flag, local, remote;
  MPI_Comm_test_inter(both, &flag);
  MPI_Comm_size(both, &local);
  MPI_Comm_remote_size(both, &remote);
  CHECK(flag && local + remote == size);
  int r;
  MPI_Comm_rank(both, &r);
  if (r < remote && r < local) {
    int got = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, r, 1, &got, 1, MPI_INT, r, 1, both, MPI_STATUS_IGNORE);
    CHECK(got == (is_low ? size / 2 + r : r));
  }
  int one = is_low ? 1 : 100, sum = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, both);
  CHECK(sum == remote * (is_low ? 100 : 1));
  int value = is_low && r == 0 ? 77 : 0;
  MPI_Bcast(&value, 1, MPI_INT, is_low ? (r == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0, both);
  CHECK(value == (is_low && r != 0 ? 0 : 77));
  /* The counts are a group's own: those of the other add up alike. */
  int counts[64], many[64 * 64], own[64];
  for (int i = 0; i < local; ++i) counts[i] = remote;
  for (int i = 0; i < local * remote; ++i) many[i] = i * (is_low ? 1 : 100);
  MPI_Reduce_scatter(many, own, counts, MPI_INT, MPI_SUM, both);
  MPI_Comm_rank(both, &r);
  for (int i = 0; i < remote; ++i) CHECK(own[i] == remote * (r * remote + i) * (is_low ? 100 : 1));
  MPI_Barrier(both);
  MPI_Intercomm_merge(both, !is_low, &all);
  MPI_Comm_rank(all, &r);
  CHECK(r == rank);
  MPI_Comm_free(&all);
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
}

static void errors(void) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  int value = 0, class;
  int code = MPI_Send(&value, 1, MPI_INT, size + 3, 0, comm);
  MPI_Error_class(code, &class);
  CHECK(class == MPI_ERR_RANK);
  code = MPI_Bcast(&value, 1, MPI_INT, -7, comm);
  MPI_Error_class(code, &class);
  CHECK(class == MPI_ERR_ROOT);
  MPI_Comm_free(&comm);
  MPI_Group group;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int codes[] = {MPI_Comm_size(MPI_COMM_WORLD, NULL), MPI_Comm_group(MPI_COMM_WORLD, NULL), MPI_Group_size(group, NULL),
                       MPI_Group_union(group, group, NULL), MPI_Group_difference(group, group, NULL)};
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  for (int i = 0; i < 5; ++i) {
    MPI_Error_class(codes[i], &class);
    CHECK(class == MPI_ERR_ARG);
  }
  MPI_Group_free(&group);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  parts();
  attributes();
  copies_that_fail();
  attributes_of_self();
  environment();
  balanced();
  grids();
  two_groups();
  errors();
  return end();
}
