// SPDX-License-Identifier: Apache-2.0
#include "emu/messages/open_memory.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle::emu {

namespace {

/// Pieces one behind the other with gaps, from anywhere round to there, upwards or downwards; sometimes one is longer than its place.
std::vector<UsedMemory> draw_memory(const std::byte* begin) {
  std::vector<UsedMemory> memory;
  const int pieces = drawn::number(0, 8);
  for (int i = 0; i < pieces; ++i) {
    const std::byte* const at = begin + 8 * i + drawn::number(0, 3);
    memory.push_back({at, at + drawn::number(1, 6), static_cast<std::uint32_t>(i), drawn::any<bool>()});
  }
  if (!memory.empty() && drawn::any<bool>()) memory[drawn::number<std::size_t>(0, memory.size())].end += drawn::number(0, 16);
  std::rotate(memory.begin(), memory.begin() + drawn::number(0, pieces + 1), memory.end());
  if (drawn::any<bool>()) std::reverse(memory.begin(), memory.end());
  if (memory.size() > 1 && drawn::any<bool>()) std::swap(memory.front(), memory[drawn::number<std::size_t>(0, memory.size())]);
  return memory;
}

std::size_t common(const UsedMemory& a, const UsedMemory& b) {
  const std::ptrdiff_t bytes = std::min(a.end, b.end) - std::max(a.begin, b.begin);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

}  // namespace

TEST_CASE("an overlap is found exactly where two pieces have bytes in common") {
  testing::property([] {
    static constexpr std::array<std::byte, 128> kMemory{};
    const std::vector<UsedMemory> memory = draw_memory(kMemory.data());
    bool overlap = false;
    for (const UsedMemory& a : memory) {
      for (const UsedMemory& b : memory)
        overlap = overlap || (a.operation < b.operation && !(a.is_read && b.is_read) && common(a, b) > 0);
    }
    const std::optional<Overlap> found = find_overlap(memory);
    RC_ASSERT(found.has_value() == overlap);
    if (!found) return;
    const auto of = [&](std::uint32_t operation) { return *std::ranges::find(memory, operation, &UsedMemory::operation); };
    RC_ASSERT(found->first < found->second);
    RC_ASSERT(found->bytes == common(of(found->first), of(found->second)));
  });
}

TEST_CASE("two messages share memory exactly where pieces of theirs have bytes in common") {
  testing::property([] {
    static constexpr std::array<std::byte, 256> kMemory{};
    const std::vector<UsedMemory> first = draw_memory(kMemory.data() + drawn::number(0, 64));
    const std::vector<UsedMemory> second = draw_memory(kMemory.data() + drawn::number(0, 64));
    bool share = false;
    for (const UsedMemory& a : first) {
      for (const UsedMemory& b : second) share = share || common(a, b) > 0;
    }
    RC_ASSERT(share_memory(first, second) == share);
    // As views, which in part ascend, and many times over, so that there are many pairs.
    const auto views = [](std::vector<UsedMemory> memory, int times) {
      if (drawn::any<bool>()) std::ranges::sort(memory, {}, &UsedMemory::begin);
      std::vector<ConstVectorView> all;
      for (int i = 0; i < times; ++i)
        for (const UsedMemory& piece : memory) all.emplace_back(piece.begin, piece.end - piece.begin, Datatype::user(1));
      return all;
    };
    const std::vector<ConstVectorView> some = views(first, 1 + drawn::number(0, 2));
    const std::vector<ConstVectorView> others = views(second, 1 + drawn::number(0, 12));
    RC_ASSERT(share_memory(std::span(some), std::span(others)) == share);
  });
}

TEST_CASE("receives from all other ranks, from a neighbour on, are in order") {
  const std::array<std::byte, 64> memory{};
  const auto piece = [&](int i) {
    return UsedMemory{memory.data() + 8 * i, memory.data() + 8 * i + 8, static_cast<std::uint32_t>(i)};
  };
  CHECK(are_in_order(std::vector<UsedMemory>{}));
  CHECK(are_in_order(std::vector{piece(3)}));
  CHECK(are_in_order(std::vector{piece(3), piece(4), piece(0), piece(1)}));
  CHECK(are_in_order(std::vector{piece(1), piece(0), piece(4), piece(3)}));
  CHECK_FALSE(are_in_order(std::vector{piece(0), piece(3), piece(1), piece(4)}));
}

}  // namespace heddle::emu
