// SPDX-License-Identifier: Apache-2.0
// Generalized requests (MPI 5.0, §13.2): a program's own work as a request. The program says when it is complete, and what its status
// is. Until then the request is a receive of the rank from itself that nothing is sent for: so waits, tests and the text of a deadlock
// know it as they know others.
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "mpi/calls/calls.hpp"
#include "mpi/calls/requests.hpp"

namespace heddle::mpi {

namespace {

std::string text_of(Process& process, const RequestObject& request) {
  return "the request of " + process.world().call_text({request.function, request.place});
}

/// What one of the program's functions has returned. Throws RequestError.
void require_success(Process& process, const RequestObject& request, const char* function, int code, const MPI_Status& status) {
  if (code == MPI_SUCCESS) return;
  throw RequestError(code,
                     fmt::format("{}: the {} function of {} returned {}", process.world().call_text(process.site()), function,
                                 text_of(process, request), error_name(code)),
                     status, process.find(MPI_COMM_WORLD));
}

/// The end of one that is complete: the program's function frees what is the program's.
void end(Process& process, RequestObject& request, const MPI_Status& status) {
  process.become_current();
  const int code = request.generalized->free(request.generalized->extra_state);
  require_success(process, request, "free", code, status);
}

int start(const void* place, MPI_Grequest_query_function* query, MPI_Grequest_free_function* free,
          MPI_Grequest_cancel_function* cancel, void* extra_state, MPI_Request* request) {
  return serve("MPI_Grequest_start", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(request, "request");
    process.require(reinterpret_cast<const void*>(query), "query function");
    process.require(reinterpret_cast<const void*>(free), "free function");
    process.require(reinterpret_cast<const void*>(cancel), "cancel function");
    auto made = std::make_unique<RequestObject>();
    made->kind = RequestObject::Kind::generalized;
    made->communicator = process.find(MPI_COMM_SELF);
    made->generalized = std::make_unique<GeneralizedRequest>(GeneralizedRequest{query, free, cancel, extra_state});
    made->is_active = true;
    const VectorView nothing(nullptr, 0, Datatype::user(1));
    const Tag tag(process.world().number_for_tag("generalized requests"));
    Communicator& over = *made->communicator->messages;
    made->under_way = over.irecv(over.rank(), std::span(&nothing, 1), tag, {.label = kLabelOfGeneralized});
    *request = process.add(std::move(made));
  });
}

int complete(const void* place, MPI_Request handle) {
  return serve("MPI_Grequest_complete", place, MPI_COMM_NULL, [&](Process& process) {
    if (handle == MPI_REQUEST_NULL) process.refuse(MPI_ERR_REQUEST, "the request is MPI_REQUEST_NULL");
    // Not by find(): one that the program has freed lives until it is complete.
    RequestObject* const request = process.requests.find(handle);
    if (request == nullptr) process.refuse(MPI_ERR_REQUEST, "the request " + process.requests.why_none(handle));
    if (!request->generalized)
      process.refuse(MPI_ERR_REQUEST, text_of(process, *request) + " is none of MPI_Grequest_start: MPI completes it");
    if (request->is_over()) process.refuse(MPI_ERR_REQUEST, text_of(process, *request) + " has been completed already");
    (void)request->communicator->messages->cancel(request->under_way);
    request->status = empty_status();
    if (!request->generalized->is_freed) return;
    const std::unique_ptr<RequestObject> last = process.requests.take(handle);
    end(process, *last, empty_status());
  });
}

}  // namespace

MPI_Status query_generalized(Process& process, RequestObject& request) {
  MPI_Status status = empty_status();
  process.become_current();
  const int code = request.generalized->query(request.generalized->extra_state, &status);
  require_success(process, request, "query", code, status);
  return status;
}

MPI_Status finish_generalized(Process& process, RequestObject& request) {
  if (!request.is_over()) request.communicator->messages->wait(request.under_way);
  request.is_active = false;
  MPI_Status status = empty_status();
  try {
    status = query_generalized(process, request);
  } catch (const RequestError& error) {
    end(process, request, error.status());
    throw;
  }
  end(process, request, status);
  return status;
}

void cancel_generalized(Process& process, RequestObject& request) {
  process.become_current();
  const int code = request.generalized->cancel(request.generalized->extra_state, request.is_over() ? 1 : 0);
  require_success(process, request, "cancel", code, empty_status());
}

void free_generalized(Process& process, MPI_Request* handle) {
  const MPI_Request freed = std::exchange(*handle, MPI_REQUEST_NULL);
  RequestObject& request = process.find(freed);
  if (!request.is_over()) {
    request.generalized->is_freed = true;
    return;
  }
  const std::unique_ptr<RequestObject> last = process.requests.take(freed);
  end(process, *last, empty_status());
}

void add_generalized_request_calls(heddle_mpi_functions& table) {
  table.Grequest_start = start, table.Grequest_complete = complete;
}

}  // namespace heddle::mpi
