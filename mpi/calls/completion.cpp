// SPDX-License-Identifier: Apache-2.0
// Waits and tests, persistent requests, cancelling (MPI 5.0, §3.7 to §3.9). A null request, and a persistent one that was not started,
// count as complete, with an empty status.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "mpi/calls/calls.hpp"
#include "mpi/calls/requests.hpp"

namespace heddle::mpi {

namespace {

using RequestKind = RequestObject::Kind;

/// Nullptr: nothing is under way.
RequestObject* active(Process& process, MPI_Request handle) {
  if (handle == MPI_REQUEST_NULL) return nullptr;
  RequestObject& request = process.find(handle);
  if (request.is_active) process.require_outside_of_operation();
  return request.is_active ? &request : nullptr;
}

/// Whether waiting for it would not block.
bool is_complete(RequestObject& request) {
  if (request.is_over()) return true;
  if (request.kind == RequestKind::pair)
    return std::ranges::all_of(request.parts, [](const auto& part) { return is_complete(*part); });
  return request.communicator->messages->is_complete(request.under_way);
}

/// The messages and tasks that it waits for.
void add_open(RequestObject& request, std::vector<RequestObject*>& open) {
  if (request.is_over()) return;
  if (request.kind != RequestKind::pair) return open.push_back(&request);
  for (const auto& part : request.parts) add_open(*part, open);
}
std::vector<RequestObject*> open_ones(Process& process, std::span<MPI_Request> requests) {
  std::vector<RequestObject*> open;
  for (const MPI_Request handle : requests) {
    if (RequestObject* const request = active(process, handle)) add_open(*request, open);
  }
  return open;
}
std::vector<heddle::Request> under_way(const std::vector<RequestObject*>& open) {
  std::vector<heddle::Request> requests;
  for (const RequestObject* const request : open) requests.push_back(request->under_way);
  return requests;
}

/// Ends a call's part in it: a request that is not persistent is gone.
MPI_Status complete(Process& process, MPI_Request* handle) {
  RequestObject& request = process.find(*handle);
  if (request.start) return finish(process, request);
  const std::unique_ptr<RequestObject> last = process.requests.take(std::exchange(*handle, MPI_REQUEST_NULL));
  return finish(process, *last);
}

// ---- one ----

int wait(const void* place, MPI_Request* request, MPI_Status* status) {
  return serve("MPI_Wait", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(request, "request");
    give_status_of(status, [&] { return active(process, *request) ? complete(process, request) : empty_status(); });
  });
}

/// Whether `ask` says yes, now or after the program's patience has been tried.
template <class Ask>
bool ask(Process& process, std::span<MPI_Request> requests, const Ask& is_so) {
  if (is_so()) return true;
  const std::vector<heddle::Request> open = under_way(open_ones(process, requests));
  return process.asked_in_vain(process.communicator(), {.requests = open}) && is_so();
}

int test(const void* place, MPI_Request* request, int* flag, MPI_Status* status) {
  return serve("MPI_Test", place, Call::Kind::poll, [&](Process& process) {
    process.require(request, "request");
    process.require(flag, "flag");
    RequestObject* const under_way = active(process, *request);
    *flag = under_way == nullptr || ask(process, std::span(request, 1), [&] { return is_complete(*under_way); }) ? 1 : 0;
    if (*flag != 0) give_status_of(status, [&] { return under_way ? complete(process, request) : empty_status(); });
  });
}

// ---- several ----

std::span<MPI_Request> list(Process& process, int count, MPI_Request* requests) {
  if (count < 0) process.refuse(MPI_ERR_COUNT, fmt::format("the count of requests is {}", count));
  if (count > 0) process.require(requests, "list of requests");
  for (int i = 0; i < count; ++i) {
    if (requests[i] != MPI_REQUEST_NULL) process.find(requests[i], i);
  }
  return {requests, static_cast<std::size_t>(count)};
}

/// Completes all that `which` names. An error of one is in its status (MPI_ERR_IN_STATUS), where there are any.
template <class Which>
void complete_all(Process& process, std::span<MPI_Request> requests, MPI_Status* statuses, const Which& which) {
  std::exception_ptr first;
  CommunicatorPtr on = process.find(MPI_COMM_WORLD);
  std::string text;
  std::vector<int> codes;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!which(i)) continue;
    MPI_Status status = empty_status();
    int code = MPI_SUCCESS;
    try {
      if (active(process, requests[i])) status = complete(process, &requests[i]);
    } catch (const MpiError& error) {
      const auto* const of_request = dynamic_cast<const RequestError*>(&error);
      if (of_request != nullptr) status = of_request->status();
      if (!first) {
        first = std::current_exception();
        text = error.what();
        if (of_request != nullptr) on = of_request->on();
      }
      code = error.error_class();
    }
    codes.push_back(code);
    if (statuses != nullptr) give_status(status, &statuses[codes.size() - 1]);
  }
  if (!first) return;
  if (statuses == nullptr) std::rethrow_exception(first);
  for (std::size_t i = 0; i < codes.size(); ++i) statuses[i].MPI_ERROR = codes[i];
  throw RequestError(MPI_ERR_IN_STATUS, text, empty_status(), on);
}

/// Of those that are active.
bool are_complete(Process& process, std::span<MPI_Request> requests) {
  return std::ranges::all_of(requests, [&](MPI_Request handle) {
    RequestObject* const request = active(process, handle);
    return request == nullptr || is_complete(*request);
  });
}

int waitall(const void* place, int count, MPI_Request* requests, MPI_Status* statuses) {
  return serve("MPI_Waitall", place, MPI_COMM_NULL, [&](Process& process) {
    complete_all(process, list(process, count, requests), statuses, [](std::size_t) { return true; });
  });
}

int testall(const void* place, int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  return serve("MPI_Testall", place, Call::Kind::poll, [&](Process& process) {
    const std::span<MPI_Request> all = list(process, count, requests);
    process.require(flag, "flag");
    *flag = ask(process, all, [&] { return are_complete(process, all); }) ? 1 : 0;
    if (*flag != 0) complete_all(process, all, statuses, [](std::size_t) { return true; });
  });
}

/// Those that are complete, of the active ones.
std::vector<bool> completed(Process& process, std::span<MPI_Request> requests) {
  std::vector<bool> are(requests.size());
  for (std::size_t i = 0; i < requests.size(); ++i) {
    RequestObject* const request = active(process, requests[i]);
    are[i] = request != nullptr && is_complete(*request);
  }
  return are;
}

bool has_active(Process& process, std::span<MPI_Request> requests) {
  return std::ranges::any_of(requests, [&](MPI_Request handle) { return active(process, handle) != nullptr; });
}

bool any(const std::vector<bool>& of) { return std::ranges::find(of, true) != of.end(); }

/// Blocks until one of the active requests is complete.
std::vector<bool> wait_for_some(Process& process, std::span<MPI_Request> requests) {
  std::vector<bool> done = completed(process, requests);
  while (!any(done)) {
    const std::vector<RequestObject*> open = open_ones(process, requests);
    heddle::Status status{};
    const std::size_t first = process.communicator().wait_any(under_way(open), &status);
    settle(process, *open[first], status);
    done = completed(process, requests);
  }
  return done;
}

/// Gives the program the status of a request that is complete.
using Give = void(Process& process, MPI_Request* handle, MPI_Status* to);

void give_complete(Process& process, MPI_Request* handle, MPI_Status* to) {
  give_status_of(to, [&] { return complete(process, handle); });
}

/// Of the first that is done.
void give_first(Process& process, std::span<MPI_Request> requests, const std::vector<bool>& done, int* index,
                MPI_Status* status, Give* give) {
  const auto first = std::ranges::find(done, true) - done.begin();
  *index = static_cast<int>(first);
  give(process, &requests[static_cast<std::size_t>(first)], status);
}

int waitany(const void* place, int count, MPI_Request* requests, int* index, MPI_Status* status) {
  return serve("MPI_Waitany", place, MPI_COMM_NULL, [&](Process& process) {
    const std::span<MPI_Request> all = list(process, count, requests);
    process.require(index, "index");
    *index = MPI_UNDEFINED;
    if (!has_active(process, all)) return give_status(empty_status(), status);
    give_first(process, all, wait_for_some(process, all), index, status, give_complete);
  });
}

int ask_for_any(const char* function, const void* place, int count, MPI_Request* requests, int* index, int* flag,
                MPI_Status* status, Give* give) {
  return serve(function, place, Call::Kind::poll, [&](Process& process) {
    const std::span<MPI_Request> all = list(process, count, requests);
    process.require(index, "index");
    process.require(flag, "flag");
    *index = MPI_UNDEFINED;
    *flag = 1;
    if (!has_active(process, all)) return give_status(empty_status(), status);
    std::vector<bool> done;
    *flag = ask(process, all, [&] { return any(done = completed(process, all)); }) ? 1 : 0;
    if (*flag != 0) give_first(process, all, done, index, status, give);
  });
}
int testany(const void* place, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  return ask_for_any("MPI_Testany", place, count, requests, index, flag, status, give_complete);
}

/// Where there are active requests, `find` says which are done, and `use` what becomes of them.
template <class Find, class Use>
void give_some(Process& process, int count, MPI_Request* requests, int* outcount, int* indices, const Find& find,
               const Use& use) {
  const std::span<MPI_Request> all = list(process, count, requests);
  process.require(outcount, "number of completed requests");
  if (count > 0) process.require(indices, "list of indices");
  *outcount = MPI_UNDEFINED;
  if (!has_active(process, all)) return;
  const std::vector<bool> done = find(process, all);
  *outcount = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (done[i]) indices[(*outcount)++] = static_cast<int>(i);
  }
  if (*outcount > 0) use(all, done);
}

/// Those that are complete, now or after the program's patience has been tried.
std::vector<bool> ask_for_some(Process& process, std::span<MPI_Request> requests) {
  std::vector<bool> done;
  ask(process, requests, [&] { return any(done = completed(process, requests)); });
  return done;
}

int complete_some(const char* function, const void* place, Call::Kind kind, int count, MPI_Request* requests, int* outcount,
                  int* indices, MPI_Status* statuses) {
  return serve(function, place, kind, [&](Process& process) {
    give_some(process, count, requests, outcount, indices, kind == Call::Kind::poll ? ask_for_some : wait_for_some,
              [&](std::span<MPI_Request> all, const std::vector<bool>& done) {
                complete_all(process, all, statuses, [&](std::size_t i) { return done[i]; });
              });
  });
}
int waitsome(const void* place, int count, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses) {
  return complete_some("MPI_Waitsome", place, Call::Kind::ordinary, count, requests, outcount, indices, statuses);
}
int testsome(const void* place, int count, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses) {
  return complete_some("MPI_Testsome", place, Call::Kind::poll, count, requests, outcount, indices, statuses);
}

// ---- looking without ending: MPI_Request_get_status and its kin ----

/// Its status, which a later wait gives again.
MPI_Status look(Process& process, RequestObject& request) {
  if (request.generalized) return query_generalized(process, request);
  if (!request.is_over()) {
    try {
      request.status = finish(process, request);
    } catch (const RequestError&) {
      request.error = std::current_exception();
    }
    request.is_active = true;
  }
  if (request.status) return *request.status;
  try {
    std::rethrow_exception(request.error);
  } catch (const RequestError& error) {
    return error.status();
  }
}

int get_status(const void* place, MPI_Request request, int* flag, MPI_Status* status) {
  return serve("MPI_Request_get_status", place, Call::Kind::poll, [&](Process& process) {
    process.require(flag, "flag");
    RequestObject* const under_way = active(process, request);
    *flag = under_way == nullptr || ask(process, std::span(&request, 1), [&] { return is_complete(*under_way); }) ? 1 : 0;
    if (*flag != 0) give_status(under_way ? look(process, *under_way) : empty_status(), status);
  });
}

int get_status_all(const void* place, int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  return serve("MPI_Request_get_status_all", place, Call::Kind::poll, [&](Process& process) {
    const std::span<MPI_Request> all = list(process, count, requests);
    process.require(flag, "flag");
    *flag = ask(process, all, [&] { return are_complete(process, all); }) ? 1 : 0;
    for (std::size_t i = 0; *flag != 0 && i < all.size(); ++i) {
      RequestObject* const request = active(process, all[i]);
      const MPI_Status status = request ? look(process, *request) : empty_status();
      if (statuses != nullptr) give_status(status, &statuses[i]);
    }
  });
}

void give_look(Process& process, MPI_Request* handle, MPI_Status* to) { give_status(look(process, process.find(*handle)), to); }

int get_status_any(const void* place, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  return ask_for_any("MPI_Request_get_status_any", place, count, requests, index, flag, status, give_look);
}

int get_status_some(const void* place, int count, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses) {
  return serve("MPI_Request_get_status_some", place, Call::Kind::poll, [&](Process& process) {
    give_some(process, count, requests, outcount, indices, ask_for_some, [&](std::span<MPI_Request> all, const auto&) {
      for (int i = 0; statuses != nullptr && i < *outcount; ++i)
        give_look(process, &all[static_cast<std::size_t>(indices[i])], &statuses[i]);
    });
  });
}

// ---- persistent requests, and requests that are given up ----

void begin(Process& process, MPI_Request handle) {
  if (handle == MPI_REQUEST_NULL) process.refuse(MPI_ERR_REQUEST, "the request is MPI_REQUEST_NULL");
  RequestObject& request = process.find(handle);
  if (!request.start) process.refuse(MPI_ERR_REQUEST, fmt::format("the request of {} is not persistent", request.function));
  if (request.is_active)
    process.refuse(MPI_ERR_REQUEST, fmt::format("the request of {} has been started and not completed", request.function));
  request.start(request);
}

int start(const void* place, MPI_Request* request) {
  return serve("MPI_Start", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(request, "request");
    begin(process, *request);
  });
}
int startall(const void* place, int count, MPI_Request* requests) {
  return serve("MPI_Startall", place, MPI_COMM_NULL, [&](Process& process) {
    for (const MPI_Request handle : list(process, count, requests)) begin(process, handle);
  });
}

int request_free(const void* place, MPI_Request* handle) {
  return serve("MPI_Request_free", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(handle, "request");
    if (*handle == MPI_REQUEST_NULL) process.refuse(MPI_ERR_REQUEST, "the request is MPI_REQUEST_NULL");
    const RequestObject& named = process.find(*handle);
    if (named.kind == RequestKind::collective && named.is_active)
      process.refuse(
          MPI_ERR_REQUEST,
          fmt::format("the request of {} is a collective's and under way: it is not freed but waited for", named.function));
    if (named.generalized) return free_generalized(process, handle);
    std::unique_ptr<RequestObject> request = process.requests.take(std::exchange(*handle, MPI_REQUEST_NULL));
    // What is under way completes unseen. Now and then those that have are done with: a program may free many.
    if (std::has_single_bit(process.freed_requests.size())) complete_freed_requests(process, false);
    if (request->is_active && !request->is_over()) process.freed_requests.push_back(std::move(request));
  });
}

int cancel(const void* place, MPI_Request* handle) {
  return serve("MPI_Cancel", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(handle, "request");
    if (*handle == MPI_REQUEST_NULL) process.refuse(MPI_ERR_REQUEST, "the request is MPI_REQUEST_NULL");
    RequestObject& request = process.find(*handle);
    if (request.kind == RequestKind::collective) process.refuse(MPI_ERR_REQUEST, "a collective cannot be cancelled");
    if (request.generalized) return cancel_generalized(process, request);
    if (!request.is_active) return;
    // A buffered send is complete, but its message may still lie in the buffer or where nobody receives it.
    const std::shared_ptr<RequestObject> buffered = request.buffered.lock();
    RequestObject& message = buffered ? *buffered : request;
    const bool can_be = message.kind == RequestKind::receive || message.kind == RequestKind::send;
    if (message.is_over() || !can_be || !message.communicator->messages->cancel(message.under_way)) return;
    if (message.kind == RequestKind::send) {
      const std::string sent = process.world().call_text({request.function, request.place});
      process.note_once(process.site(),
                        fmt::format("the message of {} to rank {} (tag {}) was cancelled", sent, message.peer, message.tag));
    }
    if (buffered) buffered->status = empty_status();
    MPI_Status status = empty_status();
    set_cancelled(status, true);
    request.status = status;
    request.packed.reset();
    request.sink.reset();
  });
}

}  // namespace

void complete_freed_requests(Process& process, bool waits) {
  std::vector<std::unique_ptr<RequestObject>>& all = process.freed_requests;
  for (std::size_t i = 0; i < all.size();) {
    if (!waits && !is_complete(*all[i])) {
      ++i;
      continue;
    }
    const std::unique_ptr<RequestObject> request = std::move(all[i]);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    finish(process, *request);
  }
}

void add_completion_calls(heddle_mpi_functions& table) {
  table.Wait = wait, table.Waitall = waitall, table.Waitany = waitany, table.Waitsome = waitsome;
  table.Test = test, table.Testall = testall, table.Testany = testany, table.Testsome = testsome;
  table.Request_get_status = get_status, table.Request_get_status_all = get_status_all;
  table.Request_get_status_any = get_status_any, table.Request_get_status_some = get_status_some;
  table.Start = start, table.Startall = startall;
  table.Request_free = request_free, table.Cancel = cancel;
}

}  // namespace heddle::mpi
