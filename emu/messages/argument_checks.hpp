// SPDX-License-Identifier: Apache-2.0
// What every Communicator here asks of its arguments. Each throws UsageError.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/communicator.hpp"
#include "core/errors.hpp"

namespace heddle::emu {

/// How many elements the pieces of one message have; they must have one type.
template <class View>
std::int64_t elements_of(std::span<const View> pieces, const char* what) {
  std::int64_t count = 0;
  for (const View& piece : pieces) {
    count += piece.count();
    if (piece.type() == pieces[0].type()) continue;
    throw UsageError(fmt::format("{}: pieces of one message have different types, {} and {}", what, to_string(pieces[0].type()),
                                 to_string(piece.type())));
  }
  return count;
}

/// Requests that a task can have open at once: so many a handle tells apart.
constexpr std::size_t kMostOpenRequests = std::size_t{1} << 20;

inline void require_room_for_request(std::size_t open) {
  if (open < kMostOpenRequests) return;
  throw UsageError(fmt::format("a task has {} requests open, which is as many as it may: wait for some of them first", open));
}

inline void require_rank(Rank rank, int size, const char* what) {
  if (rank.value() >= 0 && rank.value() < size) return;
  throw UsageError(fmt::format("{} {}: ranks of this communicator are 0 to {}", what, rank.value(), size - 1));
}

/// Calls that all ranks make are counted by communicator, and those of tasks that share its messages could not be told apart.
inline void require_own_messages(bool shares_messages, const char* call) {
  if (!shares_messages) return;
  throw UsageError(
      fmt::format("{} within concurrently_shared(): its tasks share one communicator's messages; call it outside", call));
}

}  // namespace heddle::emu
