/* SPDX-License-Identifier: Apache-2.0 */
/* How a program ends: the rank ends, heddle and the other ranks do not. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "mpi/libc/entry.h"

#define PLACE __builtin_return_address(0)

extern void *__dso_handle __attribute__((visibility("hidden")));
extern int __cxa_atexit(void (*function)(void *), void *argument, void *dso_handle);
extern void __cxa_finalize(void *dso_handle);
extern int __cxa_thread_atexit(void (*function)(void *), void *argument, void *dso_handle);
extern int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *dso_handle);
extern void __stack_chk_fail(void);
extern void __assert_fail(const char *text, const char *file, unsigned line, const char *function);

/* In a process that the program has made by fork(): what libc's exit would do is heddle's, too. */
static void exit_copy(int status) {
  __cxa_finalize(&__dso_handle);
  fflush(NULL);
  HEDDLE_LIBC(_exit)(status);
}

void exit(int status) {
  if (heddle_mpi_host) heddle_mpi_host->system.exit(PLACE, status);
  if (heddle_mpi_host && getpid() != heddle_mpi_process) exit_copy(status);
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

/* `heddle mpicc` has the compiler call it (-fstack-protector-strong). */
void __stack_chk_fail(void) {
  const struct heddle_heap_fault fault = {.kind = HEDDLE_STACK_OVERRUN, .found_at = PLACE};
  if (heddle_mpi_host) heddle_mpi_host->system.heap_fault(&fault);
  HEDDLE_LIBC(__stack_chk_fail)();
  __builtin_unreachable();
}

/* What is to be done at the program's end, the last first: that of the rank's thread-local objects, then the rest. libc knows of all of it
   as one function: heddle can have it forgotten, which the end of a rank that did not end by itself needs. */
struct handler {
  void (*function)(void *);
  void *argument;
  struct handler *before;
};

enum { kReady = 32 };
static struct handler ready[kReady];
static int used_of_ready;
static struct handler *of_thread, *of_program;
static int is_known_to_libc;

static void give_back(struct handler *handler) {
  if (handler >= ready && handler < ready + kReady) return;
  if (heddle_mpi_host) {
    heddle_mpi_host->system.release(handler);
  } else {
    HEDDLE_LIBC(free)(handler);
  }
}

static struct handler take_last(void) {
  struct handler **const handlers = of_thread ? &of_thread : &of_program;
  struct handler *const last = *handlers;
  const struct handler taken = *last;
  *handlers = last->before;
  give_back(last);
  return taken;
}

static void run_handlers(void *unused) {
  (void)unused;
  is_known_to_libc = 0;
  while (of_thread || of_program) { /* one may have more to be done */
    const struct handler handler = take_last();
    handler.function(handler.argument);
  }
  used_of_ready = 0;
}

void heddle_mpi_forget_exit_handlers(void) {
  while (of_thread || of_program) take_last();
  used_of_ready = 0;
}

static int add_handler(struct handler **handlers, void (*function)(void *), void *argument) {
  struct handler *handler = NULL;
  if (used_of_ready < kReady) {
    handler = &ready[used_of_ready++];
  } else {
    handler = heddle_mpi_host ? heddle_mpi_host->system.allocate(sizeof *handler) : HEDDLE_LIBC(malloc)(sizeof *handler);
    if (!handler) return -1;
  }
  handler->function = function;
  handler->argument = argument;
  handler->before = *handlers;
  *handlers = handler;
  if (is_known_to_libc) return 0;
  is_known_to_libc = 1;
  return HEDDLE_LIBC(__cxa_atexit)(run_handlers, NULL, &__dso_handle);
}

/* Compilers call it for static objects. */
int __cxa_atexit(void (*function)(void *), void *argument, void *dso_handle) {
  (void)dso_handle;
  return add_handler(&of_program, function, argument);
}

/* And for thread-local ones. A rank's thread lasts longer than the program of the rank: the program's end is that of its thread. */
int __cxa_thread_atexit(void (*function)(void *), void *argument, void *dso_handle) {
  if (heddle_mpi_host && heddle_mpi_host->system.is_rank()) return add_handler(&of_thread, function, argument);
  return HEDDLE_LIBC(__cxa_thread_atexit_impl)(function, argument, dso_handle);
}

static void call(void *function) {
  void (*handler)(void);
  *(void **)&handler = function;
  handler();
}

int atexit(void (*function)(void)) { return __cxa_atexit(call, *(void **)&function, &__dso_handle); }
