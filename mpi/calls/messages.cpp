// SPDX-License-Identifier: Apache-2.0
// Sends, receives and probes (MPI 5.0, chapter 3).
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "mpi/calls/calls.hpp"
#include "mpi/calls/requests.hpp"
#include "mpi/types/packing.hpp"

namespace heddle::mpi {

namespace {

using RequestKind = RequestObject::Kind;

MessageArguments sent(Process& process, const void* buffer, std::int64_t count, MPI_Datatype type, int dest, int tag,
                      MPI_Comm comm) {
  const MessageArguments message{process.find(comm), const_cast<void*>(buffer), count, process.committed(type), dest, tag};
  check_send(process, message);
  return message;
}

MessageArguments to_receive(Process& process, void* buffer, std::int64_t count, MPI_Datatype type, int source, int tag,
                            MPI_Comm comm) {
  const MessageArguments message{process.find(comm), buffer, count, process.committed(type), source, tag};
  check_receive(process, message);
  return message;
}

// ---- blocking ----

template <class Count, SendMode kMode>
int send(const void* place, const void* buffer, Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  constexpr const char* kNames[] = {"MPI_Send", "MPI_Ssend", "MPI_Rsend"};
  return serve(kNames[static_cast<int>(kMode)], place, comm, [&](Process& process) {
    perform(process, RequestKind::send, sent(process, buffer, count, type, dest, tag, comm), kMode);
  });
}

template <class Count>
int buffered_send(const void* place, const void* buffer, Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
  return serve("MPI_Bsend", place, comm, [&](Process& process) {
    attached_buffer(process).send(process,
                                  make_message(RequestKind::send, sent(process, buffer, count, type, dest, tag, comm)));
  });
}

template <class Count>
int receive(const void* place, void* buffer, Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
            MPI_Status* status) {
  return serve("MPI_Recv", place, comm, [&](Process& process) {
    const MessageArguments message = to_receive(process, buffer, count, type, source, tag, comm);
    give_status_of(status, [&] { return perform(process, RequestKind::receive, message); });
  });
}

/// Both at once: neither waits for the other.
MPI_Status exchange(Process& process, const MessageArguments& out, const MessageArguments& in) {
  RequestObject receive = message_object(RequestKind::receive, in);
  RequestObject send = message_object(RequestKind::send, out);
  receive.waits = send.waits = true;
  post(process, receive);
  post(process, send);
  finish(process, send);
  return finish(process, receive);
}

template <class Count>
int sendrecv(const void* place, const void* sendbuf, Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
             void* recvbuf, Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
             MPI_Status* status) {
  return serve("MPI_Sendrecv", place, comm, [&](Process& process) {
    const MessageArguments out = sent(process, sendbuf, sendcount, sendtype, dest, sendtag, comm);
    const MessageArguments in = to_receive(process, recvbuf, recvcount, recvtype, source, recvtag, comm);
    give_status_of(status, [&] { return exchange(process, out, in); });
  });
}

template <class Count>
int sendrecv_replace(const void* place, void* buffer, Count count, MPI_Datatype type, int dest, int sendtag, int source,
                     int recvtag, MPI_Comm comm, MPI_Status* status) {
  return serve("MPI_Sendrecv_replace", place, comm, [&](Process& process) {
    const std::unique_ptr<RequestObject> out =
        make_message(RequestKind::send, sent(process, buffer, count, type, dest, sendtag, comm));
    out->is_buffered = true;  // it leaves its buffer before the other message comes in
    post(process, *out);
    const MessageArguments in = to_receive(process, buffer, count, type, source, recvtag, comm);
    give_status_of(status, [&] {
      const MPI_Status got = perform(process, RequestKind::receive, in);
      finish(process, *out);
      return got;
    });
  });
}

// ---- nonblocking ----

/// The request of what has been begun.
MPI_Request begin(Process& process, std::unique_ptr<RequestObject> request) {
  post(process, *request);
  return process.add(std::move(request));
}

template <class Count, SendMode kMode>
int isend(const void* place, const void* buffer, Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
          MPI_Request* request) {
  constexpr const char* kNames[] = {"MPI_Isend", "MPI_Issend", "MPI_Irsend"};
  return serve(kNames[static_cast<int>(kMode)], place, comm, [&](Process& process) {
    process.require(request, "request");
    *request = begin(process, make_message(RequestKind::send, sent(process, buffer, count, type, dest, tag, comm), kMode));
  });
}

/// A request that is complete: the message lies in the attached buffer.
template <class Count>
int buffered_isend(const void* place, const void* buffer, Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                   MPI_Request* request) {
  return serve("MPI_Ibsend", place, comm, [&](Process& process) {
    process.require(request, "request");
    auto done = std::make_unique<RequestObject>();
    done->buffered = attached_buffer(process).send(
        process, make_message(RequestKind::send, sent(process, buffer, count, type, dest, tag, comm)));
    done->is_active = true;
    done->status = empty_status();
    *request = process.add(std::move(done));
  });
}

template <class Count>
int irecv(const void* place, void* buffer, Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
          MPI_Request* request) {
  return serve("MPI_Irecv", place, comm, [&](Process& process) {
    process.require(request, "request");
    *request = begin(process, make_message(RequestKind::receive, to_receive(process, buffer, count, type, source, tag, comm)));
  });
}

/// A request of two messages: over when both are. What replaces a message must not come in before that has left.
MPI_Request begin_both(Process& process, std::unique_ptr<RequestObject> out, std::unique_ptr<RequestObject> in) {
  post(process, *out);
  post(process, *in);
  auto both = std::make_unique<RequestObject>();
  both->is_active = true;
  both->kind = RequestKind::pair;
  both->communicator = in->communicator;
  both->parts.push_back(std::move(in));
  both->parts.push_back(std::move(out));
  return process.add(std::move(both));
}

template <class Count>
int isendrecv(const void* place, const void* sendbuf, Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
              void* recvbuf, Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
              MPI_Request* request) {
  return serve("MPI_Isendrecv", place, comm, [&](Process& process) {
    process.require(request, "request");
    auto out = make_message(RequestKind::send, sent(process, sendbuf, sendcount, sendtype, dest, sendtag, comm));
    auto in = make_message(RequestKind::receive, to_receive(process, recvbuf, recvcount, recvtype, source, recvtag, comm));
    *request = begin_both(process, std::move(out), std::move(in));
  });
}

template <class Count>
int isendrecv_replace(const void* place, void* buffer, Count count, MPI_Datatype type, int dest, int sendtag, int source,
                      int recvtag, MPI_Comm comm, MPI_Request* request) {
  return serve("MPI_Isendrecv_replace", place, comm, [&](Process& process) {
    process.require(request, "request");
    auto out = make_message(RequestKind::send, sent(process, buffer, count, type, dest, sendtag, comm));
    out->is_buffered = true;
    auto in = make_message(RequestKind::receive, to_receive(process, buffer, count, type, source, recvtag, comm));
    *request = begin_both(process, std::move(out), std::move(in));
  });
}

// ---- persistent ----

MPI_Request keep(Process& process, std::unique_ptr<RequestObject> request) {
  request->start = [&process](RequestObject& self) { post(process, self); };
  return process.add(std::move(request));
}

template <class Count, SendMode kMode>
int send_init(const void* place, const void* buffer, Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
              MPI_Request* request) {
  constexpr const char* kNames[] = {"MPI_Send_init", "MPI_Ssend_init", "MPI_Rsend_init"};
  return serve(kNames[static_cast<int>(kMode)], place, comm, [&](Process& process) {
    process.require(request, "request");
    *request = keep(process, make_message(RequestKind::send, sent(process, buffer, count, type, dest, tag, comm), kMode));
  });
}

template <class Count>
int buffered_send_init(const void* place, const void* buffer, Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
                       MPI_Request* request) {
  return serve("MPI_Bsend_init", place, comm, [&](Process& process) {
    process.require(request, "request");
    auto kept = make_message(RequestKind::send, sent(process, buffer, count, type, dest, tag, comm));
    kept->start = [&process](RequestObject& self) {
      const MessageArguments message{self.communicator, self.buffer, self.count, self.type, self.peer, self.tag};
      self.buffered = attached_buffer(process).send(process, make_message(RequestKind::send, message));
      self.is_active = true;
      self.status = empty_status();
    };
    *request = process.add(std::move(kept));
  });
}

template <class Count>
int receive_init(const void* place, void* buffer, Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                 MPI_Request* request) {
  return serve("MPI_Recv_init", place, comm, [&](Process& process) {
    process.require(request, "request");
    *request = keep(process, make_message(RequestKind::receive, to_receive(process, buffer, count, type, source, tag, comm)));
  });
}

// ---- probes ----

/// What a probe asks heddle for; no value: MPI_PROC_NULL, from which an empty message can always be received.
std::optional<MessagePattern> pattern(Process& process, int source, int tag, MPI_Comm comm) {
  const CommunicatorPtr& communicator = process.find(comm);
  static const TypePtr bytes = predefined_type(0x247);
  check_receive(process, {communicator, nullptr, 0, bytes, source, tag});
  if (source == MPI_PROC_NULL) return std::nullopt;
  process.call_on(*communicator);
  return MessagePattern{source == MPI_ANY_SOURCE ? kAnySource : communicator->peer_rank(source),
                        tag == MPI_ANY_TAG ? kAnyTag : Tag(tag)};
}

int probe(const void* place, int source, int tag, MPI_Comm comm, MPI_Status* status) {
  return serve("MPI_Probe", place, comm, [&](Process& process) {
    const std::optional<MessagePattern> wanted = pattern(process, source, tag, comm);
    if (!wanted) return give_status(null_process_status(), status);
    const CommunicatorPtr communicator = process.find(comm);
    give_status(status_of(*communicator, communicator->messages->probe(wanted->source, wanted->tag)), status);
  });
}

int iprobe(const void* place, int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  return serve("MPI_Iprobe", place, comm, Call::Kind::poll, [&](Process& process) {
    process.require(flag, "flag");
    const std::optional<MessagePattern> wanted = pattern(process, source, tag, comm);
    *flag = 1;
    if (!wanted) return give_status(null_process_status(), status);
    const CommunicatorPtr communicator = process.find(comm);
    Communicator& over = *communicator->messages;
    std::optional<heddle::Status> found = over.iprobe(wanted->source, wanted->tag);
    if (!found && process.asked_in_vain(over, {.probes = std::span(&*wanted, 1)}))
      found = over.iprobe(wanted->source, wanted->tag);
    *flag = found ? 1 : 0;
    if (found) give_status(status_of(*communicator, *found), status);
  });
}

/// Gives a message that was taken to the program.
void take(Process& process, const CommunicatorPtr& communicator, const TakenMessage& taken, MPI_Message* message,
          MPI_Status* status) {
  *message = process.messages.add(std::make_unique<MessageObject>(MessageObject{communicator, taken}));
  give_status(status_of(*communicator, taken.status), status);
}

int mprobe(const void* place, int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  return serve("MPI_Mprobe", place, comm, [&](Process& process) {
    process.require(message, "message");
    const std::optional<MessagePattern> wanted = pattern(process, source, tag, comm);
    if (!wanted) {
      *message = MPI_MESSAGE_NO_PROC;
      return give_status(null_process_status(), status);
    }
    const CommunicatorPtr communicator = process.find(comm);
    take(process, communicator, communicator->messages->mprobe(wanted->source, wanted->tag), message, status);
  });
}

int improbe(const void* place, int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  return serve("MPI_Improbe", place, comm, Call::Kind::poll, [&](Process& process) {
    process.require(flag, "flag");
    const std::optional<MessagePattern> wanted = pattern(process, source, tag, comm);
    *flag = 1;
    process.require(message, "message");
    if (!wanted) {
      *message = MPI_MESSAGE_NO_PROC;
      return give_status(null_process_status(), status);
    }
    const CommunicatorPtr communicator = process.find(comm);
    Communicator& over = *communicator->messages;
    std::optional<TakenMessage> taken = over.improbe(wanted->source, wanted->tag);
    if (!taken && process.asked_in_vain(over, {.probes = std::span(&*wanted, 1)}))
      taken = over.improbe(wanted->source, wanted->tag);
    *flag = taken ? 1 : 0;
    if (taken) take(process, communicator, *taken, message, status);
  });
}

/// A receive of a message that was taken, not yet posted. The program's handle is gone.
std::unique_ptr<RequestObject> of_taken(Process& process, void* buffer, std::int64_t count, MPI_Datatype type,
                                        MPI_Message* message) {
  process.require(message, "message");
  const MessageObject* const found = process.messages.find(*message);
  if (found == nullptr && *message != MPI_MESSAGE_NO_PROC)
    process.refuse(MPI_ERR_REQUEST, *message == MPI_MESSAGE_NULL ? "the message is MPI_MESSAGE_NULL"
                                                                 : "the message " + process.messages.why_none(*message));
  const CommunicatorPtr communicator = found ? found->communicator : process.find(MPI_COMM_WORLD);
  const int source = found ? communicator->rank_in_peers(found->message.status.peer) : MPI_PROC_NULL;
  const MessageArguments arguments{communicator, buffer, count, process.committed(type), source, MPI_ANY_TAG};
  check_receive(process, arguments);
  auto request = make_message(RequestKind::matched_receive, arguments);
  if (found) request->taken = process.messages.take(*message)->message;
  *message = MPI_MESSAGE_NULL;
  return request;
}

template <class Count>
int mrecv(const void* place, void* buffer, Count count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  return serve("MPI_Mrecv", place, MPI_COMM_NULL, [&](Process& process) {
    const std::unique_ptr<RequestObject> request = of_taken(process, buffer, count, type, message);
    post(process, *request);
    give_status_of(status, [&] { return finish(process, *request); });
  });
}

template <class Count>
int imrecv(const void* place, void* buffer, Count count, MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
  return serve("MPI_Imrecv", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(request, "request");
    *request = begin(process, of_taken(process, buffer, count, type, message));
  });
}

// ---- what a status says, and the attached buffer ----

/// No whole number of elements: MPI_UNDEFINED.
template <class Count>
void give_count(std::optional<std::int64_t> count, Count* to) {
  *to = count && *count <= std::numeric_limits<Count>::max() ? static_cast<Count>(*count) : static_cast<Count>(MPI_UNDEFINED);
}

template <class Count>
int get_count(const void* place, const MPI_Status* status, MPI_Datatype type, Count* count) {
  return serve("MPI_Get_count", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(status, "status");
    process.require(count, "count");
    const std::int64_t size = process.find(type).type->size();
    const std::int64_t bytes = bytes_of(*status);
    if (size == 0) return give_count(bytes == 0 ? std::optional<std::int64_t>(0) : std::nullopt, count);
    give_count(bytes % size == 0 ? std::optional(bytes / size) : std::nullopt, count);
  });
}

template <class Count>
int get_elements(const void* place, const MPI_Status* status, MPI_Datatype type, Count* count) {
  return serve("MPI_Get_elements", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(status, "status");
    process.require(count, "count");
    give_count(basic_types_in(*process.find(type).type, bytes_of(*status)), count);
  });
}

template <class Count>
int set_elements(const void* place, MPI_Status* status, MPI_Datatype type, Count count) {
  return serve("MPI_Status_set_elements", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(status, "status");
    if (count < 0) process.refuse(MPI_ERR_COUNT, fmt::format("the count is {}", count));
    // Basic types in turn, as the type has them.
    const Type& of = *process.find(type).type;
    std::int64_t bytes = 0;
    if (const std::int64_t whole = of.signature().all().basics; whole > 0)
      bytes = times(count / whole, of.size()) + beginning_of(of.signature(), {count % whole, of.size()}).bytes;
    set_bytes(*status, bytes);
  });
}

int status_set_cancelled(const void* place, MPI_Status* status, int flag) {
  return serve("MPI_Status_set_cancelled", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(status, "status");
    set_cancelled(*status, flag != 0);
  });
}
/// What a program could read and write in the status as well.
template <auto kField>
int get_field(const void* place, const MPI_Status* status, int* value) {
  return serve("MPI_Status_get", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(status, "status");
    process.given(value, "value") = status->*kField;
  });
}
template <auto kField>
int set_field(const void* place, MPI_Status* status, int value) {
  return serve("MPI_Status_set", place, MPI_COMM_NULL,
               [&](Process& process) { process.given(status, "status").*kField = value; });
}
int test_cancelled(const void* place, const MPI_Status* status, int* flag) {
  return serve("MPI_Test_cancelled", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(status, "status");
    process.require(flag, "flag");
    *flag = is_cancelled(*status) ? 1 : 0;
  });
}

template <class Count>
int buffer_attach(const void* place, void* buffer, Count size) {
  return serve("MPI_Buffer_attach", place, MPI_COMM_NULL,
               [&](Process& process) { attached_buffer(process).attach(process, buffer, size); });
}
template <class Count>
int buffer_detach(const void* place, void* buffer_address, Count* size) {
  return serve("MPI_Buffer_detach", place, MPI_COMM_NULL, [&](Process& process) {
    process.require(buffer_address, "place for the address");
    process.require(size, "size");
    const auto [buffer, bytes] = attached_buffer(process).detach(process);
    *static_cast<void**>(buffer_address) = buffer;
    *size = static_cast<Count>(bytes);
  });
}
int buffer_flush(const void* place) {
  return serve("MPI_Buffer_flush", place, MPI_COMM_NULL, [](Process& process) { attached_buffer(process).flush(process); });
}

}  // namespace

void add_message_calls(heddle_mpi_functions& table) {
  table.Send = send<int, SendMode::standard>, table.Send_c = send<MPI_Count, SendMode::standard>;
  table.Ssend = send<int, SendMode::synchronous>, table.Ssend_c = send<MPI_Count, SendMode::synchronous>;
  table.Rsend = send<int, SendMode::ready>, table.Rsend_c = send<MPI_Count, SendMode::ready>;
  table.Bsend = buffered_send<int>, table.Bsend_c = buffered_send<MPI_Count>;
  table.Recv = receive<int>, table.Recv_c = receive<MPI_Count>;
  table.Sendrecv = sendrecv<int>, table.Sendrecv_c = sendrecv<MPI_Count>;
  table.Sendrecv_replace = sendrecv_replace<int>, table.Sendrecv_replace_c = sendrecv_replace<MPI_Count>;

  table.Isend = isend<int, SendMode::standard>, table.Isend_c = isend<MPI_Count, SendMode::standard>;
  table.Issend = isend<int, SendMode::synchronous>, table.Issend_c = isend<MPI_Count, SendMode::synchronous>;
  table.Irsend = isend<int, SendMode::ready>, table.Irsend_c = isend<MPI_Count, SendMode::ready>;
  table.Ibsend = buffered_isend<int>, table.Ibsend_c = buffered_isend<MPI_Count>;
  table.Irecv = irecv<int>, table.Irecv_c = irecv<MPI_Count>;
  table.Isendrecv = isendrecv<int>, table.Isendrecv_c = isendrecv<MPI_Count>;
  table.Isendrecv_replace = isendrecv_replace<int>, table.Isendrecv_replace_c = isendrecv_replace<MPI_Count>;

  table.Send_init = send_init<int, SendMode::standard>, table.Send_init_c = send_init<MPI_Count, SendMode::standard>;
  table.Ssend_init = send_init<int, SendMode::synchronous>, table.Ssend_init_c = send_init<MPI_Count, SendMode::synchronous>;
  table.Rsend_init = send_init<int, SendMode::ready>, table.Rsend_init_c = send_init<MPI_Count, SendMode::ready>;
  table.Bsend_init = buffered_send_init<int>, table.Bsend_init_c = buffered_send_init<MPI_Count>;
  table.Recv_init = receive_init<int>, table.Recv_init_c = receive_init<MPI_Count>;

  table.Probe = probe, table.Iprobe = iprobe, table.Mprobe = mprobe, table.Improbe = improbe;
  table.Mrecv = mrecv<int>, table.Mrecv_c = mrecv<MPI_Count>;
  table.Imrecv = imrecv<int>, table.Imrecv_c = imrecv<MPI_Count>;

  table.Get_count = get_count<int>, table.Get_count_c = get_count<MPI_Count>;
  table.Get_elements = get_elements<int>, table.Get_elements_c = get_elements<MPI_Count>,
  table.Get_elements_x = get_elements<MPI_Count>;
  table.Status_set_elements = set_elements<int>, table.Status_set_elements_c = set_elements<MPI_Count>;
  table.Status_set_elements_x = set_elements<MPI_Count>;
  table.Status_get_source = get_field<&MPI_Status::MPI_SOURCE>, table.Status_set_source = set_field<&MPI_Status::MPI_SOURCE>;
  table.Status_get_tag = get_field<&MPI_Status::MPI_TAG>, table.Status_set_tag = set_field<&MPI_Status::MPI_TAG>;
  table.Status_get_error = get_field<&MPI_Status::MPI_ERROR>, table.Status_set_error = set_field<&MPI_Status::MPI_ERROR>;
  table.Status_set_cancelled = status_set_cancelled, table.Test_cancelled = test_cancelled;
  table.Buffer_attach = buffer_attach<int>, table.Buffer_attach_c = buffer_attach<MPI_Count>;
  table.Buffer_detach = buffer_detach<int>, table.Buffer_detach_c = buffer_detach<MPI_Count>;
  table.Buffer_flush = buffer_flush;
}

}  // namespace heddle::mpi
