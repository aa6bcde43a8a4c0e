// SPDX-License-Identifier: Apache-2.0
#include "emu/messages/endpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emu/record/failure.hpp"
#include "emu/record/record_sink.hpp"
#include "heddle/errors.hpp"

namespace heddle::emu {

namespace {

constexpr Request handle(TaskId task, std::uint32_t slot, std::uint32_t generation) {
  // 24 bits of task, 20 of slot, 20 of generation: enough to distinguish a stale handle from a live one.
  return Request(std::uint64_t{task} << 40 | std::uint64_t{slot & 0xfffff} << 20 | (generation & 0xfffff));
}

/// The task's slot for a new request.
std::uint32_t begin_request(TaskState& state, bool is_send) {
  if (state.free_slot == TaskState::kNoSlot) require_room_for_request(state.slots.size());
  const std::uint32_t index = state.take_slot();
  RequestSlot& slot = state.slots[index];
  slot.state = RequestSlot::State::pending;
  slot.is_send = is_send;
  slot.awaited = false;
  slot.waits = false;
  slot.kind = RequestSlot::Kind::plain;
  ++slot.generation;
  return index;
}

/// A receive shows poison until its message is there. Returns of how many bytes.
std::size_t hide(VectorView piece, Hidden& hidden) {
  const auto hide_bytes = [&](std::size_t bytes) {
    std::memcpy(hidden.data(), piece.data(), bytes);
    std::memset(piece.data(), std::to_integer<int>(kReceivePoison), bytes);
    return bytes;
  };
  // A known length takes a few instructions.
  return piece.size_bytes() >= sizeof(Hidden) ? hide_bytes(sizeof(Hidden)) : hide_bytes(piece.size_bytes());
}

/// Of one task, for who looks closely at their memory.
struct OpenSlots {
  const Host& host;
  const TaskState& state;

  template <class Visit>
  void each(const Visit& visit) const {
    for (std::uint32_t i = 0; i < state.slots.size(); ++i) {
      const RequestSlot& slot = state.slots[i];
      if (slot.state != RequestSlot::State::free) visit(i, slot.is_send, slot.into.span());
    }
  }
  OpenRequest request(std::uint32_t i) const { return unnamed(i)(); }
  /// Makes it, when the slot may have given its place to another.
  std::function<OpenRequest()> unnamed(std::uint32_t i) const {
    const RequestSlot& slot = state.slots[i];
    return [host = &host, call = placed_call(state, i), peer = slot.peer, places = places_of(slot.into.span())] {
      const bool is_send = call.kind == PlacedCall::Kind::send;
      std::string text = host->describe(call);
      if (text.empty()) text = request_text(is_send, call.count, call.type, peer, call.tag.value());
      return OpenRequest{is_send, places, std::move(text), call.place};
    };
  }
};

/// A message may be shorter than this receive, and leaves the rest of its memory alone then: what it meets is seen as it comes.
bool takes_any_length(const TaskState& state, std::uint32_t index) {
  const RequestSlot& slot = state.slots[index];
  return !slot.is_send && slot.kind == RequestSlot::Kind::special && state.special->requests[index].takes_longer;
}

/// Of what is being asked for.
bool takes_any_length_next(const TaskState& state) {
  const ReceiveOptions* const options = state.special->receive_options;
  return options != nullptr && options->takes_longer;
}

/// A receive hides what its memory holds, and a send may have been asked for since: it sends what was there.
void uncover(Host& host, const TaskState& state, std::uint32_t receive, std::uint32_t send, const CommonMemory& common) {
  const std::size_t apart = common.in_first;
  const std::size_t poisoned = state.poisoned_bytes(receive);
  if (apart >= poisoned) return;
  const std::byte* const hidden = state.hidden[receive].data() + apart;
  std::byte* const memory = state.slots[receive].into.span()[0].data() + apart;
  Hidden shown{};
  std::memcpy(shown.data(), memory, poisoned - apart);
  std::memcpy(memory, hidden, poisoned - apart);
  const RequestSlot& slot = state.slots[send];
  if (slot.state != RequestSlot::State::pending || slot.kind != RequestSlot::Kind::special) return;
  Message& message = host.message(state.special->requests[send].message);
  if (message.source != state.rank || message.sender_slot != send) return;
  if (message.payload.is_lent()) return message.payload.lend(message.from.span()[0]);
  const std::span<std::byte> sent =
      message.payload.in_flight().subspan(common.in_second, std::min(common.bytes, poisoned - apart));
  // Who says what buffers show has shown something else than poison.
  const bool is_poison = host.poisoner() != nullptr
                             ? std::ranges::equal(sent, std::span(shown).first(sent.size()))
                             : std::ranges::all_of(sent, [](std::byte byte) { return byte == kReceivePoison; });
  if (is_poison) std::memcpy(sent.data(), hidden, sent.size());
}

/// A send shares memory with such a receive: refused once a message reaches so far. The bytes of the send are again what they were.
void keep_apart(Host& host, TaskState& state, std::uint32_t receive, std::uint32_t send, bool is_before) {
  const OpenSlots open{host, state};
  const RequestSlot& slot = state.slots[receive];
  const CommonMemory common = *common_memory(slot.into.span(), state.slots[send].into.span());
  const std::size_t apart = common.in_first;
  SpecialRequest& special = state.special->requests[receive];
  if (apart >= special.apart) return;
  const std::uint32_t first = is_before ? receive : send;
  const std::uint32_t second = is_before ? send : receive;
  if (slot.state == RequestSlot::State::complete) {
    const auto came = static_cast<std::size_t>(slot.status.count) * slot.type.size();
    if (came > apart) refuse_overlap(open.request(first), open.request(second), state.names);
    return;
  }
  uncover(host, state, receive, send, common);
  special.apart = apart;
  // Words take long, and most messages stay apart.
  special.overlap = [before = open.unnamed(first), after = open.unnamed(second), names = state.names] {
    return overlap_text(before(), after(), names);
  };
}

/// Pairs of a send and a receive that may be short of it; whatever else shares memory is refused.
void keep_all_apart(Host& host, TaskState& state) {
  const OpenSlots open{host, state};
  open.each([&](std::uint32_t receive, bool is_send, const auto& into) {
    if (is_send) return;
    open.each([&](std::uint32_t other, bool other_is_send, const auto& pieces) {
      if (other == receive || (!other_is_send && other < receive) || !share_memory(std::span(into), std::span(pieces))) return;
      if (!other_is_send || !takes_any_length(state, receive))
        refuse_overlap(open.request(receive), open.request(other), state.names);
      keep_apart(host, state, receive, other, receive < other);
    });
  });
}

/// The memory around `range`, free of it, as far as the next that is received into.
AddressRange free_of_receives(const OpenSlots& open, const AddressRange& range) {
  AddressRange free{nullptr, AddressRange().begin};
  open.each([&](std::uint32_t, bool is_send, const auto& pieces) {
    if (is_send) return;
    for (const VectorView& piece : pieces) {
      const AddressRange used = range_of(ConstVectorView(piece));
      if (used.end <= range.begin) free.begin = std::max(free.begin, used.end);
      if (used.begin >= range.end) free.end = std::min(free.end, used.begin);
    }
  });
  return free;
}

/// One that has just been asked for, from those of the other kind. All that look_closely() has let through are such a pair.
[[gnu::cold]] void keep_apart(Host& host, TaskState& state, std::uint32_t index) {
  if (state.slots.size() > kFewOpenRequests) {
    state.open.is_unchecked = true;
    return;
  }
  const RequestSlot& slot = state.slots[index];
  OpenSlots{host, state}.each([&](std::uint32_t other, bool is_send, const auto& pieces) {
    if (is_send == slot.is_send || !share_memory(slot.into.span(), std::span(pieces))) return;
    if (is_send)
      keep_apart(host, state, index, other, false);
    else
      keep_apart(host, state, other, index, true);
  });
}

/// What was put off until the task waits.
[[gnu::cold]] void look_at_all(Host& host, TaskState& state) {
  state.open.is_unchecked = false;
  if (state.special == nullptr) {
    require_all_apart(OpenSlots{host, state}, state.names);
  } else {
    std::vector<UsedMemory> memory;
    const OpenSlots open{host, state};
    open.each([&](std::uint32_t number, bool is_send, const auto& pieces) { add_memory(memory, pieces, number, is_send); });
    if (find_overlap(std::move(memory))) keep_all_apart(host, state);
  }
  if (state.asked_for.end == nullptr) return;
  state.free_of_receives = free_of_receives(OpenSlots{host, state}, state.asked_for);
  state.open.knows_free_range = true;
  state.asked_for = {};
}

/// One that is asked for, and may meet what is open: `asked` makes it an OpenRequest. Where much is open, all of it is looked at once,
/// before the task waits.
template <class View, class Asked>
[[gnu::cold]] void look_closely(const Host& host, TaskState& state, bool is_send, std::span<const View> pieces,
                                const AddressRange& range, const Asked& asked) {
  if (state.slots.size() <= kFewOpenRequests) {
    const OpenSlots open{host, state};
    if (state.special == nullptr) return require_apart(is_send, pieces, asked, open, state.names);
    return open.each([&](std::uint32_t number, bool other_is_send, const auto& others) {
      if (other_is_send ? is_send || takes_any_length_next(state) : is_send && takes_any_length(state, number)) return;
      if (share_memory(pieces, std::span(others))) refuse_overlap(open.request(number), asked(), state.names);
    });
  }
  const AddressRange& free = state.free_of_receives;
  if (is_send && state.open.knows_free_range && free.begin <= range.begin && range.end <= free.end) return;
  if (is_send) state.asked_for = range;
  state.open.is_unchecked = true;
}

/// A plain request is a special one from now on.
SpecialRequest& make_special(TaskState& state, std::uint32_t index) {
  SpecialCalls& calls = state.special_calls();
  state.slots[index].kind = RequestSlot::Kind::special;
  SpecialRequest& special = calls.request(index) = {};
  special.place = calls.place;
  return special;
}

/// What is sent, for as long as its task waits for that. Tasks of one rank may use each other's memory.
bool may_lend(const Host& host, const TaskState& state, std::span<const ConstVectorView> pieces) {
  return pieces.size() == 1 && pieces[0].size_bytes() >= Payload::kWorthLending && state.number == 0 && host.lends_memory();
}

constexpr std::uint32_t slot_of(Request request) { return static_cast<std::uint32_t>(request.id() >> 20 & 0xfffff); }

/// nullptr: the task has no such request, or has no more to do with it. Asked for each request that is waited for.
[[gnu::always_inline]] inline RequestSlot* open_slot_of(TaskState& state, TaskId task, Request request) {
  if (request.id() >> 40 != task || slot_of(request) >= state.slots.size()) return nullptr;
  RequestSlot& slot = state.slots[slot_of(request)];
  const bool is_it = slot.state != RequestSlot::State::free && (slot.generation & 0xfffff) == (request.id() & 0xfffff);
  return is_it ? &slot : nullptr;
}

void note_special_send(Host& host, TaskState& state, std::uint32_t index, MessageId id, Message& message) {
  SpecialRequest& request = make_special(state, index);
  request.message = id;
  message.is_special = true;
  SpecialMessage& special = *host.make_special(id);
  special.place = request.place;
  const SendOptions* const options = state.special->send_options;
  if (options == nullptr) return;
  request.label = special.label = options->label;
  special.mode = options->mode;
}

/// True: it is of a message that was taken, and what it asks for has been noted.
bool note_special_receive(TaskState& state, std::uint32_t index) {
  SpecialRequest& request = make_special(state, index);
  const ReceiveOptions* const options = state.special->receive_options;
  if (options != nullptr) request.label = options->label;
  request.takes_longer = options != nullptr && options->takes_longer;
  if (state.special->receives_taken == nullptr) return false;
  state.operations.emplace_back(PendingTakenReceive{index, *state.special->receives_taken});
  return true;
}

}  // namespace

PlacedCall placed_call(const TaskState& task, std::uint32_t index) {
  const RequestSlot& slot = task.slots[index];
  PlacedCall call{.kind = slot.is_send ? PlacedCall::Kind::send : PlacedCall::Kind::receive,
                  .rank = Rank(task.rank),
                  .peer = Rank(slot.is_send ? slot.key.dest : slot.key.source),
                  .tag = Tag(slot.key.tag),
                  .count = slot.count,
                  .type = slot.type};
  if (slot.kind != RequestSlot::Kind::special) return call;
  const SpecialRequest& special = task.special->requests[index];
  if (special.is_task) call.kind = PlacedCall::Kind::task;
  call.place = special.place;
  call.label = special.label;
  return call;
}

Request Endpoint::isend(Rank dest, std::span<const ConstVectorView> pieces, std::int64_t count, Tag tag, bool waits) const {
  require_rank(dest, size(), "isend to rank");
  if (tag == kAnyTag) [[unlikely]]
    throw UsageError("isend of any tag: a message has one");
  TaskState& state = host.task(task);
  const AddressRange range = range_of(pieces);
  const bool meets_others = state.open.may_meet_receive(range);
  if (meets_others) [[unlikely]]
    look_at_send(pieces, range, dest, count, tag);
  const std::uint32_t index = begin_request(state, true);
  RequestSlot& slot = state.slots[index];
  const ChannelKey key = channel_key(Rank(rank), dest, tag);
  slot.key = key;
  slot.count = count;

  const auto [id, taken] = host.take_message();
  Message& message = *taken;
  message.key = key;
  message.source = state.rank;
  message.dest = slot.peer = world_rank(dest);
  message.sender = task;
  message.sender_slot = index;
  if (waits && may_lend(host, state, pieces)) [[unlikely]]
    message.payload.lend(pieces[0]);
  else
    message.payload.assign(pieces);
  message.from.assign(pieces);
  assign_places(slot.into, pieces);
  state.open.begin_send(range);
  slot.type = message.type();
  message.count = slot.count;
  message.wire_bytes = host.costs().wire_bytes(message.payload.size());
  message.round = message.source == message.dest ? state.round : state.round + 1;
  message.drained = false;
  message.is_special = false;
  message.credits_by_tag = state.shares_messages;
  message.contention_free = state.contention_free;
  message.second_call = state.second_call;
  slot.status = {dest, tag, message.count};
  if (state.special != nullptr) [[unlikely]]
    note_special_send(host, state, index, id, message);
  if (meets_others && state.special != nullptr) [[unlikely]]
    keep_apart(host, state, index);
  state.operations.emplace_back(PendingSend{id});
  return handle(task, index, slot.generation);
}

void Endpoint::look_at_receive(std::span<const VectorView> pieces, const AddressRange& range, Rank source, std::int64_t count,
                               Tag tag) const {
  TaskState& state = host.task(task);
  const auto this_one = [&] { return asked(false, source, places_of(pieces), count, tag); };
  require_own_pieces(pieces, this_one, state.names);
  if (state.open.may_meet_any(range)) look_closely(host, state, false, pieces, range, this_one);
}

void Endpoint::look_at_send(std::span<const ConstVectorView> pieces, const AddressRange& range, Rank dest, std::int64_t count,
                            Tag tag) const {
  look_closely(host, host.task(task), true, pieces, range, [&] { return asked(true, dest, places_of(pieces), count, tag); });
}

Request Endpoint::irecv(Rank source, std::span<const VectorView> pieces, std::int64_t count, Tag tag, bool waits) const {
  if (source != kAnySource) require_rank(source, size(), "irecv from rank");
  TaskState& state = host.task(task);
  const AddressRange range = range_of(pieces);
  const bool meets_others = state.open.may_meet_any(range);
  if (meets_others || !are_apart(pieces)) [[unlikely]]
    look_at_receive(pieces, range, source, count, tag);
  const std::uint32_t index = begin_request(state, false);
  RequestSlot& slot = state.slots[index];
  slot.key = channel_key(source, Rank(rank), tag);
  slot.peer = source == kAnySource ? -1 : world_rank(source);
  slot.contention_free = state.contention_free;
  slot.into.assign(pieces);
  slot.type = slot.into.type();
  slot.count = count;
  slot.waits = waits;
  if (!pieces.empty() && !pieces[0].empty()) {
    const std::size_t bytes = hide(pieces[0], state.hidden[index]);
    if (RecordSink* const poisoner = host.poisoner(); poisoner != nullptr) [[unlikely]]
      poisoner->poison({pieces[0].data(), bytes}, state.rank, source, tag);
  }
  state.open.begin_receive(range);
  const bool is_taken = state.special != nullptr && note_special_receive(state, index);
  if (meets_others && takes_any_length(state, index)) [[unlikely]]
    keep_apart(host, state, index);
  if (!is_taken) [[likely]]
    state.operations.emplace_back(PendingReceive{index});
  return handle(task, index, slot.generation);
}

Request Endpoint::ask_for_room(Rank dest, Tag tag) const {
  require_rank(dest, size(), "wait_for_room of rank");
  TaskState& state = host.task(task);
  const std::uint32_t index = begin_request(state, true);
  RequestSlot& slot = state.slots[index];
  slot.kind = RequestSlot::Kind::for_room;
  slot.into.assign({});
  state.open.begin_send({});
  slot.key = channel_key(Rank(rank), dest, tag);
  slot.peer = world_rank(dest);
  slot.count = 0;
  slot.contention_free = state.contention_free;
  slot.status = {dest, tag, 0};
  state.operations.emplace_back(PendingRoom{index});
  return handle(task, index, slot.generation);
}

RequestSlot* Endpoint::open_slot(Request request) const { return open_slot_of(host.task(task), task, request); }

int Endpoint::begin_wait(std::span<const Request> requests) const {
  TaskState& state = host.task(task);
  if (state.open.is_unchecked) [[unlikely]]
    look_at_all(host, state);
  state.pending = 0;
  int receives = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    RequestSlot* const open = open_slot_of(state, task, requests[i]);
    if (open == nullptr || open->awaited) {
      for (const Request before : requests.first(i)) state.slots[slot_of(before)].awaited = false;
      throw UsageError("wait for a request that this task has not posted, or has waited for already");
    }
    RequestSlot& slot = *open;
    slot.awaited = true;
    if (slot.state == RequestSlot::State::pending) ++state.pending;
    // A message to oneself takes no time, overhead included.
    if (!slot.is_send && slot.peer != state.rank) ++receives;
  }
  return receives;
}

void Endpoint::begin_wait_for_new(std::span<const Request> requests) const {
  TaskState& state = host.task(task);
  if (state.open.is_unchecked) [[unlikely]]
    look_at_all(host, state);
  for (const Request request : requests) state.slots[slot_of(request)].awaited = true;
  state.pending = static_cast<std::uint32_t>(requests.size());
}

OpenRequest Endpoint::asked(bool is_send, Rank peer, std::vector<ConstVectorView> places, std::int64_t count, Tag tag) const {
  const TaskState& state = host.task(task);
  PlacedCall call{.kind = is_send ? PlacedCall::Kind::send : PlacedCall::Kind::receive,
                  .rank = Rank(state.rank),
                  .peer = peer,
                  .tag = tag,
                  .count = count,
                  .type = places.empty() ? Datatype::user(1) : places[0].type()};
  if (const SpecialCalls* const special = state.special.get()) {
    call.place = special->place;
    if (special->send_options != nullptr) call.label = special->send_options->label;
    if (special->receive_options != nullptr) call.label = special->receive_options->label;
  }
  std::string text = host.describe(call);
  if (text.empty()) text = request_text(is_send, count, call.type, peer == kAnySource ? -1 : world_rank(peer), tag.value());
  return {is_send, std::move(places), std::move(text), call.place};
}

void Endpoint::require_usable(const char* what, VectorView into, ConstVectorView from) const {
  const TaskState& state = host.task(task);
  emu::require_usable(what, into, from, state.open, OpenSlots{host, state}, state.names);
}

namespace {

[[gnu::always_inline]] inline Status status_of(const TaskState& state, const RequestSlot& slot) {
  Status status{slot.status.peer, slot.status.tag, slot.status.count};
  if (slot.kind == RequestSlot::Kind::special) [[unlikely]]
    status.label = state.special->requests[static_cast<std::size_t>(&slot - state.slots.data())].got;
  return status;
}

}  // namespace

Status Endpoint::status(Request request) const {
  const TaskState& state = host.task(task);
  return status_of(state, state.slots[slot_of(request)]);
}

void Endpoint::end_wait(std::span<const Request> requests, std::span<Status> statuses) const {
  TaskState& state = host.task(task);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    RequestSlot& slot = state.slots[slot_of(requests[i])];
    state.round = std::max(state.round, slot.round);
    state.contention_free = std::max(state.contention_free, slot.contention_free);
    if (i < statuses.size()) statuses[i] = status_of(state, slot);
    if (slot.is_send)
      state.open.end_send();
    else
      state.open.end_receive();
    slot.state = RequestSlot::State::free;
    slot.awaited = false;
  }
  // The first is taken first again: a slot stays what it was, a send's or a receive's, and less memory is touched.
  for (std::size_t i = requests.size(); i-- > 0;) {
    const std::uint32_t index = slot_of(requests[i]);
    state.slots[index].next_free = std::exchange(state.free_slot, index);
  }
}

// ---- special calls ----

namespace {

/// While it lives, a request is posted as its options say.
class Posting {
 public:
  explicit Posting(SpecialCalls& calls) : calls_(calls) {}
  Posting(const Posting&) = delete;
  Posting& operator=(const Posting&) = delete;
  ~Posting() {
    calls_.send_options = nullptr;
    calls_.receive_options = nullptr;
    calls_.receives_taken = nullptr;
  }

 private:
  SpecialCalls& calls_;
};

}  // namespace

Request Endpoint::isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag, const SendOptions& options) const {
  SpecialCalls& calls = host.task(task).special_calls();
  const Posting posting(calls);
  calls.send_options = &options;
  return isend(dest, pieces, elements_of(pieces, "isend"), tag, options.waits && options.mode != SendMode::buffered);
}

Request Endpoint::irecv(Rank source, std::span<const VectorView> pieces, Tag tag, const ReceiveOptions& options) const {
  SpecialCalls& calls = host.task(task).special_calls();
  const Posting posting(calls);
  calls.receive_options = &options;
  return irecv(source, pieces, elements_of(pieces, "irecv"), tag, options.waits);
}

std::uint32_t Endpoint::require_open(Request request, const char* call) const {
  const RequestSlot* const slot = open_slot(request);
  if (slot == nullptr || slot->awaited)
    throw UsageError(fmt::format("{}() of a request that this task has not posted, or has waited for or freed already", call));
  return slot_of(request);
}

Request Endpoint::imrecv(const TakenMessage& taken, std::span<const VectorView> pieces, const ReceiveOptions& options) const {
  std::vector<MessageId>& all = host.task(task).special_calls().taken;
  const auto message = static_cast<MessageId>(taken.id);
  const auto place = std::find(all.begin(), all.end(), message);
  if (place == all.end()) throw UsageError("imrecv() of a message that this task has not taken, or has received already");
  SpecialCalls& calls = *host.task(task).special;
  const Posting posting(calls);
  calls.receive_options = &options;
  calls.receives_taken = &message;
  const Request request = irecv(taken.status.peer, pieces, elements_of(pieces, "imrecv"), taken.status.tag);
  all.erase(place);
  return request;
}

bool Endpoint::would_learn_nothing() const {
  constexpr int kMostAnswers = 1'000;
  const TaskState& state = host.task(task);
  SpecialCalls* const special = state.special.get();
  return special != nullptr && special->vain_dozes > 0 && special->seen == special->happened && state.operations.empty() &&
         ++special->own_answers <= kMostAnswers;
}

bool Endpoint::goes_on_looking(std::uint32_t slot) const {
  const TaskState& state = host.task(task);
  SpecialCalls* const special = state.special.get();
  if (special == nullptr || !special->is_asker || special->looked != special->happened || !state.operations.empty())
    return false;
  return std::exchange(special->request(slot).asked_in, special->questions) != special->questions;
}

bool Endpoint::ask(Question::Kind kind, Request request, const char* call) const {
  Question question{kind, require_open(request, call)};
  const bool is_pending = host.task(task).slots[question.slot].state == RequestSlot::State::pending;
  if (kind == Question::Kind::is_complete && (would_learn_nothing() || goes_on_looking(question.slot))) return !is_pending;
  SpecialCalls& special = host.task(task).special_calls();
  special.request(question.slot).asked_in = ++special.questions;
  host.task(task).operations.emplace_back(PendingQuestion{&question});
  host.block(task, TaskState::Blocked::question);
  return question.answer;
}

void Endpoint::free_request(Request request) const {
  const std::uint32_t index = require_open(request, "free_request");
  TaskState& state = host.task(task);
  if (state.slots[index].kind != RequestSlot::Kind::special) make_special(state, index);
  state.special->requests[index].is_given_up = true;
  ++state.slots[index].generation;  // nobody has a handle of it any more
  state.operations.emplace_back(PendingFree{index});
}

std::optional<TakenMessage> Endpoint::probe(Rank source, Tag tag, bool takes, bool waits) const {
  if (source != kAnySource) require_rank(source, size(), "probe of rank");
  Probe probe{channel_key(source, Rank(rank), tag), group.get(), takes, waits};
  TaskState& state = host.task(task);
  SpecialCalls& special = state.special_calls();
  const bool is_known = !waits && special.vain_probes_seen == special.happened &&
                        std::ranges::find(special.vain_probes, probe.key) != special.vain_probes.end();
  if (is_known && would_learn_nothing()) return std::nullopt;
  special.probe = &probe;
  state.operations.emplace_back(PendingProbe{&probe});
  host.block(task, waits ? TaskState::Blocked::probe : TaskState::Blocked::question);
  special.probe = nullptr;
  if (!probe.has_found) {
    constexpr std::size_t kMostProbes = 64;
    if (special.vain_probes_seen != special.seen || special.vain_probes.size() == kMostProbes) special.vain_probes.clear();
    special.vain_probes_seen = special.seen;
    if (!is_known) special.vain_probes.push_back(probe.key);
    return std::nullopt;
  }
  if (takes) special.taken.push_back(probe.message);
  return TakenMessage{probe.message, probe.status};
}

bool Endpoint::doze(const Polling& polling, Time limit) const {
  if (limit <= Time()) throw UsageError(fmt::format("doze({}): the limit must be above 0", to_string(limit)));
  for (const Request request : polling.requests) require_open(request, "doze");
  for (const MessagePattern& probe : polling.probes) {
    if (probe.source != kAnySource) require_rank(probe.source, size(), "doze of rank");
  }
  Doze doze{&polling, group.get(), limit};
  TaskState& state = host.task(task);
  SpecialCalls& special = state.special_calls();
  special.own_answers = 0;
  const bool may_be_short =
      !polling.reads_clock && !polling.sleeps && special.seen == special.happened && state.operations.empty();
  if (may_be_short && special.short_dozes > 0) {
    --special.short_dozes;
    ++special.vain_dozes;
    return false;
  }
  special.doze = &doze;
  state.operations.emplace_back(PendingDoze{&doze});
  host.block(task, TaskState::Blocked::doze);
  special.doze = nullptr;
  return doze.has_happened;
}

std::uint32_t Endpoint::begin_task_request() const {
  TaskState& state = host.task(task);
  const std::uint32_t index = begin_request(state, true);
  RequestSlot& slot = state.slots[index];
  make_special(state, index).is_task = true;
  slot.into.assign({});
  state.open.begin_send({});
  slot.key = channel_key(Rank(rank), Rank(rank), {});
  slot.peer = state.rank;
  slot.count = 0;
  slot.contention_free = state.contention_free;
  slot.status = {Rank(rank), {}, 0};
  return index;
}

Request Endpoint::request_of(std::uint32_t slot) const { return handle(task, slot, host.task(task).slots[slot].generation); }

void Endpoint::begin_wait_any(std::span<const Request> requests) const {
  if (requests.empty()) throw UsageError("wait_any() of no requests: it would wait for ever");
  TaskState& state = host.task(task);
  begin_wait(requests);
  if (requests.size() > 1) state.operations.emplace_back(PendingChoice{});
  state.pending = state.pending == requests.size() ? 1 : 0;
}

std::pair<std::size_t, bool> Endpoint::end_wait_any(std::span<const Request> requests, Status* status) const {
  TaskState& state = host.task(task);
  std::size_t first = 0;
  while (first < requests.size() && state.slots[slot_of(requests[first])].state != RequestSlot::State::complete) ++first;
  for (const Request request : requests) state.slots[slot_of(request)].awaited = false;
  if (first == requests.size()) return {0, false};  // the run is being given up
  const RequestSlot& slot = state.slots[slot_of(requests[first])];
  const bool has_received = !slot.is_send && slot.peer != state.rank;
  end_wait(requests.subspan(first, 1), std::span(status, status == nullptr ? 0 : 1));
  return {first, has_received};
}

}  // namespace heddle::emu
