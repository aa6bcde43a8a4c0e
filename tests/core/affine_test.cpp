// SPDX-License-Identifier: Apache-2.0
#include "core/affine.hpp"

#include <array>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle {

TEST_CASE("composing affine maps is applying one after the other") {
  // (2·1 + 1)·x + 5 after (2·2 + 1)·x + 7 = 3·(5·x + 7) + 5 = 15·x + 26
  const AffineMap composed = compose({1, 5}, {2, 7});
  CHECK(composed.factor() == 15);
  CHECK(composed.offset == 26);

  testing::property("f ∘ g (x) = f(g(x)), and composition is associative", [] {
    const auto any = drawn::any<std::uint64_t>;
    const AffineMap f{any(), any()}, g{any(), any()}, h{any(), any()};
    const std::uint64_t x = any();
    RC_ASSERT(compose(f, g)(x) == f(g(x)));
    RC_ASSERT(compose(compose(f, g), h) == compose(f, compose(g, h)));
  });
}

TEST_CASE("affine_op keeps the order of its operands") {
  std::array<AffineMap, 1> lower{{{1, 5}}};
  std::array<AffineMap, 1> higher{{{2, 7}}};
  const AffineMap in_order = compose(lower[0], higher[0]);
  const AffineMap out_of_order = compose(higher[0], lower[0]);
  REQUIRE_FALSE(in_order == out_of_order);
  CHECK_FALSE(affine_op().commutative());

  SECTION("incoming on the right") {
    affine_op().apply(lower, higher, Side::right);
    CHECK(lower[0] == in_order);
  }
  SECTION("incoming on the left") {
    affine_op().apply(higher, lower, Side::left);
    CHECK(higher[0] == in_order);
  }
}

TEST_CASE("affine_op refuses other types") {
  std::array<std::int32_t, 2> numbers{};
  CHECK_THROWS_WITH(affine_op().apply(numbers, numbers), Catch::Contains("bytes16") && Catch::Contains("i32"));
}

}  // namespace heddle
