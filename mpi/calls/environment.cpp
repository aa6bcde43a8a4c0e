// SPDX-License-Identifier: Apache-2.0
// Start and end, clocks, errors, hints, memory (MPI 5.0, chapters 9 to 11).
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "heddle/version.hpp"
#include "mpi/calls/calls.hpp"
#include "mpi/calls/requests.hpp"

namespace heddle::mpi {

namespace {

constexpr Call::Kind kAnytime = Call::Kind::anytime;

void give_text(std::string_view text, std::size_t room, char* to, int* length) {
  const std::size_t size = std::min(text.size(), room - 1);
  std::memcpy(to, text.data(), size);
  to[size] = '\0';
  *length = static_cast<int>(size);
}

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
  process.thread_level = std::min<int>(required, MPI_THREAD_FUNNELED);
  if (provided != nullptr) *provided = process.thread_level;
  process.environment = environment_of(process, argc, argv);
}

template <class T>
T value_at(T* place) {
  return place == nullptr ? T() : *place;
}
int init(const void* place, int* argc, char*** argv) {
  return serve(
      "MPI_Init", place, MPI_COMM_NULL,
      [&](Process& process) { begin(process, MPI_THREAD_SINGLE, nullptr, value_at(argc), value_at(argv)); }, kAnytime);
}
int init_thread(const void* place, int* argc, char*** argv, int required, int* provided) {
  return serve(
      "MPI_Init_thread", place, MPI_COMM_NULL,
      [&](Process& process) { begin(process, required, provided, value_at(argc), value_at(argv)); }, kAnytime);
}

/// What a program leaves undone is said.
void note_leftovers(Process& process) {
  World& world = process.world();
  process.requests.for_each([&](MPI_Request, const RequestObject& request) {
    const CallSite site{request.function, request.place};
    if (request.is_active)
      world.note(process.run_rank(), fmt::format("the request of {} was never completed", world.call_text(site)));
    else if (request.start)
      world.note(process.run_rank(), fmt::format("the persistent request of {} was never freed", world.call_text(site)));
  });
  const auto count = [&](auto& handles, const char* what) {
    int number = 0;
    handles.for_each([&](auto, const auto&) { ++number; });
    if (number > 0)
      world.note(process.run_rank(), fmt::format("{} {}{} never freed", number, what, number == 1 ? " was" : "s were"));
  };
  count(process.communicators, "communicator");
  count(process.datatypes, "datatype");
  count(process.operations, "operation");
}

int finalize(const void* place) {
  return serve("MPI_Finalize", place, MPI_COMM_NULL, [](Process& process) {
    const CommunicatorPtr self = process.find(MPI_COMM_SELF);
    process.delete_attributes(MPI_COMM_SELF, self->attributes);
    attached_buffer(process).flush(process);
    complete_freed_requests(process, true);
    note_leftovers(process);
    process.is_finalized = true;
  });
}

int initialized(const void* place, int* flag) {
  return serve(
      "MPI_Initialized", place, MPI_COMM_NULL,
      [&](Process& process) {
        process.require(flag, "flag");
        *flag = process.is_initialized ? 1 : 0;
      },
      kAnytime);
}
int finalized(const void* place, int* flag) {
  return serve(
      "MPI_Finalized", place, MPI_COMM_NULL,
      [&](Process& process) {
        process.require(flag, "flag");
        *flag = process.is_finalized ? 1 : 0;
      },
      kAnytime);
}

int abort_run(const void* place, MPI_Comm, int code) {
  return serve(
      "MPI_Abort", place, MPI_COMM_NULL,
      [&](Process& process) {
        process.world().abort(code);
        throw Aborted(code, fmt::format("rank {} called {} with code {}", process.run_rank(),
                                        process.world().call_text(process.site()), code));
      },
      kAnytime);
}

int query_thread(const void* place, int* level) {
  return serve("MPI_Query_thread", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(level, "level");
    *level = process.thread_level;
  });
}
int is_thread_main(const void* place, int* flag) {
  return serve("MPI_Is_thread_main", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(flag, "flag");
    *flag = 1;
  });
}

// ---- who and when ----

double wtime(const void* place) {
  double seconds = 0;
  serve(
      "MPI_Wtime", place, MPI_COMM_NULL, [&](Process& process) { seconds = process.read_clock(); }, Call::Kind::clock);
  return seconds;
}
/// heddle's clock counts picoseconds.
double wtick(const void*) { return 1e-12; }

int get_processor_name(const void* place, char* name, int* length) {
  return serve("MPI_Get_processor_name", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(name, "name");
    process.require(length, "length");
    give_text(processor_name(process), MPI_MAX_PROCESSOR_NAME, name, length);
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

// ---- errors ----

struct ErrorText {
  int code;
  std::string_view name;
  std::string_view text;
};
constexpr ErrorText kErrors[] = {
    {MPI_SUCCESS, "MPI_SUCCESS", "no error"},
    {MPI_ERR_BUFFER, "MPI_ERR_BUFFER", "invalid buffer"},
    {MPI_ERR_COUNT, "MPI_ERR_COUNT", "invalid count"},
    {MPI_ERR_TYPE, "MPI_ERR_TYPE", "invalid datatype"},
    {MPI_ERR_TAG, "MPI_ERR_TAG", "invalid tag"},
    {MPI_ERR_COMM, "MPI_ERR_COMM", "invalid communicator"},
    {MPI_ERR_RANK, "MPI_ERR_RANK", "invalid rank"},
    {MPI_ERR_REQUEST, "MPI_ERR_REQUEST", "invalid request"},
    {MPI_ERR_ROOT, "MPI_ERR_ROOT", "invalid root"},
    {MPI_ERR_GROUP, "MPI_ERR_GROUP", "invalid group"},
    {MPI_ERR_OP, "MPI_ERR_OP", "invalid operation"},
    {MPI_ERR_TOPOLOGY, "MPI_ERR_TOPOLOGY", "invalid topology"},
    {MPI_ERR_DIMS, "MPI_ERR_DIMS", "invalid dimension"},
    {MPI_ERR_ARG, "MPI_ERR_ARG", "invalid argument"},
    {MPI_ERR_UNKNOWN, "MPI_ERR_UNKNOWN", "unknown error"},
    {MPI_ERR_TRUNCATE, "MPI_ERR_TRUNCATE", "message truncated"},
    {MPI_ERR_OTHER, "MPI_ERR_OTHER", "an error of no other class"},
    {MPI_ERR_INTERN, "MPI_ERR_INTERN", "internal error"},
    {MPI_ERR_PENDING, "MPI_ERR_PENDING", "the request has not completed"},
    {MPI_ERR_IN_STATUS, "MPI_ERR_IN_STATUS", "the error is in the statuses"},
    {MPI_ERR_ACCESS, "MPI_ERR_ACCESS", "no permission"},
    {MPI_ERR_AMODE, "MPI_ERR_AMODE", "invalid access mode"},
    {MPI_ERR_ASSERT, "MPI_ERR_ASSERT", "invalid assertion"},
    {MPI_ERR_BAD_FILE, "MPI_ERR_BAD_FILE", "invalid file name"},
    {MPI_ERR_BASE, "MPI_ERR_BASE", "invalid base address"},
    {MPI_ERR_CONVERSION, "MPI_ERR_CONVERSION", "an error in a conversion of data"},
    {MPI_ERR_DISP, "MPI_ERR_DISP", "invalid displacement"},
    {MPI_ERR_DUP_DATAREP, "MPI_ERR_DUP_DATAREP", "the data representation is known already"},
    {MPI_ERR_FILE_EXISTS, "MPI_ERR_FILE_EXISTS", "the file exists already"},
    {MPI_ERR_FILE_IN_USE, "MPI_ERR_FILE_IN_USE", "the file is in use"},
    {MPI_ERR_FILE, "MPI_ERR_FILE", "invalid file handle"},
    {MPI_ERR_INFO_KEY, "MPI_ERR_INFO_KEY", "an info key is too long"},
    {MPI_ERR_INFO_NOKEY, "MPI_ERR_INFO_NOKEY", "the info has no such key"},
    {MPI_ERR_INFO_VALUE, "MPI_ERR_INFO_VALUE", "an info value is too long"},
    {MPI_ERR_INFO, "MPI_ERR_INFO", "invalid info"},
    {MPI_ERR_IO, "MPI_ERR_IO", "an error of input or output"},
    {MPI_ERR_KEYVAL, "MPI_ERR_KEYVAL", "invalid attribute key"},
    {MPI_ERR_LOCKTYPE, "MPI_ERR_LOCKTYPE", "invalid lock type"},
    {MPI_ERR_NAME, "MPI_ERR_NAME", "the service name is not published"},
    {MPI_ERR_NO_MEM, "MPI_ERR_NO_MEM", "no memory"},
    {MPI_ERR_NOT_SAME, "MPI_ERR_NOT_SAME", "the argument differs between ranks"},
    {MPI_ERR_NO_SPACE, "MPI_ERR_NO_SPACE", "no space"},
    {MPI_ERR_NO_SUCH_FILE, "MPI_ERR_NO_SUCH_FILE", "the file does not exist"},
    {MPI_ERR_PORT, "MPI_ERR_PORT", "invalid port name"},
    {MPI_ERR_QUOTA, "MPI_ERR_QUOTA", "the quota is exceeded"},
    {MPI_ERR_READ_ONLY, "MPI_ERR_READ_ONLY", "the file is read-only"},
    {MPI_ERR_RMA_ATTACH, "MPI_ERR_RMA_ATTACH", "the memory cannot be attached"},
    {MPI_ERR_RMA_CONFLICT, "MPI_ERR_RMA_CONFLICT", "conflicting accesses to a window"},
    {MPI_ERR_RMA_RANGE, "MPI_ERR_RMA_RANGE", "the target memory is not part of the window"},
    {MPI_ERR_RMA_SHARED, "MPI_ERR_RMA_SHARED", "the memory cannot be shared"},
    {MPI_ERR_RMA_SYNC, "MPI_ERR_RMA_SYNC", "wrong synchronization of one-sided calls"},
    {MPI_ERR_SERVICE, "MPI_ERR_SERVICE", "invalid service name"},
    {MPI_ERR_SIZE, "MPI_ERR_SIZE", "invalid size"},
    {MPI_ERR_SPAWN, "MPI_ERR_SPAWN", "processes cannot be started"},
    {MPI_ERR_UNSUPPORTED_DATAREP, "MPI_ERR_UNSUPPORTED_DATAREP", "unsupported data representation"},
    {MPI_ERR_UNSUPPORTED_OPERATION, "MPI_ERR_UNSUPPORTED_OPERATION", "unsupported operation"},
    {MPI_ERR_WIN, "MPI_ERR_WIN", "invalid window"},
    {MPI_ERR_RMA_FLAVOR, "MPI_ERR_RMA_FLAVOR", "the window is of the wrong flavor"},
    {MPI_ERR_PROC_ABORTED, "MPI_ERR_PROC_ABORTED", "a process has ended"},
    {MPI_ERR_VALUE_TOO_LARGE, "MPI_ERR_VALUE_TOO_LARGE", "a value is too large to be stored"},
    {MPI_ERR_SESSION, "MPI_ERR_SESSION", "invalid session"},
    {MPI_ERR_ERRHANDLER, "MPI_ERR_ERRHANDLER", "invalid error handler"},
    {MPI_ERR_ABI, "MPI_ERR_ABI", "an error of the binary interface"},
};

/// No value: there is no such code. One that the program has made has no text until it is given one.
std::optional<std::string> find_text(const Process& process, int code) {
  if (const auto own = process.error_texts.find(code); own != process.error_texts.end()) return own->second;
  if (process.error_classes.contains(code)) return std::string();
  const auto place = std::ranges::find(kErrors, code, &ErrorText::code);
  return place == std::end(kErrors) ? std::nullopt : std::optional<std::string>(place->text);
}
std::string text_of(Process& process, int code) {
  const std::optional<std::string> found = find_text(process, code);
  if (!found) process.refuse(MPI_ERR_ARG, fmt::format("{} is no error code", code));
  return *found;
}
void check_own(Process& process, int code) {
  if (!process.error_classes.contains(code))
    process.refuse(MPI_ERR_ARG, fmt::format("{} is no error class or code that the program has made", code));
}

int error_class(const void* place, int code, int* to) {
  return serve(
      "MPI_Error_class", place, MPI_COMM_NULL,
      [&](Process& process) {
        process.require(to, "error class");
        text_of(process, code);
        const auto own = process.error_classes.find(code);
        *to = own == process.error_classes.end() ? code : own->second;
      },
      kAnytime);
}
int error_string(const void* place, int code, char* text, int* length) {
  return serve(
      "MPI_Error_string", place, MPI_COMM_NULL,
      [&](Process& process) {
        process.require(text, "text");
        process.require(length, "length");
        give_text(text_of(process, code), MPI_MAX_ERROR_STRING, text, length);
      },
      kAnytime);
}
int add_error_class(const void* place, int* to) {
  return serve("MPI_Add_error_class", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(to, "error class");
    *to = ++process.last_error_code;
    process.error_classes[*to] = *to;
  });
}
int add_error_code(const void* place, int of_class, int* to) {
  return serve("MPI_Add_error_code", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(to, "error code");
    text_of(process, of_class);
    *to = ++process.last_error_code;
    process.error_classes[*to] = of_class;
  });
}
int add_error_string(const void* place, int code, const char* text) {
  return serve("MPI_Add_error_string", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(text, "text");
    check_own(process, code);
    process.error_texts[code] = text;
  });
}

using ErrorHandler = std::shared_ptr<const ErrorHandlerObject>;

int create_errhandler(const void* place, MPI_Comm_errhandler_function* function, MPI_Errhandler* to) {
  return serve("MPI_Comm_create_errhandler", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(reinterpret_cast<const void*>(function), "function");
    process.require(to, "error handler");
    auto made = std::make_shared<const ErrorHandlerObject>(ErrorHandlerObject{ErrorHandlerObject::Kind::function, function});
    *to = process.error_handlers.add(std::make_unique<ErrorHandler>(std::move(made)));
  });
}
int set_errhandler(const void* place, MPI_Comm comm, MPI_Errhandler handler) {
  return serve("MPI_Comm_set_errhandler", place, comm,
               [&](Process& process) { process.find(comm)->error_handler = process.find(handler); });
}
int get_errhandler(const void* place, MPI_Comm comm, MPI_Errhandler* to) {
  return serve("MPI_Comm_get_errhandler", place, comm,
               [&](Process& process) { *to = process.handle_of(process.find(comm)->error_handler); });
}
int errhandler_free(const void* place, MPI_Errhandler* handler) {
  return serve("MPI_Errhandler_free", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(handler, "error handler");
    process.find(*handler);
    if (number_of(*handler) >= kLeastOwnHandle) process.error_handlers.take(*handler);
    *handler = MPI_ERRHANDLER_NULL;
  });
}
int call_errhandler(const void* place, MPI_Comm comm, int code) {
  return serve("MPI_Comm_call_errhandler", place, comm, [&](Process& process) {
    const int returned =
        handle_error(process, comm,
                     MpiError(code, fmt::format("{}: {}", process.world().call_text(process.site()),
                                                find_text(process, code).value_or(fmt::format("error {}", code)))));
    (void)returned;  // the call itself has not failed
  });
}

// ---- hints ----

int info_create(const void* place, MPI_Info* to) {
  return serve(
      "MPI_Info_create", place, MPI_COMM_NULL,
      [&](Process& process) {
        process.require(to, "info");
        *to = process.infos.add(std::make_unique<InfoObject>());
      },
      kAnytime);
}
int info_create_env(const void* place, int argc, char** argv, MPI_Info* to) {
  return serve(
      "MPI_Info_create_env", place, MPI_COMM_NULL,
      [&](Process& process) {
        given(process, to) = process.infos.add(std::make_unique<InfoObject>(environment_of(process, argc, argv)));
      },
      kAnytime);
}

int info_dup(const void* place, MPI_Info info, MPI_Info* to) {
  return serve(
      "MPI_Info_dup", place, MPI_COMM_NULL,
      [&](Process& process) {
        process.require(to, "info");
        *to = process.infos.add(std::make_unique<InfoObject>(process.find(info)));
      },
      kAnytime);
}
int info_free(const void* place, MPI_Info* info) {
  return serve(
      "MPI_Info_free", place, MPI_COMM_NULL,
      [&](Process& process) {
        process.require(info, "info");
        if (*info == MPI_INFO_ENV) process.refuse(MPI_ERR_INFO, "MPI_INFO_ENV is MPI's own, and stays");
        process.find(*info);
        process.infos.take(std::exchange(*info, MPI_INFO_NULL));
      },
      kAnytime);
}

auto entry(InfoObject& info, std::string_view key) {
  return std::ranges::find(info.entries, key, &std::pair<std::string, std::string>::first);
}

void check_text(Process& process, const char* text, std::size_t most, int error, const char* what) {
  const std::size_t length = text == nullptr ? 0 : std::strlen(text);
  if (length == 0 && error == MPI_ERR_INFO_KEY) process.refuse(error, fmt::format("the {} is empty", what));
  if (length > most) process.refuse(error, fmt::format("the {} has {} characters, at most {}", what, length, most));
}

int info_set(const void* place, MPI_Info info, const char* key, const char* value) {
  return serve(
      "MPI_Info_set", place, MPI_COMM_NULL,
      [&](Process& process) {
        InfoObject& of = process.find(info);
        check_text(process, key, MPI_MAX_INFO_KEY - 1, MPI_ERR_INFO_KEY, "key");
        process.require(value, "value");
        check_text(process, value, MPI_MAX_INFO_VAL - 1, MPI_ERR_INFO_VALUE, "value");
        if (const auto found = entry(of, key); found != of.entries.end())
          found->second = value;
        else
          of.entries.emplace_back(key, value);
      },
      kAnytime);
}
int info_delete(const void* place, MPI_Info info, const char* key) {
  return serve(
      "MPI_Info_delete", place, MPI_COMM_NULL,
      [&](Process& process) {
        InfoObject& of = process.find(info);
        process.require(key, "key");
        const auto found = entry(of, key);
        if (found == of.entries.end()) process.refuse(MPI_ERR_INFO_NOKEY, fmt::format("the info has no key \"{}\"", key));
        of.entries.erase(found);
      },
      kAnytime);
}
int info_get_string(const void* place, MPI_Info info, const char* key, int* room, char* value, int* flag) {
  return serve(
      "MPI_Info_get_string", place, MPI_COMM_NULL,
      [&](Process& process) {
        InfoObject& of = process.find(info);
        process.require(key, "key");
        process.require(flag, "flag");
        process.require(room, "length");
        if (*room > 0) process.require(value, "value");
        const auto found = entry(of, key);
        *flag = found == of.entries.end() ? 0 : 1;
        if (*flag == 0) return;
        int length = 0;
        if (*room > 0) give_text(found->second, static_cast<std::size_t>(*room), value, &length);
        *room = static_cast<int>(found->second.size()) + 1;
      },
      kAnytime);
}
int info_get(const void* place, MPI_Info info, const char* key, int length, char* value, int* flag) {
  return serve(
      "MPI_Info_get", place, MPI_COMM_NULL,
      [&](Process& process) {
        InfoObject& of = process.find(info);
        process.require(key, "key");
        process.require(flag, "flag");
        process.require(value, "value");
        const auto found = entry(of, key);
        *flag = found == of.entries.end() ? 0 : 1;
        int written = 0;
        if (*flag != 0) give_text(found->second, static_cast<std::size_t>(std::max(0, length)) + 1, value, &written);
      },
      kAnytime);
}
int info_get_valuelen(const void* place, MPI_Info info, const char* key, int* length, int* flag) {
  return serve(
      "MPI_Info_get_valuelen", place, MPI_COMM_NULL,
      [&](Process& process) {
        InfoObject& of = process.find(info);
        process.require(key, "key");
        process.require(flag, "flag");
        process.require(length, "length");
        const auto found = entry(of, key);
        *flag = found == of.entries.end() ? 0 : 1;
        if (*flag != 0) *length = static_cast<int>(found->second.size());
      },
      kAnytime);
}
int info_get_nkeys(const void* place, MPI_Info info, int* count) {
  return serve(
      "MPI_Info_get_nkeys", place, MPI_COMM_NULL,
      [&](Process& process) {
        process.require(count, "count");
        *count = static_cast<int>(process.find(info).entries.size());
      },
      kAnytime);
}
int info_get_nthkey(const void* place, MPI_Info info, int n, char* key) {
  return serve(
      "MPI_Info_get_nthkey", place, MPI_COMM_NULL,
      [&](Process& process) {
        process.require(key, "key");
        const InfoObject& of = process.find(info);
        if (n < 0 || static_cast<std::size_t>(n) >= of.entries.size())
          process.refuse(MPI_ERR_ARG, fmt::format("key {} of {}", n, of.entries.size()));
        int length = 0;
        give_text(of.entries[static_cast<std::size_t>(n)].first, MPI_MAX_INFO_KEY, key, &length);
      },
      kAnytime);
}

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
  return serve("MPI_Comm_get_parent", place, MPI_COMM_NULL, [&](Process&) { *to = MPI_COMM_NULL; });
}

}  // namespace

std::string error_name(int code) {
  const auto place = std::ranges::find(kErrors, code, &ErrorText::code);
  return place == std::end(kErrors) ? fmt::format("the code {}", code) : std::string(place->name);
}

void add_environment_calls(heddle_mpi_functions& table) {
  table.Init = init, table.Init_thread = init_thread, table.Finalize = finalize;
  table.Initialized = initialized, table.Finalized = finalized, table.Abort = abort_run;
  table.Query_thread = query_thread, table.Is_thread_main = is_thread_main;
  table.Wtime = wtime, table.Wtick = wtick, table.Get_processor_name = get_processor_name;
  table.Pcontrol = pcontrol, table.Get_version = get_version, table.Get_library_version = get_library_version,
  table.Abi_get_version = abi_get_version;
  table.Error_class = error_class, table.Error_string = error_string;
  table.Add_error_class = add_error_class, table.Add_error_code = add_error_code, table.Add_error_string = add_error_string;
  table.Comm_create_errhandler = create_errhandler, table.Comm_set_errhandler = set_errhandler;
  table.Comm_get_errhandler = get_errhandler, table.Errhandler_free = errhandler_free,
  table.Comm_call_errhandler = call_errhandler;
  table.Info_create = info_create, table.Info_create_env = info_create_env, table.Info_dup = info_dup,
  table.Info_free = info_free;
  table.Info_set = info_set, table.Info_delete = info_delete, table.Info_get = info_get,
  table.Info_get_string = info_get_string;
  table.Info_get_valuelen = info_get_valuelen, table.Info_get_nkeys = info_get_nkeys, table.Info_get_nthkey = info_get_nthkey;
  table.Alloc_mem = alloc_mem, table.Free_mem = free_mem, table.Comm_get_parent = comm_get_parent;
}

}  // namespace heddle::mpi
