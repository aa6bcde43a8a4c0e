// SPDX-License-Identifier: Apache-2.0
// The texts of failures, whichever runtime finds them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "heddle/datatype.hpp"
#include "heddle/errors.hpp"
#include "heddle/vector_view.hpp"

namespace heddle::emu {

/// "12 x i32".
std::string count_text(std::int64_t count, Datatype type);
/// "the message of 12 x i32 from rank 0 to rank 1 (tag 0)".
std::string message_text(std::int64_t count, Datatype type, int source, int dest, int tag);
/// "tag 0", "any tag".
std::string tag_text(int tag);
/// "to send 12 x i32 to rank 1 (tag 0)", "to receive 12 x i32 from any rank (tag 0)" (a peer below 0).
std::string request_text(bool is_send, std::int64_t count, Datatype type, int peer, int tag);
/// "for room to send to rank 1 (tag 0)".
std::string room_text(int peer, int tag);

/// What it says.
std::string what_of(const std::exception_ptr& failure);
/// What a run is failed with where a rank threw it: its own kind if it is a CheckError.
CheckError::Kind kind_of(const std::exception_ptr& failure);
/// "rank 3 failed at 2us: what it says", or what a CheckError says alone. `when`: " at 2us", or empty.
std::string failed_text(int rank, const std::exception_ptr& failure, std::string_view when);
/// Whether the system refused something: memory that was asked for (not a size that no memory can have), or what heddle says it was
/// refused. Then no rank is to blame.
bool is_refusal(const std::exception_ptr& failure);

// Ranks and elements in words.

/// Of a list, the most ranges that are shown.
inline constexpr std::size_t kMostRanges = 8;

/// "7", "4-9".
std::string range_text(std::int64_t first, std::int64_t last);

/// "rank 3", "ranks 0-2, 5", the first few ranges of it. `ranks` is ordered.
std::string ranks_text(std::span<const Rank> ranks);

// Explains a run in which nothing can happen any more: who waits for what, and round which cycle.

/// What sender and receiver must agree on. Ranks are world ranks.
struct Envelope {
  int source;
  int dest;
  std::uint32_t context;  ///< of the communicator
  int tag;
  std::int64_t count;
  Datatype type;
  /// The call that sends it, or that asks for it, in the words of its program; null or "": nobody knows.
  std::function<std::string()> call = {};
  bool is_of_collective = false;  ///< that call: PlaceDescriber::is_collective
  bool is_taken = false;          ///< by a matched probe
};

/// One operation that a blocked task waits for.
struct BlockedOperation : FailureFacts::Blocked {
  std::optional<Envelope> receives = {};  ///< what it asks for, if it is a receive from one rank
};

/// Several lines: the verdict, each blocked operation (the first few of many), a cycle of ranks where there is one, and the messages
/// that nobody has asked for. Those of collectives are left out, as no program has sent them. The last line is the first receive that
/// one of all these messages would serve if it had another tag or communicator.
Failure explain_deadlock(int ranks, const std::vector<BlockedOperation>& blocked, const std::vector<Envelope>& unreceived);

/// Ranks r0, r1, … such that each waits for the next and the last for the first; empty if there are none.
std::vector<int> find_cycle(int ranks, const std::vector<BlockedOperation>& blocked);

}  // namespace heddle::emu
