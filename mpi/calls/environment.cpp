// SPDX-License-Identifier: Apache-2.0
// Start and end, clocks, errors, hints, memory (MPI 5.0, chapters 9 to 11).
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
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

void begin(Process& process, int required, int* provided) {
  if (process.is_initialized) process.refuse(MPI_ERR_OTHER, "MPI has been initialized already");
  process.is_initialized = true;
  process.thread_level = std::min<int>(required, MPI_THREAD_FUNNELED);
  if (provided != nullptr) *provided = process.thread_level;
}

int init(const void* place, int*, char***) {
  return serve(
      "MPI_Init", place, MPI_COMM_NULL, [](Process& process) { begin(process, MPI_THREAD_SINGLE, nullptr); }, kAnytime);
}
int init_thread(const void* place, int*, char***, int required, int* provided) {
  return serve(
      "MPI_Init_thread", place, MPI_COMM_NULL, [&](Process& process) { begin(process, required, provided); }, kAnytime);
}

/// What a program leaves undone is said.
void note_leftovers(Process& process) {
  World& world = process.world();
  process.requests.for_each([&](MPI_Request, const RequestObject& request) {
    const CallSite site{request.function, request.place};
    if (request.is_active)
      world.note(process.rank(), fmt::format("the request of {} was never completed", world.call_text(site)));
    else if (request.start)
      world.note(process.rank(), fmt::format("the persistent request of {} was never freed", world.call_text(site)));
  });
  const auto count = [&](auto& handles, const char* what) {
    int number = 0;
    handles.for_each([&](auto, const auto&) { ++number; });
    if (number > 0)
      world.note(process.rank(), fmt::format("{} {}{} never freed", number, what, number == 1 ? " was" : "s were"));
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
    note_leftovers(process);
    process.is_finalized = true;
  });
}

int initialized(const void* place, int* flag) {
  return serve(
      "MPI_Initialized", place, MPI_COMM_NULL, [&](Process& process) { *flag = process.is_initialized ? 1 : 0; }, kAnytime);
}
int finalized(const void* place, int* flag) {
  return serve(
      "MPI_Finalized", place, MPI_COMM_NULL, [&](Process& process) { *flag = process.is_finalized ? 1 : 0; }, kAnytime);
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
  return serve("MPI_Query_thread", place, MPI_COMM_NULL, [&](Process& process) { *level = process.thread_level; });
}
int is_thread_main(const void* place, int* flag) {
  return serve("MPI_Is_thread_main", place, MPI_COMM_NULL, [&](Process&) { *flag = 1; });
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
    const auto& of = process.world().settings().processor_name;
    give_text(of ? of(process.rank()) : fmt::format("rank{}", process.rank()), MPI_MAX_PROCESSOR_NAME, name, length);
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
    {MPI_ERR_INFO_KEY, "MPI_ERR_INFO_KEY", "an info key is too long"},
    {MPI_ERR_INFO_NOKEY, "MPI_ERR_INFO_NOKEY", "the info has no such key"},
    {MPI_ERR_INFO_VALUE, "MPI_ERR_INFO_VALUE", "an info value is too long"},
    {MPI_ERR_INFO, "MPI_ERR_INFO", "invalid info"},
    {MPI_ERR_KEYVAL, "MPI_ERR_KEYVAL", "invalid attribute key"},
    {MPI_ERR_NO_MEM, "MPI_ERR_NO_MEM", "no memory"},
    {MPI_ERR_UNSUPPORTED_OPERATION, "MPI_ERR_UNSUPPORTED_OPERATION", "unsupported operation"},
    {MPI_ERR_ERRHANDLER, "MPI_ERR_ERRHANDLER", "invalid error handler"},
};

std::string text_of(const Process& process, int code) {
  if (const auto own = process.error_texts.find(code); own != process.error_texts.end()) return own->second;
  const auto place = std::ranges::find(kErrors, code, &ErrorText::code);
  return place == std::end(kErrors) ? fmt::format("error {}", code) : std::string(place->text);
}

int error_class(const void* place, int code, int* to) {
  return serve(
      "MPI_Error_class", place, MPI_COMM_NULL,
      [&](Process& process) {
        const auto own = process.error_classes.find(code);
        *to = own == process.error_classes.end() ? code : own->second;
      },
      kAnytime);
}
int error_string(const void* place, int code, char* text, int* length) {
  return serve(
      "MPI_Error_string", place, MPI_COMM_NULL,
      [&](Process& process) { give_text(text_of(process, code), MPI_MAX_ERROR_STRING, text, length); }, kAnytime);
}
int add_error_class(const void* place, int* to) {
  return serve("MPI_Add_error_class", place, MPI_COMM_NULL, [&](Process& process) {
    *to = ++process.last_error_code;
    process.error_classes[*to] = *to;
  });
}
int add_error_code(const void* place, int of_class, int* to) {
  return serve("MPI_Add_error_code", place, MPI_COMM_NULL, [&](Process& process) {
    *to = ++process.last_error_code;
    process.error_classes[*to] = of_class;
  });
}
int add_error_string(const void* place, int code, const char* text) {
  return serve("MPI_Add_error_string", place, MPI_COMM_NULL, [&](Process& process) { process.error_texts[code] = text; });
}

using ErrorHandler = std::shared_ptr<const ErrorHandlerObject>;

int create_errhandler(const void* place, MPI_Comm_errhandler_function* function, MPI_Errhandler* to) {
  return serve("MPI_Comm_create_errhandler", place, MPI_COMM_NULL, [&](Process& process) {
    auto made = std::make_shared<const ErrorHandlerObject>(ErrorHandlerObject{ErrorHandlerObject::Kind::function, function});
    *to = process.error_handlers.add(std::make_unique<ErrorHandler>(std::move(made)));
  });
}
int set_errhandler(const void* place, MPI_Comm comm, MPI_Errhandler handler) {
  return serve("MPI_Comm_set_errhandler", place, comm,
               [&](Process& process) { process.find(comm)->error_handler = process.find(handler); });
}
int get_errhandler(const void* place, MPI_Comm comm, MPI_Errhandler* to) {
  return serve("MPI_Comm_get_errhandler", place, comm, [&](Process& process) {
    const ErrorHandler handler = process.find(comm)->error_handler;
    for (const MPI_Errhandler own : {MPI_ERRORS_ARE_FATAL, MPI_ERRORS_RETURN, MPI_ERRORS_ABORT}) {
      if (process.find(own) == handler) {
        *to = own;
        return;
      }
    }
    *to = process.error_handlers.add(std::make_unique<ErrorHandler>(handler));
  });
}
int errhandler_free(const void* place, MPI_Errhandler* handler) {
  return serve("MPI_Errhandler_free", place, MPI_COMM_NULL, [&](Process& process) {
    process.find(*handler);
    if (number_of(*handler) >= kLeastOwnHandle) process.error_handlers.take(*handler);
    *handler = MPI_ERRHANDLER_NULL;
  });
}
int call_errhandler(const void* place, MPI_Comm comm, int code) {
  return serve("MPI_Comm_call_errhandler", place, comm, [&](Process& process) {
    const int returned =
        handle_error(process, comm,
                     MpiError(code, fmt::format("{}: {}", process.world().call_text(process.site()), text_of(process, code))));
    (void)returned;  // the call itself has not failed
  });
}

// ---- hints ----

int info_create(const void* place, MPI_Info* to) {
  return serve(
      "MPI_Info_create", place, MPI_COMM_NULL,
      [&](Process& process) { *to = process.infos.add(std::make_unique<InfoObject>()); }, kAnytime);
}
int info_dup(const void* place, MPI_Info info, MPI_Info* to) {
  return serve(
      "MPI_Info_dup", place, MPI_COMM_NULL,
      [&](Process& process) { *to = process.infos.add(std::make_unique<InfoObject>(process.find(info))); }, kAnytime);
}
int info_free(const void* place, MPI_Info* info) {
  return serve(
      "MPI_Info_free", place, MPI_COMM_NULL,
      [&](Process& process) {
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
        const auto found = entry(of, key);
        *flag = found == of.entries.end() ? 0 : 1;
        if (*flag != 0) *length = static_cast<int>(found->second.size());
      },
      kAnytime);
}
int info_get_nkeys(const void* place, MPI_Info info, int* count) {
  return serve(
      "MPI_Info_get_nkeys", place, MPI_COMM_NULL,
      [&](Process& process) { *count = static_cast<int>(process.find(info).entries.size()); }, kAnytime);
}
int info_get_nthkey(const void* place, MPI_Info info, int n, char* key) {
  return serve(
      "MPI_Info_get_nthkey", place, MPI_COMM_NULL,
      [&](Process& process) {
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
  table.Info_create = info_create, table.Info_dup = info_dup, table.Info_free = info_free;
  table.Info_set = info_set, table.Info_delete = info_delete, table.Info_get = info_get,
  table.Info_get_string = info_get_string;
  table.Info_get_valuelen = info_get_valuelen, table.Info_get_nkeys = info_get_nkeys, table.Info_get_nthkey = info_get_nthkey;
  table.Alloc_mem = alloc_mem, table.Free_mem = free_mem, table.Comm_get_parent = comm_get_parent;
}

}  // namespace heddle::mpi
