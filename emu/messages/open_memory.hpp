// SPDX-License-Identifier: Apache-2.0
// The memory of a task's open requests: a receive shares none with another request, nor is it read or written meanwhile, and what
// is sent does not change. Whether a new one may break that is seen from a few addresses; who then looks closely looks at all.
// Tasks of one rank are not held against each other: they may run side by side, so each looks at its own requests alone. What one
// does to another's is seen afterwards, where what was sent has changed or the result is wrong.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/argument_checks.hpp"
#include "heddle/vector_view.hpp"

namespace heddle::emu {

// Memory that two messages lie in at once.

/// A piece of memory that belongs to an operation, known by a number.
struct UsedMemory {
  const std::byte* begin;
  const std::byte* end;
  std::uint32_t operation;
  bool is_read = false;  ///< and not written: several may share it
};

template <class View>
void add_memory(std::vector<UsedMemory>& memory, std::span<const View> pieces, std::uint32_t operation, bool is_read) {
  if (memory.empty()) memory.reserve(pieces.size());
  for (const View& piece : pieces) {
    if (!piece.empty()) memory.push_back({piece.data(), piece.data() + piece.size_bytes(), operation, is_read});
  }
}

struct Overlap {
  std::uint32_t first;  ///< the operations, which may be one and the same
  std::uint32_t second;
  std::size_t bytes;
};

/// Whether the pieces follow each other in memory, upwards or downwards, but for one place where they begin again: receives from all
/// other ranks, from a neighbour on. Most that have no bytes in common do. `begin_of` and `end_of` of a piece are addresses.
template <class Piece, class Begin, class End>
bool are_in_order(std::span<const Piece> pieces, Begin begin_of, End end_of) {
  if (pieces.empty()) return true;
  const auto lies_before = [&](const Piece& a, const Piece& b) { return end_of(a) <= begin_of(b); };
  std::size_t not_up = lies_before(pieces.back(), pieces.front()) ? 0 : 1;
  std::size_t not_down = lies_before(pieces.front(), pieces.back()) ? 0 : 1;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    if (!lies_before(pieces[i - 1], pieces[i])) ++not_up;
    if (!lies_before(pieces[i], pieces[i - 1])) ++not_down;
  }
  return std::min(not_up, not_down) <= 1;
}

inline bool are_in_order(std::span<const UsedMemory> memory) {
  return are_in_order(
      memory, [](const UsedMemory& piece) { return piece.begin; }, [](const UsedMemory& piece) { return piece.end; });
}
inline bool are_in_order(std::span<const VectorView> pieces) {
  return are_in_order(
      pieces, [](VectorView piece) { return piece.data(); },
      [](VectorView piece) { return piece.data() + piece.size_bytes(); });
}

/// What comes in a few ascending runs, as receives of several blocks each do, is merged: half of the time that sorting takes. Not so
/// of few pieces, as merging asks for memory.
inline void sort_by_address(std::vector<UsedMemory>& memory) {
  constexpr int kMostRuns = 8;
  constexpr std::size_t kFewPieces = 64;
  const auto by_begin = [](const UsedMemory& a, const UsedMemory& b) { return a.begin < b.begin; };
  if (memory.size() <= kFewPieces) return std::sort(memory.begin(), memory.end(), by_begin);
  auto sorted = std::is_sorted_until(memory.begin(), memory.end(), by_begin);
  for (int runs = 1; sorted != memory.end(); ++runs) {
    if (runs == kMostRuns) return std::sort(memory.begin(), memory.end(), by_begin);
    const auto next = std::is_sorted_until(sorted, memory.end(), by_begin);
    std::inplace_merge(memory.begin(), sorted, next, by_begin);
    sorted = next;
  }
}

/// The first two pieces, by address, that have bytes in common, at least one of them written.
inline std::optional<Overlap> find_overlap(std::vector<UsedMemory> memory) {
  if (are_in_order(memory)) return std::nullopt;
  sort_by_address(memory);
  // Of those before, the ones that reach furthest.
  const UsedMemory* any = nullptr;
  const UsedMemory* written = nullptr;
  for (const UsedMemory& after : memory) {
    const UsedMemory* const before = after.is_read ? written : any;
    if (before != nullptr && after.begin < before->end) {
      const auto bytes = static_cast<std::size_t>(std::min(before->end, after.end) - after.begin);
      return Overlap{std::min(before->operation, after.operation), std::max(before->operation, after.operation), bytes};
    }
    if (any == nullptr || after.end > any->end) any = &after;
    if (!after.is_read && (written == nullptr || after.end > written->end)) written = &after;
  }
  return std::nullopt;
}

/// Whether no two of a receive's pieces have bytes in common.
[[gnu::noinline]] inline bool are_many_apart(std::span<const VectorView> pieces) {
  if (are_in_order(pieces)) [[likely]]
    return true;
  constexpr std::size_t kFewPieces = 16;  // sorted, they would take longer
  if (pieces.size() <= kFewPieces) {
    for (std::size_t i = 1; i < pieces.size(); ++i)
      if (common_memory(pieces.first(i), pieces.subspan(i, 1))) return false;
    return true;
  }
  std::vector<UsedMemory> memory;
  add_memory(memory, pieces, 0, false);
  return !find_overlap(std::move(memory));
}

inline bool are_apart(std::span<const VectorView> pieces) { return pieces.size() <= 1 || are_many_apart(pieces); }

/// How many bytes the pieces of two messages have in common, of the first two that have some.
template <class A, class B>
std::size_t common_bytes(std::span<const A> some, std::span<const B> others) {
  for (const A& a : some) {
    for (const B& b : others) {
      const std::byte* const begin = std::max<const std::byte*>(a.data(), b.data());
      const std::byte* const end = std::min<const std::byte*>(a.data() + a.size_bytes(), b.data() + b.size_bytes());
      if (begin < end) return static_cast<std::size_t>(end - begin);
    }
  }
  return 0;
}

struct AddressRange {
  // Before everything and behind everything: empty, and apart from all others.
  const std::byte* begin = reinterpret_cast<const std::byte*>(std::numeric_limits<std::uintptr_t>::max());
  const std::byte* end = nullptr;

  bool meets(const AddressRange& other) const { return begin < other.end && other.begin < end; }
  void add(const AddressRange& other) {
    begin = std::min(begin, other.begin);
    end = std::max(end, other.end);
  }
};

inline AddressRange range_of(ConstVectorView view) {
  if (view.empty()) return {};  // its address may be anything
  return {view.data(), view.data() + view.size_bytes()};
}

template <class View>
[[gnu::noinline]] AddressRange range_of_many(std::span<const View> pieces) {
  AddressRange range;
  for (const View& piece : pieces) {
    if (!piece.empty()) range.add(range_of(ConstVectorView(piece)));
  }
  return range;
}

/// How many of the pieces, from the first on, follow each other upwards in memory.
template <class View>
std::size_t ascending(std::span<const View> pieces) {
  std::size_t count = 1;
  while (count < pieces.size() && pieces[count - 1].data() + pieces[count - 1].size_bytes() <= pieces[count].data()) ++count;
  return count;
}

/// Of two lists that ascend.
template <class A, class B>
bool share_memory_ascending(std::span<const A> first, std::span<const B> second) {
  const auto lies_before = [](const auto& one, const auto& other) {
    return one.empty() || one.data() + one.size_bytes() <= other.data();
  };
  auto a = first.begin();
  auto b = second.begin();
  while (a != first.end() && b != second.end()) {
    if (lies_before(*a, *b))
      ++a;
    else if (lies_before(*b, *a))
      ++b;
    else
      return true;
  }
  return false;
}

/// Whether a piece of one message and one of the other have bytes in common. Most lists of many ascend, or begin again once; others are
/// sorted.
bool share_memory(std::vector<UsedMemory> first, std::vector<UsedMemory> second);
template <class A, class B>
bool share_memory(std::span<const A> first, std::span<const B> second) {
  constexpr std::size_t kFewPairs = 256;  // sorted, they would take longer
  if (first.size() * second.size() <= kFewPairs) [[likely]]
    return common_memory(first, second).has_value();
  int pairs = 0;
  for (std::span<const A> rest = first; !rest.empty();) {
    const std::span<const A> run = rest.first(ascending(rest));
    rest = rest.subspan(run.size());
    for (std::span<const B> others = second; !others.empty();) {
      constexpr int kMostPairs = 9;
      const std::span<const B> other = others.first(ascending(others));
      others = others.subspan(other.size());
      if (++pairs > kMostPairs) {
        std::vector<UsedMemory> pieces, other_pieces;
        add_memory(pieces, first, 0, false);
        add_memory(other_pieces, second, 1, false);
        return share_memory(std::move(pieces), std::move(other_pieces));
      }
      if (share_memory_ascending(run, other)) return true;
    }
  }
  return false;
}

/// From the lowest address of all pieces to the highest.
template <class View>
[[gnu::always_inline]] inline AddressRange range_of(std::span<const View> pieces) {
  // Nearly always: each message asks.
  if (pieces.size() == 1) [[likely]]
    return range_of(ConstVectorView(pieces[0]));
  return range_of_many(pieces);
}

/// Of one task.
class OpenMemory {
 public:
  /// Whether a new request, or a use of memory by the task itself, may touch what a request has open.
  bool may_meet_receive(const AddressRange& range) const { return received_.meets(range); }
  bool may_meet_any(const AddressRange& range) const { return received_.meets(range) || sent_.meets(range); }
  bool has_any() const { return receives_ + sends_ > 0; }

  void begin_receive(const AddressRange& range) {
    knows_free_range = false;
    ++receives_;
    received_.add(range);
  }
  void begin_send(const AddressRange& range) {
    ++sends_;
    sent_.add(range);
  }
  void end_receive() {
    if (--receives_ == 0) received_ = {};
  }
  void end_send() {
    if (--sends_ == 0) sent_ = {};
  }

  /// Requests have been posted that must be compared with the others, before the task waits.
  bool is_unchecked = false;
  /// Whoever keeps the open requests knows a range that none of the receives lies in; a new receive ends that.
  bool knows_free_range = false;

 private:
  AddressRange received_;  ///< from the lowest address of open receives to the highest
  AddressRange sent_;
  std::uint32_t receives_ = 0;
  std::uint32_t sends_ = 0;
};

// ---- looked at closely ----

/// An open request, or one that is asked for.
struct OpenRequest {
  bool is_send;
  std::vector<ConstVectorView> pieces;
  std::string text;             ///< "to send 4 x i32 to rank 1 (tag 0)"
  const void* place = nullptr;  ///< where its caller has asked for it; nullptr: unknown
};

/// With no more than so many open, a new one is compared with each as it is posted; with more, all are before the task waits.
constexpr std::size_t kFewOpenRequests = 8;

/// Two that share memory, of which not both are sends: what is said of that.
std::string overlap_text(const OpenRequest& before, const OpenRequest& after, const MemoryNames* names);
/// Such two, or a receive whose pieces share memory. Both throw UsageError.
[[noreturn]] void refuse_overlap(const OpenRequest& before, const OpenRequest& after, const MemoryNames* names);
[[noreturn]] void refuse_own_pieces(const OpenRequest& receive, const MemoryNames* names);
/// `what` ("copy") reads this memory, or writes it, and an open request shares it.
[[noreturn]] void refuse_use(const char* what, ConstVectorView memory, bool is_written, const OpenRequest& request,
                             const MemoryNames* names);

/// Of a receive that is asked for; `asked` makes it an OpenRequest, whose text takes longer than all else.
template <class Asked>
void require_own_pieces(std::span<const VectorView> pieces, const Asked& asked, const MemoryNames* names) {
  if (!are_apart(pieces)) [[unlikely]]
    refuse_own_pieces(asked(), names);
}

// A runtime's open requests: each(visit) calls visit(number, is_send, pieces) for each of a task, request(number) is one in full.

/// All of them, before the task waits.
template <class Requests>
void require_all_apart(const Requests& requests, const MemoryNames* names) {
  std::vector<UsedMemory> memory;
  requests.each([&](std::uint32_t number, bool is_send, const auto& pieces) { add_memory(memory, pieces, number, is_send); });
  const std::optional<Overlap> overlap = find_overlap(std::move(memory));
  if (!overlap) return;
  if (overlap->first == overlap->second) refuse_own_pieces(requests.request(overlap->first), names);
  refuse_overlap(requests.request(overlap->first), requests.request(overlap->second), names);
}

/// One that is asked for, from those that are open.
template <class View, class Asked, class Requests>
void require_apart(bool is_send, std::span<const View> pieces, const Asked& asked, const Requests& requests,
                   const MemoryNames* names) {
  requests.each([&](std::uint32_t number, bool other_is_send, const auto& others) {
    if (other_is_send && is_send) return;
    if (share_memory(pieces, std::span(others))) [[unlikely]]
      refuse_overlap(requests.request(number), asked(), names);
  });
}

/// Memory that the task is about to read or to write itself.
template <class Requests>
void require_usable(const char* what, ConstVectorView memory, bool is_written, const Requests& requests,
                    const MemoryNames* names) {
  const AddressRange range = range_of(memory);
  requests.each([&](std::uint32_t number, bool is_send, const auto& pieces) {
    if ((is_send && !is_written) || !range.meets(range_of(pieces))) return;
    if (common_memory(std::span<const ConstVectorView>(&memory, 1), pieces))
      refuse_use(what, memory, is_written, requests.request(number), names);
  });
}

/// Of copy and reduce_into: what they read and write.
template <class Requests>
void require_usable(const char* what, VectorView into, ConstVectorView from, const OpenMemory& open, const Requests& requests,
                    const MemoryNames* names) {
  if (!open.has_any()) [[likely]]
    return;
  if (open.may_meet_any(range_of(ConstVectorView(into)))) require_usable(what, into, true, requests, names);
  if (open.may_meet_receive(range_of(from))) require_usable(what, from, false, requests, names);
}

template <class View>
std::vector<ConstVectorView> places_of(std::span<const View> pieces) {
  return {pieces.begin(), pieces.end()};
}

}  // namespace heddle::emu
