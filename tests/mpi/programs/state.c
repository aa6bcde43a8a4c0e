/* A library with variables to be reset, with and without values of their own, and a large one. */
#include <heddle_mpi.h>
#include <stdlib.h>
int initialised = 11;
int zero;
static char large[1 << 20];
static int* pointer = &initialised;
static int handled;
static void at_end(void) { ++handled; }
int touch(void) {
  atexit(at_end);
  if (!malloc(100)) return -1;
  large[sizeof large - 1]++;
  large[sizeof large / 2]++;
  zero += 2;
  *pointer += 1;
  pointer = &zero;
  return initialised * 100000 + zero * 10000 + large[sizeof large - 1] * 1000 + large[sizeof large / 2] * 100 + handled * 10 + (rand() == 1804289383);
}
int my_allreduce(void) { return 0; }
int my_other(void) { return 0; }
HEDDLE_MPI_ALGORITHM(allreduce, my_allreduce, "ranks=power_of_two");
HEDDLE_MPI_ALGORITHM(broadcast, my_other, "");
