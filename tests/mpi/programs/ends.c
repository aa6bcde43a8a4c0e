/* Ends in the middle of a run as its first argument says; without a word, well. Rank 1 does what is asked for. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int rank, size;
static volatile int zero;
static int deep(int depth) {
  volatile char frame[1000];
  frame[0] = (char)depth;
  return depth == -1 ? 0 : deep(depth + 1) + frame[0];
}
static void writes(volatile int *where) { *where = 3; }
static void nested(void) { exit(7); }
static void *asks(void *unused) {
  int other = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &other);
  return unused;
}
static void *leaves(void *unused) {
  exit(3);
  return unused;
}
static void on_thread(void *(*what)(void *)) {
  pthread_t thread;
  pthread_create(&thread, NULL, what, NULL);
  pthread_join(thread, NULL);
}
static void large(void) {
  volatile char frame[6 << 20];
  memset((void *)frame, 1, sizeof frame);
}
static void at_exit(void) {
  int is_finalized = 0;
  MPI_Finalized(&is_finalized);
  printf("at exit: %d\n", is_finalized);
}
/* Rank 0 relies on leaving a broadcast before the last rank has called it; the nonblocking one is right. */
static void leaves_ahead(int rank) {
  int value = 0;
  MPI_Request request;
  if (rank == 2) MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Ibcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
  if (rank == 0) MPI_Send(&value, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (rank == 2) MPI_Recv(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Send(&value, 1, MPI_INT, 2, 4, MPI_COMM_WORLD);
}

static void handle(MPI_Comm *on, int *code, ...) {}

int main(int argc, char **argv) {
  const char *const how = argc > 1 ? argv[1] : "";
  if (strcmp(how, "no MPI") == 0) return 0;
  large();
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  printf("rank %d\n", rank);
  const int is_it = rank == 1;
  if (is_it && strcmp(how, "null") == 0) writes((volatile int *)8);
  if (is_it && strcmp(how, "call") == 0) ((void (*)(void))(size_t)zero)();
  if (is_it && strcmp(how, "string") == 0) printf("%zu\n", strlen((const char *)(size_t)zero));
  if (is_it && strcmp(how, "divide") == 0) return 10 / zero;
  if (is_it && strcmp(how, "trap") == 0) __builtin_trap();
  if (is_it && strcmp(how, "deep") == 0) deep(0);
  if (is_it && strcmp(how, "raise") == 0) raise(SIGABRT);
  if (is_it && strcmp(how, "twice") == 0) {
    char *const block = malloc(40);
    free(block);
    free(block);
  }
  if (is_it && strcmp(how, "send") == 0) MPI_Send((void *)8, 1000, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (is_it && strcmp(how, "thread") == 0) on_thread(asks);
  if (is_it && strcmp(how, "thread exits") == 0) on_thread(leaves);
  if (is_it && strcmp(how, "exec") == 0) execlp("echo", "echo", "hello", (char *)NULL);
  if (is_it && strcmp(how, "abort") == 0) MPI_Abort(MPI_COMM_WORLD, 42);
  if (is_it && strcmp(how, "alone") == 0) exit(0);
  if (is_it && strcmp(how, "term") == 0) raise(SIGTERM);
  if (is_it && strcmp(how, "waits") == 0) MPI_Recv(&size, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (strcmp(how, "nested") == 0) nested();
  if (strcmp(how, "ahead") == 0) leaves_ahead(rank);
  if (strcmp(how, "at exit") == 0) atexit(at_exit);
  if (strcmp(how, "fork") == 0 || strcmp(how, "vfork") == 0) {
    const pid_t child = strcmp(how, "fork") == 0 ? fork() : vfork();
    if (child == 0 && strcmp(how, "vfork") == 0) _exit(4);
    if (child == 0) return 4; /* from main, with what this process has not written yet */
    int status = 0;
    waitpid(child, &status, 0);
    if (WEXITSTATUS(status) != 4) puts("wrong status");
  }
  if (is_it && strcmp(how, "left") == 0) {
    MPI_Group groups[3];
    for (int i = 0; i < 3; ++i) MPI_Comm_group(MPI_COMM_WORLD, &groups[i]);
    MPI_Group_free(&groups[1]);
    MPI_Info hints;
    MPI_Info_create(&hints);
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Request request;
    for (int i = 0; i < 2; ++i) MPI_Recv_init(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &request);
  }
  if (is_it && strcmp(how, "shell") == 0 && system("exit 5") >> 8 != 5) puts("wrong status");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  if (strcmp(how, "late") == 0) MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(how, "status") == 0) return rank == 2 ? 5 : 0;
  return 0;
}
