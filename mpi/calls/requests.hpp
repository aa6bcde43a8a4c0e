// SPDX-License-Identifier: Apache-2.0
// Messages of programs as heddle's: posted, completed, and what a program is told of them.
#pragma once

#include <cstdint>
#include <optional>

#include "mpi/objects/process.hpp"

namespace heddle::mpi {

// ---- statuses ----

/// Of what took no message: MPI's empty status.
MPI_Status empty_status();
/// Of MPI_PROC_NULL.
MPI_Status null_process_status();
/// Bytes of the message.
std::int64_t bytes_of(const MPI_Status& status);
void set_bytes(MPI_Status& status, std::int64_t bytes);
bool is_cancelled(const MPI_Status& status);
void set_cancelled(MPI_Status& status, bool is_cancelled);
/// As MPI_STATUS_IGNORE has it: nothing is written to null. `MPI_ERROR` is left as it is, but for an empty
/// status.
void give_status(const MPI_Status& status, MPI_Status* to);

// ---- messages ----

/// A message as a call names it. Checked by check_send() or check_receive(), which throw MpiError.
struct MessageArguments {
  const CommunicatorPtr& communicator;
  void* buffer;
  std::int64_t count;
  TypePtr type;
  int peer;
  int tag;
};
void check_send(Process& process, const MessageArguments& message);
void check_receive(Process& process, const MessageArguments& message);
/// Count, type and buffer of any call, `displacement` bytes behind the address that it names.
void check_buffer(Process& process, const void* buffer, std::int64_t count, const Type& type, const char* what = "buffer",
                  std::int64_t displacement = 0);

RequestObject message_object(RequestObject::Kind kind, const MessageArguments& message, SendMode mode = SendMode::standard);
std::unique_ptr<RequestObject> make_message(RequestObject::Kind kind, const MessageArguments& message,
                                            SendMode mode = SendMode::standard);
/// Sends, or begins to receive, what the object says.
void post(Process& process, RequestObject& request);

/// Waits for it unless it has completed, and does what is left: the status. A request that is not persistent is over.
MPI_Status finish(Process& process, RequestObject& request);
/// Gives the status that `wait` returns, and that of the error which it throws, too.
template <class Wait>
void give_status_of(MPI_Status* to, const Wait& wait) {
  try {
    give_status(wait(), to);
  } catch (const RequestError& error) {
    give_status(error.status(), to);
    throw;
  }
}
/// Of generalized requests, where any request may be one. The status that the program gives to one that is complete; the end of one; a
/// program that gives one up, and that frees one.
MPI_Status query_generalized(Process& process, RequestObject& request);
MPI_Status finish_generalized(Process& process, RequestObject& request);
void cancel_generalized(Process& process, RequestObject& request);
void free_generalized(Process& process, MPI_Request* handle);

/// heddle's wait_any has waited for it: what came of it is kept until finish() asks.
void settle(Process& process, RequestObject& request, const heddle::Status& status);

/// Requests that the program has freed end as others do: those that are complete, or all, which waits.
void complete_freed_requests(Process& process, bool waits);

/// Sends or receives by itself, within one call.
MPI_Status perform(Process& process, RequestObject::Kind kind, const MessageArguments& message,
                   SendMode mode = SendMode::standard);

/// What a probe or a receive has found.
MPI_Status status_of(const CommunicatorObject& communicator, const heddle::Status& status);

/// Completed sends of MPI_Bsend leave room in the buffer that the program has attached.
class AttachedBuffer {
 public:
  void attach(Process& process, void* buffer, std::int64_t size);
  /// Waits until all of it is free: where and how long it was.
  std::pair<void*, std::int64_t> detach(Process& process);
  /// Posts a message that lies in the buffer meanwhile: that, or null for MPI_PROC_NULL. Throws MpiError where there is no room.
  std::shared_ptr<RequestObject> send(Process& process, std::unique_ptr<RequestObject> message);
  /// Waits for all that lie there.
  void flush(Process& process);

 private:
  void let_go(Process& process);
  /// The program has left the buffer alone since it attached it.
  void require_as_attached(Process& process) const;

  const void* attached_at_ = nullptr;  ///< the place of the call
  std::size_t digest_ = 0;             ///< of the buffer's bytes; 0: it is gone
  bool is_in_block_ = false;           ///< of guarded memory
  void* buffer_ = nullptr;
  std::int64_t size_ = 0;
  std::int64_t used_ = 0;
  std::vector<std::shared_ptr<RequestObject>> under_way_;
};

/// The rank's.
AttachedBuffer& attached_buffer(Process& process);

}  // namespace heddle::mpi
