// SPDX-License-Identifier: Apache-2.0
#include "emu/data/call_vectors.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/catch.hpp"

namespace heddle::emu {

TEST_CASE("arena: vectors are whole, apart and aligned") {
  const Datatype type = GENERATE(Datatype::i32(), Datatype::f16(), Datatype::user(7));
  const std::int64_t count = GENERATE(0, 1, 63, 64, 1000);
  const VectorArena arena(3, type, count);
  for (int r = 0; r < 3; ++r) {
    const VectorView vector = arena.vector(Rank(r));
    CHECK(vector.count() == count);
    CHECK(vector.type() == type);
    CHECK(reinterpret_cast<std::uintptr_t>(vector.data()) % 64 == 0);
    std::memset(vector.data(), 0xFF, vector.size_bytes());
  }
  for (int r = 0; r < 3; ++r) {
    CHECK(arena.guards(Rank(r)).before_intact);
    CHECK(arena.guards(Rank(r)).after_intact);
  }
}

TEST_CASE("arena: one byte outside of a vector shows, on its own side and rank") {
  VectorArena arena(3, Datatype::i32(), 5);
  const VectorView vector = arena.vector(Rank(1));

  SECTION("before") {
    vector.data()[-1] = std::byte{0};
    CHECK_FALSE(arena.guards(Rank(1)).before_intact);
    CHECK(arena.guards(Rank(1)).after_intact);
  }
  SECTION("after") {
    vector.data()[vector.size_bytes()] = std::byte{0};
    CHECK(arena.guards(Rank(1)).before_intact);
    CHECK_FALSE(arena.guards(Rank(1)).after_intact);
  }
  for (const int other : {0, 2}) {
    CHECK(arena.guards(Rank(other)).before_intact);
    CHECK(arena.guards(Rank(other)).after_intact);
  }
  arena.restore_guards(Rank(1));
  CHECK(arena.guards(Rank(1)).before_intact);
  CHECK(arena.guards(Rank(1)).after_intact);
}

TEST_CASE("arena: ranks may have room for different counts and use less of it") {
  const std::vector<std::int64_t> capacities{4, 0, 100};
  VectorArena arena(Datatype::i32(), capacities);
  for (int r = 0; r < 3; ++r) CHECK(arena.vector(Rank(r)).count() == capacities[static_cast<std::size_t>(r)]);
  std::memset(arena.vector(Rank(2)).data(), 0, 400);
  arena.use(Rank(2), 10);
  CHECK(arena.vector(Rank(2)).count() == 10);
  CHECK(arena.guards(Rank(2)).after_intact);
  arena.vector(Rank(2)).data()[40 + 300] = std::byte{0};  // far beyond the end, within what there is room for
  CHECK_FALSE(arena.guards(Rank(2)).after_intact);
  CHECK(arena.guards(Rank(1)).before_intact);
  arena.use(Rank(2), 100);
  CHECK(arena.guards(Rank(2)).after_intact);
}

TEST_CASE("arena: a vector that moves lies elsewhere at each use, between guards") {
  const std::vector<std::int64_t> capacities{4, 100};
  VectorArena arena(Datatype::i32(), capacities, true);
  arena.use(Rank(1), 100);
  const VectorView first = arena.vector(Rank(1));
  arena.use(Rank(1), 100);
  const VectorView second = arena.vector(Rank(1));
  CHECK(second.data() != first.data());
  CHECK(reinterpret_cast<std::uintptr_t>(second.data()) % 64 == 0);
  std::memset(second.data(), 0xFF, second.size_bytes());
  CHECK(arena.guards(Rank(1)).before_intact);
  CHECK(arena.guards(Rank(1)).after_intact);
  CHECK(arena.guards(Rank(0)).after_intact);
  first.data()[0] = std::byte{0};  // by who has kept it
  CHECK_FALSE(arena.guards(Rank(1)).before_intact);
  arena.use(Rank(1), 100);
  CHECK(arena.vector(Rank(1)).data() != first.data());
  CHECK(arena.guards(Rank(1)).before_intact);
}

}  // namespace heddle::emu
