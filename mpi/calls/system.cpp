// SPDX-License-Identifier: Apache-2.0
// What stands in for libc's functions in a program: it ends its rank and not heddle, its clocks are virtual, its heap is guarded.
#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <new>
#include <span>
#include <string>

#include <fmt/format.h>

#include "core/heap.hpp"
#include "core/sanitizers.hpp"
#include "mpi/calls/calls.hpp"
#include "mpi/image/block_owner.hpp"
#include "mpi/objects/process.hpp"

/// The command's.
extern "C" void heddle_operator_delete(void* address) noexcept __attribute__((weak));

namespace heddle::mpi {

namespace {

/// Runs body(process) for the rank that calls; what it throws ends the rank's program.
template <class Body>
void as_rank(const char* function, const void* place, Call::Kind kind, const Body& body) {
  Process* const process = Process::current();
  if (process == nullptr) return;
  std::exception_ptr failure;
  {
    const Call call(*process, function, place, kind);
    try {
      body(*process);
    } catch (...) {
      failure = std::current_exception();
    }
  }
  if (failure) process->fail(std::move(failure));
}

// ---- ends. They return where no rank runs, on a thread or in a process that the program has made: it ends as it would without heddle ----

/// The calling rank. vfork() leaves it in the process that it makes, too.
Process* ending_rank() {
  Process* const process = Process::current();
  return process == nullptr || process->is_forked() ? nullptr : process;
}

void exit_rank(const void*, int status) {
  if (Process* const process = ending_rank()) process->exit(status);
}

void exit_now(const void*, int status) {
  Process* const process = ending_rank();
  if (process == nullptr) return;
  process->runs_no_exit_functions = true;
  process->exit(status);
}

void abort_rank(const void* place) {
  if (ending_rank() == nullptr) return;
  as_rank("abort", place, Call::Kind::anytime,
          [](Process& process) { throw UsageError("it called " + process.world().call_text(process.site())); });
}

void assertion_failed(const void* place, const char* text, const char* file, unsigned line, const char* function) {
  if (ending_rank() == nullptr) return;
  as_rank("assert", place, Call::Kind::anytime, [&](const Process&) {
    throw UsageError(fmt::format("the assertion {} failed at {}:{}{}", text, file, line,
                                 function ? fmt::format(" in {}", function) : std::string()));
  });
}

// ---- clocks, in nanoseconds ----

constexpr std::int64_t kNanosecond = 1000;  ///< in picoseconds

/// The run begins on the first of January 2020, whatever the day.
constexpr std::int64_t kBegin = 1'577'836'800'000'000'000;

std::int64_t monotonic_time() {
  std::int64_t now = 0;
  as_rank("clock_gettime", nullptr, Call::Kind::clock,
          [&](Process& process) { now = process.read_clock_time().ps() / kNanosecond; });
  return now;
}
std::int64_t real_time() { return kBegin + monotonic_time(); }

void sleep_for(std::int64_t nanoseconds) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / kNanosecond;
  as_rank("sleep", nullptr, Call::Kind::sleep,
          [&](Process& process) { process.sleep(Time::ps(std::min(nanoseconds, kMost) * kNanosecond)); });
}

void compute(double seconds) {
  as_rank("heddle_compute", nullptr, Call::Kind::sleep,
          [&](Process& process) { process.sleep(Time::from_seconds(std::max(seconds, 0.0))); });
}

// ---- memory ----

/// Vectors of many ranks are most of a program's memory, and each is taken by itself. Where a block reaches the end of what the heap has
/// in large pages, it grows ahead: a page of 4 KiB at a time costs more than what ranks do with it.
void* with_large_pages(void* block, std::size_t size) {
  constexpr std::size_t kLarge = std::size_t{64} << 10;
  constexpr std::size_t kLeast = std::size_t{16} << 20;
  constexpr std::size_t kMost = std::size_t{256} << 20;
  if (size < kLarge || block == nullptr) return block;
  static std::atomic<std::size_t> taken{0};  // by large blocks
  static std::atomic<std::uintptr_t> grown_to{0};
  const std::size_t before = taken.fetch_add(size, std::memory_order_relaxed);
  if (before < kLeast) return block;
  const auto end = reinterpret_cast<std::uintptr_t>(block) + size;
  if (end <= grown_to.load(std::memory_order_relaxed) || end > reinterpret_cast<std::uintptr_t>(sbrk(0))) return block;
  const std::size_t ahead = std::min(before, kMost);
  const auto to = reinterpret_cast<std::uintptr_t>(extend_heap(ahead, block));
  grown_to = to > end ? to : end + ahead;  // the latter where it found no room above
  return block;
}

void* allocate(std::size_t size) { return with_large_pages(std::malloc(size), size); }

void* reallocate(void* block, std::size_t size) { return with_large_pages(std::realloc(block, size), size); }

void* allocate_aligned(std::size_t alignment, std::size_t size) {
  void* memory = nullptr;
  const int before = errno;
  if (posix_memalign(&memory, std::max(alignment, sizeof(void*)), size) != 0) memory = nullptr;
  errno = before;
  return with_large_pages(memory, size);
}

/// Whether malloc is libc's or a sanitizer's: both have bytes of their own in front of each block. Another one may have none.
bool blocks_have_heads() {
#if HEDDLE_ADDRESS_SANITIZER || HEDDLE_THREAD_SANITIZER
  return true;
#else
  Dl_info of_malloc = {}, of_libc = {};
  return dladdr(dlsym(RTLD_DEFAULT, "malloc"), &of_malloc) != 0 &&
         dladdr(reinterpret_cast<const void*>(&gnu_get_libc_version), &of_libc) != 0 &&
         of_malloc.dli_fbase == of_libc.dli_fbase;
#endif
}

void* allocate_object(std::size_t size) { return with_large_pages(::operator new(size, std::nothrow), size); }
void release_object(void* address) { ::operator delete(address); }

/// Whether what the C++ library deletes comes to the command's own `operator delete`, which knows guarded blocks. It does not where heddle
/// is a library of another program.
bool objects_come_back() {
  return heddle_operator_delete != nullptr && blocks_have_heads() &&
         dlsym(RTLD_DEFAULT, "_ZdlPv") == reinterpret_cast<void*>(heddle_operator_delete);
}

int is_rank() { return Process::current() != nullptr ? 1 : 0; }

const heddle_mpi_program* owner_of(const void* address) { return owner_of_block(address); }

void heap_fault(const heddle_heap_fault* fault) {
  as_rank("free", fault->found_at, Call::Kind::anytime, [&](Process& process) {
    const World& world = process.world();
    const std::string made = world.place_text(fault->made_at);
    const std::string block =
        fmt::format("a block of {} bytes{}", fault->size, made.empty() ? std::string() : " allocated at " + made);
    const std::string found = world.place_text(fault->found_at);
    const std::string where = found.empty() ? std::string() : fmt::format(" (found at {})", found);
    switch (fault->kind) {
      case HEDDLE_STACK_OVERRUN:
        throw UsageError(fmt::format("{}: bytes behind its local variables were written, as behind the end of an array",
                                     world.stack_text(std::span(&fault->found_at, 1))));
      case HEDDLE_HEAP_OVERRUN:
        throw UsageError(fmt::format("it wrote behind the end of {}, at byte {}{}", block, fault->offset, where));
      case HEDDLE_HEAP_UNDERRUN:
        throw UsageError(fmt::format("it wrote before the beginning of {}, at byte {}{}", block, fault->offset, where));
      case HEDDLE_HEAP_NOT_START:
        throw UsageError(fmt::format("it freed an address {} bytes inside {}{}", fault->offset, block, where));
    }
  });
}

int missing(const char* function, const void* place) {
  return serve(function, place, Call::Kind::anytime, [&](Process& process) {
    process.refuse(MPI_ERR_UNSUPPORTED_OPERATION,
                   fmt::format("{} is not served by heddle; docs/mpi.md has the list", function));
  });
}

heddle_mpi_table make_table(bool guards_heap) {
  if (guards_heap) reads_zones = blocks_have_heads();
  heddle_mpi_table table{};
  table.version = HEDDLE_MPI_TABLE_VERSION;
  table.size = sizeof table;
  table.system = {.exit = exit_rank,
                  .exit_now = exit_now,
                  .abort = abort_rank,
                  .assertion_failed = assertion_failed,
                  .real_time = real_time,
                  .monotonic_time = monotonic_time,
                  .sleep = sleep_for,
                  .compute = compute,
                  .allocate = allocate,
                  .allocate_zeros = std::calloc,
                  .allocate_aligned = allocate_aligned,
                  .reallocate = reallocate,
                  .release = std::free,
                  .usable_size = malloc_usable_size,
                  .allocate_object = allocate_object,
                  .release_object = release_object,
                  .owner_of = owner_of,
                  .heap_fault = heap_fault,
                  .is_rank = is_rank,
                  .guards_heap = guards_heap ? 1 : 0,
                  .guards_objects = guards_heap && objects_come_back() ? 1 : 0};
  table.missing = missing;
  for (const auto add :
       {add_message_calls, add_completion_calls, add_generalized_request_calls, add_datatype_calls, add_collective_calls,
        add_reduction_calls, add_communicator_calls, add_group_calls, add_attribute_calls, add_topology_calls,
        add_neighbour_calls, add_session_calls, add_error_calls, add_fortran_calls, add_info_calls, add_environment_calls})
    add(table.mpi);
  return table;
}

}  // namespace

const heddle_mpi_table& program_table(bool guards_heap) {
  static const heddle_mpi_table plain = make_table(false);
  if (!guards_heap) return plain;
  static const heddle_mpi_table guarded = make_table(true);
  return guarded;
}

}  // namespace heddle::mpi
