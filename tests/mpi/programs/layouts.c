/* SPDX-License-Identifier: Apache-2.0 */
/* Constructors of types: each layout is packed, and its bytes, sizes and description are what was asked for. */
#include "check.h"

#include <string.h>

static int from[24], got[24];

/* The type has `n` ints of `from`, those that `places` names, and comes through a message. */
static void has(MPI_Datatype type, int n, const int *places) {
  int bytes, position = 0, size_of, packed[24];
  char buffer[256];
  MPI_Count size_x;
  MPI_Type_commit(&type);
  MPI_Type_size(type, &size_of);
  MPI_Type_size_x(type, &size_x);
  CHECK(size_of == n * (int)sizeof(int) && size_x == size_of);
  MPI_Pack_size(1, type, MPI_COMM_SELF, &bytes);
  CHECK(bytes >= size_of && bytes <= 256);
  MPI_Pack(from, 1, type, buffer, 256, &position, MPI_COMM_SELF);
  bytes = position, position = 0;
  MPI_Unpack(buffer, bytes, &position, packed, n, MPI_INT, MPI_COMM_SELF);
  for (int i = 0; i < n; ++i) CHECK(packed[i] == from[places[i]]);
  memset(got, 0, sizeof got);
  position = 0;
  MPI_Unpack(buffer, bytes, &position, got, 1, type, MPI_COMM_SELF);
  for (int i = 0; i < n; ++i) CHECK(got[places[i]] == from[places[i]]);
  MPI_Status status;
  int elements;
  MPI_Sendrecv(from, 1, type, 0, 0, packed, 24, MPI_INT, 0, 0, MPI_COMM_SELF, &status);
  MPI_Get_elements(&status, type, &elements);
  CHECK(elements == n);
  MPI_Get_elements_x(&status, type, &size_x);
  CHECK(size_x == n);
  MPI_Type_free(&type);
}
#define HAS(type, ...)                                    \
  do {                                                    \
    const int places[] = {__VA_ARGS__};                   \
    has(type, (int)(sizeof places / sizeof *places), places); \
  } while (0)

#define CONSTRUCTORS(suffix, Count, Place)                                                            \
  do {                                                                                                \
    MPI_Datatype type;                                                                                \
    Count lengths[] = {2, 1};                                                    \
    Count places[] = {4, 1};                                                                          \
    Place bytes[] = {16, 4};                                                                          \
    MPI_Datatype types[] = {MPI_INT, MPI_INT};                                                        \
    Count whole[] = {4, 6}, part[] = {2, 2}, at[] = {1, 3};                                           \
    MPI_Type_contiguous##suffix(3, MPI_INT, &type);                                                   \
    HAS(type, 0, 1, 2);                                                                               \
    MPI_Type_vector##suffix(2, 2, 5, MPI_INT, &type);                                                 \
    HAS(type, 0, 1, 5, 6);                                                                            \
    MPI_Type_create_hvector##suffix(2, 1, 12, MPI_INT, &type);                                        \
    HAS(type, 0, 3);                                                                                  \
    MPI_Type_indexed##suffix(2, lengths, places, MPI_INT, &type);                                     \
    HAS(type, 4, 5, 1);                                                                               \
    MPI_Type_create_hindexed##suffix(2, lengths, bytes, MPI_INT, &type);                              \
    HAS(type, 4, 5, 1);                                                                               \
    MPI_Type_create_indexed_block##suffix(2, 2, places, MPI_INT, &type);                              \
    HAS(type, 4, 5, 1, 2);                                                                            \
    MPI_Type_create_hindexed_block##suffix(2, 2, bytes, MPI_INT, &type);                              \
    HAS(type, 4, 5, 1, 2);                                                                            \
    MPI_Type_create_struct##suffix(2, lengths, bytes, types, &type);                                  \
    HAS(type, 4, 5, 1);                                                                               \
    MPI_Type_create_subarray##suffix(2, whole, part, at, MPI_ORDER_C, MPI_INT, &type);                \
    HAS(type, 9, 10, 15, 16);                                                                         \
    MPI_Type_create_darray##suffix(2, 0, 2, whole, how, parameters, processes, MPI_ORDER_C, MPI_INT, &type); \
    HAS(type, 0, 1, 2, 3, 4, 5, 12, 13, 14, 15, 16, 17);                                              \
    MPI_Type_create_resized##suffix(MPI_INT, 0, 12, &type);                                           \
    HAS(type, 0);                                                                                     \
  } while (0)

static void ask(void) {
  MPI_Datatype type, copy, of[1];
  MPI_Aint low, extent;
  MPI_Count low_x, extent_x;
  int integers, addresses, datatypes, combiner, numbers[3], length;
  char name[MPI_MAX_OBJECT_NAME];
  MPI_Type_vector(2, 1, 3, MPI_INT, &type);
  MPI_Type_get_extent(type, &low, &extent);
  CHECK(low == 0 && extent == 16);
  MPI_Type_get_extent_x(type, &low_x, &extent_x);
  CHECK(low_x == 0 && extent_x == 16);
  MPI_Type_create_resized(type, -4, 40, &copy);
  MPI_Type_get_true_extent(copy, &low, &extent);
  CHECK(low == 0 && extent == 16);
  MPI_Type_get_true_extent_x(copy, &low_x, &extent_x);
  CHECK(low_x == 0 && extent_x == 16);
  MPI_Type_free(&copy);
  MPI_Type_get_envelope(type, &integers, &addresses, &datatypes, &combiner);
  CHECK(integers == 3 && addresses == 0 && datatypes == 1 && combiner == MPI_COMBINER_VECTOR);
  MPI_Type_get_contents(type, 3, 0, 1, numbers, NULL, of);
  CHECK(numbers[0] == 2 && numbers[1] == 1 && numbers[2] == 3 && of[0] == MPI_INT);
#if MPI_VERSION >= 4
  MPI_Type_get_name(MPI_C_FLOAT_COMPLEX, name, &length);
  CHECK(strcmp(name, "MPI_C_COMPLEX") == 0);
#endif
  MPI_Type_set_name(type, "every third");
  MPI_Type_get_name(type, name, &length);
  CHECK(length == 11 && strcmp(name, "every third") == 0);
  MPI_Type_dup(type, &copy);
  MPI_Type_get_envelope(copy, &integers, &addresses, &datatypes, &combiner);
  CHECK(combiner == MPI_COMBINER_DUP);
  MPI_Type_free(&copy);
  MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &copy);
  MPI_Type_size(copy, &length);
  CHECK(length == 8);

  /* Fortran's kinds by their digits: predefined types without names, one for each question, that stay. */
  MPI_Datatype kind, again;
  const int digits[][3] = {{6, 30, 4}, {15, MPI_UNDEFINED, 8}, {MPI_UNDEFINED, 300, 8}};
  for (int i = 0; i < 3; ++i) {
    MPI_Type_create_f90_real(digits[i][0], digits[i][1], &kind);
    MPI_Type_size(kind, &length);
    CHECK(length == digits[i][2]);
    MPI_Type_create_f90_complex(digits[i][0], digits[i][1], &kind);
    MPI_Type_size(kind, &length);
    CHECK(length == 2 * digits[i][2]);
  }
  const int widths[][2] = {{2, 1}, {3, 2}, {9, 4}, {10, 8}};
  for (int i = 0; i < 4; ++i) {
    MPI_Type_create_f90_integer(widths[i][0], &kind);
    MPI_Type_size(kind, &length);
    CHECK(length == widths[i][1]);
  }
  MPI_Type_create_f90_real(15, 307, &kind);
  MPI_Type_create_f90_real(15, 307, &again);
  CHECK(kind == again);
  MPI_Type_get_envelope(kind, &integers, &addresses, &datatypes, &combiner);
  CHECK(combiner == MPI_COMBINER_F90_REAL && integers == 2 && addresses == 0 && datatypes == 0);
  MPI_Type_get_contents(kind, 2, 0, 0, numbers, NULL, NULL);
  CHECK(numbers[0] == 15 && numbers[1] == 307);
  MPI_Type_dup(kind, &copy);
  MPI_Type_get_contents(copy, 0, 0, 1, NULL, NULL, &again);
  CHECK(again == kind);
  MPI_Type_free(&copy);
  double half = 0.5, sum = 0;
  MPI_Sendrecv(&half, 1, kind, 0, 0, &sum, 1, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  MPI_Reduce_local(&half, &sum, 1, kind, MPI_SUM);
  CHECK(sum == 1);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(MPI_Type_create_f90_integer(100, &kind) != MPI_SUCCESS);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);

  MPI_Aint bytes, position = 0;
  char buffer[64];
  MPI_Pack_external_size("external32", 2, MPI_INT, &bytes);
  CHECK(bytes == 8);
  MPI_Pack_external("external32", from, 2, MPI_INT, buffer, 64, &position);
  CHECK(position == 8 && buffer[3] == 1 && buffer[7] == 2); /* the most significant byte first */
  position = 0;
  MPI_Unpack_external("external32", buffer, 8, &position, got, 2, MPI_INT);
  CHECK(got[0] == from[0] && got[1] == from[1]);

#if MPI_VERSION >= 4
  MPI_Count large = 0, place = 0;
  MPI_Pack_external_size_c("external32", 2, MPI_INT, &large);
  CHECK(large == 8);
  MPI_Pack_external_c("external32", from + 2, 2, MPI_INT, buffer, 64, &place);
  CHECK(place == 8 && buffer[3] == 3);
  place = 0;
  MPI_Unpack_external_c("external32", buffer, 8, &place, got, 2, MPI_INT);
  CHECK(got[0] == from[2] && got[1] == from[3] && place == 8);
#endif

  int summand = 3, total = 4;
  MPI_Reduce_local(&summand, &total, 1, MPI_INT, MPI_SUM);
  CHECK(total == 7);

  MPI_Status status;
  int count, flag;
  memset(&status, 0, sizeof status);
  MPI_Status_set_elements(&status, MPI_INT, 5);
  MPI_Status_set_cancelled(&status, 1);
  MPI_Get_count(&status, MPI_INT, &count);
  MPI_Test_cancelled(&status, &flag);
  CHECK(count == 5 && flag);
  MPI_Status_set_elements_x(&status, MPI_INT, 6);
  MPI_Get_elements(&status, MPI_INT, &count);
  CHECK(count == 6);
  MPI_Type_free(&type);
}

#if MPI_VERSION >= 4
static void twice(void *in, void *inout, MPI_Count *n, MPI_Datatype *type) {
  (void)type;
  for (MPI_Count i = 0; i < *n; ++i) ((int *)inout)[i] += 2 * ((int *)in)[i];
}
static void ask_large(void) {
  MPI_Datatype type, of[1];
  MPI_Count low, extent, size_of, integers, addresses, counts, datatypes, numbers[3], bytes, position = 0;
  int combiner;
  MPI_Type_vector_c(2, 1, 3, MPI_INT, &type);
  MPI_Type_get_extent_c(type, &low, &extent);
  CHECK(low == 0 && extent == 16);
  MPI_Type_get_true_extent_c(type, &low, &extent);
  CHECK(low == 0 && extent == 16);
  MPI_Type_size_c(type, &size_of);
  CHECK(size_of == 8);
  MPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &datatypes, &combiner);
  CHECK(integers == 0 && addresses == 0 && counts == 3 && datatypes == 1 && combiner == MPI_COMBINER_VECTOR);
  MPI_Type_get_contents_c(type, 0, 0, 3, 1, NULL, NULL, numbers, of);
  CHECK(numbers[0] == 2 && numbers[1] == 1 && numbers[2] == 3 && of[0] == MPI_INT);
  MPI_Type_commit(&type);
  char buffer[64];
  MPI_Pack_size_c(1, type, MPI_COMM_SELF, &bytes);
  CHECK(bytes >= 8);
  MPI_Pack_c(from, 1, type, buffer, 64, &position, MPI_COMM_SELF);
  bytes = position, position = 0;
  MPI_Unpack_c(buffer, bytes, &position, got, 2, MPI_INT, MPI_COMM_SELF);
  CHECK(got[0] == from[0] && got[1] == from[3]);
  MPI_Status status;
  MPI_Count elements;
  MPI_Sendrecv(from, 1, type, 0, 0, got, 2, MPI_INT, 0, 0, MPI_COMM_SELF, &status);
  MPI_Get_elements_c(&status, type, &elements);
  CHECK(elements == 2);
#if MPI_VERSION >= 5
  MPI_Status_set_elements_c(&status, MPI_INT, 7);
  MPI_Get_elements_c(&status, MPI_INT, &elements);
  CHECK(elements == 7);
#endif
  MPI_Type_free(&type);
  MPI_Op op;
  int value = 3;
  got[0] = 1;
  MPI_Op_create_c(twice, 1, &op);
  MPI_Reduce_local_c(&value, got, 1, MPI_INT, op);
  CHECK(got[0] == 7);
  MPI_Op_free(&op);
}
#endif

/* Of a type of addresses each piece has memory of its own: on the stack, and in blocks of malloc. */
static void addresses(void) {
  enum { kPieces = 3, kLength = 5 };
  int head = rank, *blocks[kPieces], lengths[kPieces + 1] = {1};
  MPI_Aint at[kPieces + 1];
  MPI_Datatype type;
  MPI_Get_address(&head, &at[0]);
  for (int i = 0; i < kPieces; ++i) {
    blocks[i] = malloc(kLength * sizeof(int));
    for (int k = 0; k < kLength; ++k) blocks[i][k] = 100 * rank + 10 * i + k;
    MPI_Get_address(blocks[i], &at[i + 1]);
    lengths[i + 1] = kLength;
  }
  MPI_Type_create_hindexed(kPieces + 1, lengths, at, MPI_INT, &type);
  MPI_Type_commit(&type);
  int number = 0;
  const int next = (rank + 1) % size, last = (rank + size - 1) % size;
  MPI_Status status;
  MPI_Request request;
  int all[1 + kPieces * kLength];
  MPI_Irecv(all, 1 + kPieces * kLength, MPI_INT, last, 1, MPI_COMM_WORLD, &request);
  MPI_Send(MPI_BOTTOM, 1, type, next, 1, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(all[0] == last && all[1] == 100 * last && all[kPieces * kLength] == 100 * last + 24);
  for (int i = 0; i <= kPieces * kLength; ++i) all[i] = i;
  MPI_Irecv(MPI_BOTTOM, 1, type, last, 2, MPI_COMM_WORLD, &request);
  MPI_Send(all, 1 + kPieces * kLength, MPI_INT, next, 2, MPI_COMM_WORLD);
  MPI_Wait(&request, &status);
  MPI_Get_count(&status, MPI_INT, &number);
  CHECK(number == 1 + kPieces * kLength && head == 0 && blocks[0][0] == 1 && blocks[2][4] == 15);
  head = rank == 0 ? 7 : 0;
  blocks[1][1] = rank == 0 ? 8 : 0;
  MPI_Bcast(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD);
  CHECK(head == 7 && blocks[1][1] == 8);
  MPI_Type_free(&type);
  /* The same, counted from the first of the blocks: many programs do that. */
  for (int i = 0; i < kPieces; ++i) at[i] = at[i + 1] - (MPI_Aint)blocks[0];
  MPI_Type_create_hindexed(kPieces, lengths + 1, at, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_Irecv(all, kPieces * kLength, MPI_INT, last, 3, MPI_COMM_WORLD, &request);
  MPI_Send(blocks[0], 1, type, next, 3, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(all[0] == 1 && all[kLength + 1] == 8 && all[kPieces * kLength - 1] == 15);
  for (int i = 0; i < kPieces * kLength; ++i) all[i] = i;
  MPI_Irecv(blocks[0], 1, type, last, 4, MPI_COMM_WORLD, &request);
  MPI_Send(all, kPieces * kLength, MPI_INT, next, 4, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(blocks[0][1] == 1 && blocks[2][4] == kPieces * kLength - 1);
  MPI_Type_free(&type);
  for (int i = 0; i < kPieces; ++i) free(blocks[i]);
}

int main(int argc, char **argv) {
  int how[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE}, processes[] = {2, 1};
  int parameters[] = {1, MPI_DISTRIBUTE_DFLT_DARG};
  begin(&argc, &argv);
  for (int i = 0; i < 24; ++i) from[i] = i + 1;
  CONSTRUCTORS(, int, MPI_Aint);
  ask();
  addresses();
#if MPI_VERSION >= 4
  CONSTRUCTORS(_c, MPI_Count, MPI_Count);
  ask_large();
#endif
  return end();
}
