// SPDX-License-Identifier: Apache-2.0
#include "mpi/image/program_copy.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>

#include "heddle/errors.hpp"

extern "C" void __cxa_finalize(void* dso_handle);

namespace heddle::mpi {

namespace {

std::uintptr_t page_of(std::uintptr_t address) { return address / page_size() * page_size(); }
std::uintptr_t page_behind(std::uintptr_t address) { return page_of(address + page_size() - 1); }

// The loader takes an object for one that it has if the names are the same, whatever the files are. The kernel ignores // and /. in a
// path: they write a number that no other copy in this process has, lowest bit first, so that names differ early.
std::string distinct_path(int file) {
  static std::atomic<std::uint32_t> copies{0};
  std::string path;
  for (std::uint32_t number = copies.fetch_add(1), bit = 0; bit < 32; ++bit) path += (number >> bit & 1) != 0 ? "/." : "//";
  return path + fmt::format("/proc/self/fd/{}", file);
}

// What the loader says, with the program's name in place of the copy's.
std::string loader_error(const std::string& copy, const std::string& program) {
  const char* const said = dlerror();
  std::string text = said != nullptr ? said : "no reason given";
  if (const std::size_t at = text.find(copy); at != std::string::npos) text.replace(at, copy.size(), program);
  return text;
}

}  // namespace

ProgramCopy::ProgramCopy(const ProgramImage& image, const heddle_mpi_table& table, Keep keep) : image_(&image), table_(&table) {
  const std::string& path = image.file().path();
  const OpenFile file = file_in_memory(std::filesystem::path(path).filename().string(), image.loaded_bytes());
  const std::string name = distinct_path(file.get());
  handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) throw InputError(fmt::format("{}: the loader refuses it: {}", path, loader_error(name, path)));
  try {
    const link_map* loaded = nullptr;
    if (dlinfo(handle_, RTLD_DI_LINKMAP, &loaded) != 0 || name != loaded->l_name) {
      throw Error(fmt::format("{}: the loader gave an earlier copy of it instead of a new one", path));
    }
    base_ = loaded->l_addr;
    if (image.shares_text()) share_text(file);
    if (keep == Keep::state_after_loading) {
      if (!image.can_be_reset())
        throw Error(fmt::format("{}: has constructors or thread-local variables, and cannot be reset", path));
      keep_state();
    }
    bind();
  } catch (...) {
    dlclose(handle_);
    throw;
  }
}

ProgramCopy::ProgramCopy(ProgramCopy&& other) noexcept
    : image_(other.image_),
      table_(other.table_),
      handle_(std::exchange(other.handle_, nullptr)),
      base_(other.base_),
      program_(other.program_),
      kept_(std::move(other.kept_)) {}

ProgramCopy::~ProgramCopy() {
  if (handle_ != nullptr) dlclose(handle_);
}

void ProgramCopy::bind() {
  const std::string& path = image_->file().path();
  void* const function = find("heddle_mpi_bind");
  if (function == nullptr || !contains(function)) throw InputError(fmt::format("{}: not linked by heddle mpicc", path));
  program_ = reinterpret_cast<heddle_mpi_bind_function*>(function)(table_);
  if (program_ == nullptr)
    throw InputError(fmt::format("{}: linked by another version of heddle; link it again with heddle mpicc", path));
  if (!contains(program_)) throw Error(fmt::format("{}: the loader gave an earlier copy's variables to a new one", path));
  bind_libraries();
}

// A library that heddle mpicc has linked calls MPI by a table of its own. It is there once, and has it from each copy.
void ProgramCopy::bind_libraries() const {
  for (const std::string& name : image_->shared_libraries()) {
    void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (library == nullptr) continue;
    void* const function = dlsym(library, "heddle_mpi_bind");
    const bool is_bound = function == nullptr || reinterpret_cast<heddle_mpi_bind_function*>(function)(table_) != nullptr;
    dlclose(library);
    if (!is_bound) {
      throw InputError(
          fmt::format("{}: its library {} was linked by another version of heddle; link it again with heddle mpicc",
                      image_->file().path(), name));
    }
  }
}

bool ProgramCopy::contains(const void* address) const {
  const std::uintptr_t at = reinterpret_cast<std::uintptr_t>(address) - base_;
  return std::ranges::any_of(image_->file().segments(), [&](const ElfSegment& segment) {
    return at >= segment.address && at - segment.address < segment.memory_size;
  });
}

void* ProgramCopy::find(const char* name) const { return dlsym(handle_, name); }

// Code and constants come from one file for all copies from now on; the pages that the copy's own file had are given back, but those
// that a writable segment has too.
void ProgramCopy::share_text(const OpenFile& file) const {
  std::uintptr_t first_written = ~std::uintptr_t{0};
  for (const ElfSegment& segment : image_->file().segments()) {
    if (segment.is_writable && segment.file_size > 0)
      first_written = std::min<std::uintptr_t>(first_written, page_of(segment.offset));
  }
  for (const ElfSegment& segment : image_->file().segments()) {
    if (segment.is_writable || segment.file_size == 0) continue;
    const std::uintptr_t from = page_of(base_ + segment.address),
                         end = page_behind(base_ + segment.address + segment.file_size);
    const std::uintptr_t offset = page_of(segment.offset);
    if (mmap(reinterpret_cast<void*>(from), end - from, PROT_READ | (segment.is_executable ? PROT_EXEC : 0),
             MAP_PRIVATE | MAP_FIXED, image_->shared_file().get(), static_cast<off_t>(offset)) == MAP_FAILED) {
      throw ResourceError(fmt::format("{}: no memory for a copy of it ({})", image_->file().path(), std::strerror(errno)));
    }
    const std::uintptr_t offset_end = std::min(offset + (end - from), first_written);
    // A system that cannot do it keeps the pages: more memory, nothing else.
    if (offset_end > offset) {
      (void)fallocate(file.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                      static_cast<off_t>(offset_end - offset));
    }
  }
}

void ProgramCopy::keep_state() {
  const ElfSegment& relro = image_->file().protected_after_loading();
  for (const ElfSegment& segment : image_->file().segments()) {
    if (!segment.is_writable) continue;
    std::uintptr_t from = base_ + segment.address;
    const std::uintptr_t end = from + segment.memory_size;
    // What the loader has made read-only is at its start, in whole pages.
    const std::uintptr_t protected_end = page_of(base_ + relro.address + relro.memory_size);
    if (relro.memory_size > 0 && protected_end > from && base_ + relro.address < end) from = std::min(protected_end, end);
    const std::uintptr_t file_end = std::max<std::uintptr_t>(from, base_ + segment.address + segment.file_size);
    const auto* const bytes = reinterpret_cast<const std::byte*>(from);
    kept_.push_back({from, std::vector<std::byte>(bytes, bytes + (file_end - from)), end - file_end});
  }
}

void ProgramCopy::finalize() { __cxa_finalize(program_->dso_handle); }

void ProgramCopy::abandon() { program_->forget_exit_handlers(); }

void ProgramCopy::reset() {
  if (kept_.empty()) throw Error(fmt::format("{}: the state after loading was not kept", image_->file().path()));
  finalize();
  program_->empty_heap();
  for (const KeptBytes& kept : kept_) {
    std::byte* const at = reinterpret_cast<std::byte*>(kept.address);
    std::memcpy(at, kept.bytes.data(), kept.bytes.size());
    // Whole pages of zeros are given back to the system, which has zeros for the next who looks.
    const std::uintptr_t zeros = kept.address + kept.bytes.size(), end = zeros + kept.zeros;
    const std::uintptr_t pages = page_behind(zeros), pages_end = page_of(end);
    const std::uintptr_t worth_a_call = 16 * page_size();
    if (pages_end > pages + worth_a_call && madvise(reinterpret_cast<void*>(pages), pages_end - pages, MADV_DONTNEED) == 0) {
      std::memset(reinterpret_cast<void*>(zeros), 0, pages - zeros);
      std::memset(reinterpret_cast<void*>(pages_end), 0, end - pages_end);
    } else {
      std::memset(reinterpret_cast<void*>(zeros), 0, kept.zeros);
    }
  }
  bind();
}

}  // namespace heddle::mpi
