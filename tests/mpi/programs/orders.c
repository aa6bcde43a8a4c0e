/* SPDX-License-Identifier: Apache-2.0 */
/* Rank 0 takes what the others send as it comes. What it makes of that is right in any order ("sum"), or depends on the order: its output
   ("difference", "any tag"), its exit status ("status"), whether it ends ("locks"). "file": no run repeats the one before. "input": a number is
   read, and is the result. "keeps": each run leaves memory. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int take(int source, int tag) {
  int value = 0;
  MPI_Recv(&value, 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return value;
}

static int is_how(char** argv, const char* how) { return strcmp(argv[1], how) == 0; }

int main(int argc, char** argv) {
  int rank, status = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank > 0) {
    MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  } else {
    const int first = take(MPI_ANY_SOURCE, is_how(argv, "any tag") ? MPI_ANY_TAG : 0);
    const int second = take(is_how(argv, "locks") ? 2 : MPI_ANY_SOURCE, 0);
    if (is_how(argv, "sum")) printf("first %d\nsecond %d\n", first, second);
    if (is_how(argv, "difference") || is_how(argv, "any tag")) printf("difference %d\n", first - second);
    if (is_how(argv, "status")) status = first == 1 ? 0 : 3;
    if (is_how(argv, "file")) {
      FILE* const file = fopen("runs.txt", "a");
      fputs(".", file);
      printf("%ld\n", ftell(file));
      fclose(file);
    }
    if (is_how(argv, "input")) {
      int number = 0;
      if (scanf("%d", &number) == 1) printf("number %d\n", number);
    }
    if (is_how(argv, "keeps")) printf("%d\n", *(char*)memset(malloc(16 << 20), 1, 16 << 20));
  }
  MPI_Finalize();
  return status;
}
