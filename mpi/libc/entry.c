/* SPDX-License-Identifier: Apache-2.0 */
/* Where heddle and a program meet: the table is handed over here. A program that was started without heddle, from a shell or by
   configure, starts `heddle mpirun -n 1` in its place at its first call of MPI. */
#include "mpi/libc/entry.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct heddle_mpi_table *heddle_mpi_host;
pid_t heddle_mpi_process;

/* A library has no main, and none of its own algorithms has no such section. */
extern int main(int argc, char **argv, char **environment) __attribute__((weak, visibility("hidden")));
extern const struct heddle_mpi_algorithm __start_heddle_mpi_algorithms[] __attribute__((weak, visibility("hidden")));
extern const struct heddle_mpi_algorithm __stop_heddle_mpi_algorithms[] __attribute__((weak, visibility("hidden")));
extern void *__dso_handle __attribute__((visibility("hidden")));

struct heddle_mpi_program heddle_mpi_own_program;

__attribute__((visibility("default"))) const struct heddle_mpi_program *heddle_mpi_bind(const struct heddle_mpi_table *table) {
  if (table->version != HEDDLE_MPI_TABLE_VERSION || table->size != sizeof *table) return NULL;
  heddle_mpi_host = table;
  heddle_mpi_process = getpid();
  struct heddle_mpi_program *const program = &heddle_mpi_own_program;
  program->version = HEDDLE_MPI_TABLE_VERSION;
  program->main = main;
  program->dso_handle = &__dso_handle;
  program->algorithms = __start_heddle_mpi_algorithms;
  program->algorithm_count = (size_t)(__stop_heddle_mpi_algorithms - __start_heddle_mpi_algorithms);
  program->forget_exit_handlers = heddle_mpi_forget_exit_handlers;
  program->find_block = heddle_mpi_find_block;
  program->release_block = heddle_mpi_release_block;
  program->visit_heap = heddle_mpi_visit_heap;
  program->check_heap = heddle_mpi_check_heap;
  program->empty_heap = heddle_mpi_empty_heap;
  program->close_input = heddle_mpi_close_input;
  return program;
}

void *heddle_libc_function(const char *name) {
  void *function = dlsym(RTLD_DEFAULT, name);
  if (!function) {
    fprintf(stderr, "heddle: the C library has no %s\n", name);
    _Exit(127);
  }
  return function;
}

/* The words that this process was started with, each ended by a zero; null if the system does not say. */
static char *command_line(size_t *size) {
  const int file = open("/proc/self/cmdline", O_RDONLY);
  if (file < 0) return NULL;
  size_t room = 4096;
  char *text = malloc(room + 1);
  *size = 0;
  while (text) {
    const ssize_t got = HEDDLE_LIBC(read)(file, text + *size, room - *size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    *size += (size_t)got;
    if (*size == room) text = realloc(text, (room *= 2) + 1);
  }
  close(file);
  if (text) text[*size] = '\0';
  return text;
}

/* Starts heddle from one of the folders that the program has for its libraries: heddle mpicc writes its own among them. It comes back if
   none has it. */
static void start_from_folders(char **arguments) {
  const char *names = NULL;
  ElfW(Xword) folders = 0;
  for (const ElfW(Dyn) *entry = _DYNAMIC; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) names = (const char *)entry->d_un.d_ptr;
    if (entry->d_tag == DT_RUNPATH || entry->d_tag == DT_RPATH) folders = entry->d_un.d_val;
  }
  if (!names || !folders) return;
  for (const char *folder = names + folders; *folder;) {
    const size_t length = strcspn(folder, ":");
    char command[4096];
    if (snprintf(command, sizeof command, "%.*s/heddle", (int)length, folder) < (int)sizeof command)
      HEDDLE_LIBC(execv)(command, arguments);
    folder += length + (folder[length] == ':');
  }
}

static void start_heddle(const char *function) {
  static char launcher[] = "mpirun", ranks[] = "-n", one[] = "1";
  char itself[4096];
  const ssize_t length = readlink("/proc/self/exe", itself, sizeof itself - 1);
  size_t size = 0;
  char *const text = command_line(&size);
  if (length > 0 && text) {
    itself[length] = '\0';
    size_t words = 0;
    for (size_t i = 0; i < size; ++i) words += text[i] == '\0';
    char **const arguments = malloc((words + 6) * sizeof *arguments);
    char *const command = getenv("HEDDLE");
    if (arguments) {
      static char heddle[] = "heddle";
      size_t count = 0;
      arguments[count++] = command && *command ? command : heddle;
      arguments[count++] = launcher;
      arguments[count++] = ranks;
      arguments[count++] = one;
      arguments[count++] = itself;
      for (char *word = text + strlen(text) + 1; word < text + size; word += strlen(word) + 1) arguments[count++] = word;
      arguments[count] = NULL;
      /* Not by name: heddle would see that every program imports it. */
      HEDDLE_LIBC(execvp)(arguments[0], arguments);
      const int why = errno;
      if (arguments[0] == heddle) start_from_folders(arguments);
      errno = why;
    }
  }
  fprintf(stderr, "heddle: %s: the program was started without heddle, and the command heddle cannot be started (%s); try: "
                  "heddle mpirun -n 4 PROGRAM, or HEDDLE=/path/to/heddle\n", function, strerror(errno));
  _Exit(127);
}

int heddle_mpi_missing(const char *function, const void *place) {
  if (heddle_mpi_host) return heddle_mpi_host->missing(function, place);
  start_heddle(function);
  return MPI_ERR_OTHER;
}

void heddle_compute(double seconds) {
  if (heddle_mpi_host && seconds > 0) heddle_mpi_host->system.compute(seconds);
}
