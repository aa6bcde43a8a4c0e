/* SPDX-License-Identifier: Apache-2.0 */
/* err, error and their kin: libc's own would end heddle with libc's exit. */
#define _GNU_SOURCE /* program_invocation_name */
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/libc/entry.h"

void verr(int status, const char *format, va_list arguments) {
  vwarn(format, arguments);
  exit(status);
}

void verrx(int status, const char *format, va_list arguments) {
  vwarnx(format, arguments);
  exit(status);
}

void err(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  verr(status, format, arguments);
}

void errx(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  verrx(status, format, arguments);
}

/* "program: file:line: message: reason" as error_at_line has it, with what there is of it. */
static void report(int status, int number, const char *file, unsigned line, const char *format, va_list arguments) {
  fflush(stdout);
  fprintf(stderr, "%s:", program_invocation_name);
  if (file) fprintf(stderr, "%s:%u:", file, line);
  fputc(' ', stderr);
  vfprintf(stderr, format, arguments);
  if (number) fprintf(stderr, ": %s", strerror(number));
  fputc('\n', stderr);
  if (status) exit(status);
}

/* <error.h> makes inline functions of these names where it is optimised. */
#undef error
#undef error_at_line
void error(int status, int number, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(status, number, NULL, 0, format, arguments);
  va_end(arguments);
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  report(status, number, file, line, format, arguments);
  va_end(arguments);
}
