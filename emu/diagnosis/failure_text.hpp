// SPDX-License-Identifier: Apache-2.0
// The texts of failures, whichever runtime finds them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>

#include "core/datatype.hpp"

namespace heddle::emu {

/// "12 x i32".
std::string count_text(std::int64_t count, Datatype type);
/// "the message of 12 x i32 from rank 0 to rank 1 (tag 0)".
std::string message_text(std::int64_t count, Datatype type, int source, int dest, int tag);
/// "to send 12 x i32 to rank 1 (tag 0)", "to receive 12 x i32 from any rank (tag 0)" (a peer below 0).
std::string request_text(bool is_send, std::int64_t count, Datatype type, int peer, int tag);
/// "for room to send to rank 1 (tag 0)".
std::string room_text(int peer, int tag);

/// What it says.
std::string what_of(const std::exception_ptr& failure);
bool is_usage_error(const std::exception_ptr& failure);
/// Whether the system refused something: memory that was asked for (not a size that no memory can have), or what heddle says it was
/// refused. Then no rank is to blame.
bool is_refusal(const std::exception_ptr& failure);

}  // namespace heddle::emu
