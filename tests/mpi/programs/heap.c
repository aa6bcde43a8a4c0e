/* A library whose functions use and misuse its heap. */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void* block;
char* volatile hidden; /* compilers see the mistakes otherwise */

void* make(size_t size) { return block = malloc(size); }
void end(void) { free(block); }
void write_at(long offset) { hidden = block; hidden[offset] = 'x'; }
volatile long three = 3;
void free_inside(void) { free((char*)block + three); }
/* Of another copy's block. */
void end_of_other(void* other) { free(other); }
void* larger(void* other, size_t size) { return realloc(other, size); }
size_t size_of(void* other) { return malloc_usable_size(other); }
void free_of_libc(void) { free(strdup("libc's own")); }
/* 0 if all kinds of allocation give what they say. */
int try_all(void) {
  char* zeros = calloc(7, 5);
  for (int i = 0; i < 35; ++i) if (zeros[i]) return 1;
  zeros = realloc(zeros, 1000);
  for (int i = 0; i < 35; ++i) if (zeros[i]) return 2;
  memset(zeros, 1, 1000);
  zeros = reallocarray(zeros, 3, 5);
  if (zeros[14] != 1) return 3;
  free(zeros);
  void* aligned = NULL;
  if (posix_memalign(&aligned, 256, 10) != 0 || (uintptr_t)aligned % 256) return 4;
  free(aligned);
  aligned = aligned_alloc(64, 128);
  if ((uintptr_t)aligned % 64 || malloc_usable_size(aligned) < 128) return 5;
  free(aligned);
  if (posix_memalign(&aligned, 24, 10) != EINVAL) return 6;
  volatile size_t all = SIZE_MAX / 2;
  errno = 0;
  if (malloc(all + 100) || errno != ENOMEM) return 7;
  if (calloc(all, 3)) return 8;
  free(NULL);
  /* Many blocks, freed in another order: all that is written stays. */
  static unsigned char* blocks[500];
  for (int i = 0; i < 500; ++i) blocks[i] = memset(malloc((size_t)i), i, (size_t)i);
  for (int i = 0; i < 500; ++i) {
    unsigned char* const b = blocks[i * 7 % 500];
    for (int k = 0; k < i * 7 % 500; ++k) if (b[k] != (unsigned char)(i * 7 % 500)) return 9;
    free(b);
  }
  return 0;
}
