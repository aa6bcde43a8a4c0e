// SPDX-License-Identifier: Apache-2.0
#include "emu/engine/stack_pool.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/catch.hpp"

namespace heddle::emu {

namespace {

std::uintptr_t address(const std::byte* at) { return reinterpret_cast<std::uintptr_t>(at); }

/// What the system lets this process do there: "rw-p", "---p"; empty where nothing is mapped.
std::string permissions(std::uintptr_t at) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::string permissions;
    words >> std::hex >> begin >> dash >> end >> permissions;
    if (begin <= at && at < end) return permissions;
  }
  return "";
}

std::vector<StackPool::Stack> take(StackPool& pool, std::size_t stacks) {
  std::vector<StackPool::Stack> taken;
  for (std::size_t i = 0; i < stacks; ++i) taken.push_back(pool.take());
  return taken;
}

}  // namespace

TEST_CASE("a stack has the bytes that were asked for, at least 16 KiB, and its own") {
  const std::size_t asked = GENERATE(0, 16 * 1024, 64 * 1024 + 1, 1024 * 1024);
  CAPTURE(asked);
  StackPool pool(asked);
  std::vector<StackPool::Stack> stacks = take(pool, 100);
  std::set<const std::byte*> tops;
  for (const StackPool::Stack& stack : stacks) {
    REQUIRE(static_cast<std::size_t>(stack.top - stack.bottom) >= std::max<std::size_t>(asked, 16 * 1024));
    REQUIRE(address(stack.top) % 16 == 0);
    tops.insert(stack.top);
  }
  CHECK(tops.size() == stacks.size());
  for (const StackPool::Stack& stack : stacks) {
    const auto inside = tops.upper_bound(stack.bottom);
    REQUIRE(*inside == stack.top);
  }
}

TEST_CASE("below a guarded stack nothing can be read or written") {
  StackPool pool(16 * 1024);
  const StackPool::Stack stack = pool.take();
  REQUIRE(stack.guarded);
  CHECK(permissions(address(stack.bottom) - 1) == "---p");
  CHECK(permissions(address(stack.bottom)) == "rw-p");
  CHECK(permissions(address(stack.top) - 1) == "rw-p");
  std::memset(stack.bottom, 0, static_cast<std::size_t>(stack.top - stack.bottom));
  CHECK(StackPool::intact(stack));
}

TEST_CASE("beyond the guards that the system affords, a canary shows an overflow") {
  StackPool pool(16 * 1024, 3);
  const std::vector<StackPool::Stack> stacks = take(pool, 300);  // those behind the first 128 have their canaries elsewhere
  const auto guarded = std::count_if(stacks.begin(), stacks.end(), [](const StackPool::Stack& s) { return s.guarded; });
  CHECK(guarded == 3);
  for (const StackPool::Stack& stack : stacks) {
    REQUIRE(StackPool::intact(stack));
    if (stack.guarded) continue;
    // A task that uses all of its stack does not disturb the canary below, one that goes a byte further does.
    std::memset(stack.bottom, 0, static_cast<std::size_t>(stack.top - stack.bottom));
    REQUIRE(StackPool::intact(stack));
    for (const int below : {1, 64}) {
      *(stack.bottom - below) ^= std::byte{1};
      REQUIRE_FALSE(StackPool::intact(stack));
      *(stack.bottom - below) ^= std::byte{1};
    }
  }
}

TEST_CASE("stacks begin at different offsets within a page") {
  StackPool pool(16 * 1024);
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  std::set<std::uintptr_t> offsets;
  for (const StackPool::Stack& stack : take(pool, 32)) offsets.insert(address(stack.top) % page);
  CHECK(offsets.size() == 16);
}

TEST_CASE("a stack that was given back serves again") {
  StackPool pool(16 * 1024, 0);
  const StackPool::Stack first = pool.take();
  pool.give_back(first);
  const StackPool::Stack second = pool.take();
  CHECK(second.top == first.top);
  CHECK(StackPool::intact(second));
}

TEST_CASE("a thread's next pool has the stacks of the one before, a thousand of them, with their guards") {
  constexpr std::size_t kStacks = 900;
  constexpr std::size_t kUsable = 48 * 1024;  // of no other test
  const auto bottoms = [] {
    StackPool pool(kUsable);
    std::set<const std::byte*> all;
    for (const StackPool::Stack& stack : take(pool, kStacks)) {
      REQUIRE(stack.guarded);
      all.insert(stack.bottom);
    }
    return all;
  };
  const std::set<const std::byte*> first = bottoms();
  CHECK(first.size() == kStacks);
  CHECK(bottoms() == first);
}

}  // namespace heddle::emu
