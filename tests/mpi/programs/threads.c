/* SPDX-License-Identifier: Apache-2.0 */
/* A rank's threads allocate and free, while its own thread does, too. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { kThreads = 4, kBlocks = 20000 };

static void *allocate(void *seed) {
  unsigned char *blocks[16] = {0};
  const unsigned char mark = *(unsigned char *)seed;
  for (unsigned i = 0; i < kBlocks; ++i) {
    const size_t size = 1 + i * mark % 100;
    unsigned char **const block = &blocks[i % 16];
    if (*block && **block != mark) return seed;
    free(*block);
    *block = memset(malloc(size), mark, size);
  }
  for (int i = 0; i < 16; ++i) free(blocks[i]);
  return NULL;
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  pthread_t threads[kThreads];
  unsigned char marks[kThreads + 1] = {1, 2, 3, 4, 5};
  for (int t = 0; t < kThreads; ++t) CHECK(pthread_create(&threads[t], NULL, allocate, &marks[t]) == 0);
  CHECK(allocate(&marks[kThreads]) == NULL);
  for (int t = 0; t < kThreads; ++t) {
    void *wrong;
    CHECK(pthread_join(threads[t], &wrong) == 0 && wrong == NULL);
  }
  return end();
}
