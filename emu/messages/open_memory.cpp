// SPDX-License-Identifier: Apache-2.0
#include "emu/messages/open_memory.hpp"

#include <fmt/format.h>

#include <functional>

#include "heddle/errors.hpp"

namespace heddle::emu {

namespace {

using Places = std::span<const ConstVectorView>;

/// The first two pieces that share memory, by their places.
std::pair<std::size_t, std::size_t> overlapping_pieces(Places pieces) {
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    for (std::size_t j = i + 1; j < pieces.size(); ++j) {
      if (common_memory(pieces.subspan(i, 1), pieces.subspan(j, 1))) return {i, j};
    }
  }
  return {0, 0};
}

}  // namespace

bool share_memory(std::vector<UsedMemory> first, std::vector<UsedMemory> second) {
  sort_by_address(first);
  sort_by_address(second);
  // Whichever begins next is compared with how far those of the other that began before it reach.
  const std::byte* first_end = nullptr;
  const std::byte* second_end = nullptr;
  auto a = first.begin();
  auto b = second.begin();
  while (a != first.end() && b != second.end()) {
    if (std::less_equal<>()(a->begin, b->begin)) {
      if (std::less<>()(a->begin, second_end)) return true;
      first_end = std::max(first_end, (a++)->end, std::less<>());
    } else {
      if (std::less<>()(b->begin, first_end)) return true;
      second_end = std::max(second_end, (b++)->end, std::less<>());
    }
  }
  return (a != first.end() && std::less<>()(a->begin, second_end)) || (b != second.end() && std::less<>()(b->begin, first_end));
}

/// Of receives alone, each needs memory of its own; where one is a send, either may also wait for the other, unless one call asks for
/// both.
std::string overlap_text(const OpenRequest& before, const OpenRequest& after, const MemoryNames* names) {
  const CommonMemory common = *common_memory(Places(before.pieces), Places(after.pieces));
  const bool are_receives = !before.is_send && !after.is_send;
  const bool are_of_one_call = !are_receives && before.place != nullptr && before.place == after.place;
  return fmt::format("buffers of {} that are open at once overlap: {} and {}, {}; {}",
                     are_receives ? "receives" : (before.is_send ? "a send and a receive" : "a receive and a send"),
                     before.text, after.text, common_text(common, names),
                     are_receives || are_of_one_call
                         ? "each needs memory of its own, for as long as it is open"
                         : "wait for the first before the second begins, or give each memory of its own");
}

void refuse_overlap(const OpenRequest& before, const OpenRequest& after, const MemoryNames* names) {
  throw UsageError(overlap_text(before, after, names));
}

void refuse_own_pieces(const OpenRequest& receive, const MemoryNames* names) {
  const Places pieces(receive.pieces);
  const auto [i, j] = overlapping_pieces(pieces);
  const CommonMemory common = *common_memory(pieces.subspan(i, 1), pieces.subspan(j, 1));
  throw UsageError(fmt::format("pieces {} and {} of one receive overlap: {}, {}; each needs memory of its own", i, j,
                               receive.text, common_text(common, names)));
}

void refuse_use(const char* what, ConstVectorView memory, bool is_written, const OpenRequest& request,
                const MemoryNames* names) {
  const CommonMemory common = *common_memory(Places(&memory, 1), Places(request.pieces));
  throw UsageError(fmt::format("{} {} the buffer of a {} that is still open: {}, {}; wait for it first", what,
                               is_written ? "writes to" : "reads from", request.is_send ? "send" : "receive", request.text,
                               common_text(common, names)));
}

}  // namespace heddle::emu
