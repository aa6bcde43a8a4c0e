/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the archive share. The archive is compiled with -fvisibility=hidden: a copy's functions are its own, and calls to
   them are bound when the program is linked. */
#ifndef HEDDLE_MPI_ENTRY_H
#define HEDDLE_MPI_ENTRY_H

#include <stdio.h>
#include <sys/types.h>

#include "mpi/libc/table.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Null: the program was started without heddle, or its constructors run. */
extern const struct heddle_mpi_table *heddle_mpi_host;

/* The process that heddle runs in. */
extern pid_t heddle_mpi_process;

/* What the copy has given to heddle. */
extern struct heddle_mpi_program heddle_mpi_own_program;

/* A function of MPI that nobody serves. Without a host it starts heddle in the program's place. */
int heddle_mpi_missing(const char *function, const void *place);

/* libc's own function of this name: the copy has another of the same name. Ends the program where there is none. */
void *heddle_libc_function(const char *name);
#define HEDDLE_LIBC(name) ((__typeof__(&name))heddle_libc_function(#name))

/* What process.c and heap.c give to heddle. */
void heddle_mpi_forget_exit_handlers(void);
int heddle_mpi_find_block(const void *address, struct heddle_heap_block *block);
void heddle_mpi_release_block(void *address, const void *place);
void heddle_mpi_visit_heap(void (*visit)(void *to, const struct heddle_heap_block *block), void *to);
size_t heddle_mpi_check_heap(void);
void heddle_mpi_empty_heap(void);
/* Keeps the heap as it is, or no longer. */
void heddle_mpi_lock_heap(int is_held);

/* What `new` and `delete` of the program do. An alignment of 0: that of any type. Null: there is no memory. */
void *heddle_mpi_new(size_t alignment, size_t size, const void *place);
void heddle_mpi_delete(void *address, const void *place);
/* Of a place that is on the stack: the innermost one that is not in what the program has of the C++ library. Null in programs without
   `new`. */
const void *heddle_mpi_own_place(const void *place) __attribute__((weak));

/* Of programs that read standard input or start others, which may, and of those that read it by std::cin; null in others. */
int heddle_mpi_close_input(int empty_file) __attribute__((weak));
void heddle_mpi_close_streams(FILE *input) __attribute__((weak));
/* In a process that the program has made: its standard input is its own. */
void heddle_mpi_own_input(void);
int heddle_mpi_has_empty_input(void);

#ifdef __cplusplus
}
#endif

#endif
