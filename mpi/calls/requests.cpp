// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/requests.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <boost/container/small_vector.hpp>

#include "mpi/collectives/overlaps.hpp"
#include "mpi/types/packing.hpp"

namespace heddle::mpi {

// ---- statuses: five ints of MPI_Status are heddle's, two of them a count of bytes ----

namespace {
constexpr int kCancelled = 2;
}

MPI_Status empty_status() {
  MPI_Status status{};
  status.MPI_SOURCE = MPI_ANY_SOURCE;
  status.MPI_TAG = MPI_ANY_TAG;
  return status;
}
MPI_Status null_process_status() {
  MPI_Status status = empty_status();
  status.MPI_SOURCE = MPI_PROC_NULL;
  return status;
}
std::int64_t bytes_of(const MPI_Status& status) {
  std::int64_t bytes = 0;
  std::memcpy(&bytes, status.MPI_internal, sizeof bytes);
  return bytes;
}
void set_bytes(MPI_Status& status, std::int64_t bytes) { std::memcpy(status.MPI_internal, &bytes, sizeof bytes); }
bool is_cancelled(const MPI_Status& status) { return status.MPI_internal[kCancelled] != 0; }
void set_cancelled(MPI_Status& status, bool is) { status.MPI_internal[kCancelled] = is ? 1 : 0; }
void give_status(const MPI_Status& status, MPI_Status* to) {
  if (to == nullptr) return;
  // An empty one has MPI_SUCCESS (MPI 5.0, §3.7.3). That of a send is empty, and MPI leaves open what it has.
  const bool is_empty = status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG;
  const int error = is_empty ? MPI_SUCCESS : to->MPI_ERROR;
  *to = status;
  to->MPI_ERROR = error;
}

MPI_Status status_of(const CommunicatorObject& communicator, const heddle::Status& status) {
  MPI_Status to{};
  to.MPI_SOURCE = communicator.rank_in_peers(status.peer);
  to.MPI_TAG = status.tag.value();
  set_bytes(to, status.count);
  return to;
}

// ---- arguments ----

namespace {

/// All but the ends of the memory that it lies in: the bytes that it takes.
Span check_place(Process& process, const void* buffer, std::int64_t count, const Type& type, const char* what) {
  if (count < 0) process.refuse(MPI_ERR_COUNT, fmt::format("the count of the {} is {}", what, count));
  if (buffer == MPI_IN_PLACE)
    process.refuse(MPI_ERR_BUFFER, fmt::format("the {} is MPI_IN_PLACE, which this call does not take", what));
  // MPI_BOTTOM is null: types of absolute addresses go with it. Those lie far from it. A block's displacement may lie between.
  constexpr std::int64_t kNearNull = 1 << 16;
  const Span span = span_of(type, count);
  const auto address = reinterpret_cast<std::intptr_t>(buffer);
  if (address >= 0 && address < kNearNull && span.last > span.first && address + span.first < kNearNull)
    process.refuse(MPI_ERR_BUFFER,
                   fmt::format("the {} is a null pointer{}, for {} x {}", what,
                               address == 0 ? "" : fmt::format(" and {} bytes", address), count, to_string(type)));
#if defined(__x86_64__)
  constexpr std::uintptr_t kEndOfAddresses = std::uintptr_t{1} << 47;  // of any program's memory
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(buffer) + static_cast<std::uintptr_t>(span.first);
  if (span.last > span.first && first >= kEndOfAddresses)
    process.refuse(MPI_ERR_BUFFER, fmt::format("the {} begins where no program has memory: a type of addresses "
                                               "goes with MPI_BOTTOM, and one of displacements with where they begin",
                                               what));
#endif
  return span;
}

/// Of a type of absolute addresses, which goes with MPI_BOTTOM: its pieces may lie in many blocks, so that each is looked at by itself.
/// `within` counts bytes in the order of the type map.
std::optional<Process::Excess> excess_of_addresses(const Process& process, std::int64_t displacement, std::int64_t count,
                                                   const Type& type, const char* what) {
  if (process.known_memory.empty() && process.find_block == nullptr) return std::nullopt;
  std::int64_t left = 1 << 16;  // pieces that are looked at
  std::int64_t before = 0;
  std::optional<Process::Excess> found;
  for (std::int64_t i = 0; i < count && left > 0 && !found; ++i) {
    for_each_piece(*type.layout(), displacement + i * type.extent(), [&](std::int64_t at, std::int64_t bytes) {
      found = process.excess(reinterpret_cast<const std::byte*>(at), bytes, what);
      before += found ? found->within : bytes;
      return !found && --left > 0;
    });
  }
  if (found) found->within = before;
  return found;
}

/// Programs count the pieces of a type from the first of several blocks, too.
bool lie_in_blocks(const Process& process, const std::byte* from, std::int64_t count, const Type& type, const char* what) {
  const auto lies_in_block = [&](std::int64_t at, std::int64_t bytes) {
    return process.knows(from + at) && !process.excess(from + at, bytes, what);
  };
  for (std::int64_t i = 0; i < count; ++i) {
    if (!for_each_piece(*type.layout(), i * type.extent(), lies_in_block)) return false;
  }
  return true;
}

/// What of a buffer lies beyond the ends of its memory.
std::optional<Process::Excess> excess_of(const Process& process, const std::byte* base, std::int64_t displacement,
                                         std::int64_t count, const Type& type, const Span& span, const char* what) {
  if (base == nullptr) return excess_of_addresses(process, displacement, count, type, what);
  const std::byte* const from = base + displacement;
  const auto excess = process.excess(from + span.first, span.last - span.first, what, base);
  const bool is_right = !excess || (!type.is_contiguous() && lie_in_blocks(process, from, count, type, what));
  return is_right ? std::nullopt : excess;
}

/// What of a buffer that is received into lies between blocks of the call; `within` counts bytes in the order of the type map.
std::optional<Process::Excess> gap_within(const Process& process, const std::byte* base, std::int64_t displacement,
                                          std::int64_t count, const Type& type, const char* what) {
  if (std::ranges::all_of(process.known_memory, [](const auto& known) { return known.gaps.empty(); })) return std::nullopt;
  std::int64_t before = 0;
  std::optional<Process::Excess> found;
  const auto look = [&](std::int64_t at, std::int64_t bytes) {
    found = process.gap_within(behind(base, at), bytes, what);
    before += found ? found->within : bytes;
    return !found;
  };
  if (type.is_contiguous()) {
    look(displacement, count * type.size());
  } else {
    for (std::int64_t i = 0; i < count && !found; ++i) for_each_piece(*type.layout(), displacement + i * type.extent(), look);
  }
  if (found) found->within = before;
  return found;
}

bool is_mapped(Process& process, const std::byte* at) {
  static const auto kPage = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t page = reinterpret_cast<std::uintptr_t>(at) / kPage * kPage;
  if (page == process.page_with_memory) return true;
  unsigned char is_there = 0;
  if (mincore(reinterpret_cast<void*>(page), 1, &is_there) != 0 && errno == ENOMEM) return false;
  process.page_with_memory = page;
  return true;
}

/// Of a function's buffer: an address that counts have led astray. heddle itself would be ended by it.
std::optional<std::string> no_memory(Process& process, const std::byte* from, std::int64_t bytes, const char* what) {
  if (process.known_memory.empty() || process.knows(from) || (is_mapped(process, from) && is_mapped(process, from + bytes - 1)))
    return std::nullopt;
  return fmt::format("the {} of {} bytes lies where there is no memory", what, bytes);
}

}  // namespace

void check_buffer(Process& process, const void* buffer, std::int64_t count, const Type& type, const char* what,
                  std::int64_t displacement) {
  const auto* const base = static_cast<const std::byte*>(buffer);
  const Span span = check_place(process, buffer == MPI_IN_PLACE ? buffer : behind(base, displacement), count, type, what);
  if (span.last == span.first) return;
  if (const auto beyond = excess_of(process, base, displacement, count, type, span, what))
    process.refuse(MPI_ERR_BUFFER, beyond->text);
  if (const auto text = no_memory(process, behind(base, displacement + span.first), span.last - span.first, what))
    process.refuse(MPI_ERR_BUFFER, *text);
  if (what != kReceiveBuffer) return;
  if (const auto gap = gap_within(process, base, displacement, count, type, what)) process.refuse(MPI_ERR_BUFFER, gap->text);
}

namespace {

void check_peer(Process& process, const CommunicatorObject& communicator, int peer, const char* what) {
  const int size = communicator.peers().size();
  if (peer < 0 || peer >= size)
    process.refuse(MPI_ERR_RANK, fmt::format("the {} is {}, in a communicator of {} ranks", what, peer, size));
}

/// MPI_TAG_UB of heddle: any int.
void check_tag(Process& process, int tag) {
  if (tag < 0) process.refuse(MPI_ERR_TAG, fmt::format("the tag is {}; tags are 0 to MPI_TAG_UB", tag));
}

/// Reading what is in no block is no error by itself: it is said where the message is named.
void note_gap(Process& process, const MessageArguments& message) {
  const auto gap =
      gap_within(process, static_cast<const std::byte*>(message.buffer), 0, message.count, *message.type, "whose buffer");
  if (!gap || gap->within > 0) return;
  process.world().note_source({.kind = PlacedCall::Kind::send,
                               .place = &process.site(),
                               .rank = Rank(process.run_rank()),
                               .peer = message.communicator->peer_rank(message.peer),
                               .tag = Tag(message.tag)},
                              gap->text.substr(std::string_view("the ").size()));
}

}  // namespace

void check_send(Process& process, const MessageArguments& message) {
  process.require_communication(*message.communicator);
  process.has_sent = true;
  check_buffer(process, message.buffer, message.count, *message.type);
  if (message.peer == MPI_PROC_NULL) return;
  check_peer(process, *message.communicator, message.peer, "destination");
  check_tag(process, message.tag);
  if (message.count > 0) note_gap(process, message);
  if (!process.open_memory.empty()) require_free(process, {.sent = {typed(message.buffer, message.count, message.type)}});
}

/// Messages may be shorter than the buffer: see post().
void check_receive(Process& process, const MessageArguments& message) {
  process.require_communication(*message.communicator);
  check_place(process, message.buffer, message.count, *message.type, "buffer");
  if (message.peer == MPI_PROC_NULL) return;
  if (message.peer != MPI_ANY_SOURCE) check_peer(process, *message.communicator, message.peer, "source");
  if (message.tag != MPI_ANY_TAG) check_tag(process, message.tag);
  if (overlaps_itself(*message.type, message.count))
    process.refuse(MPI_ERR_TYPE, fmt::format("{} x {} would be received onto itself: its pieces overlap", message.count,
                                             to_string(*message.type)));
  // How long the message is, nobody knows yet.
  if (!process.open_memory.empty())
    require_free(process, {.received = {typed(message.buffer, std::min<std::int64_t>(message.count, 1), message.type)}});
}

// ---- messages ----

RequestObject message_object(RequestObject::Kind kind, const MessageArguments& message, SendMode mode) {
  return {.kind = kind,
          .communicator = message.communicator,
          .buffer = message.buffer,
          .count = message.count,
          .type = message.type,
          .peer = message.peer,
          .tag = message.tag,
          .mode = mode};
}

std::unique_ptr<RequestObject> make_message(RequestObject::Kind kind, const MessageArguments& message, SendMode mode) {
  return std::unique_ptr<RequestObject>(new RequestObject(message_object(kind, message, mode)));
}

namespace {

bool is_send(const RequestObject& request) { return request.kind == RequestObject::Kind::send; }

/// How many elements, of those that a receive names, lie within the first `bytes` bytes of its buffer.
std::int64_t elements_within(const RequestObject& request, std::int64_t bytes) {
  const Span all = span_of(*request.type, request.count);
  std::int64_t within = 0;
  for (std::int64_t beyond = request.count + 1; beyond - within > 1;) {
    const std::int64_t count = within + (beyond - within) / 2;
    const Span span = span_of(*request.type, count);
    (span.first >= all.first && span.last <= all.first + bytes ? within : beyond) = count;
  }
  return within;
}

/// Programs name more room than there is where they know that messages are shorter: the last segment of several. What lies behind the
/// memory's end is not written to, and a message that is longer than the rest is an error.
void find_room(Process& process, RequestObject& request) {
  request.excess.clear();
  request.room = request.count * request.type->size();
  const Span span = span_of(*request.type, request.count);
  if (span.last == span.first) return;
  const auto* const base = static_cast<const std::byte*>(request.buffer);
  const std::optional<Process::Excess> excess = excess_of(process, base, 0, request.count, *request.type, span, "buffer");
  if (!excess) {
    const std::optional<Process::Excess> gap = gap_within(process, base, 0, request.count, *request.type, "buffer");
    if (gap) request.excess = gap->text, request.room = gap->within;
    const auto text = no_memory(process, behind(base, span.first), span.last - span.first, "buffer");
    if (text) request.excess = *text, request.room = 0;
    return;
  }
  request.excess = excess->text;
  request.room = base == nullptr || request.type->is_contiguous()
                     ? excess->within
                     : elements_within(request, excess->within) * request.type->size();
}

/// Whether the receive shares its buffer with one of the same envelope that is open. Then its message comes into the buffer once the
/// program has waited for it.
bool shares_sink(Process& process, RequestObject& request) {
  const bool is_of_program = process.known_memory.empty();
  if (!is_of_program || request.room == 0 || (request.waits && !process.sinks.contains(request.buffer))) return false;
  const Sink own{request.communicator.get(), request.peer, request.tag, request.count, request.type.get()};
  const auto [place, is_new] = process.sinks.try_emplace(request.buffer);
  const std::shared_ptr<const Sink> open = place->second.lock();
  if (open && *open == own) {
    request.sink = open;
    const CallSite site = request.function == nullptr ? process.site() : CallSite{request.function, request.place};
    process.note_once(
        site,
        "receives of one source and tag are open at once in one buffer, which MPI forbids; in the end it holds what the "
        "last that is waited for has brought",
        World::Breach::yes);
    return true;
  }
  if (request.waits) return false;
  request.sink = std::make_shared<const Sink>(own);
  place->second = request.sink;
  // Addresses come again; what is over goes now and then.
  constexpr std::size_t kMany = 1024;
  if (is_new && process.sinks.size() % kMany == 0)
    std::erase_if(process.sinks, [](const auto& sink) { return sink.second.expired(); });
  return false;
}

/// Nearly always one.
template <class View>
struct Views : boost::container::small_vector<View, 2> {
  std::span<const View> span() const { return {this->data(), this->size()}; }
};

/// Where the message lies: in the program's buffer if that is in few pieces, else packed.
template <class View>
Views<View> places_of(RequestObject& request, bool is_apart = false) {
  const std::int64_t bytes = request.count * request.type->size();
  auto* const base = static_cast<std::byte*>(request.buffer);
  Views<View> views;
  if (!request.is_buffered && !is_apart) {
    if (request.type->is_contiguous()) {
      if (bytes > 0) views.emplace_back(base, is_send(request) ? bytes : request.room, Datatype::user(1));
      request.packed.reset();
      return views;
    }
    if (const std::optional<std::vector<Piece>> pieces = pieces_of(*request.type, request.count)) {
      std::int64_t left = is_send(request) ? bytes : request.room;
      for (const Piece& piece : *pieces) {
        views.emplace_back(behind(base, piece.at), std::min(piece.bytes, left), Datatype::user(1));
        left -= std::min(piece.bytes, left);
      }
      request.packed.reset();
      return views;
    }
  }
  request.packed = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
  if (is_send(request)) pack(*request.type, request.count, base, bytes, request.packed.get());
  views.emplace_back(request.packed.get(), is_send(request) ? bytes : request.room, Datatype::user(1));
  return views;
}

SendMode mode_of(Process& process, const RequestObject& request) {
  if (request.mode != SendMode::standard || request.is_buffered) return request.mode;
  const std::optional<std::int64_t>& limit = process.world().settings().eager_limit;
  return limit && request.count * request.type->size() > *limit ? SendMode::synchronous : SendMode::standard;
}

}  // namespace

void post(Process& process, RequestObject& request) {
  request.is_active = true;
  request.status.reset();
  if (request.peer == MPI_PROC_NULL) {
    request.status = is_send(request) ? empty_status() : null_process_status();
    return;
  }
  process.call_on(*request.communicator);
  Communicator& over = *request.communicator->messages;
  const std::uint64_t label = process.world().labels().label(*request.type, request.count);
  if (is_send(request)) {
    const auto pieces = places_of<ConstVectorView>(request);
    request.under_way = over.isend(request.communicator->peer_rank(request.peer), pieces.span(), Tag(request.tag),
                                   {.mode = mode_of(process, request), .label = label, .waits = request.waits});
    return;
  }
  find_room(process, request);
  auto pieces = places_of<VectorView>(request, shares_sink(process, request));
  // A function may name room where it has none, for a message that is empty: nothing may be written there, poison neither, which a
  // message's first piece gets.
  const bool may_be_anywhere = !process.known_memory.empty() && !pieces.empty() && !process.knows(pieces[0].data());
  if (may_be_anywhere) pieces.insert(pieces.begin(), VectorView(nullptr, 0, Datatype::user(1)));
  if (request.kind == RequestObject::Kind::matched_receive) {
    request.under_way = over.imrecv(request.taken, pieces.span(), {.label = label, .takes_longer = true});
    return;
  }
  const Rank source = request.peer == MPI_ANY_SOURCE ? kAnySource : request.communicator->peer_rank(request.peer);
  const Tag tag = request.tag == MPI_ANY_TAG ? kAnyTag : Tag(request.tag);
  request.under_way = over.irecv(source, pieces.span(), tag, {.label = label, .takes_longer = true, .waits = request.waits});
}

namespace {

/// A receive has its message: that it is what was waited for, and the bytes are where the program wants them.
MPI_Status received(Process& process, RequestObject& request, const heddle::Status& status) {
  MPI_Status to = status_of(*request.communicator, status);
  const std::int64_t room = request.room;
  SignatureLabels& labels = process.world().labels();
  const std::uint64_t label = labels.label(*request.type, request.count);
  if (request.packed)
    unpack(*request.type, request.count, request.packed.get(), std::min(status.count, room),
           static_cast<std::byte*>(request.buffer));
  const auto message = [&] {
    return fmt::format("the message of rank {} with tag {} has {}", to.MPI_SOURCE, to.MPI_TAG, labels.text(status.label));
  };
  // A call that waits is not the one that receives.
  const CallSite site = request.function == nullptr ? process.site() : CallSite{request.function, request.place};
  const auto receive = [&] {
    return request.function == nullptr ? std::string("the receive") : "the receive of " + process.world().call_text(site);
  };
  const auto refuse = [&](int error_class, const std::string& what) {
    throw RequestError(error_class, fmt::format("{}: {}", process.world().call_text(process.site()), what), to,
                       request.communicator);
  };
  if (status.count > room) {
    set_bytes(to, room);
    if (!request.excess.empty() && status.count <= request.count * request.type->size())
      throw RequestError(MPI_ERR_BUFFER,
                         fmt::format("{}: {}, and {}", process.world().call_text(site), request.excess, message()), to,
                         request.communicator);
    refuse(MPI_ERR_TRUNCATE, fmt::format("{}, and {} room for {}", message(), receive(), labels.text(label)));
  }
  if (!labels.may_receive(status.label, label))
    refuse(MPI_ERR_TYPE, fmt::format("{}, and {} is of {}", message(), receive(), labels.text(label)));
  if (!request.excess.empty()) process.note_once(site, request.excess + "; the messages were shorter");
  return to;
}

MPI_Status over(Process& process, RequestObject& request, const heddle::Status& status) {
  request.under_way = {};
  switch (request.kind) {
    case RequestObject::Kind::receive:
    case RequestObject::Kind::matched_receive: {
      const MPI_Status to = received(process, request, status);
      request.packed.reset();
      request.sink.reset();
      return to;
    }
    case RequestObject::Kind::pair: {
      finish(process, *request.parts[1]);
      return finish(process, *request.parts[0]);
    }
    case RequestObject::Kind::collective:
      request.memory.reset();
      if (request.finish) request.finish();
      return empty_status();
    default:
      request.packed.reset();
      return empty_status();
  }
}

}  // namespace

void settle(Process& process, RequestObject& request, const heddle::Status& status) {
  try {
    request.status = over(process, request, status);
  } catch (const MpiError&) {
    request.error = std::current_exception();
  }
}

MPI_Status finish(Process& process, RequestObject& request) {
  if (request.generalized) return finish_generalized(process, request);
  request.is_active = false;
  if (request.error) std::rethrow_exception(std::exchange(request.error, nullptr));
  if (request.status) return *std::exchange(request.status, std::nullopt);
  if (request.kind == RequestObject::Kind::pair) return over(process, request, {});
  return over(process, request, request.communicator->messages->wait(request.under_way));
}

MPI_Status perform(Process& process, RequestObject::Kind kind, const MessageArguments& message, SendMode mode) {
  RequestObject request = message_object(kind, message, mode);
  request.waits = true;
  post(process, request);
  return finish(process, request);
}

// ---- buffered sends ----

namespace {
/// The least that any implementation takes for a message is MPICH's. Programs of before MPI's own binary interface have room for that.
constexpr std::int64_t kLeastOverhead = 96;

/// Of the first and the last bytes: who has written to a buffer has written to one of its ends.
std::size_t digest_of_ends(std::span<const std::byte> bytes) {
  constexpr std::size_t kLookedAt = std::size_t{1} << 12;
  const auto digest = [](std::span<const std::byte> part) {
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(part.data()), part.size()});
  };
  if (bytes.size() <= 2 * kLookedAt) return digest(bytes);
  return digest(bytes.first(kLookedAt)) * 31 + digest(bytes.last(kLookedAt));
}

/// Of a buffer that the program may have given back to the system: 0.
std::size_t digest_of(const void* buffer, std::int64_t size) {
  if (buffer == MPI_BUFFER_AUTOMATIC || size == 0) return 0;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(buffer);
  const std::uintptr_t first = begin / page * page;
  if (msync(reinterpret_cast<void*>(first), begin - first + static_cast<std::size_t>(size), MS_ASYNC) != 0) return 0;
  return digest_of_ends({static_cast<const std::byte*>(buffer), static_cast<std::size_t>(size)});
}

bool is_in_block(const Process& process, const void* address) {
  heddle_heap_block block;
  return process.find_block != nullptr && process.find_block(address, &block) != 0;
}

}  // namespace

AttachedBuffer& attached_buffer(Process& process) {
  if (!process.attached_buffer) process.attached_buffer = std::make_shared<AttachedBuffer>();
  return *process.attached_buffer;
}

void AttachedBuffer::attach(Process& process, void* buffer, std::int64_t size) {
  if (buffer_ != nullptr) process.refuse(MPI_ERR_BUFFER, "a buffer is attached already; MPI_Buffer_detach gives it back");
  if (size < 0) process.refuse(MPI_ERR_ARG, fmt::format("the size of the buffer is {}", size));
  buffer_ = buffer;
  size_ = size;
  attached_at_ = process.site().place;
  digest_ = digest_of(buffer, size);
  is_in_block_ = is_in_block(process, buffer);
}

void AttachedBuffer::require_as_attached(Process& process) const {
  const bool is_freed = is_in_block_ && !is_in_block(process, buffer_);
  if (!is_freed && digest_of(buffer_, size_) == digest_) return;
  process.refuse(MPI_ERR_BUFFER, fmt::format("the buffer of {} was written to or freed since: it is MPI's until it is detached",
                                             process.world().call_text({"MPI_Buffer_attach", attached_at_})));
}

std::pair<void*, std::int64_t> AttachedBuffer::detach(Process& process) {
  flush(process);
  require_as_attached(process);
  return {std::exchange(buffer_, nullptr), std::exchange(size_, 0)};
}

void AttachedBuffer::flush(Process& process) {
  for (const auto& message : under_way_) finish(process, *message);
  under_way_.clear();
  used_ = 0;
}

void AttachedBuffer::let_go(Process& process) {
  std::erase_if(under_way_, [&](const std::shared_ptr<RequestObject>& message) {
    if (!message->is_over() && !message->communicator->messages->is_complete(message->under_way)) return false;
    used_ -= message->count * message->type->size();
    finish(process, *message);
    return true;
  });
}

std::shared_ptr<RequestObject> AttachedBuffer::send(Process& process, std::unique_ptr<RequestObject> message) {
  if (message->peer == MPI_PROC_NULL) return nullptr;
  let_go(process);
  const std::int64_t bytes = message->count * message->type->size();
  if (buffer_ == nullptr) process.refuse(MPI_ERR_BUFFER, "no buffer is attached: MPI_Buffer_attach");
  const auto left = [&](std::int64_t overhead) {
    return size_ - used_ - bytes - static_cast<std::int64_t>(under_way_.size() + 1) * overhead;
  };
  // MPI_BUFFER_AUTOMATIC: as much as it takes.
  if (buffer_ != MPI_BUFFER_AUTOMATIC && left(MPI_BSEND_OVERHEAD) < 0) {
    const std::string text = fmt::format(
        "no room for {} bytes and MPI_BSEND_OVERHEAD ({}): the attached buffer has {} bytes, of which {} are in use", bytes,
        MPI_BSEND_OVERHEAD, size_, used_ + static_cast<std::int64_t>(under_way_.size()) * MPI_BSEND_OVERHEAD);
    if (left(kLeastOverhead) < 0) process.refuse(MPI_ERR_BUFFER, text);
    process.note_once(process.site(), text + "; implementations with less overhead have room", World::Breach::yes);
  }
  require_as_attached(process);
  used_ += bytes;
  message->is_buffered = true;
  post(process, *message);
  under_way_.push_back(std::move(message));
  return under_way_.back();
}

}  // namespace heddle::mpi
