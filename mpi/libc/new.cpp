// SPDX-License-Identifier: Apache-2.0
// `new` and `delete` of a program, over the heap of its copy: the C++ library's take from libc, which nobody guards. Only in programs
// that use them. Weak: a program may have its own, and where it has some of them the others call these, as the C++ library's do.
#include <dlfcn.h>
#include <unwind.h>

#include <new>

#include "mpi/libc/entry.h"

#define PLACE __builtin_return_address(0)
#define OPERATOR(symbol) __asm__(symbol) __attribute__((weak))

using Size = __SIZE_TYPE__;
static_assert(sizeof(Size) == sizeof(unsigned long), "the symbols have an m for it");

// Under the names that the compiler calls them by: it gives its own declarations a visibility that others see.
extern "C" {
#pragma GCC visibility push(hidden)
void* heddle_new(Size size) OPERATOR("_Znwm");
void* heddle_new_array(Size size) OPERATOR("_Znam");
void* heddle_new_nothrow(Size size, const void* tag) OPERATOR("_ZnwmRKSt9nothrow_t");
void* heddle_new_array_nothrow(Size size, const void* tag) OPERATOR("_ZnamRKSt9nothrow_t");
void* heddle_new_aligned(Size size, Size alignment) OPERATOR("_ZnwmSt11align_val_t");
void* heddle_new_array_aligned(Size size, Size alignment) OPERATOR("_ZnamSt11align_val_t");
void* heddle_new_aligned_nothrow(Size size, Size alignment, const void* tag) OPERATOR("_ZnwmSt11align_val_tRKSt9nothrow_t");
void* heddle_new_array_aligned_nothrow(Size size, Size alignment, const void* tag)
    OPERATOR("_ZnamSt11align_val_tRKSt9nothrow_t");
void heddle_delete_object(void* address) OPERATOR("_ZdlPv");
void heddle_delete_array(void* address) OPERATOR("_ZdaPv");
void heddle_delete_sized(void* address, Size size) OPERATOR("_ZdlPvm");
void heddle_delete_array_sized(void* address, Size size) OPERATOR("_ZdaPvm");
void heddle_delete_nothrow(void* address, const void* tag) OPERATOR("_ZdlPvRKSt9nothrow_t");
void heddle_delete_array_nothrow(void* address, const void* tag) OPERATOR("_ZdaPvRKSt9nothrow_t");
void heddle_delete_aligned(void* address, Size alignment) OPERATOR("_ZdlPvSt11align_val_t");
void heddle_delete_array_aligned(void* address, Size alignment) OPERATOR("_ZdaPvSt11align_val_t");
void heddle_delete_aligned_sized(void* address, Size size, Size alignment) OPERATOR("_ZdlPvmSt11align_val_t");
void heddle_delete_array_aligned_sized(void* address, Size size, Size alignment) OPERATOR("_ZdaPvmSt11align_val_t");
void heddle_delete_aligned_nothrow(void* address, Size alignment, const void* tag)
    OPERATOR("_ZdlPvSt11align_val_tRKSt9nothrow_t");
void heddle_delete_array_aligned_nothrow(void* address, Size alignment, const void* tag)
    OPERATOR("_ZdaPvSt11align_val_tRKSt9nothrow_t");
#pragma GCC visibility pop
}

namespace {

bool begins_with(const char* text, const char* start) {
  while (*start != '\0' && *text == *start) ++text, ++start;
  return *start == '\0';
}

// Whether a function of the C++ library's returns there that the program has in itself, as it has templates. Asked once for each place.
bool is_in_cxx_library(const void* place) {
  enum { kPlaces = 256 };
  static uintptr_t known[kPlaces];  // twice a place and whether it is
  const auto asked = reinterpret_cast<uintptr_t>(place) * 2;
  uintptr_t* const slot = &known[asked / 2 % kPlaces];
  const uintptr_t answer = __atomic_load_n(slot, __ATOMIC_RELAXED);
  if ((answer & ~uintptr_t{1}) == asked) return (answer & 1) != 0;
  Dl_info info = {};
  bool is = false;
  if (dladdr(static_cast<const char*>(place) - 1, &info) != 0 && info.dli_sname != nullptr) {
    static const char* const kStarts[] = {"_ZNSt", "_ZNKSt", "_ZSt", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"};
    for (const char* const start : kStarts) is = is || begins_with(info.dli_sname, start);
  }
  __atomic_store_n(slot, asked | (is ? 1 : 0), __ATOMIC_RELAXED);
  return is;
}

struct Search {
  const void* from;
  const void* found;
  bool is_behind;
};

_Unwind_Reason_Code visit_frame(_Unwind_Context* context, void* of) {
  auto& search = *static_cast<Search*>(of);
  const auto* const place = reinterpret_cast<const void*>(_Unwind_GetIP(context));
  if (!search.is_behind) {
    search.is_behind = place == search.from;
    return _URC_NO_REASON;
  }
  if (is_in_cxx_library(place)) return _URC_NO_REASON;
  search.found = place;
  return _URC_END_OF_STACK;
}

// An alignment of 0: that of any type.
void* allocate(Size alignment, Size size, const void* place) {
  while (true) {
    if (void* const block = heddle_mpi_new(alignment, size, place)) return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

// Where the throwing one is the program's own, it is asked.
template <class Allocate>
void* or_null(const Allocate& allocate_it) {
  try {
    return allocate_it();
  } catch (...) {
    return nullptr;
  }
}

void* own_new(Size size) __attribute__((alias("_Znwm")));
void* own_new_aligned(Size size, Size alignment) __attribute__((alias("_ZnwmSt11align_val_t")));

}  // namespace

const void* heddle_mpi_own_place(const void* place) {
  if (!is_in_cxx_library(place)) return place;
  Search search = {place, place, false};
  _Unwind_Backtrace(visit_frame, &search);
  return search.found;
}

void* heddle_new(Size size) { return allocate(0, size, PLACE); }
void* heddle_new_aligned(Size size, Size alignment) { return allocate(alignment, size, PLACE); }
void heddle_delete_object(void* address) { heddle_mpi_delete(address, PLACE); }
void heddle_delete_aligned(void* address, Size) { heddle_mpi_delete(address, PLACE); }

// Those that call these and nothing after them leave them the place that they were called at.
void* heddle_new_array(Size size) { return heddle_new(size); }
void* heddle_new_array_aligned(Size size, Size alignment) { return heddle_new_aligned(size, alignment); }
void* heddle_new_nothrow(Size size, const void*) {
  const void* const place = PLACE;
  return or_null([=] { return heddle_new == own_new ? allocate(0, size, place) : heddle_new(size); });
}
void* heddle_new_array_nothrow(Size size, const void* tag) { return heddle_new_nothrow(size, tag); }
void* heddle_new_aligned_nothrow(Size size, Size alignment, const void*) {
  const void* const place = PLACE;
  return or_null([=] {
    return heddle_new_aligned == own_new_aligned ? allocate(alignment, size, place) : heddle_new_aligned(size, alignment);
  });
}
void* heddle_new_array_aligned_nothrow(Size size, Size alignment, const void* tag) {
  return heddle_new_aligned_nothrow(size, alignment, tag);
}

void heddle_delete_array(void* address) { heddle_delete_object(address); }
void heddle_delete_sized(void* address, Size) { heddle_delete_object(address); }
void heddle_delete_array_sized(void* address, Size) { heddle_delete_array(address); }
void heddle_delete_nothrow(void* address, const void*) { heddle_delete_object(address); }
void heddle_delete_array_nothrow(void* address, const void*) { heddle_delete_array(address); }
void heddle_delete_array_aligned(void* address, Size alignment) { heddle_delete_aligned(address, alignment); }
void heddle_delete_aligned_sized(void* address, Size, Size alignment) { heddle_delete_aligned(address, alignment); }
void heddle_delete_array_aligned_sized(void* address, Size, Size alignment) { heddle_delete_array_aligned(address, alignment); }
void heddle_delete_aligned_nothrow(void* address, Size alignment, const void*) { heddle_delete_aligned(address, alignment); }
void heddle_delete_array_aligned_nothrow(void* address, Size alignment, const void*) {
  heddle_delete_array_aligned(address, alignment);
}
