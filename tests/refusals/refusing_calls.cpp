// SPDX-License-Identifier: Apache-2.0
// Loaded before a program (LD_PRELOAD), it has the system refuse one call: HEDDLE_REFUSE=malloc:17 the 17th allocation that the
// program makes after main() has begun, malloc:17+ that and all later ones. Of threads, thread:17+ refuses the 17th that would be
// there at once, as a limit on them does. With malloc:0 nothing is refused. Kinds are the rows of kKinds. HEDDLE_REFUSE_COUNTS names
// a file that gets how many calls of each kind there were, those of child processes included, how many were refused, and
// how many allocations there had been when each of the first threads started.
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum Kind {
  malloc_kind,
  mmap_kind,
  mprotect_kind,
  thread_kind,
  fork_kind,
  write_kind,
  rename_kind,
  fsync_kind,
  open_kind,
  kinds
};
constexpr const char* kKinds[kinds] = {"malloc", "mmap", "mprotect", "thread", "fork", "write", "rename", "fsync", "open"};

constexpr long kMostStarts = 64;

struct Shared {
  std::atomic<long> threads;
  std::atomic<long> starts;           ///< of threads
  std::atomic<long> at[kMostStarts];  ///< how many allocations there had been at each
  std::atomic<long> calls[kinds];
  std::atomic<long> refused;
};

// What interposed functions can reach is global. Shared with child processes: what is refused once is refused in one of them.
Shared* shared = nullptr;
int refused_kind = kinds;
long refused_number = 0;
bool refuses_all_later = false;

void* map_pages(void* address, size_t bytes, int protection, int flags, int file, off_t offset) {
  return reinterpret_cast<void*>(syscall(SYS_mmap, address, bytes, protection, flags, file, offset));
}

bool is_refused(Kind kind) {
  Shared* const all = shared;
  if (all == nullptr) return false;
  const long number = ++all->calls[kind];
  if (kind != refused_kind || refused_number == 0 || (kind == thread_kind && refuses_all_later)) return false;
  if (refuses_all_later ? number < refused_number : number != refused_number) return false;
  ++all->refused;
  return true;
}

/// Not what wakes a thread, or what another process reads.
bool is_file(int file) {
  struct stat about = {};
  return fstat(file, &about) == 0 && S_ISREG(about.st_mode);
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

void begin() {
  if (const char* what = std::getenv("HEDDLE_REFUSE")) {
    const char* const colon = std::strchr(what, ':');
    for (int kind = 0; colon != nullptr && kind < kinds; ++kind) {
      if (std::strncmp(what, kKinds[kind], static_cast<size_t>(colon - what)) == 0 &&
          std::strlen(kKinds[kind]) == static_cast<size_t>(colon - what))
        refused_kind = kind;
    }
    if (colon != nullptr) {
      char* end = nullptr;
      refused_number = std::strtol(colon + 1, &end, 10);
      refuses_all_later = *end == '+';
    }
  }
  void* const memory = map_pages(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  shared = new (memory) Shared;
}

void write_counts() {
  Shared* const all = shared;
  shared = nullptr;
  const char* const path = std::getenv("HEDDLE_REFUSE_COUNTS");
  if (path == nullptr) return;
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (int kind = 0; kind < kinds; ++kind) dprintf(file, "%s %ld\n", kKinds[kind], all->calls[kind].load());
  dprintf(file, "refused %ld\n", all->refused.load());
  for (long start = 0; start < all->starts && start < kMostStarts; ++start) dprintf(file, "start %ld\n", all->at[start].load());
  close(file);
}

struct Thread {
  void* (*run)(void*);
  void* argument;
};

void* run_counted(void* memory) {
  const Thread thread = *static_cast<Thread*>(memory);
  void* const result = thread.run(thread.argument);
  if (shared != nullptr) --shared->threads;
  return result;
}

using Main = int(int, char**, char**);
Main* programs_main = nullptr;

int main_between(int argc, char** argv, char** environment) {
  begin();
  const int status = programs_main(argc, argv, environment);
  write_counts();
  return status;
}

}  // namespace

extern "C" {

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

int __libc_start_main(Main* main_function, int argc, char** argv, void (*init)(), void (*fini)(), void (*rtld_fini)(),
                      void* stack) {
  programs_main = main_function;
  using Start = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);
  return real<Start>("__libc_start_main")(main_between, argc, argv, init, fini, rtld_fini, stack);
}

void* malloc(size_t bytes) {
  if (is_refused(malloc_kind)) return errno = ENOMEM, nullptr;
  return __libc_malloc(bytes);
}
void* calloc(size_t count, size_t bytes) {
  if (is_refused(malloc_kind)) return errno = ENOMEM, nullptr;
  return __libc_calloc(count, bytes);
}
void* realloc(void* memory, size_t bytes) {
  if (is_refused(malloc_kind)) return errno = ENOMEM, nullptr;
  return __libc_realloc(memory, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) {
  if (is_refused(malloc_kind)) return errno = ENOMEM, nullptr;
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, size_t alignment, size_t bytes) {
  if (is_refused(malloc_kind)) return ENOMEM;
  *memory = __libc_memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}

void* mmap(void* address, size_t bytes, int protection, int flags, int file, off_t offset) {
  if (is_refused(mmap_kind)) return errno = ENOMEM, MAP_FAILED;
  return map_pages(address, bytes, protection, flags, file, offset);
}
int mprotect(void* address, size_t bytes, int protection) {
  if (is_refused(mprotect_kind)) return errno = ENOMEM, -1;
  return static_cast<int>(syscall(SYS_mprotect, address, bytes, protection));
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
  if (is_refused(thread_kind)) return EAGAIN;
  static const auto create = real<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  if (shared == nullptr) return create(thread, attributes, run, argument);
  if (const long start = shared->starts++; start < kMostStarts) shared->at[start] = shared->calls[malloc_kind].load();
  const bool is_one_too_many = ++shared->threads >= refused_number && refused_kind == thread_kind && refuses_all_later;
  if (is_one_too_many) ++shared->refused;
  const int error = is_one_too_many
                        ? EAGAIN
                        : create(thread, attributes, run_counted, new (__libc_malloc(sizeof(Thread))) Thread{run, argument});
  if (error != 0) --shared->threads;
  return error;
}
pid_t fork() {
  if (is_refused(fork_kind)) return errno = EAGAIN, -1;
  static const auto make = real<pid_t()>("fork");
  return make();
}
ssize_t write(int file, const void* bytes, size_t count) {
  if (is_file(file) && is_refused(write_kind)) return errno = ENOSPC, -1;
  return syscall(SYS_write, file, bytes, count);
}
ssize_t writev(int file, const iovec* parts, int count) {
  if (is_file(file) && is_refused(write_kind)) return errno = ENOSPC, -1;
  return syscall(SYS_writev, file, parts, count);
}
int rename(const char* from, const char* to) {
  if (is_refused(rename_kind)) return errno = EIO, -1;
  return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}
int fsync(int file) {
  if (is_refused(fsync_kind)) return errno = EIO, -1;
  return static_cast<int>(syscall(SYS_fsync, file));
}
int fdatasync(int file) {
  if (is_refused(fsync_kind)) return errno = EIO, -1;
  return static_cast<int>(syscall(SYS_fdatasync, file));
}
FILE* fopen64(const char* path, const char* mode) {
  if (is_refused(open_kind)) return errno = EMFILE, nullptr;
  static const auto open_file = real<FILE*(const char*, const char*)>("fopen64");
  return open_file(path, mode);
}
int open(const char* path, int flags, ...) {
  if (is_refused(open_kind)) return errno = EMFILE, -1;
  mode_t mode = 0;
  __builtin_va_list arguments;
  __builtin_va_start(arguments, flags);
  if ((flags & O_CREAT) != 0) mode = __builtin_va_arg(arguments, mode_t);
  __builtin_va_end(arguments);
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}
}
