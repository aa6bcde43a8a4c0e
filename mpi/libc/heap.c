/* SPDX-License-Identifier: Apache-2.0 */
/* malloc and its kin. Where heddle asks for it, a guard zone lies before and behind each block:

      | 16 bytes: magic ^ address, size ^ pattern | the block | 16 bytes of a pattern |

   What is live is in a search tree by address, a treap, whose nodes lie apart from the blocks: a program that writes past a block
   does not damage them easily. Blocks of libc's own (strdup, getline) and blocks from before the guards are not in the tree, and are
   given to libc as they are. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/libc/entry.h"

#define PLACE __builtin_return_address(0)

enum { kZone = 16, kNodesAtOnce = 128, kMostFresh = 1 << 20 };
static const unsigned char kPattern = 0xa5;
static const unsigned char kFresh = 0xcb;
static const uint64_t kMagic = 0x686564646c655f6dULL;
/* So that no byte of a size is the zero that a program writes before a block most often. */
static const uint64_t kSizePattern = 0xa5a5a5a5a5a5a5a5ULL;

struct front_zone {
  uint64_t magic;
  uint64_t size;
};

struct node {
  struct node *left, *right;
  uintptr_t address;
  size_t size;
  void *raw; /* as libc gave it */
  const void *made_at;
};

/* Where nodes come from. */
struct slab {
  struct slab *next;
  struct node nodes[kNodesAtOnce];
};

static struct node *root;
static struct node *free_nodes;
static struct slab *slabs;

static int guards(void) { return heddle_mpi_host && heddle_mpi_host->system.guards_heap; }

/* Without a host: as libc has it. */
static void *plain_allocate(size_t size) {
  return heddle_mpi_host ? heddle_mpi_host->system.allocate(size) : HEDDLE_LIBC(malloc)(size);
}
static void plain_release(void *address) {
  if (heddle_mpi_host) {
    heddle_mpi_host->system.release(address);
  } else {
    HEDDLE_LIBC(free)(address);
  }
}

/* A node's place in the heap order of the treap: mixed from the address, so that the tree is balanced. */
static uint64_t priority(const struct node *node) {
  uint64_t x = node->address;
  x = (x ^ (x >> 31)) * 0x7fb5d329728ea185ULL;
  x = (x ^ (x >> 27)) * 0x81dadef4bc2dd44dULL;
  return x ^ (x >> 33);
}

/* Splits a tree into those below the address and the others. */
static void split(struct node *tree, uintptr_t address, struct node **below, struct node **others) {
  while (tree) {
    if (tree->address < address) {
      *below = tree;
      below = &tree->right;
      tree = tree->right;
    } else {
      *others = tree;
      others = &tree->left;
      tree = tree->left;
    }
  }
  *below = *others = NULL;
}

static void insert(struct node *node) {
  struct node **at = &root;
  while (*at && priority(*at) >= priority(node)) at = node->address < (*at)->address ? &(*at)->left : &(*at)->right;
  split(*at, node->address, &node->left, &node->right);
  *at = node;
}

static void erase(struct node *node) {
  struct node **at = &root;
  while (*at != node) at = node->address < (*at)->address ? &(*at)->left : &(*at)->right;
  struct node *left = node->left, *right = node->right;
  while (left && right) {
    if (priority(left) >= priority(right)) {
      *at = left;
      at = &left->right;
      left = left->right;
    } else {
      *at = right;
      at = &right->left;
      right = right->left;
    }
  }
  *at = left ? left : right;
  node->left = free_nodes;
  free_nodes = node;
}

/* The block with the highest address up to this one. */
static struct node *block_below(uintptr_t address) {
  struct node *found = NULL;
  for (struct node *node = root; node; node = node->address <= address ? node->right : node->left) {
    if (node->address <= address) found = node;
  }
  return found;
}

static struct node *block_at(const void *address) {
  struct node *const node = block_below((uintptr_t)address);
  return node && node->address == (uintptr_t)address ? node : NULL;
}

static struct node *new_node(void) {
  if (!free_nodes) {
    struct slab *const slab = plain_allocate(sizeof *slab);
    if (!slab) return NULL;
    slab->next = slabs;
    slabs = slab;
    for (int i = 0; i < kNodesAtOnce; ++i) {
      slab->nodes[i].left = free_nodes;
      free_nodes = &slab->nodes[i];
    }
  }
  struct node *const node = free_nodes;
  free_nodes = node->left;
  return node;
}

static void *guarded(size_t alignment, size_t size, const void *place) {
  if (alignment < kZone) alignment = kZone;
  if (size > PTRDIFF_MAX - alignment - 2 * kZone) {
    errno = ENOMEM;
    return NULL;
  }
  struct node *const node = new_node();
  char *const raw = node ? plain_allocate(size + alignment + 2 * kZone) : NULL;
  if (!raw) {
    if (node) {
      node->left = free_nodes;
      free_nodes = node;
    }
    errno = ENOMEM;
    return NULL;
  }
  char *const block = raw + (-(uintptr_t)(raw + kZone) & (alignment - 1)) + kZone;
  const struct front_zone front = {kMagic ^ (uintptr_t)block, size ^ kSizePattern};
  memcpy(block - kZone, &front, sizeof front);
  /* Whoever reads what was never written reads the same each time, and no zeros. Not of what is so large that it may never be touched. */
  memset(block, kFresh, size < kMostFresh ? size : kMostFresh);
  memset(block + size, kPattern, kZone);
  node->address = (uintptr_t)block;
  node->size = size;
  node->raw = raw;
  node->made_at = place;
  insert(node);
  return block;
}

/* Tells of a damaged guard zone: whether there was one. */
static int tell_damage(const struct node *node, const void *place) {
  const char *const block = (const char *)node->address;
  const struct front_zone front = {kMagic ^ node->address, node->size ^ kSizePattern};
  struct heddle_heap_fault fault = {HEDDLE_HEAP_OVERRUN, block, node->size, 0, node->made_at, place};
  int is_damaged = 0;
  if (memcmp(block - kZone, &front, sizeof front) != 0) {
    const unsigned char *const there = (const unsigned char *)block - kZone, *const right = (const unsigned char *)&front;
    ptrdiff_t last = kZone - 1; /* the one that is closest to the block: an underrun comes from there */
    while (there[last] == right[last]) --last;
    fault.kind = HEDDLE_HEAP_UNDERRUN;
    fault.offset = last - kZone;
    is_damaged = 1;
  } else {
    for (size_t i = 0; i < kZone && !is_damaged; ++i) {
      if ((unsigned char)block[node->size + i] != kPattern) {
        fault.offset = (ptrdiff_t)(node->size + i);
        is_damaged = 1;
      }
    }
  }
  if (is_damaged) heddle_mpi_host->system.heap_fault(&fault);
  return is_damaged;
}

/* The guarded block at this address, after a look at its guard zones; null: none of ours. */
static struct node *checked_block(const void *address, const void *place) {
  struct node *const node = root ? block_below((uintptr_t)address) : NULL;
  if (!node) return NULL;
  if (node->address == (uintptr_t)address) {
    tell_damage(node, place);
    return node;
  }
  if ((uintptr_t)address < node->address + node->size) {
    const struct heddle_heap_fault fault = {HEDDLE_HEAP_NOT_START, (const void *)node->address, node->size,
                                            (ptrdiff_t)((uintptr_t)address - node->address), node->made_at, place};
    heddle_mpi_host->system.heap_fault(&fault);
  }
  return NULL;
}

static void release(struct node *node) {
  void *const raw = node->raw;
  erase(node);
  plain_release(raw);
}

void *malloc(size_t size) { return guards() ? guarded(kZone, size, PLACE) : plain_allocate(size); }

void *calloc(size_t count, size_t size) {
  if (!guards()) return heddle_mpi_host ? heddle_mpi_host->system.allocate_zeros(count, size) : HEDDLE_LIBC(calloc)(count, size);
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  void *const block = guarded(kZone, bytes, PLACE);
  return block ? memset(block, 0, bytes) : NULL;
}

void free(void *address) {
  if (!address) return;
  struct node *const node = checked_block(address, PLACE);
  if (node) {
    release(node);
  } else {
    plain_release(address);
  }
}

static void *change_size(void *address, size_t size, const void *place) {
  struct node *const node = address ? checked_block(address, place) : NULL;
  if (!node && (!guards() || address)) { /* libc's own stays libc's own */
    return heddle_mpi_host ? heddle_mpi_host->system.reallocate(address, size) : HEDDLE_LIBC(realloc)(address, size);
  }
  if (node && size == 0) {
    release(node);
    return NULL;
  }
  void *const block = guarded(kZone, size, place);
  if (block && node) {
    memcpy(block, address, node->size < size ? node->size : size);
    release(node);
  }
  return block;
}

void *realloc(void *address, size_t size) { return change_size(address, size, PLACE); }

void *reallocarray(void *address, size_t count, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return change_size(address, bytes, PLACE);
}

static void *aligned(size_t alignment, size_t size, const void *place) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
    errno = EINVAL;
    return NULL;
  }
  if (guards()) return guarded(alignment, size, place);
  void *const block = heddle_mpi_host ? heddle_mpi_host->system.allocate_aligned(alignment, size) : HEDDLE_LIBC(memalign)(alignment, size);
  if (!block) errno = ENOMEM;
  return block;
}

void *aligned_alloc(size_t alignment, size_t size) { return aligned(alignment, size, PLACE); }
void *memalign(size_t alignment, size_t size) { return aligned(alignment, size, PLACE); }
void *valloc(size_t size) { return aligned(4096, size, PLACE); }

int posix_memalign(void **address, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0) return EINVAL;
  const int before = errno;
  void *const block = aligned(alignment, size, PLACE);
  const int error = block ? 0 : errno;
  errno = before;
  if (block) *address = block;
  return error;
}

size_t malloc_usable_size(void *address) {
  const struct node *const node = address ? block_at(address) : NULL;
  if (node) return node->size;
  return heddle_mpi_host ? heddle_mpi_host->system.usable_size(address) : HEDDLE_LIBC(malloc_usable_size)(address);
}

int heddle_mpi_find_block(const void *address, struct heddle_heap_block *block) {
  const uintptr_t at = (uintptr_t)address;
  /* A guard zone that lies before a block belongs to it. */
  const struct node *const node = block_below(at + kZone);
  if (!node || at >= node->address + node->size + kZone) return 0;
  block->address = (const void *)node->address;
  block->size = node->size;
  block->made_at = node->made_at;
  return 1;
}

static size_t check_tree(const struct node *node) {
  size_t damaged = 0;
  for (; node; node = node->right) damaged += check_tree(node->left) + (size_t)tell_damage(node, NULL);
  return damaged;
}

static void visit_tree(const struct node *node, void (*visit)(void *to, const struct heddle_heap_block *block), void *to) {
  for (; node; node = node->right) {
    visit_tree(node->left, visit, to);
    const struct heddle_heap_block block = {(const void *)node->address, node->size, node->made_at};
    visit(to, &block);
  }
}

void heddle_mpi_visit_heap(void (*visit)(void *to, const struct heddle_heap_block *block), void *to) { visit_tree(root, visit, to); }

size_t heddle_mpi_check_heap(void) { return check_tree(root); }

void heddle_mpi_empty_heap(void) {
  while (root) release(root);
  free_nodes = NULL;
  while (slabs) {
    struct slab *const slab = slabs;
    slabs = slab->next;
    plain_release(slab);
  }
}
