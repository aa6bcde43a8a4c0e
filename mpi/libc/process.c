/* SPDX-License-Identifier: Apache-2.0 */
/* How a program ends: the rank ends, heddle and the other ranks do not. */
#include <stdlib.h>
#include <unistd.h>

#include "mpi/libc/entry.h"

#define PLACE __builtin_return_address(0)

extern void *__dso_handle __attribute__((visibility("hidden")));
extern int __cxa_atexit(void (*function)(void *), void *argument, void *dso_handle);
extern void __assert_fail(const char *text, const char *file, unsigned line, const char *function);

void exit(int status) {
  if (heddle_mpi_host) heddle_mpi_host->system.exit(PLACE, status);
  HEDDLE_LIBC(exit)(status);
  __builtin_unreachable();
}

void _exit(int status) {
  if (heddle_mpi_host) heddle_mpi_host->system.exit_now(PLACE, status);
  HEDDLE_LIBC(_exit)(status);
  __builtin_unreachable();
}

void _Exit(int status) {
  if (heddle_mpi_host) heddle_mpi_host->system.exit_now(PLACE, status);
  HEDDLE_LIBC(_Exit)(status);
  __builtin_unreachable();
}

void quick_exit(int status) {
  if (heddle_mpi_host) heddle_mpi_host->system.exit_now(PLACE, status);
  HEDDLE_LIBC(quick_exit)(status);
  __builtin_unreachable();
}

void abort(void) {
  if (heddle_mpi_host) heddle_mpi_host->system.abort(PLACE);
  HEDDLE_LIBC(abort)();
  __builtin_unreachable();
}

void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  if (heddle_mpi_host) heddle_mpi_host->system.assertion_failed(PLACE, text, file, line, function);
  HEDDLE_LIBC(__assert_fail)(text, file, line, function);
  __builtin_unreachable();
}

static void call(void *function) {
  void (*handler)(void);
  *(void **)&handler = function;
  handler();
}

/* With the copy's own handle: finalizing the copy runs it. */
int atexit(void (*function)(void)) { return __cxa_atexit(call, *(void **)&function, &__dso_handle); }
