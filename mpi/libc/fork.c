/* SPDX-License-Identifier: Apache-2.0 */
/* A process that the program makes. Only in programs that call fork. */
#include <unistd.h>

#include "mpi/libc/entry.h"

/* libc's own, under a name that no program has. */
pid_t __fork(void);

__attribute__((weak)) pid_t fork(void) {
  heddle_mpi_lock_heap(1); /* or a thread that the child has not may hold it for ever */
  const pid_t child = __fork();
  heddle_mpi_lock_heap(0);
  if (child == 0) heddle_mpi_own_input();
  return child;
}
