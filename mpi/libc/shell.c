/* SPDX-License-Identifier: Apache-2.0 */
/* system and popen: what a rank without standard input starts has none either. Only in programs that call one of them. Weak: a program may
   have functions of these names. */
#define _GNU_SOURCE /* popen */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/libc/entry.h"

/* libc's popen, under a name that no program has. */
FILE *_IO_popen(const char *command, const char *mode);

__attribute__((weak)) FILE *popen(const char *command, const char *mode) {
  static const char without_input[] = "exec </dev/null\n";
  if (!heddle_mpi_has_empty_input() || strchr(mode, 'w')) return _IO_popen(command, mode);
  char *const whole = malloc(sizeof without_input + strlen(command));
  if (!whole) return NULL;
  strcpy(whole, without_input);
  strcat(whole, command);
  FILE *const stream = _IO_popen(whole, mode);
  free(whole);
  return stream;
}

/* What is written to and closed at once reads the end of the file. */
__attribute__((weak)) int system(const char *command) {
  if (!command || !heddle_mpi_has_empty_input()) return HEDDLE_LIBC(system)(command);
  FILE *const stream = _IO_popen(command, "w");
  return stream ? pclose(stream) : -1;
}
