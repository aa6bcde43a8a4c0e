// SPDX-License-Identifier: Apache-2.0
// Start and end, clocks, versions, memory (MPI 5.0, chapters 9 and 11).
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/printable.hpp"
#include "heddle/version.hpp"
#include "mpi/calls/calls.hpp"
#include "mpi/calls/requests.hpp"

namespace heddle::mpi {

void give_text(std::string_view text, std::size_t room, char* to, int* length) {
  const std::size_t size = std::min(text.size(), room - 1);
  std::memcpy(to, text.data(), size);
  to[size] = '\0';
  *length = static_cast<int>(size);
}

namespace {

// ---- start and end ----

std::string processor_name(Process& process) {
  const auto& of = process.world().settings().processor_name;
  return of ? of(process.rank()) : fmt::format("rank{}", process.rank());
}

/// What is known of how the program was started (MPI 5.0, §11.2.1). No file of commands, and no processes beside those of the run.
InfoObject environment_of(Process& process, int argc, char** argv) {
  InfoObject all;
  if (argc > 0 && argv != nullptr) {
    all.entries.emplace_back("command", argv[0]);
    std::string rest;
    for (int i = 1; i < argc; ++i) rest += (i > 1 ? " " : "") + std::string(argv[i]);
    if (!rest.empty()) all.entries.emplace_back("argv", rest);
  }
  all.entries.emplace_back("maxprocs", std::to_string(process.communicator().size()));
  all.entries.emplace_back("host", processor_name(process));
  std::error_code error;
  if (const std::filesystem::path here = std::filesystem::current_path(error); !error)
    all.entries.emplace_back("wdir", here.string());
  all.entries.emplace_back("thread_level",
                           process.thread_level == MPI_THREAD_SINGLE ? "MPI_THREAD_SINGLE" : "MPI_THREAD_FUNNELED");
  for (auto& [key, value] : all.entries) value.resize(std::min<std::size_t>(value.size(), MPI_MAX_INFO_VAL - 1));
  return all;
}
void begin(Process& process, int required, int* provided, int argc, char** argv) {
  if (process.is_initialized) process.refuse(MPI_ERR_OTHER, "MPI has been initialized already");
  process.is_initialized = true;
  process.begun_by = &process.site();
  process.thread_level = std::min<int>(required, MPI_THREAD_FUNNELED);
  if (provided != nullptr) *provided = process.thread_level;
  process.environment = environment_of(process, argc, argv);
}

template <class T>
T value_at(T* place) {
  return place == nullptr ? T() : *place;
}
int init(const void* place, int* argc, char*** argv) {
  return serve("MPI_Init", place, Call::Kind::anytime,
               [&](Process& process) { begin(process, MPI_THREAD_SINGLE, nullptr, value_at(argc), value_at(argv)); });
}
int init_thread(const void* place, int* argc, char*** argv, int required, int* provided) {
  return serve("MPI_Init_thread", place, Call::Kind::anytime,
               [&](Process& process) { begin(process, required, provided, value_at(argc), value_at(argv)); });
}

/// What a program leaves undone is said.
void note_leftovers(Process& process) {
  World& world = process.world();
  using Makers = std::vector<std::pair<const CallSite*, int>>;
  const auto note = [&](const Makers& makers, const char* what, const char* undone) {
    for (const auto& [maker, number] : makers)
      world.note(process.run_rank(), fmt::format("{} of {} {} never {}", counted(number, what), world.call_text(*maker),
                                                 number == 1 ? "was" : "were", undone));
  };
  note(process.requests.makers([](const RequestObject& request) { return request.is_active; }), "request", "completed");
  note(process.requests.makers([](const RequestObject& request) { return !request.is_active && request.start; }),
       "persistent request", "freed");
  note(process.communicators.makers(), "communicator", "freed");
  note(process.groups.makers(), "group", "freed");
  note(process.datatypes.makers(), "datatype", "freed");
  note(process.operations.makers(), "operation", "freed");
  note(process.infos.makers(), "info", "freed");
  note(process.error_handlers.makers(), "error handler", "freed");
}

int finalize(const void* place) {
  return serve("MPI_Finalize", place, MPI_COMM_NULL, [](Process& process) {
    const CommunicatorPtr self = process.find(MPI_COMM_SELF);
    process.delete_attributes(MPI_COMM_SELF, self->attributes);
    attached_buffer(process).flush(process);
    complete_freed_requests(process, true);
    note_leftovers(process);
    process.world().note_end(process.run_rank(), process.find(MPI_COMM_WORLD)->id,
                             process.find(MPI_COMM_WORLD)->collective_calls);
    process.communicators.for_each([&](MPI_Comm, const CommunicatorPtr& on) {
      process.world().note_end(process.run_rank(), on->id, on->collective_calls);
    });
    process.is_finalized = true;
  });
}

int initialized(const void* place, int* flag) {
  return serve("MPI_Initialized", place, Call::Kind::anytime,
               [&](Process& process) { process.given(flag, "flag") = process.is_initialized ? 1 : 0; });
}
int finalized(const void* place, int* flag) {
  return serve("MPI_Finalized", place, Call::Kind::anytime,
               [&](Process& process) { process.given(flag, "flag") = process.is_finalized ? 1 : 0; });
}

int abort_run(const void* place, MPI_Comm, int code) {
  return serve("MPI_Abort", place, Call::Kind::anytime, [&](Process& process) {
    process.world().abort(code);
    throw Aborted(code, fmt::format("rank {} called {} with code {}", process.run_rank(),
                                    process.world().call_text(process.site()), code));
  });
}

int query_thread(const void* place, int* level) {
  return serve("MPI_Query_thread", place, MPI_COMM_NULL,
               [&](Process& process) { process.given(level, "level") = process.thread_level; });
}
int is_thread_main(const void* place, int* flag) {
  return serve("MPI_Is_thread_main", place, MPI_COMM_NULL, [&](Process& process) { process.given(flag, "flag") = 1; });
}

int info_create_env(const void* place, int argc, char** argv, MPI_Info* to) {
  return serve("MPI_Info_create_env", place, Call::Kind::anytime, [&](Process& process) {
    process.given(to, "info") = process.infos.add(std::make_unique<InfoObject>(environment_of(process, argc, argv)));
  });
}

// ---- who and when ----

double wtime(const void* place) {
  double seconds = 0;
  serve("MPI_Wtime", place, Call::Kind::clock, [&](Process& process) { seconds = process.read_clock(); });
  return seconds;
}
/// heddle's clock counts picoseconds.
double wtick(const void*) { return 1e-12; }

int get_processor_name(const void* place, char* name, int* length) {
  return serve("MPI_Get_processor_name", place, MPI_COMM_NULL, [&](Process& process) {
    give_text(processor_name(process), MPI_MAX_PROCESSOR_NAME, &process.given(name, "name"), &process.given(length, "length"));
  });
}

int get_version(const void*, int* version, int* subversion) {
  *version = MPI_VERSION;
  *subversion = MPI_SUBVERSION;
  return MPI_SUCCESS;
}
int get_library_version(const void*, char* text, int* length) {
  give_text("heddle " + std::string(heddle::version()), MPI_MAX_LIBRARY_VERSION_STRING, text, length);
  return MPI_SUCCESS;
}
int abi_get_version(const void*, int* major, int* minor) {
  *major = MPI_ABI_VERSION;
  *minor = MPI_ABI_SUBVERSION;
  return MPI_SUCCESS;
}

int pcontrol(const void*, int) { return MPI_SUCCESS; }

// ---- memory ----

int alloc_mem(const void* place, MPI_Aint size, MPI_Info, void* to) {
  return serve("MPI_Alloc_mem", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(to, "place for the address");
    if (size < 0) process.refuse(MPI_ERR_ARG, fmt::format("the size is {}", size));
    void* const memory = std::malloc(std::max<std::size_t>(1, static_cast<std::size_t>(size)));
    if (memory == nullptr) process.refuse(MPI_ERR_NO_MEM, fmt::format("no memory for {} bytes", size));
    *static_cast<void**>(to) = memory;
  });
}
int free_mem(const void* place, void* memory) {
  return serve("MPI_Free_mem", place, MPI_COMM_NULL, [&](Process&) { std::free(memory); });
}

int comm_get_parent(const void* place, MPI_Comm* to) {
  return serve("MPI_Comm_get_parent", place, MPI_COMM_NULL,
               [&](Process& process) { process.given(to, "communicator") = MPI_COMM_NULL; });
}

}  // namespace

void add_environment_calls(heddle_mpi_functions& table) {
  table.Init = init, table.Init_thread = init_thread, table.Finalize = finalize;
  table.Initialized = initialized, table.Finalized = finalized, table.Abort = abort_run;
  table.Query_thread = query_thread, table.Is_thread_main = is_thread_main;
  table.Wtime = wtime, table.Wtick = wtick, table.Get_processor_name = get_processor_name;
  table.Pcontrol = pcontrol, table.Get_version = get_version, table.Get_library_version = get_library_version,
  table.Abi_get_version = abi_get_version;
  table.Info_create_env = info_create_env, table.Comm_get_parent = comm_get_parent;
  table.Alloc_mem = alloc_mem, table.Free_mem = free_mem;
}

}  // namespace heddle::mpi
