/* SPDX-License-Identifier: Apache-2.0 */
/* Standard input is rank 0's alone, as launchers of MPI have it: other ranks read the end of the file. Each copy has a `stdin` of its
   own; what reads it without naming it stands here. Weak: a program may have functions of these names. */
#define _GNU_SOURCE /* getwchar_unlocked */
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

#include "mpi/libc/entry.h"

#define WEAK __attribute__((weak))

#undef stdin
FILE *stdin;
static int is_closed;

/* Before objects of C++ are made, which may read. */
__attribute__((constructor(101))) static void open_input(void) { stdin = *(FILE **)heddle_libc_function("stdin"); }

int heddle_mpi_close_input(int empty_file) {
  FILE *const empty = fdopen(empty_file, "r");
  if (!empty) return 0;
  stdin = empty;
  is_closed = 1;
  if (heddle_mpi_close_streams) heddle_mpi_close_streams(empty);
  return 1;
}

int heddle_mpi_has_empty_input(void) { return is_closed; }

/* What was closed is the process's now, so that the program may put another file there, for itself or for what it starts. */
void heddle_mpi_own_input(void) {
  if (!is_closed) return;
  dup2(fileno(stdin), STDIN_FILENO);
  stdin = *(FILE **)heddle_libc_function("stdin");
  __fpurge(stdin);
  clearerr(stdin);
  is_closed = 0;
  if (heddle_mpi_close_streams) heddle_mpi_close_streams(stdin);
}

#undef getchar
#undef getchar_unlocked
#undef getwchar
#undef getwchar_unlocked
WEAK int getchar(void) { return getc(stdin); }
WEAK int getchar_unlocked(void) { return getc_unlocked(stdin); }
WEAK wint_t getwchar(void) { return getwc(stdin); }
WEAK wint_t getwchar_unlocked(void) { return getwc_unlocked(stdin); }

/* A header may have a program call the same under other names: those of C99, and those of C23. */
#define SCAN(prefix, letter, Char, name)                                                      \
  int name##_of(const Char *format, va_list to) __asm__(prefix "v" letter "scanf");           \
  int name(const Char *format, ...) __asm__(prefix letter "scanf");                           \
  WEAK int name##_of(const Char *format, va_list to) {                                        \
    typedef int scan(FILE *, const Char *, va_list);                                          \
    scan *function;                                                                           \
    *(void **)&function = heddle_libc_function(prefix "vf" letter "scanf");                   \
    return function(stdin, format, to);                                                       \
  }                                                                                           \
  WEAK int name(const Char *format, ...) {                                                    \
    va_list to;                                                                               \
    va_start(to, format);                                                                     \
    const int count = name##_of(format, to);                                                  \
    va_end(to);                                                                               \
    return count;                                                                             \
  }                                                                                           \
  typedef int name##_is_defined
SCAN("", "", char, scan);
SCAN("", "w", wchar_t, scan_wide);
SCAN("__isoc99_", "", char, scan99);
SCAN("__isoc99_", "w", wchar_t, scan99_wide);
SCAN("__isoc23_", "", char, scan23);
SCAN("__isoc23_", "w", wchar_t, scan23_wide);

static int is_empty(int file) { return is_closed && file == STDIN_FILENO; }

WEAK ssize_t read(int file, void *to, size_t size) { return is_empty(file) ? 0 : HEDDLE_LIBC(read)(file, to, size); }
WEAK ssize_t readv(int file, const struct iovec *to, int count) {
  return is_empty(file) ? 0 : HEDDLE_LIBC(readv)(file, to, count);
}

/* As a program calls it that is compiled with -D_FORTIFY_SOURCE. */
ssize_t __read_chk(int file, void *to, size_t size, size_t room);
WEAK ssize_t __read_chk(int file, void *to, size_t size, size_t room) {
  return is_empty(file) ? 0 : HEDDLE_LIBC(__read_chk)(file, to, size, room);
}
