// SPDX-License-Identifier: Apache-2.0
// Operations in the words of the program that asked for them, where somebody knows its places; else in heddle's.
#pragma once

#include <cstdint>
#include <string>

#include "emu/messages/message_store.hpp"
#include "emu/messages/task_state.hpp"
#include "heddle/messages.hpp"

namespace heddle::emu {

/// The call in the describer's words; empty: nobody knows its place.
std::string describe_place(const PlaceDescriber* describer, const PlacedCall& call);

/// "to send 12 x i32 to rank 1 (tag 0)", "to receive …": of a request of the task.
std::string request_text(const TaskState& task, std::uint32_t slot);
/// The place of the request's call; else as that.
std::string request_text(const PlaceDescriber* describer, const TaskState& task, std::uint32_t slot);
/// Requests that a task has not waited for when its function returns: how many, and what is said of them. One that it has freed is
/// none, but for a receive that has yet to complete, or a send from the vectors of the call that has returned.
struct LeftRequests {
  std::int64_t count = 0;
  std::string text;
};
LeftRequests left_requests(const PlaceDescriber* describer, const TaskState& task);

/// As that, for "rank 3 waits …": what the task is blocked in, for this request. "in <place of the wait> for <place of the request>".
std::string wait_text(const PlaceDescriber* describer, const TaskState& task, std::uint32_t slot);
/// For "rank 3 waits …": a probe that the task is blocked in, or that it polls for (`is_polled`). Its peer is a rank of the run.
std::string probe_text(const PlaceDescriber* describer, const TaskState& task, const MessagePattern& probe, int peer,
                       bool is_polled);

/// For "rank 3 waits …": in a call that ends when others make it, too. "in <place>", or `name` where nobody knows the place.
std::string meeting_text(const PlaceDescriber* describer, const TaskState& task, const char* name);

/// The call that has sent a message, for a describer.
PlacedCall sending_call(const Message& message, const SpecialMessage& special);
/// "sent by <place>"; empty: nobody knows where.
std::string sent_by(const PlaceDescriber* describer, const Message& message, const SpecialMessage& special);
/// "received by <place>"; empty: nobody knows where.
std::string received_by(const PlaceDescriber* describer, const TaskState& task, std::uint32_t slot);

}  // namespace heddle::emu
