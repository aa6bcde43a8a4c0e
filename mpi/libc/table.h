/* SPDX-License-Identifier: Apache-2.0 */
/* What passes between heddle, the host, and each copy of a program that it has loaded. For C and C++: the program's side is C.
   heddle calls `heddle_mpi_bind` of each copy once, before anything else of it. All of the host's functions are called on the rank's
   own thread, and only while the rank runs. */
#ifndef HEDDLE_MPI_TABLE_H
#define HEDDLE_MPI_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "mpi/abi/mpi_functions.h"
#include "mpi/libc/heddle_mpi.h"

/* Changes with anything in this file, in mpi_functions.h or in the numbers of mpi.h. */
#define HEDDLE_MPI_TABLE_VERSION 5

enum heddle_heap_fault_kind {
  HEDDLE_HEAP_OVERRUN = 1,   /* bytes behind the block were written */
  HEDDLE_HEAP_UNDERRUN = 2,  /* bytes before it were written */
  HEDDLE_HEAP_NOT_START = 3, /* free or realloc of an address inside the block */
  HEDDLE_STACK_OVERRUN = 4,  /* of no block: a function that returns has written behind its local variables */
};

/* A block of guarded memory that was misused. */
struct heddle_heap_fault {
  enum heddle_heap_fault_kind kind;
  const void *block;
  size_t size;          /* of the block, in bytes */
  ptrdiff_t offset;     /* from the block's start: the first byte that was written, or the address that was given */
  const void *made_at;  /* the address that malloc returned to */
  const void *found_at; /* the address that the function that found it returns to; null: heddle looked */
};

struct heddle_mpi_program;

/* In front of each guarded block: who frees a block that is none of its own heap learns whose it is. */
struct heddle_heap_zone {
  uint64_t mark;
  uint64_t owner;
};

/* That of a block of this owner's. No byte of either word is often a zero, which a program writes before a block most often. */
static inline struct heddle_heap_zone heddle_heap_zone_of(const void *block, const struct heddle_mpi_program *owner) {
  const uint64_t of = (uint64_t)(uintptr_t)owner;
  const struct heddle_heap_zone zone = {(0x686564646c655f6dULL ^ (uint64_t)(uintptr_t)block) + of, of ^ 0xa5a5a5a5a5a5a5a5ULL};
  return zone;
}

/* What stands in for libc's functions. Times are in nanoseconds. */
struct heddle_mpi_system {
  /* The next four return where no rank runs: on a thread and in a process that the program has made. */
  void (*exit)(const void *place, int status);
  void (*exit_now)(const void *place, int status); /* _exit: runs nothing of the program's */
  void (*abort)(const void *place);
  void (*assertion_failed)(const void *place, const char *text, const char *file, unsigned line, const char *function);
  int64_t (*real_time)(void);       /* since 1970 */
  int64_t (*monotonic_time)(void);  /* since the run began */
  void (*sleep)(int64_t nanoseconds);
  void (*compute)(double seconds);
  /* Memory: libc's own. */
  void *(*allocate)(size_t size);
  void *(*allocate_zeros)(size_t count, size_t size);
  void *(*allocate_aligned)(size_t alignment, size_t size); /* null and no errno where there is none; alignment is a power of two */
  void *(*reallocate)(void *address, size_t size);
  void (*release)(void *address);
  size_t (*usable_size)(void *address);
  /* Memory as the C++ library has it. Null where there is none. */
  void *(*allocate_object)(size_t size);
  void (*release_object)(void *address);
  /* The copy whose guarded block begins at this address, which someone has allocated; null: it is none. */
  const struct heddle_mpi_program *(*owner_of)(const void *address);
  void (*heap_fault)(const struct heddle_heap_fault *fault); /* may return: the program goes on */
  int (*is_rank)(void);                                       /* whether the caller is a rank's own thread */
  int guards_heap;                                            /* whether malloc puts guard zones round blocks */
  int guards_objects; /* whether new does, too: only where what the C++ library deletes comes back to the copy */
};

/* What heddle gives to a copy. */
struct heddle_mpi_table {
  int64_t version; /* HEDDLE_MPI_TABLE_VERSION */
  size_t size;     /* of this struct */
  struct heddle_mpi_system system;
  /* A function of MPI was called that the table has no pointer for. Its result is the call's, if that is an int. */
  int (*missing)(const char *function, const void *place);
  struct heddle_mpi_functions mpi;
};

/* A block of guarded memory. */
struct heddle_heap_block {
  const void *address;
  size_t size;
  const void *made_at; /* the address that malloc returned to */
};

/* What a copy gives to heddle. */
struct heddle_mpi_program {
  int64_t version;
  int (*main)(int argc, char **argv, char **environment); /* null: a library */
  void *dso_handle; /* __cxa_finalize of it runs what atexit and static objects have left, in the copy alone */
  /* What atexit and static objects have left is not done: the end of a rank that something else has ended. */
  void (*forget_exit_handlers)(void);
  const struct heddle_mpi_algorithm *algorithms;
  size_t algorithm_count;
  /* The guarded block that `address` lies in or, with its guard zones, nearly in: 1, else 0. */
  int (*find_block)(const void *address, struct heddle_heap_block *block);
  /* Frees the guarded block that begins there, after a look at its guard zones, for whoever is not of the copy. */
  void (*release_block)(void *address, const void *place);
  /* Calls visit(to, block) for each guarded block. */
  void (*visit_heap)(void (*visit)(void *to, const struct heddle_heap_block *block), void *to);
  /* Looks at all guard zones, tells heap_fault of each that is damaged, and returns how many are. */
  size_t (*check_heap)(void);
  /* Gives all guarded blocks back, without looking at them. */
  void (*empty_heap)(void);
  /* The copy reads this file, which is empty and stays open, in place of standard input: 1, or 0 where there is no memory. Null: it
     reads none. */
  int (*close_input)(int empty_file);
};

/* In each copy: takes the table for as long as the copy is loaded. Null if the versions differ. */
typedef const struct heddle_mpi_program *heddle_mpi_bind_function(const struct heddle_mpi_table *table);

#endif
