/* SPDX-License-Identifier: Apache-2.0 */
/* exec and its kin: a rank has no process of its own that another program could take. In a process that the program has made by
   fork() they do what they always do. */
#define _GNU_SOURCE /* execvpe */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include "mpi/libc/entry.h"

#define PLACE __builtin_return_address(0)

extern char **environ;

/* Whether the caller is heddle's process, which goes on. */
static int is_refused(const char *name, const void *place) {
  if (!heddle_mpi_host || getpid() != heddle_mpi_process) return 0;
  heddle_mpi_host->missing(name, place);
  errno = ENOSYS;
  return 1;
}

int execve(const char *path, char *const arguments[], char *const environment[]) {
  return is_refused("execve", PLACE) ? -1 : HEDDLE_LIBC(execve)(path, arguments, environment);
}
int execv(const char *path, char *const arguments[]) {
  return is_refused("execv", PLACE) ? -1 : HEDDLE_LIBC(execve)(path, arguments, environ);
}
int execvp(const char *file, char *const arguments[]) {
  return is_refused("execvp", PLACE) ? -1 : HEDDLE_LIBC(execvpe)(file, arguments, environ);
}
int execvpe(const char *file, char *const arguments[], char *const environment[]) {
  return is_refused("execvpe", PLACE) ? -1 : HEDDLE_LIBC(execvpe)(file, arguments, environment);
}
int fexecve(int file, char *const arguments[], char *const environment[]) {
  return is_refused("fexecve", PLACE) ? -1 : HEDDLE_LIBC(fexecve)(file, arguments, environment);
}

/* The words of a call that lists them, and after their end the environment, if it has one. */
#define TAKE_WORDS(first, rest)                                   \
  va_list rest, counted;                                          \
  va_start(rest, first);                                          \
  va_copy(counted, rest);                                         \
  size_t count = 1;                                               \
  if (first)                                                      \
    while (va_arg(counted, char *)) ++count;                      \
  va_end(counted);                                                \
  char *words[count + 1];                                         \
  words[0] = (char *)first;                                       \
  for (size_t i = 1; first && i <= count; ++i) words[i] = va_arg(rest, char *)

int execl(const char *path, const char *first, ...) {
  if (is_refused("execl", PLACE)) return -1;
  TAKE_WORDS(first, rest);
  va_end(rest);
  return HEDDLE_LIBC(execve)(path, words, environ);
}
int execlp(const char *file, const char *first, ...) {
  if (is_refused("execlp", PLACE)) return -1;
  TAKE_WORDS(first, rest);
  va_end(rest);
  return HEDDLE_LIBC(execvpe)(file, words, environ);
}
int execle(const char *path, const char *first, ...) {
  if (is_refused("execle", PLACE)) return -1;
  TAKE_WORDS(first, rest);
  char *const *const environment = va_arg(rest, char *const *);
  va_end(rest);
  return HEDDLE_LIBC(execve)(path, words, environment);
}
