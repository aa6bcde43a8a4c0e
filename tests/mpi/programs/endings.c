/* Ends as its first argument says. */
#include <assert.h>
#include <err.h>
#include <error.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <heddle_mpi.h>
#include <mpi.h>
int handlers_run, counted;
static int prints;
static void handler(void) {
  handlers_run = handlers_run * 10 + 1;
  if (prints) puts("first");
}
static void other_handler(void) {
  handlers_run = handlers_run * 10 + 2;
  if (prints) puts("other");
}
static void count(void) { ++counted; }
static void add_one(void) { atexit(count); }
int main(int argc, char** argv) {
  const char* const how = argc > 1 ? argv[1] : "";
  atexit(handler);
  atexit(other_handler);
  if (strcmp(how, "print") == 0) prints = 1;
  for (int i = 0; strcmp(how, "many") == 0 && i < 100; ++i) atexit(i % 2 ? count : add_one);
  if (strcmp(how, "exit") == 0) exit(3);
  if (strcmp(how, "_exit") == 0) _exit(4);
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "assert") == 0) assert(argc == 7);
  if (strcmp(how, "err") == 0) err(6, "told to");
  if (strcmp(how, "error") == 0) error(7, 0, "told to");
  if (strcmp(how, "compute") == 0) heddle_compute(0.5);
  if (strcmp(how, "send") == 0) return MPI_Send(NULL, 5, MPI_INT, 6, 7, MPI_COMM_WORLD);
  if (strcmp(how, "window") == 0) return MPI_Win_fence(0, MPI_WIN_NULL);
  if (strcmp(how, "init") == 0) return MPI_Init(&argc, &argv);
  return 5;
}
