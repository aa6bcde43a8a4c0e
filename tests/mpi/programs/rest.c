/* SPDX-License-Identifier: Apache-2.0 */
/* What programs ask beside messages: info, errors, attributes, groups, graphs, versions. */
#include "check.h"

#include <string.h>

static void environment(void) {
  int flag, version, subversion, length, provided, major = -1, minor = -1;
  char name[MPI_MAX_LIBRARY_VERSION_STRING], where[MPI_MAX_PROCESSOR_NAME], text[MPI_MAX_ERROR_STRING];
  MPI_Initialized(&flag);
  CHECK(flag);
  MPI_Finalized(&flag);
  CHECK(!flag);
  MPI_Get_version(&version, &subversion);
  CHECK(version == MPI_VERSION && subversion == MPI_SUBVERSION);
  MPI_Get_library_version(name, &length);
  CHECK(length > 0 && (int)strlen(name) <= length);
  MPI_Get_processor_name(where, &length);
  CHECK(length > 0 && (int)strlen(where) == length);
  MPI_Query_thread(&provided);
  CHECK(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE);
  MPI_Is_thread_main(&flag);
  CHECK(flag);
  CHECK(MPI_Wtick() > 0);
  const double before = MPI_Wtime();
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(MPI_Wtime() >= before);
  MPI_Pcontrol(1);
  MPI_Error_string(MPI_ERR_RANK, text, &length);
  CHECK(length > 0 && (int)strlen(text) == length);
  int *memory;
  MPI_Alloc_mem(64, MPI_INFO_NULL, &memory);
  memory[15] = 1;
  MPI_Free_mem(memory);
  MPI_Aint low, high;
  char bytes[8];
  MPI_Get_address(&bytes[0], &low);
  MPI_Get_address(&bytes[5], &high);
  CHECK(MPI_Aint_diff(high, low) == 5 && MPI_Aint_add(low, 5) == high);
  MPI_Comm parent;
  MPI_Comm_get_parent(&parent);
  CHECK(parent == MPI_COMM_NULL);
#if MPI_VERSION >= 5
  MPI_Abi_get_version(&major, &minor);
  CHECK(major == 1 && minor >= 0);
#endif
  (void)major, (void)minor;
}

static void infos(void) {
  MPI_Info info, copy, comm_info;
  int keys, flag, length;
  char key[MPI_MAX_INFO_KEY], got[32];
  MPI_Info_create(&info);
  MPI_Info_set(info, "first", "one");
  MPI_Info_set(info, "second", "two");
  MPI_Info_set(info, "first", "three");
  MPI_Info_get_nkeys(info, &keys);
  CHECK(keys == 2);
  MPI_Info_dup(info, &copy);
  MPI_Info_delete(info, "second");
  MPI_Info_get_nthkey(info, 0, key);
  CHECK(strcmp(key, "first") == 0);
  MPI_Info_get(info, "first", 31, got, &flag);
  CHECK(flag && strcmp(got, "three") == 0);
  MPI_Info_get(info, "second", 31, got, &flag);
  CHECK(!flag);
  MPI_Info_get_valuelen(copy, "second", &length, &flag);
  CHECK(flag && length == 3);
#if MPI_VERSION >= 4
  length = sizeof got;
  MPI_Info_get_string(copy, "second", &length, got, &flag);
  CHECK(flag && length == 4 && strcmp(got, "two") == 0);
#endif
  MPI_Comm made, second;
  MPI_Request request;
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &made);
  MPI_Comm_set_info(made, copy);
  /* A hint that nothing comes of is not there. */
  MPI_Comm_get_info(made, &comm_info);
#if MPI_VERSION >= 4
  MPI_Info_get(comm_info, "first", 31, got, &flag);
  CHECK(!flag);
#endif
  MPI_Comm_idup(made, &second, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_compare(made, second, &flag);
  CHECK(flag == MPI_CONGRUENT);
  MPI_Comm_free(&second);
#if MPI_VERSION >= 4
  MPI_Comm_idup_with_info(made, info, &second, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&second);
#endif
  MPI_Info_free(&comm_info);
  MPI_Info_free(&info);
  MPI_Info_free(&copy);
  CHECK(info == MPI_INFO_NULL);
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Comm_set_name(made, "mine");
  MPI_Comm_get_name(made, name, &length);
  CHECK(length == 4 && strcmp(name, "mine") == 0);
  MPI_Comm_free(&made);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &made);
  MPI_Comm_size(made, &length);
  CHECK(length >= 1 && length <= size);
  MPI_Comm_free(&made);
}

static int handled;
static void handler(MPI_Comm *comm, int *code, ...) {
  (void)comm;
  MPI_Error_class(*code, &handled);
}
static void errors(void) {
  MPI_Errhandler mine, before, again;
  int made_class, code, its_class, length;
  char text[MPI_MAX_ERROR_STRING];
  MPI_Comm_create_errhandler(handler, &mine);
  MPI_Comm_get_errhandler(MPI_COMM_SELF, &before);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, mine);
  MPI_Comm_get_errhandler(MPI_COMM_SELF, &again);
  CHECK(again == mine);
  MPI_Errhandler_free(&again);
  MPI_Add_error_class(&made_class);
  MPI_Add_error_code(made_class, &code);
  MPI_Add_error_string(code, "all is lost");
  MPI_Error_class(code, &its_class);
  CHECK(its_class == made_class);
  MPI_Error_string(code, text, &length);
  CHECK(strcmp(text, "all is lost") == 0);
  MPI_Comm_call_errhandler(MPI_COMM_SELF, code);
  CHECK(handled == made_class);
  MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_TAG);
  CHECK(handled == MPI_ERR_TAG);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, before);
  MPI_Errhandler_free(&before);
  MPI_Errhandler_free(&mine);
  CHECK(mine == MPI_ERRHANDLER_NULL);
#ifdef MPI_H_ABI /* other MPIs read from there */
  int some[1] = {0}, one[1] = {1}, *volatile nothing = NULL, its_rank;
  MPI_Comm grid, none;
  MPI_Cart_create(MPI_COMM_SELF, 1, one, one, 0, &grid);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(grid, MPI_ERRORS_RETURN);
  CHECK(MPI_Allgatherv(some, 0, MPI_INT, some, nothing, some, MPI_INT, MPI_COMM_SELF) == MPI_ERR_ARG);
  CHECK(MPI_Alltoallw(some, some, some, NULL, some, some, some, NULL, MPI_COMM_SELF) == MPI_ERR_ARG);
  CHECK(MPI_Reduce_scatter(some, some, nothing, MPI_INT, MPI_SUM, MPI_COMM_SELF) == MPI_ERR_ARG);
  CHECK(MPI_Cart_create(MPI_COMM_SELF, 1, one, nothing, 0, &none) == MPI_ERR_ARG);
  CHECK(MPI_Graph_create(MPI_COMM_SELF, 1, one, nothing, 0, &none) == MPI_ERR_ARG);
  CHECK(MPI_Dist_graph_create(MPI_COMM_SELF, 1, some, nothing, some, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &none) == MPI_ERR_ARG);
  CHECK(MPI_Cart_rank(grid, nothing, &its_rank) == MPI_ERR_ARG && MPI_Cart_coords(grid, 0, 1, nothing) == MPI_ERR_ARG);
  CHECK(MPI_Cart_get(grid, 1, some, nothing, some) == MPI_ERR_ARG && MPI_Cart_sub(grid, nothing, &none) == MPI_ERR_ARG);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_free(&grid);
#endif
}

static int copies, removals;
static int copy_type(MPI_Datatype of, int key, void *extra, void *in, void *out, int *flag) {
  (void)of, (void)key, (void)extra;
  ++copies;
  *(void **)out = in;
  *flag = 1;
  return MPI_SUCCESS;
}
static int remove_type(MPI_Datatype of, int key, void *value, void *extra) {
  (void)of, (void)key, (void)value, (void)extra;
  ++removals;
  return MPI_SUCCESS;
}
static void attributes(void) {
  int key, flag, own = 3, *got;
  MPI_Datatype type, copy;
  MPI_Type_create_keyval(copy_type, remove_type, &key, NULL);
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_set_attr(type, key, &own);
  MPI_Type_dup(type, &copy);
  MPI_Type_get_attr(copy, key, &got, &flag);
  CHECK(flag && got == &own && copies == 1);
  MPI_Type_delete_attr(copy, key);
  MPI_Type_get_attr(copy, key, &got, &flag);
  CHECK(!flag && removals == 1);
  MPI_Type_free(&copy);
  MPI_Type_free(&type);
  CHECK(removals == 2);
  MPI_Type_free_keyval(&key);
  CHECK(key == MPI_KEYVAL_INVALID);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &key, NULL);
  MPI_Attr_put(comm, key, &own);
  MPI_Attr_get(comm, key, &got, &flag);
  CHECK(flag && got == &own);
  MPI_Attr_delete(comm, key);
  MPI_Attr_get(comm, key, &got, &flag);
  CHECK(!flag);
  MPI_Keyval_free(&key);
  MPI_Comm_free(&comm);
}

static void groups(void) {
  MPI_Group world, first, rest, made;
  int one[1] = {0}, at, result, all[1][3] = {{0, size - 1, 1}};
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, 1, one, &first);
  MPI_Group_excl(world, 1, one, &rest);
  MPI_Group_size(rest, &at);
  CHECK(at == size - 1);
  MPI_Group_union(rest, first, &made);
  MPI_Group_compare(made, world, &result);
  CHECK(result == (size == 1 ? MPI_IDENT : MPI_SIMILAR));
  MPI_Group_translate_ranks(world, 1, one, made, &at);
  CHECK(at == size - 1);
  MPI_Group_free(&made);
  MPI_Group_intersection(world, first, &made);
  MPI_Group_compare(made, first, &result);
  CHECK(result == MPI_IDENT);
  MPI_Group_free(&made);
  MPI_Group_difference(world, rest, &made);
  MPI_Group_compare(made, first, &result);
  CHECK(result == MPI_IDENT);
  MPI_Group_free(&made);
  MPI_Group_range_excl(world, 1, all, &made);
  CHECK(made == MPI_GROUP_EMPTY);
  if (size > 1) {
    MPI_Comm half, both;
    MPI_Group other;
    const int is_high = rank >= size / 2;
    MPI_Comm_split(MPI_COMM_WORLD, is_high, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_high ? 0 : size / 2, 5, &both);
    MPI_Comm_remote_group(both, &other);
    int from[1] = {0};
    MPI_Group_translate_ranks(other, 1, from, world, &at);
    CHECK(at == (is_high ? 0 : size / 2));
    MPI_Group_free(&other);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Group_free(&rest);
  }
  MPI_Group_free(&first);
  MPI_Group_free(&world);
}

static void topologies(void) {
  /* A line of all ranks as a graph, and as a grid. */
  MPI_Comm made;
  int *index = malloc((size_t)size * sizeof *index), *edges = malloc((size_t)(2 * size) * sizeof *edges), n = 0;
  for (int r = 0; r < size; ++r) {
    if (r > 0) edges[n++] = r - 1;
    if (r + 1 < size) edges[n++] = r + 1;
    index[r] = n;
  }
  int at, kind, nodes, links, count, neighbours[2], weighted;
  MPI_Graph_map(MPI_COMM_WORLD, size, index, edges, &at);
  CHECK(at >= 0 && at < size);
  MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &made);
  MPI_Topo_test(made, &kind);
  CHECK(kind == MPI_GRAPH);
  MPI_Graphdims_get(made, &nodes, &links);
  CHECK(nodes == size && links == n);
  MPI_Graph_neighbors_count(made, rank, &count);
  CHECK(count == (rank > 0) + (rank + 1 < size));
  MPI_Graph_neighbors(made, rank, 2, neighbours);
  CHECK(count == 0 || neighbours[0] == (rank > 0 ? rank - 1 : 1));
  int *its_index = malloc((size_t)size * sizeof *index), *its_edges = malloc((size_t)(2 * size) * sizeof *edges);
  MPI_Graph_get(made, size, n, its_index, its_edges);
  CHECK(memcmp(index, its_index, (size_t)size * sizeof *index) == 0 && memcmp(edges, its_edges, (size_t)n * sizeof *edges) == 0);
  MPI_Comm_free(&made);
  free(index), free(edges), free(its_index), free(its_edges);

  int dims, periodic = 1, its_size, its_periodic, coordinate;
  MPI_Cart_map(MPI_COMM_WORLD, 1, &size, &periodic, &at);
  CHECK(at >= 0 && at < size);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &made);
  MPI_Topo_test(made, &kind);
  CHECK(kind == MPI_CART);
  MPI_Cartdim_get(made, &dims);
  MPI_Cart_get(made, 1, &its_size, &its_periodic, &coordinate);
  CHECK(dims == 1 && its_size == size && its_periodic == 1 && coordinate == rank);
  MPI_Comm_free(&made);
  int next = (rank + 1) % size, before = (rank + size - 1) % size, in, out;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made);
  MPI_Topo_test(made, &kind);
  MPI_Dist_graph_neighbors_count(made, &in, &out, &weighted);
  CHECK(kind == MPI_DIST_GRAPH && in == 1 && out == 1 && !weighted);
  MPI_Comm_free(&made);
}

/* What programs could do before by other calls. */
static void late_comers(void) {
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_disconnect(&copy);
  CHECK(copy == MPI_COMM_NULL);
#if MPI_VERSION >= 5
  MPI_Status status;
  MPI_Datatype pair;
  int value, its_class, code;
  MPI_Status_set_source(&status, 3);
  MPI_Status_set_tag(&status, 4);
  MPI_Status_set_error(&status, MPI_ERR_TAG);
  MPI_Status_get_source(&status, &value);
  CHECK(value == 3 && status.MPI_SOURCE == 3);
  MPI_Status_get_tag(&status, &value);
  CHECK(value == 4);
  MPI_Status_get_error(&status, &value);
  CHECK(value == MPI_ERR_TAG);
  MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &pair);
  CHECK(pair == MPI_DOUBLE_INT);
  MPI_Type_get_value_index(MPI_CHAR, MPI_INT, &pair);
  CHECK(pair == MPI_DATATYPE_NULL);
  MPI_Add_error_class(&its_class);
  MPI_Add_error_code(its_class, &code);
  MPI_Add_error_string(code, "gone soon");
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(MPI_Remove_error_code(code) != MPI_SUCCESS);
  CHECK(MPI_Remove_error_class(its_class) != MPI_SUCCESS);
  CHECK(MPI_Remove_error_string(code) == MPI_SUCCESS);
  CHECK(MPI_Remove_error_code(code) == MPI_SUCCESS);
  CHECK(MPI_Remove_error_class(its_class) == MPI_SUCCESS);
  CHECK(MPI_Error_class(code, &value) != MPI_SUCCESS);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
#endif
}

/* Names that MPI had before its third version: Open MPI's header has none. Bounds that MPI_LB and MPI_UB set have precedence, each by itself. */
static void older_names(void) {
#ifndef OPEN_MPI
  struct { char first; double second; } pair = {1, 2}, copy = {0, 0};
  int one[3] = {1, 1, 1};
  MPI_Aint at[3] = {0, 0, 0}, base, lower, upper, extent, far[2] = {40, 8}, behind[3] = {-4, 0, 64};
  MPI_Datatype types[3] = {MPI_CHAR, MPI_DOUBLE, MPI_UB}, marked[3] = {MPI_LB, MPI_INT, MPI_UB}, of_pair, row, column, part;
  MPI_Address(&pair, &base);
  MPI_Address(&pair.second, &at[1]);
  at[1] -= base, at[2] = sizeof pair;
  MPI_Type_struct(3, one, at, types, &of_pair);
  MPI_Type_commit(&of_pair);
  MPI_Type_extent(of_pair, &extent);
  CHECK(extent == sizeof pair);
  MPI_Sendrecv(&pair, 1, of_pair, 0, 0, &copy, 1, of_pair, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  CHECK(copy.first == 1 && copy.second == 2);
  MPI_Type_struct(3, one, behind, marked, &row);
  MPI_Type_lb(row, &lower);
  MPI_Type_ub(row, &upper);
  CHECK(lower == -4 && upper == 64);
  MPI_Type_struct(2, one, behind, marked, &part); /* no upper bound is set: it is behind the int */
  MPI_Type_lb(part, &lower);
  MPI_Type_ub(part, &upper);
  CHECK(lower == -4 && upper == 4);
  MPI_Type_hvector(2, 1, 100, row, &column);
  MPI_Type_extent(column, &extent);
  CHECK(extent == 168);
  MPI_Type_free(&column);
  MPI_Type_hindexed(2, one, far, MPI_INT, &column);
  MPI_Type_lb(column, &lower);
  MPI_Type_ub(column, &upper);
  CHECK(lower == 8 && upper == 44);
  MPI_Type_free(&of_pair);
  MPI_Type_free(&row);
  MPI_Type_free(&column);
  MPI_Type_free(&part);
  MPI_Errhandler mine, before;
  MPI_Errhandler_create(handler, &mine);
  MPI_Errhandler_get(MPI_COMM_SELF, &before);
  MPI_Errhandler_set(MPI_COMM_SELF, mine);
  MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_OTHER);
  CHECK(handled == MPI_ERR_OTHER);
  MPI_Errhandler_set(MPI_COMM_SELF, before);
  MPI_Errhandler_free(&before);
  MPI_Errhandler_free(&mine);
#endif
}

/* Handles as Fortran has them. */
static void handles_as_integers(void) {
  MPI_Comm comm;
  MPI_Datatype type;
  MPI_Request request;
  MPI_Status status, copy;
  int at, flag, buffer = 0;
  MPI_Fint of_fortran[sizeof(MPI_Status) / sizeof(MPI_Fint)];
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Type_contiguous(3, MPI_INT, &type);
  MPI_Irecv(&buffer, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request);
  CHECK(MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD)) == MPI_COMM_WORLD && MPI_Comm_f2c(MPI_Comm_c2f(comm)) == comm);
  CHECK(MPI_Type_f2c(MPI_Type_c2f(MPI_INT)) == MPI_INT && MPI_Type_f2c(MPI_Type_c2f(type)) == type);
  CHECK(MPI_Request_f2c(MPI_Request_c2f(request)) == request);
  CHECK(MPI_Comm_c2f(comm) != MPI_Comm_c2f(MPI_COMM_WORLD) && MPI_Op_f2c(MPI_Op_c2f(MPI_SUM)) == MPI_SUM);
  MPI_Comm_rank(MPI_Comm_f2c(MPI_Comm_c2f(comm)), &at);
  CHECK(at == rank);
  MPI_Comm_free(&comm);
  MPI_Type_free(&type);
  MPI_Send(&at, 1, MPI_INT, 0, 5, MPI_COMM_SELF);
  MPI_Wait(&request, &status);
  MPI_Status_c2f(&status, of_fortran);
  MPI_Status_f2c(of_fortran, &copy);
  MPI_Get_count(&copy, MPI_INT, &at);
  CHECK(copy.MPI_SOURCE == 0 && copy.MPI_TAG == 5 && at == 1);
  MPI_Request_get_status(MPI_REQUEST_NULL, &flag, &status);
  CHECK(flag && status.MPI_SOURCE == MPI_ANY_SOURCE);
#if MPI_VERSION >= 5 /* others leave it */
  status.MPI_ERROR = MPI_ERR_TAG;
  MPI_Wait(&request, &status);
  CHECK(status.MPI_TAG == MPI_ANY_TAG && status.MPI_ERROR == MPI_SUCCESS);
#endif
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  environment();
  infos();
  errors();
  attributes();
  groups();
  topologies();
  late_comers();
  older_names();
  handles_as_integers();
  return end();
}
