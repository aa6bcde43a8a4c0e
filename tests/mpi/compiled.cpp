// SPDX-License-Identifier: Apache-2.0
#include "tests/mpi/compiled.hpp"

#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <new>
#include <stdexcept>

#include "mpi/image/block_owner.hpp"

extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:_for_copy\n"; }

namespace heddle::testing {

namespace {

struct ScratchFolder {
  ScratchFolder() { std::filesystem::create_directories(path); }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("heddle_mpi_tests_" + std::to_string(getpid()));
};

[[noreturn]] void end_rank(int status) { std::longjmp(*host_log().after_end, status + 1); }

// By their names, LeakSanitizer knows what programs leave behind: as processes, they would have ended.
// AddressSanitizer ends a process that asks for more than there can be, where libc says no.
constexpr std::size_t kMost = std::size_t{1} << 38;

void* no_memory() {
  errno = ENOMEM;
  return nullptr;
}

void* allocate_for_copy(std::size_t size) { return size > kMost ? no_memory() : std::malloc(size); }
void* allocate_zeros_for_copy(std::size_t count, std::size_t size) {
  return size > 0 && count > kMost / size ? no_memory() : std::calloc(count, size);
}
void* allocate_aligned_for_copy(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
void* reallocate_for_copy(void* address, std::size_t size) { return std::realloc(address, size); }

heddle_mpi_table make_table(bool guards_heap) {
  mpi::reads_zones = true;
  heddle_mpi_table table{};
  table.version = HEDDLE_MPI_TABLE_VERSION;
  table.size = sizeof(table);
  table.system.exit = [](const void* place, int status) {
    host_log().calls.push_back("exit " + std::to_string(status));
    host_log().places.push_back(place);
    end_rank(status);
  };
  table.system.exit_now = [](const void*, int status) {
    host_log().calls.push_back("_exit " + std::to_string(status));
    end_rank(status);
  };
  table.system.abort = [](const void*) {
    host_log().calls.emplace_back("abort");
    end_rank(134);
  };
  table.system.assertion_failed = [](const void*, const char* text, const char* file, unsigned line, const char* function) {
    host_log().calls.push_back(std::string("assert ") + text + " " + std::filesystem::path(file).filename().string() + ":" +
                               std::to_string(line) + " " + function);
    end_rank(134);
  };
  table.system.real_time = [] { return std::int64_t{1000000000} * 1000000000 + host_log().now; };
  table.system.monotonic_time = [] { return host_log().now; };
  table.system.sleep = [](std::int64_t nanoseconds) { host_log().now += nanoseconds; };
  table.system.compute = [](double seconds) { host_log().calls.push_back("compute " + std::to_string(seconds)); };
  table.system.allocate = &allocate_for_copy;
  table.system.allocate_zeros = &allocate_zeros_for_copy;
  table.system.allocate_aligned = &allocate_aligned_for_copy;
  table.system.reallocate = &reallocate_for_copy;
  table.system.release = &std::free;
  table.system.usable_size = [](void* address) { return malloc_usable_size(address); };
  table.system.allocate_object = [](std::size_t size) { return ::operator new(size, std::nothrow); };
  table.system.release_object = [](void* address) { ::operator delete(address); };
  table.system.is_rank = [] { return 1; };
  table.system.owner_of = [](const void* address) { return mpi::owner_of_block(address); };
  table.system.heap_fault = [](const heddle_heap_fault* fault) { host_log().heap_faults.push_back(*fault); };
  table.system.guards_heap = guards_heap ? 1 : 0;
  table.missing = [](const char* function, const void* place) {
    host_log().calls.emplace_back(function);
    host_log().places.push_back(place);
    return 16;
  };
  table.mpi.Send = [](const void* place, const void*, int count, MPI_Datatype, int dest, int tag, MPI_Comm) {
    host_log().calls.push_back("Send " + std::to_string(count) + " " + std::to_string(dest) + " " + std::to_string(tag));
    host_log().places.push_back(place);
    return 0;
  };
  table.mpi.Wtime = [](const void*) { return static_cast<double>(host_log().now) / 1e9; };
  return table;
}

}  // namespace

mpi::CompilerSettings compiler_settings(const std::string& compiler) {
  return {{compiler}, {HEDDLE_MPI_INCLUDE "/abi", HEDDLE_MPI_INCLUDE "/libc"}, HEDDLE_MPI_ENTRY_ARCHIVE};
}

std::string scratch_folder() {
  static const ScratchFolder folder;
  return folder.path.string();
}

std::string written(const std::string& name, const std::string& text) {
  const std::string path = scratch_folder() + "/" + name;
  std::ofstream(path) << text;
  return path;
}

std::string compiled(const std::string& source, const std::vector<std::string>& flags, const std::string& compiler) {
  static std::map<std::string, std::string> made;
  const bool is_cxx = source.ends_with(".cpp");
  const std::string path = source.starts_with('/') ? source : HEDDLE_MPI_TEST_PROGRAMS "/" + source;
  std::vector<std::string> words = flags;
  words.push_back(path);
  std::string key = compiler + " " + mpi::shell_text(words);
  if (const auto found = made.find(key); found != made.end()) return found->second;
  const std::string output =
      scratch_folder() + "/" + std::filesystem::path(source).stem().string() + "_" + std::to_string(made.size());
  words.insert(words.end(), {"-o", output});
  const auto call = mpi::compiler_call(compiler_settings(!compiler.empty() ? compiler : is_cxx ? "c++" : "cc"), words);
  const std::string complaints = scratch_folder() + "/complaints";
  if (std::system((mpi::shell_text(call.words) + " 2> " + complaints).c_str()) != 0) {
    std::ifstream file(complaints);
    const std::string said((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    throw std::runtime_error(mpi::shell_text(call.words) + "\n" + said);
  }
  made[key] = output;
  return output;
}

HostLog& host_log() {
  static HostLog log;
  return log;
}

const heddle_mpi_table& host_table(bool guards_heap) {
  static const heddle_mpi_table plain = make_table(false), guarding = make_table(true);
  return guards_heap ? guarding : plain;
}

int run_main(const mpi::ProgramCopy& copy, const std::vector<std::string>& arguments) {
  static std::string name = "program";
  std::vector<std::string> texts = arguments;
  std::vector<char*> words{name.data()};
  for (std::string& text : texts) words.push_back(text.data());
  words.push_back(nullptr);
  std::jmp_buf after_end;
  host_log().after_end = &after_end;
  const int ended = setjmp(after_end);
  if (ended != 0) return ended - 1;
  return copy.program().main(static_cast<int>(words.size()) - 1, words.data(), nullptr);
}

}  // namespace heddle::testing
