/* SPDX-License-Identifier: Apache-2.0 */
/* Types of very many blocks: nothing that is asked of them takes memory or time for a block, and parts of them are sent. */
#include "check.h"

#include <string.h>

#if MPI_VERSION >= 4
static const MPI_Count many = (MPI_Count)1 << 30;

static MPI_Count bytes_of(MPI_Datatype type) {
  MPI_Count bytes, lower, extent;
  MPI_Type_commit(&type);
  MPI_Type_size_c(type, &bytes);
  MPI_Type_get_true_extent_c(type, &lower, &extent);
  CHECK(extent >= bytes);
  return bytes;
}

int main(int argc, char **argv) {
  MPI_Datatype column, part, mixed, rows;
  MPI_Request request;
  MPI_Status status;
  MPI_Count count, lower, extent;
  begin(&argc, &argv);
  MPI_Type_vector_c(many, 1, 2, MPI_INT, &column);
  CHECK(bytes_of(column) == 4 * many);
  MPI_Type_get_extent_c(column, &lower, &extent);
  CHECK(lower == 0 && extent == 8 * many - 4);
  MPI_Count blocks[] = {1, 1}, places[] = {0, 8}, whole[] = {many, many}, some[] = {many / 2, many / 4}, starts[] = {1, 2};
  MPI_Datatype of[] = {MPI_DOUBLE, MPI_CHAR};
  MPI_Type_create_struct_c(2, blocks, places, of, &part);
  MPI_Type_create_hvector_c(many, 1, 64, part, &mixed);
  CHECK(bytes_of(mixed) == 9 * many);
  MPI_Type_create_subarray_c(2, whole, some, starts, MPI_ORDER_FORTRAN, MPI_INT, &rows);
  CHECK(bytes_of(rows) == 4 * (many / 2) * (many / 4));
  MPI_Type_free(&rows);
  MPI_Type_create_darray_c(4, 1, 2, whole, (int[]){MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK}, (int[]){3, MPI_DISTRIBUTE_DFLT_DARG},
                           (int[]){2, 2}, MPI_ORDER_C, MPI_INT, &rows);
  CHECK(bytes_of(rows) == 4 * (many / 2 + 1) * (many / 2));
  MPI_Type_free(&rows);
  MPI_Type_free(&part);

  /* A message of a few blocks into a type of many: the first are written. */
  int sent[4] = {rank, 1, 2, 3}, got[9];
  const int from = (rank + size - 1) % size;
  MPI_Type_vector_c(many >> 8, 1, 2, MPI_INT, &part);
  MPI_Type_commit(&part);
  memset(got, -1, sizeof got);
  MPI_Irecv(got, 1, part, from, 0, MPI_COMM_WORLD, &request);
  MPI_Send(sent, 4, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
  MPI_Wait(&request, &status);
  MPI_Get_elements_c(&status, part, &count);
  CHECK(count == 4);
  MPI_Get_count_c(&status, part, &count);
  CHECK(count == MPI_UNDEFINED);
  CHECK(got[0] == from && got[1] == -1 && got[2] == 1 && got[6] == 3 && got[7] == -1 && got[8] == -1);
  MPI_Status_set_elements_c(&status, mixed, 2 * many - 1);
  MPI_Get_elements_c(&status, mixed, &count);
  CHECK(count == 2 * many - 1);
  MPI_Type_free(&mixed);
  MPI_Type_free(&part);
  MPI_Type_free(&column);
  return end();
}
#else
int main(int argc, char **argv) {
  begin(&argc, &argv);
  return end();
}
#endif
