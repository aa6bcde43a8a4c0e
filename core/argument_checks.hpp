// SPDX-License-Identifier: Apache-2.0
// What every Communicator asks of its arguments, whichever runtime carries it. Each function throws UsageError, which says what is wrong
// and where, and what would be right.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "heddle/vector_view.hpp"

namespace heddle {

// ---- memory in words ----

/// What a rank's vectors are called where its program is told of them. In place both are one.
struct MemoryNames {
  ConstVectorView input = {};
  ConstVectorView output = {};
};

/// The first stretch of memory that two buffers have in common, and where it begins in each, their pieces counted through.
struct CommonMemory {
  const std::byte* begin;
  std::size_t bytes;
  std::size_t in_first;
  std::size_t in_second;
};

template <class A, class B>
std::optional<CommonMemory> common_memory(std::span<const A> first, std::span<const B> second) {
  std::size_t in_first = 0;
  for (const A& a : first) {
    std::size_t in_second = 0;
    for (const B& b : second) {
      const std::byte* const begin = std::max<const std::byte*>(a.data(), b.data());
      const std::byte* const end = std::min<const std::byte*>(a.data() + a.size_bytes(), b.data() + b.size_bytes());
      if (begin < end)
        return CommonMemory{begin, static_cast<std::size_t>(end - begin), in_first + static_cast<std::size_t>(begin - a.data()),
                            in_second + static_cast<std::size_t>(begin - b.data())};
      in_second += b.size_bytes();
    }
    in_first += a.size_bytes();
  }
  return std::nullopt;
}

/// "elements 2-3 of the output", "bytes 3-9 of the input"; empty where it lies in neither. `names` may be nullptr.
std::string place_text(const std::byte* begin, std::size_t bytes, const MemoryNames* names);
/// "in 8 bytes: bytes 8-15 of the first are bytes 0-7 of the second (elements 2-3 of the output)".
std::string common_text(const CommonMemory& common, const MemoryNames* names);

// ---- messages ----

/// What an absurd piece is told, or one of another type than the first of its message.
[[noreturn]] void refuse_piece(ConstVectorView piece, Datatype first, const char* what);

template <class View>
std::int64_t elements_of_many(std::span<const View> pieces, const char* what) {
  std::int64_t count = 0;
  for (const View& piece : pieces) {
    const bool is_nowhere = piece.count() > 0 && piece.data() == nullptr;
    if (piece.type() != pieces[0].type() || piece.count() < 0 || is_nowhere) [[unlikely]]
      refuse_piece(piece, pieces[0].type(), what);
    count += piece.count();
  }
  return count;
}

/// How many elements the pieces of one message have; they must have one type.
template <class View>
std::int64_t elements_of(std::span<const View> pieces, const char* what) {
  // Nearly always: each message asks.
  if (pieces.size() == 1 && pieces[0].count() > 0 && pieces[0].data() != nullptr) [[likely]]
    return pieces[0].count();
  return elements_of_many(pieces, what);
}

/// Requests that a task can have open at once: so many a handle tells apart.
constexpr std::size_t kMostOpenRequests = std::size_t{1} << 20;

void require_room_for_request(std::size_t open);
[[noreturn]] void refuse_rank(Rank rank, int size, const char* what);
inline void require_rank(Rank rank, int size, const char* what) {
  if (rank.value() < 0 || rank.value() >= size) [[unlikely]]
    refuse_rank(rank, size, what);
}
/// wait_all has a place for the status of each request, or for none.
[[noreturn]] void refuse_places(std::size_t statuses, std::size_t requests);
inline void require_places_for_statuses(std::size_t statuses, std::size_t requests) {
  if (statuses != 0 && statuses != requests) [[unlikely]]
    refuse_places(statuses, requests);
}
/// Calls that all ranks make are counted by communicator, and those of tasks that share its messages could not be told apart.
void require_own_messages(bool shares_messages, const char* call);

// ---- local work ----

/// How many bytes `copy` has to copy: none into the same memory. Both have one type and length, and do not overlap in part.
std::size_t require_copyable(VectorView into, ConstVectorView from, const MemoryNames* names);

// ---- what comes is combined ----

/// Whether two stretches of memory are apart for certain; stretches of no bytes may be said not to be.
inline bool are_apart(ConstVectorView a, ConstVectorView b) {
  return a.data() + a.size_bytes() <= b.data() || b.data() + b.size_bytes() <= a.data();
}

/// What require_reducible() asks, looked at closely.
void require_reducible_closely(std::span<const ConstVectorView> data, std::span<const VectorView> sums, VectorView scratch,
                               const MemoryNames* names);

/// Of sendrecv_reduce, and of each step of an exchange that reduces. `scratch` has room for the `count` elements of the sums and is
/// of their type. It is apart from sums and data, which are apart from each other.
inline void require_reducible(std::span<const ConstVectorView> data, std::span<const VectorView> sums, std::int64_t count,
                              VectorView scratch, const MemoryNames* names) {
  const bool is_plain = sums.size() == 1 && data.size() <= 1 && count <= scratch.count() && sums[0].type() == scratch.type() &&
                        are_apart(sums[0], scratch);
  if (is_plain && (data.empty() || (are_apart(data[0], scratch) && are_apart(data[0], sums[0])))) [[likely]]
    return;
  require_reducible_closely(data, sums, scratch, names);
}

/// The message that came is as long as the sums that it is combined with.
[[noreturn]] void refuse_part(std::int64_t came, std::int64_t sums, Rank source);
inline void require_whole_message(std::int64_t came, std::int64_t sums, Rank source) {
  if (came != sums) [[unlikely]]
    refuse_part(came, sums, source);
}

}  // namespace heddle
