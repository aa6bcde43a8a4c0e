// SPDX-License-Identifier: Apache-2.0
#include "mpi/image/program_image.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include "heddle/errors.hpp"

namespace heddle::mpi {

namespace {

// Of code and constants: below it, one more map and one more system call cost more than the memory.
constexpr std::uint64_t kWorthSharing = 256 * 1024;

struct KnownImport {
  std::string_view name;
  std::string_view what;
};

constexpr std::string_view kProcesses = "starts or replaces processes: all ranks are in one";
constexpr std::string_view kThreads = "starts a thread, which must not call MPI: MPI_THREAD_FUNNELED is provided";
constexpr std::string_view kLibraries = "loads a library once for all ranks: its variables are shared";
constexpr std::string_view kEnvironment = "changes the environment of all ranks";
constexpr std::string_view kFolder = "changes the working directory of all ranks";
constexpr std::string_view kSignals = "sets a signal's handler for all ranks";
constexpr std::string_view kLocale = "sets the locale of all ranks";

// By name. Of the C++ library, std::thread's constructor.
constexpr auto kKnownImports = std::to_array<KnownImport>({
    {"_IO_popen", kProcesses},  // by our popen and system
    {"_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE", kThreads},
    {"__fork", kProcesses},  // by our fork
    {"__sysv_signal", kSignals},
    {"alarm", kSignals},
    {"chdir", kFolder},
    {"clearenv", kEnvironment},
    {"clone", kProcesses},
    {"dlmopen", kLibraries},
    {"dlopen", kLibraries},
    {"fchdir", kFolder},
    {"posix_spawn", kProcesses},
    {"posix_spawnp", kProcesses},
    {"pthread_create", kThreads},
    {"putenv", kEnvironment},
    {"setenv", kEnvironment},
    {"setitimer", kSignals},
    {"setlocale", kLocale},
    {"sigaction", kSignals},
    {"signal", kSignals},
    {"thrd_create", kThreads},
    {"unsetenv", kEnvironment},
    {"vfork", kProcesses},
});

static_assert(std::ranges::is_sorted(kKnownImports, {}, &KnownImport::name));

// Libraries that ranks may share: what they keep is either a thread's, or replaced in the program.
constexpr auto kSystemLibraries =
    std::to_array<std::string_view>({"ld-linux", "libc.so", "libdl.so", "libgcc_s.so", "libm.so", "libmvec.so", "libpthread.so",
                                     "libquadmath.so", "librt.so", "libstdc++.so"});

bool is_of_the_system(std::string_view library) {
  return std::ranges::any_of(kSystemLibraries, [&](std::string_view name) { return library.starts_with(name); });
}

// Variables of libraries that keep the value that the loader copied: the streams of C, constants and the streams of C++.
bool may_be_copied(std::string_view variable) {
  constexpr auto kStreams = std::to_array<std::string_view>({"stderr", "stdin", "stdout"});
  constexpr auto kOfCxx = std::to_array<std::string_view>({"_ZNKSt", "_ZNSt", "_ZSt", "_ZT"});
  return std::ranges::find(kStreams, variable) != kStreams.end() ||
         std::ranges::any_of(kOfCxx, [&](std::string_view start) { return variable.starts_with(start); });
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

}  // namespace

std::uint64_t page_size() {
  static const auto size = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return size;
}

OpenFile file_in_memory(const std::string& name, std::span<const std::byte> bytes) {
  OpenFile file(memfd_create(name.substr(0, 200).c_str(), MFD_CLOEXEC));
  if (!file.is_open())
    throw ResourceError(fmt::format("{}: the system has no more files in memory ({})", name, std::strerror(errno)));
  while (!bytes.empty()) {
    const ssize_t written = write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw ResourceError(fmt::format("{}: no memory for a copy of it ({})", name, std::strerror(errno)));
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return file;
}

void require_maps(std::int64_t copies, std::int64_t maps_each) {
  std::int64_t most = 0;
  if (!(std::ifstream("/proc/sys/vm/max_map_count") >> most)) return;  // the system does not say: loading will
  std::ifstream list("/proc/self/maps");
  const std::int64_t used = std::count(std::istreambuf_iterator<char>(list), std::istreambuf_iterator<char>(), '\n');
  constexpr std::int64_t kForTheRest = 500;  // what heddle maps as it runs
  const std::int64_t left = std::max<std::int64_t>(0, most - used - kForTheRest);
  if (copies <= left / maps_each) return;
  throw ResourceError(
      fmt::format("{} copies of the program need {} ranges of memory, and this system allows a process {} (vm.max_map_count); "
                  "at most {} ranks, or: "
                  "sysctl vm.max_map_count={}",
                  copies, copies * maps_each, most, left / maps_each, copies * maps_each + used + kForTheRest));
}

ProgramImage::ProgramImage(std::string path) : file_(std::move(path)) {
  check();
  std::uint64_t end = 0, read_only = 0;
  for (const ElfSegment& segment : file_.segments()) {
    end = std::max(end, segment.offset + segment.file_size);
    if (!segment.is_writable) read_only += segment.file_size;
  }
  loaded_.assign(file_.bytes().begin(), file_.bytes().begin() + static_cast<std::ptrdiff_t>(end));
  Elf64_Ehdr header;
  std::memcpy(&header, loaded_.data(), sizeof(header));
  header.e_shoff = 0;
  header.e_shnum = 0;
  header.e_shstrndx = 0;
  std::memcpy(loaded_.data(), &header, sizeof(header));
  for (const std::size_t place : file_.program_marks()) {
    if (place > loaded_.size() || loaded_.size() - place < sizeof(Elf64_Xword)) continue;
    Elf64_Xword flags = 0;
    std::memcpy(&flags, loaded_.data() + place, sizeof(flags));
    flags &= ~Elf64_Xword{DF_1_PIE};
    std::memcpy(loaded_.data() + place, &flags, sizeof(flags));
  }
  // g++ asks for one variable in the process where C++ asks for one in the program: static variables of inline functions and templates.
  for (const std::size_t place : file_.unique_symbols()) {
    if (place >= loaded_.size()) continue;
    const auto info = static_cast<unsigned char>(loaded_[place]);
    loaded_[place] = static_cast<std::byte>(ELF64_ST_INFO(STB_GLOBAL, ELF64_ST_TYPE(info)));
  }
  shares_text_ = read_only > kWorthSharing && !file_.has_text_relocations();
  if (shares_text_) shared_file_ = file_in_memory(std::filesystem::path(file_.path()).filename().string(), loaded_);
  load_libraries();
}

ProgramImage::~ProgramImage() {
  for (void* library : libraries_) dlclose(library);
}

void ProgramImage::check() const {
  const std::string& path = file_.path();
  if (!file_.defines("heddle_mpi_bind")) {
    for (const std::string& library : file_.needed()) {
      if (library.starts_with("libmpi") || library.starts_with("libmpich")) {
        throw InputError(fmt::format("{}: compiled with another MPI ({}); compile it with heddle mpicc", path, library));
      }
    }
    throw InputError(fmt::format("{}: not linked by heddle mpicc; link it with heddle mpicc", path));
  }
  if (file_.kind() != ElfFile::Kind::shared_object) check_executable();
  if (file_.has_initial_exec_locals()) {
    throw InputError(
        fmt::format("{}: its thread-local variables are of the initial-exec model, and a process has no room for many copies "
                    "of these; compile it without -ftls-model=initial-exec",
                    path));
  }
  if (file_.segments().empty()) throw InputError(fmt::format("{}: damaged: it has nothing to load; compile it again", path));
}

// What CMake's find_package(MPI) links is an executable as any: it knows of no other kind. Most of them can be copied.
void ProgramImage::check_executable() const {
  constexpr std::string_view kCure = "compile and link it with heddle mpicc, as CC=heddle-mpicc does";
  const std::string& path = file_.path();
  if (file_.kind() == ElfFile::Kind::program)
    throw InputError(fmt::format("{}: an executable at a fixed address, which is there only once; {}", path, kCure));
  if (file_.has_thread_locals()) {
    throw InputError(
        fmt::format("{}: an executable with thread-local variables, which lie where another one's do; {}", path, kCure));
  }
  for (const std::string& name : file_.copied_variables()) {
    if (may_be_copied(name)) continue;
    throw InputError(fmt::format("{}: an executable with a copy of a library's variable {}, which the library does not see; {}",
                                 path, name, kCure));
  }
}

// Of a copy the loader knows no folder. What it looks for beside the program is loaded before, by its whole name.
void ProgramImage::load_libraries() {
  const std::filesystem::path folder = std::filesystem::absolute(file_.path()).parent_path();
  for (const std::string& name : file_.needed()) {
    for (const std::string& pattern : file_.library_folders()) {
      if (pattern.find("ORIGIN") == std::string::npos) continue;
      const std::string place =
          replaced(replaced(pattern, "${ORIGIN}", folder.string()), "$ORIGIN", folder.string()) + "/" + name;
      if (!std::filesystem::exists(place)) continue;
      void* const library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (library == nullptr)
        throw InputError(fmt::format("{}: its library {} cannot be loaded: {}", file_.path(), name, dlerror()));
      libraries_.push_back(library);
      break;
    }
  }
}

std::vector<std::string> ProgramImage::shared_libraries() const {
  std::vector<std::string> libraries;
  std::ranges::remove_copy_if(file_.needed(), std::back_inserter(libraries), is_of_the_system);
  return libraries;
}

std::vector<SharedImport> ProgramImage::shared_imports() const {
  std::vector<SharedImport> shared;
  std::vector<std::string> imports = file_.undefined();
  imports.insert(imports.end(), file_.copied_variables().begin(), file_.copied_variables().end());
  for (const std::string& name : imports) {
    const auto known = std::ranges::lower_bound(kKnownImports, name, {}, &KnownImport::name);
    if (known == kKnownImports.end() || known->name != name) continue;
    const std::string shown = name.starts_with("_ZNSt6thread") ? "std::thread"
                              : name == "__fork"               ? "fork"
                              : name == "_IO_popen"            ? "popen or system"
                                                               : name;
    shared.push_back({shown, std::string(known->what)});
  }
  for (const std::string& library : shared_libraries()) {
    shared.push_back({library, "is loaded once: its variables are shared; link it statically"});
  }
  std::ranges::sort(shared, {}, &SharedImport::name);
  return shared;
}

int ProgramImage::maps_per_copy() const {
  const auto page_up = [](std::uint64_t address) { return (address + page_size() - 1) / page_size() * page_size(); };
  int maps = 0;
  for (const ElfSegment& segment : file_.segments()) {
    ++maps;
    if (page_up(segment.address + segment.memory_size) > page_up(segment.address + segment.file_size))
      ++maps;  // zeros of no file
  }
  if (file_.protected_after_loading().memory_size > 0) ++maps;
  return maps;
}

}  // namespace heddle::mpi
