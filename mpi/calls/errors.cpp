// SPDX-License-Identifier: Apache-2.0
// Codes and texts of errors, and what handles them (MPI 5.0, §9.3 to §9.5).
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "mpi/calls/calls.hpp"
#include "mpi/calls/requests.hpp"

namespace heddle::mpi {

namespace {

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
  return serve("MPI_Error_class", place, Call::Kind::anytime, [&](Process& process) {
    process.require(to, "error class");
    text_of(process, code);
    const auto own = process.error_classes.find(code);
    *to = own == process.error_classes.end() ? code : own->second;
  });
}
int error_string(const void* place, int code, char* text, int* length) {
  return serve("MPI_Error_string", place, Call::Kind::anytime, [&](Process& process) {
    give_text(text_of(process, code), MPI_MAX_ERROR_STRING, &process.given(text, "text"), &process.given(length, "length"));
  });
}
int add_error_class(const void* place, int* to) {
  return serve("MPI_Add_error_class", place, MPI_COMM_NULL, [&](Process& process) {
    process.given(to, "error class") = ++process.last_error_code;
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

/// What the program has made. A class goes after its codes, and after its text.
int remove_error(const char* function, const void* place, int code, bool is_class) {
  return serve(function, place, MPI_COMM_NULL, [&](Process& process) {
    check_own(process, code);
    if (is_class != (process.error_classes.at(code) == code))
      process.refuse(MPI_ERR_ARG, fmt::format("{} is an error {}", code, is_class ? "code" : "class"));
    const auto codes = std::ranges::count(process.error_classes, code, [](const auto& known) { return known.second; });
    if (is_class && codes > 1) process.refuse(MPI_ERR_OTHER, fmt::format("{} error codes are of this class", codes - 1));
    if (process.error_texts.contains(code)) process.refuse(MPI_ERR_OTHER, "it has a text; MPI_Remove_error_string removes it");
    process.error_classes.erase(code);
  });
}
int remove_error_class(const void* place, int of_class) {
  return remove_error("MPI_Remove_error_class", place, of_class, true);
}
int remove_error_code(const void* place, int code) { return remove_error("MPI_Remove_error_code", place, code, false); }
int remove_error_string(const void* place, int code) {
  return serve("MPI_Remove_error_string", place, MPI_COMM_NULL, [&](Process& process) {
    check_own(process, code);
    if (process.error_texts.erase(code) == 0) process.refuse(MPI_ERR_ARG, fmt::format("{} has no text", code));
  });
}

int create_errhandler(const void* place, MPI_Comm_errhandler_function* function, MPI_Errhandler* to) {
  return serve("MPI_Comm_create_errhandler", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(reinterpret_cast<const void*>(function), "function");
    process.require(to, "error handler");
    auto made = std::make_shared<const ErrorHandlerObject>(ErrorHandlerObject{ErrorHandlerObject::Kind::function, function});
    *to = process.error_handlers.add(std::make_unique<ErrorHandlerHandle>(ErrorHandlerHandle{std::move(made)}));
  });
}
int set_errhandler(const void* place, MPI_Comm comm, MPI_Errhandler handler) {
  return serve("MPI_Comm_set_errhandler", place, comm,
               [&](Process& process) { process.find(comm)->error_handler = process.find(handler); });
}
int get_errhandler(const void* place, MPI_Comm comm, MPI_Errhandler* to) {
  return serve("MPI_Comm_get_errhandler", place, comm, [&](Process& process) {
    process.given(to, "error handler") = process.handle_of(process.find(comm)->error_handler);
  });
}
int errhandler_free(const void* place, MPI_Errhandler* handler) {
  return serve("MPI_Errhandler_free", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(handler, "error handler");
    process.find(*handler);
    if (number_of(*handler) >= kLeastOwnHandle && --process.error_handlers.find(*handler)->frees == 0)
      process.error_handlers.take(*handler);
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

}  // namespace

std::string error_name(int code) {
  const auto place = std::ranges::find(kErrors, code, &ErrorText::code);
  return place == std::end(kErrors) ? fmt::format("the code {}", code) : std::string(place->name);
}

void add_error_calls(heddle_mpi_functions& table) {
  table.Error_class = error_class, table.Error_string = error_string;
  table.Add_error_class = add_error_class, table.Add_error_code = add_error_code, table.Add_error_string = add_error_string;
  table.Remove_error_class = remove_error_class, table.Remove_error_code = remove_error_code;
  table.Remove_error_string = remove_error_string;
  table.Comm_create_errhandler = create_errhandler, table.Comm_set_errhandler = set_errhandler;
  table.Comm_get_errhandler = get_errhandler, table.Errhandler_free = errhandler_free,
  table.Comm_call_errhandler = call_errhandler;
}

}  // namespace heddle::mpi
