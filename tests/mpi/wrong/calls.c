/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong calls, one for each word that the program is given. */
#include <mpi.h>
#include <string.h>

static int rank;

/* expects message: rank 0 waits in MPI_Recv\(.*\) at calls\.c:\d+, and rank 1 has sent to it by MPI_Gather at calls\.c:\d+: only the same call */
static void message(void) {
  int sent = 1, got[3];
  if (rank == 0)
    MPI_Recv(got, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else
    MPI_Gather(&sent, 1, MPI_INT, got, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

/* expects taken: from rank 0 to rank 1 \(tag 1\), sent by MPI_Send\(.*\) at calls\.c:\d+, which rank 1 has taken by a matched probe */
static void taken(void) {
  int data = 1;
  MPI_Message found;
  if (rank == 0) MPI_Send(&data, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  if (rank != 1) return;
  MPI_Mprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  MPI_Recv(&data, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static const struct {
  const char *word;
  void (*call)(void);
} table[] = {
    {"message", message},
    {"taken", taken},
};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (unsigned i = 0; i < sizeof table / sizeof *table; ++i)
    if (strcmp(table[i].word, argv[1]) == 0) table[i].call();
  MPI_Finalize();
  return 0;
}
