/* SPDX-License-Identifier: Apache-2.0 */
/* malloc and its kin, and what new and delete of C++ do. Where heddle asks for it, a guard zone lies before and behind each block:

      | 16 bytes: a mark, whose block it is | the block | 16 bytes of a pattern |

   What is live is in a search tree by address, a treap, whose nodes lie apart from the blocks: a program that writes past a block
   does not damage them easily. Blocks of libc's own (strdup, getline) and blocks from before the guards are not in the tree, and are
   given to libc as they are. A block of another copy, as of a library that the program is linked with, is given to that copy. */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/libc/entry.h"

#define PLACE __builtin_return_address(0)

enum { kZone = 16, kNodesAtOnce = 128, kMostFresh = 1 << 20 };
static const unsigned char kPattern = 0xa5;
static const unsigned char kFresh = 0xcb;

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
/* The blocks are gone: what frees one late, as at the end of a thread, finds nothing. */
static int is_over;

/* The program may have threads. It is held only while nothing of heddle's runs that may end the rank. */
static int is_locked;
static void lock(void) {
  while (__atomic_exchange_n(&is_locked, 1, __ATOMIC_ACQUIRE)) sched_yield();
}
static void unlock(void) { __atomic_store_n(&is_locked, 0, __ATOMIC_RELEASE); }
void heddle_mpi_lock_heap(int is_held) { is_held ? lock() : unlock(); }

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

/* The same as a copy, as other threads may change the tree: 1, or 0 where there is none. */
static int find_below(const void *address, struct node *found) {
  if (!guards()) return 0;
  lock();
  const struct node *const node = block_below((uintptr_t)address);
  if (node) *found = *node;
  unlock();
  return node != NULL;
}

static int find_at(const void *address, struct node *found) {
  return find_below(address, found) && found->address == (uintptr_t)address;
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

static struct heddle_heap_zone front_zone_of(const void *block) {
  return heddle_heap_zone_of(block, &heddle_mpi_own_program);
}

static void *guarded(size_t alignment, size_t size, const void *place) {
  if (alignment < kZone) alignment = kZone;
  char *const raw = size <= PTRDIFF_MAX - alignment - 2 * kZone ? plain_allocate(size + alignment + 2 * kZone) : NULL;
  if (!raw) {
    errno = ENOMEM;
    return NULL;
  }
  char *const block = raw + (-(uintptr_t)(raw + kZone) & (alignment - 1)) + kZone;
  const struct heddle_heap_zone front = front_zone_of(block);
  memcpy(block - kZone, &front, sizeof front);
  /* Whoever reads what was never written reads the same each time, and no zeros. Not of what is so large that it may never be touched. */
  memset(block, kFresh, size < kMostFresh ? size : kMostFresh);
  memset(block + size, kPattern, kZone);
  lock();
  struct node *const node = new_node();
  if (node) {
    node->address = (uintptr_t)block;
    node->size = size;
    node->raw = raw;
    node->made_at = place;
    insert(node);
  }
  unlock();
  if (node) return block;
  plain_release(raw);
  errno = ENOMEM;
  return NULL;
}

static const void *own_place(const void *place) {
  return place && heddle_mpi_own_place ? heddle_mpi_own_place(place) : place;
}

/* Of a damaged guard zone: how, and the first byte. */
static int find_damage(const struct node *node, struct heddle_heap_fault *fault) {
  const char *const block = (const char *)node->address;
  const struct heddle_heap_zone front = front_zone_of(block);
  if (memcmp(block - kZone, &front, sizeof front) != 0) {
    const unsigned char *const there = (const unsigned char *)block - kZone, *const right = (const unsigned char *)&front;
    ptrdiff_t last = kZone - 1; /* the one that is closest to the block: an underrun comes from there */
    while (there[last] == right[last]) --last;
    fault->kind = HEDDLE_HEAP_UNDERRUN;
    fault->offset = last - kZone;
    return 1;
  }
  for (size_t i = 0; i < kZone; ++i) {
    if ((unsigned char)block[node->size + i] == kPattern) continue;
    fault->kind = HEDDLE_HEAP_OVERRUN;
    fault->offset = (ptrdiff_t)(node->size + i);
    return 1;
  }
  return 0;
}

/* Tells of a damaged guard zone: whether there was one. */
static int tell_damage(const struct node *node, const void *place) {
  struct heddle_heap_fault fault = {HEDDLE_HEAP_OVERRUN, (const void *)node->address, node->size, 0, node->made_at, NULL};
  if (!find_damage(node, &fault)) return 0;
  fault.found_at = own_place(place);
  heddle_mpi_host->system.heap_fault(&fault);
  return 1;
}

/* Whether there is a guarded block at this address, after a look at its guard zones. */
static int check_block(const void *address, const void *place, struct node *found) {
  if (!find_below(address, found)) return 0;
  if (found->address == (uintptr_t)address) {
    tell_damage(found, place);
    return 1;
  }
  if ((uintptr_t)address < found->address + found->size) {
    const struct heddle_heap_fault fault = {HEDDLE_HEAP_NOT_START, (const void *)found->address, found->size,
                                            (ptrdiff_t)((uintptr_t)address - found->address), found->made_at, own_place(place)};
    heddle_mpi_host->system.heap_fault(&fault);
  }
  return 0;
}

static void release(void *address) {
  lock();
  struct node *const node = block_at(address);
  void *const raw = node ? node->raw : NULL;
  if (node) erase(node);
  unlock();
  if (!raw) return;
  memset((char *)address - kZone, 0, kZone); /* nobody's any more */
  plain_release(raw);
}

/* The copy whose block it is, where it is none of this one's. */
static const struct heddle_mpi_program *other_owner(const void *address) {
  return guards() ? heddle_mpi_host->system.owner_of(address) : NULL;
}

void heddle_mpi_release_block(void *address, const void *place) {
  struct node node;
  if (check_block(address, place, &node)) release(address);
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

/* Frees a guarded block, of whichever copy: 1, or 0 for what is none. */
static int release_guarded(void *address, const void *place) {
  struct node node;
  if (is_over) return 1;
  if (check_block(address, place, &node)) {
    release(address);
    return 1;
  }
  const struct heddle_mpi_program *const owner = other_owner(address);
  if (owner) owner->release_block(address, place);
  return owner != NULL;
}

void free(void *address) {
  if (address && !release_guarded(address, PLACE)) plain_release(address);
}

static void *change_size(void *address, size_t size, const void *place) {
  struct node node;
  const int is_own = address && check_block(address, place, &node);
  const struct heddle_mpi_program *const owner = address && !is_own ? other_owner(address) : NULL;
  if (!is_own && !owner && (!guards() || address)) { /* libc's own stays libc's own */
    return heddle_mpi_host ? heddle_mpi_host->system.reallocate(address, size) : HEDDLE_LIBC(realloc)(address, size);
  }
  struct heddle_heap_block before = {address, is_own ? node.size : 0, NULL};
  if (owner) owner->find_block(address, &before);
  void *const block = address && size == 0 ? NULL : guarded(kZone, size, place);
  if (block) memcpy(block, address, before.size < size ? before.size : size);
  if (!block && size != 0) return NULL; /* what there was stays */
  if (is_own) release(address);
  if (owner) owner->release_block(address, place);
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

/* The C++ library's own. Null: the program has none, but is linked with what it needs of it. */
static void *of_cxx(const char *symbol) { return dlsym(RTLD_DEFAULT, symbol); }

void *heddle_mpi_new(size_t alignment, size_t size, const void *place) {
  if (heddle_mpi_host && heddle_mpi_host->system.guards_objects) return guarded(alignment, size, own_place(place));
  if (alignment != 0) {
    if (!heddle_mpi_host) return HEDDLE_LIBC(memalign)(alignment, size);
    return heddle_mpi_host->system.allocate_aligned(alignment, size);
  }
  if (heddle_mpi_host) return heddle_mpi_host->system.allocate_object(size);
  void *(*allocate)(size_t, const void *);
  *(void **)&allocate = of_cxx("_ZnwmRKSt9nothrow_t");
  return allocate ? allocate(size, "") : plain_allocate(size);
}

void heddle_mpi_delete(void *address, const void *place) {
  if (!address || release_guarded(address, place)) return;
  if (heddle_mpi_host) {
    heddle_mpi_host->system.release_object(address);
    return;
  }
  void (*release_it)(void *);
  *(void **)&release_it = of_cxx("_ZdlPv");
  if (release_it) {
    release_it(address);
  } else {
    plain_release(address);
  }
}

size_t malloc_usable_size(void *address) {
  struct node node;
  if (!address) return 0;
  if (find_at(address, &node)) return node.size;
  struct heddle_heap_block block;
  const struct heddle_mpi_program *const owner = other_owner(address);
  if (owner && owner->find_block(address, &block)) return block.size;
  return heddle_mpi_host ? heddle_mpi_host->system.usable_size(address) : HEDDLE_LIBC(malloc_usable_size)(address);
}

int heddle_mpi_find_block(const void *address, struct heddle_heap_block *block) {
  const uintptr_t at = (uintptr_t)address;
  struct node node;
  /* A guard zone that lies before a block belongs to it. */
  if (!find_below((const char *)address + kZone, &node) || at >= node.address + node.size + kZone) return 0;
  block->address = (const void *)node.address;
  block->size = node.size;
  block->made_at = node.made_at;
  return 1;
}

/* The first damaged block from this address on, as a copy. */
static int find_damaged(const struct node *tree, uintptr_t from, struct node *found) {
  struct heddle_heap_fault fault;
  for (; tree; tree = tree->right) {
    if (tree->address < from) continue;
    if (find_damaged(tree->left, from, found)) return 1;
    if (!find_damage(tree, &fault)) continue;
    *found = *tree;
    return 1;
  }
  return 0;
}

size_t heddle_mpi_check_heap(void) {
  size_t damaged = 0;
  struct node found = {.address = 0};
  for (;; ++damaged) {
    lock();
    const int is_damaged = find_damaged(root, found.address + 1, &found);
    unlock();
    if (!is_damaged) return damaged;
    tell_damage(&found, NULL);
  }
}

static void visit_tree(const struct node *node, void (*visit)(void *to, const struct heddle_heap_block *block), void *to) {
  for (; node; node = node->right) {
    visit_tree(node->left, visit, to);
    const struct heddle_heap_block block = {(const void *)node->address, node->size, node->made_at};
    visit(to, &block);
  }
}

void heddle_mpi_visit_heap(void (*visit)(void *to, const struct heddle_heap_block *block), void *to) {
  lock();
  visit_tree(root, visit, to);
  unlock();
}

/* Nothing of the program's runs any more. What a signal has ended may have held the lock. */
void heddle_mpi_empty_heap(void) {
  is_locked = 0;
  while (root) release((void *)root->address);
  free_nodes = NULL;
  while (slabs) {
    struct slab *const slab = slabs;
    slabs = slab->next;
    plain_release(slab);
  }
  is_over = 1;
}
