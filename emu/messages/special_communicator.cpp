// SPDX-License-Identifier: Apache-2.0
// The calls of an emulated rank that most algorithms do without: modes, labels, any tag, probes, polling, tasks as requests.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/argument_checks.hpp"
#include "emu/messages/emulated_communicator.hpp"
#include "emu/messages/endpoint.hpp"
#include "emu/messages/host.hpp"
#include "heddle/errors.hpp"

namespace heddle::emu {

Request EmulatedCommunicator::isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag, const SendOptions& options) {
  Request request;
  const auto send = [&] { request = endpoint_.isend(dest, pieces, tag, options); };
  make_call("isend", CallBody(send));
  return request;
}

Request EmulatedCommunicator::irecv(Rank source, std::span<const VectorView> pieces, Tag tag, const ReceiveOptions& options) {
  Request request;
  const auto receive = [&] { request = endpoint_.irecv(source, pieces, tag, options); };
  make_call("irecv", CallBody(receive));
  return request;
}

bool EmulatedCommunicator::is_complete(Request request) {
  bool answer = false;
  const auto look = [&] { answer = endpoint_.ask(Question::Kind::is_complete, request, "is_complete"); };
  make_call("is_complete", CallBody(look));
  return answer;
}

std::size_t EmulatedCommunicator::wait_any(std::span<const Request> requests, Status* status) {
  std::size_t index = 0;
  const auto wait = [&] {
    endpoint_.begin_wait_any(requests);
    if (host().task(task()).pending > 0) host().block(task(), TaskState::Blocked::requests);
    const auto [first, has_received] = endpoint_.end_wait_any(requests, status);
    index = first;
    if (has_received && host().costs().charges_overhead())
      host().work(task(), host().costs().recv_overhead(), PendingWork::Kind::overhead);
  };
  make_call("wait_any", CallBody(wait));
  return index;
}

bool EmulatedCommunicator::cancel(Request request) {
  bool answer = false;
  const auto ask = [&] { answer = endpoint_.ask(Question::Kind::cancel, request, "cancel"); };
  make_call("cancel", CallBody(ask));
  return answer;
}

void EmulatedCommunicator::free_request(Request request) {
  const auto give_up = [&] { endpoint_.free_request(request); };
  make_call("free_request", CallBody(give_up));
}

// ---- probes ----

std::optional<Status> EmulatedCommunicator::iprobe(Rank source, Tag tag) {
  std::optional<TakenMessage> found;
  const auto look = [&] { found = endpoint_.probe(source, tag, false, false); };
  make_call("iprobe", CallBody(look));
  return found ? std::optional(found->status) : std::nullopt;
}

Status EmulatedCommunicator::probe(Rank source, Tag tag) {
  std::optional<TakenMessage> found;
  const auto wait = [&] { found = endpoint_.probe(source, tag, false, true); };
  make_call("probe", CallBody(wait));
  return found ? found->status : Status{};
}

std::optional<TakenMessage> EmulatedCommunicator::improbe(Rank source, Tag tag) {
  std::optional<TakenMessage> found;
  const auto look = [&] { found = endpoint_.probe(source, tag, true, false); };
  make_call("improbe", CallBody(look));
  return found;
}

TakenMessage EmulatedCommunicator::mprobe(Rank source, Tag tag) {
  std::optional<TakenMessage> found;
  const auto wait = [&] { found = endpoint_.probe(source, tag, true, true); };
  make_call("mprobe", CallBody(wait));
  return found.value_or(TakenMessage{});
}

Request EmulatedCommunicator::imrecv(const TakenMessage& message, std::span<const VectorView> pieces,
                                     const ReceiveOptions& options) {
  Request request;
  const auto receive = [&] { request = endpoint_.imrecv(message, pieces, options); };
  make_call("imrecv", CallBody(receive));
  return request;
}

// ---- time ----

bool EmulatedCommunicator::doze(const Polling& polling, Time limit) {
  bool has_happened = false;
  const auto rest = [&] { has_happened = endpoint_.doze(polling, limit); };
  make_call("doze", CallBody(rest));
  return has_happened;
}

void EmulatedCommunicator::sleep(Time duration) {
  const auto rest = [&] {
    if (duration < Time()) throw UsageError(fmt::format("sleep({}): the time must not be negative", to_string(duration)));
    if (duration > Time()) host().work(task(), duration, PendingWork::Kind::idle);
  };
  make_call("sleep", CallBody(rest));
}

// ---- places ----

void EmulatedCommunicator::call_from(const void* place) {
  TaskState& state = host().task(task());
  if (place != nullptr || state.special) state.special_calls().place = place;
}

void EmulatedCommunicator::let_describe(const PlaceDescriber* describer) { host().let_describe(describer); }

// ---- tasks and groups ----

Request EmulatedCommunicator::start(const std::function<void(Communicator&)>& body) {
  Request request;
  const auto begin = [&] {
    TaskState& state = host().task(task());
    require_own_messages(state.shares_messages, "start()");
    const std::uint32_t slot = endpoint_.begin_task_request();
    state.operations.emplace_back(std::make_unique<PendingStart>(
        PendingStart{slot, body, endpoint_.group, endpoint_.rank, depth_, endpoint_.context, concurrently_calls_++}));
    request = endpoint_.request_of(slot);
  };
  make_call("start", CallBody(begin));
  return request;
}

std::unique_ptr<Communicator> EmulatedCommunicator::form(std::span<const Rank> members, int key) {
  std::optional<Part> part;
  const auto meet = [&] { part = formed_part(members, key); };
  make_call("form", CallBody(meet));
  if (!part) return nullptr;
  return make_like(std::move(part->group), part->rank, part->context);
}

std::optional<EmulatedCommunicator::Part> EmulatedCommunicator::formed_part(std::span<const Rank> members, int key) {
  TaskState& state = host().task(task());
  require_own_messages(state.shares_messages, "form()");
  if (members.empty()) {
    // Its number among the calls that tell branches apart takes the place of the key.
    const FormCall call{endpoint_.context, {}, static_cast<int>(concurrently_calls_++)};
    state.split_context = 0;
    state.operations.emplace_back(PendingForm{&call});
    host().block(task(), TaskState::Blocked::question);
    if (state.split_context == 0) return std::nullopt;
    return Part{endpoint_.group, endpoint_.rank, state.split_context};
  }
  for (const Rank member : members) require_rank(member, size(), "form() with rank");
  std::vector<Rank> sorted(members.begin(), members.end());
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    throw UsageError(fmt::format("form() with rank {} twice; each member is named once", twice->value()));
  if (std::ranges::find(members, rank()) == members.end())
    throw UsageError(fmt::format("form() by rank {}, which is no member; only members call it", rank().value()));
  FormCall call{endpoint_.context, {}, key};
  for (const Rank member : members) call.members.push_back(group()->members[static_cast<std::size_t>(member.value())]);
  state.split_group = nullptr;
  state.special_calls().form = &call;
  state.operations.emplace_back(PendingForm{&call});
  host().block(task(), TaskState::Blocked::form);
  state.special->form = nullptr;
  if (!state.split_group) return std::nullopt;
  return Part{std::move(state.split_group), state.split_rank, state.split_context};
}

void EmulatedCommunicator::leave() {
  if (is_refused("leave")) throw UsageError("leave() by a thread that is no rank's");
  host().leave_for_good(task());
}

}  // namespace heddle::emu
