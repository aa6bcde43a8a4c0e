// SPDX-License-Identifier: Apache-2.0
#include "emu/run/call_places.hpp"

#include <fmt/format.h>

#include <span>

#include "emu/messages/endpoint.hpp"
#include "emu/messages/open_memory.hpp"
#include "emu/record/failure.hpp"

namespace heddle::emu {

namespace {

const SpecialRequest* special_of(const TaskState& task, std::uint32_t slot) {
  return task.slots[slot].kind == RequestSlot::Kind::special ? &task.special->requests[slot] : nullptr;
}

std::string request_place(const PlaceDescriber* describer, const TaskState& task, std::uint32_t slot) {
  return describe_place(describer, placed_call(task, slot));
}

/// Whether it uses the vectors of the call that its rank makes, which are the caller's again when that returns.
bool is_of_the_call(const TaskState& task, const RequestSlot& slot) {
  if (task.names == nullptr) return false;
  const auto uses = [&slot](const ConstVectorView& vector) {
    return common_bytes(slot.into.span(), std::span(&vector, 1)) > 0;
  };
  return uses(task.names->input) || uses(task.names->output);
}

/// Where the task waits; empty: nobody knows, or it is where it has made the call that it waits for.
std::string wait_place(const PlaceDescriber* describer, const TaskState& task, const void* asked_at) {
  if (task.special == nullptr || task.special->place == asked_at) return "";
  return describe_place(describer, {.place = task.special->place, .rank = Rank(task.rank)});
}

}  // namespace

std::string describe_place(const PlaceDescriber* describer, const PlacedCall& call) {
  return describer == nullptr || call.place == nullptr ? std::string() : describer->describe(call);
}

std::string request_text(const PlaceDescriber* describer, const TaskState& task, std::uint32_t slot) {
  const std::string place = request_place(describer, task, slot);
  return place.empty() ? request_text(task, slot) : place;
}

std::string request_text(const TaskState& task, std::uint32_t index) {
  const RequestSlot& slot = task.slots[index];
  if (slot.kind == RequestSlot::Kind::for_room) return room_text(slot.peer, slot.key.tag);
  const SpecialRequest* const special = special_of(task, index);
  if (special != nullptr && special->is_task) return "for a task that it has started";
  return request_text(slot.is_send, slot.count, slot.type, slot.peer, slot.key.tag);
}

LeftRequests left_requests(const PlaceDescriber* describer, const TaskState& task) {
  LeftRequests left;
  for (std::uint32_t index = 0; index < task.slots.size(); ++index) {
    const RequestSlot& slot = task.slots[index];
    if (slot.state == RequestSlot::State::free) continue;
    const SpecialRequest* const special = special_of(task, index);
    const bool is_freed = special != nullptr && special->is_given_up;
    if (is_freed && (slot.state != RequestSlot::State::pending || (slot.is_send && !is_of_the_call(task, slot)))) continue;
    if (left.count++ == 0)
      left.text = request_text(describer, task, index) + (is_freed ? ", which it has freed and which is not complete" : "");
  }
  if (left.count > 0)
    left.text = fmt::format("rank {} returned without waiting for {} of its requests, one of them {}", task.rank, left.count,
                            left.text);
  return left;
}

std::string meeting_text(const PlaceDescriber* describer, const TaskState& task, const char* name) {
  const std::string where = wait_place(describer, task, nullptr);
  return fmt::format("in {}", where.empty() ? name : where);
}

std::string wait_text(const PlaceDescriber* describer, const TaskState& task, std::uint32_t slot) {
  const SpecialRequest* const special = special_of(task, slot);
  const std::string where = wait_place(describer, task, special == nullptr ? nullptr : special->place);
  const std::string what = request_place(describer, task, slot);
  if (where.empty()) return what.empty() ? request_text(task, slot) : "in " + what;
  return what.empty() ? fmt::format("in {}, {}", where, request_text(task, slot)) : fmt::format("in {} for {}", where, what);
}

std::string probe_text(const PlaceDescriber* describer, const TaskState& task, const MessagePattern& probe, int peer,
                       bool is_polled) {
  if (task.special != nullptr) {
    const std::string where = describe_place(describer, {.kind = PlacedCall::Kind::probe,
                                                         .place = task.special->place,
                                                         .rank = Rank(task.rank),
                                                         .peer = probe.source,
                                                         .tag = probe.tag});
    if (!where.empty()) return "in " + where;
  }
  return fmt::format("{}for a message from {} ({})", is_polled ? "by polling " : "",
                     peer < 0 ? std::string("any rank") : fmt::format("rank {}", peer), tag_text(probe.tag.value()));
}

PlacedCall sending_call(const Message& message, const SpecialMessage& special) {
  return {.kind = PlacedCall::Kind::send,
          .place = special.place,
          .rank = Rank(message.source),
          .peer = Rank(message.key.dest),
          .tag = Tag(message.key.tag),
          .count = message.count,
          .type = message.type(),
          .label = special.label};
}

std::string sent_by(const PlaceDescriber* describer, const Message& message, const SpecialMessage& special) {
  const std::string place = describe_place(describer, sending_call(message, special));
  return place.empty() ? place : "sent by " + place;
}

std::string received_by(const PlaceDescriber* describer, const TaskState& task, std::uint32_t slot) {
  const std::string place = request_place(describer, task, slot);
  return place.empty() ? place : "received by " + place;
}

}  // namespace heddle::emu
