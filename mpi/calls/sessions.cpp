// SPDX-License-Identifier: Apache-2.0
// Sessions (MPI 5.0, §11.3): MPI without MPI_Init. The process sets are those that every MPI has: all ranks, and the rank itself.
#include <strings.h>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "mpi/calls/calls.hpp"
#include "mpi/objects/process.hpp"

namespace heddle::mpi {

namespace {

constexpr std::array<std::string_view, 2> kProcessSets = {"mpi://WORLD", "mpi://SELF"};

using ErrorHandler = std::shared_ptr<const ErrorHandlerObject>;

/// What a session's error handler makes of an error: the code that the call returns. Throws where errors end the run.
int handle_session_error(Process& process, MPI_Session session, const ErrorHandler& handler, const MpiError& error) {
  return handle_with(process, handler->kind, error,
                     [&](int* code) { reinterpret_cast<MPI_Session_errhandler_function*>(handler->function)(&session, code); });
}

/// Serves a call on a session. Errors go to its handler.
template <class Body>
int on_session(const char* function, const void* place, MPI_Session session, const Body& body) {
  int code = MPI_SUCCESS;
  const int failed = serve(function, place, Call::Kind::anytime, [&](Process& process) {
    const ErrorHandler handler = process.find(session).error_handler;
    try {
      body(process, process.find(session));
    } catch (const MpiError& error) {
      code = handle_session_error(process, session, handler, error);
    }
  });
  return failed != MPI_SUCCESS ? failed : code;
}

MPI_Info add_info(Process& process, InfoObject info) {
  return process.infos.add(std::make_unique<InfoObject>(std::move(info)));
}

int session_init(const void* place, MPI_Info info, MPI_Errhandler handler, MPI_Session* to) {
  return serve("MPI_Session_init", place, Call::Kind::anytime, [&](Process& process) {
    process.given(to, "session") = MPI_SESSION_NULL;
    SessionObject made{.error_handler = process.find(handler)};
    if (info != MPI_INFO_NULL) process.find(info);  // no hint changes anything
    made.info.entries.emplace_back("thread_level", "MPI_THREAD_FUNNELED");
    *to = process.sessions.add(std::make_unique<SessionObject>(std::move(made)));
    ++process.open_sessions;
  });
}

int session_finalize(const void* place, MPI_Session* session) {
  return serve("MPI_Session_finalize", place, Call::Kind::anytime, [&](Process& process) {
    process.find(process.given(session, "session"));
    process.sessions.take(std::exchange(*session, MPI_SESSION_NULL));
    --process.open_sessions;
  });
}

int session_get_info(const void* place, MPI_Session session, MPI_Info* to) {
  return on_session("MPI_Session_get_info", place, session,
                    [&](Process& process, const SessionObject& of) { process.given(to, "info") = add_info(process, of.info); });
}

// ---- process sets ----

int session_get_num_psets(const void* place, MPI_Session session, MPI_Info, int* count) {
  return on_session("MPI_Session_get_num_psets", place, session, [&](Process& process, const SessionObject&) {
    process.given(count, "count") = static_cast<int>(kProcessSets.size());
  });
}

int session_get_nth_pset(const void* place, MPI_Session session, MPI_Info, int n, int* length, char* name) {
  return on_session("MPI_Session_get_nth_pset", place, session, [&](Process& process, const SessionObject&) {
    if (n < 0 || n >= static_cast<int>(kProcessSets.size()))
      process.refuse(MPI_ERR_ARG, fmt::format("process set {} of {}", n, kProcessSets.size()));
    const std::string_view full = kProcessSets[static_cast<std::size_t>(n)];
    int given = 0;
    if (process.given(length, "length") > 0)
      give_text(full, static_cast<std::size_t>(*length), &process.given(name, "name"), &given);
    *length = static_cast<int>(full.size()) + 1;
  });
}

/// Names of process sets are URIs: upper and lower case are the same.
bool names(const char* name, std::string_view process_set) {
  return name != nullptr && strncasecmp(name, process_set.data(), process_set.size() + 1) == 0;
}

/// The ranks of the world that a process set has.
Group pset_group(Process& process, const char* name) {
  if (names(name, kProcessSets[0])) return process.find(MPI_COMM_WORLD)->local;
  if (names(name, kProcessSets[1])) return Group({process.rank()});
  process.refuse(MPI_ERR_ARG, fmt::format("there is no process set \"{}\"; there are {} and {}", name ? name : "",
                                          kProcessSets[0], kProcessSets[1]));
}

int session_get_pset_info(const void* place, MPI_Session session, const char* name, MPI_Info* to) {
  return on_session("MPI_Session_get_pset_info", place, session, [&](Process& process, const SessionObject&) {
    InfoObject info;
    info.entries.emplace_back("mpi_size", std::to_string(pset_group(process, name).size()));
    process.given(to, "info") = add_info(process, std::move(info));
  });
}

int group_from_session_pset(const void* place, MPI_Session session, const char* name, MPI_Group* to) {
  return on_session("MPI_Group_from_session_pset", place, session, [&](Process& process, const SessionObject&) {
    process.given(to, "group") = MPI_GROUP_NULL;
    *to = process.add(pset_group(process, name));
  });
}

// ---- error handlers ----

int session_create_errhandler(const void* place, MPI_Session_errhandler_function* function, MPI_Errhandler* to) {
  return serve("MPI_Session_create_errhandler", place, Call::Kind::anytime, [&](Process& process) {
    auto made = std::make_shared<const ErrorHandlerObject>(
        ErrorHandlerObject{ErrorHandlerObject::Kind::function, reinterpret_cast<MPI_Comm_errhandler_function*>(function)});
    process.given(to, "error handler") =
        process.error_handlers.add(std::make_unique<ErrorHandlerHandle>(ErrorHandlerHandle{std::move(made)}));
  });
}
int session_set_errhandler(const void* place, MPI_Session session, MPI_Errhandler handler) {
  return on_session("MPI_Session_set_errhandler", place, session,
                    [&](Process& process, SessionObject& of) { of.error_handler = process.find(handler); });
}
int session_get_errhandler(const void* place, MPI_Session session, MPI_Errhandler* to) {
  return on_session("MPI_Session_get_errhandler", place, session, [&](Process& process, const SessionObject& of) {
    process.given(to, "error handler") = process.handle_of(of.error_handler);
  });
}
int session_call_errhandler(const void* place, MPI_Session session, int code) {
  return on_session("MPI_Session_call_errhandler", place, session, [&](Process& process, const SessionObject& of) {
    const std::string text = fmt::format("{}: error {}", process.world().call_text(process.site()), code);
    handle_session_error(process, session, of.error_handler, MpiError(code, text));
  });
}

}  // namespace

void add_session_calls(heddle_mpi_functions& table) {
  table.Session_init = session_init, table.Session_finalize = session_finalize, table.Session_get_info = session_get_info;
  table.Session_get_num_psets = session_get_num_psets, table.Session_get_nth_pset = session_get_nth_pset;
  table.Session_get_pset_info = session_get_pset_info, table.Group_from_session_pset = group_from_session_pset;
  table.Session_create_errhandler = session_create_errhandler, table.Session_set_errhandler = session_set_errhandler;
  table.Session_get_errhandler = session_get_errhandler, table.Session_call_errhandler = session_call_errhandler;
}

}  // namespace heddle::mpi
