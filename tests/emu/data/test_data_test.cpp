// SPDX-License-Identifier: Apache-2.0
#include "emu/data/test_data.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "core/affine.hpp"
#include "heddle/datatype.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"

namespace heddle::emu {

namespace {

template <class T>
std::vector<T> elements(const TestData& data, int rank, std::int64_t first, std::int64_t count) {
  Buffer buffer(data.type(), count);
  data.fill(buffer.view(), Rank(rank), first);
  const auto all = buffer.view().as<T>();
  return {all.begin(), all.end()};
}

std::vector<std::byte> bytes(const TestData& data, int rank, std::int64_t first, std::int64_t count) {
  Buffer buffer(data.type(), count);
  data.fill(buffer.view(), Rank(rank), first);
  return {buffer.view().data(), buffer.view().data() + buffer.view().size_bytes()};
}

const std::vector<Datatype>& all_types() {
  static const std::vector<Datatype> types = [] {
    std::vector<Datatype> list = builtin_datatypes();
    list.insert(list.end(), {Datatype::user(1), Datatype::user(7), Datatype::user(12), affine_type()});
    return list;
  }();
  return types;
}

/// A user's own operation, which works on any type.
const ReduceOp& first_operand() {
  static const ReduceOp op("first",
                           [](const std::byte* a, const std::byte*, std::byte* result, std::size_t count, Datatype type) {
                             std::memmove(result, a, count * type.size());
                           },
                           {});
  return op;
}

}  // namespace

TEST_CASE("test data are the same on every machine") {
  // Worked out apart from this code, from the definition: keys by SplitMix64, words by two xor-shifts and a product.
  CHECK(elements<std::uint32_t>(TestData(Datatype::u32(), ReduceOp::sum(), 4, 1, 0), 0, 0, 4) ==
        std::vector<std::uint32_t>{0x2eca5088, 0x6f2e27aa, 0x606fba03, 0xdeaa0c95});
  CHECK(elements<std::uint32_t>(TestData(Datatype::u32(), ReduceOp::sum(), 4, 1, 1), 3, 100, 4) ==
        std::vector<std::uint32_t>{0x822a51f9, 0x56e67c39, 0x7da0dee4, 0xae37b132});
  CHECK(elements<std::uint64_t>(TestData(Datatype::u64(), ReduceOp::max(), 9, 7, 0), 5, 9, 1) ==
        std::vector<std::uint64_t>{0x9752c3c40d9ed8f3});
}

TEST_CASE("test data: any part can be made by itself") {
  testing::property("elements first … first + n - 1 are a slice of the whole", [] {
    const Datatype type = drawn::one_of(all_types());
    const ReduceOp& op =
        type.kind() == Datatype::Kind::user
            ? first_operand()
            : *drawn::one_of<const ReduceOp*>({&ReduceOp::sum(), &ReduceOp::prod(), &ReduceOp::max(), &first_operand()});
    const int ranks = drawn::number(1, 5000);
    const int rank = drawn::number(0, ranks);
    const std::int64_t first = drawn::number(0, 300);
    const std::int64_t count = drawn::number(0, 100);
    const TestData data(type, op, ranks, drawn::any<std::uint64_t>(), 0);
    const auto whole = bytes(data, rank, 0, first + count);
    const auto size = static_cast<std::ptrdiff_t>(type.size());
    RC_ASSERT(bytes(data, rank, first, count) == std::vector(whole.begin() + first * size, whole.end()));
  });
}

TEST_CASE("test data differ by rank, call and seed") {
  const auto of = [](std::uint64_t seed, int call, int rank) {
    return elements<std::int32_t>(TestData(Datatype::i32(), ReduceOp::sum(), 8, seed, call), rank, 0, 64);
  };
  const auto base = of(1, 0, 0);
  CHECK(base != of(1, 0, 1));
  CHECK(base != of(1, 1, 0));
  CHECK(base != of(2, 0, 0));
}

TEST_CASE("test data: no contribution vanishes in a product of integers") {
  const TestData data(Datatype::i64(), ReduceOp::prod(), 100, 1, 0);
  for (const std::int64_t factor : elements<std::int64_t>(data, 42, 0, 100)) CHECK(factor % 2 != 0);
}

TEST_CASE("test data: bit-or and bit-and keep both kinds of bits at any number of ranks") {
  for (const int ranks : {2, 8, 64, 4096}) {
    std::uint32_t any = 0;
    std::uint32_t all = ~0U;
    for (int r = 0; r < ranks; ++r) {
      any |= elements<std::uint32_t>(TestData(Datatype::u32(), ReduceOp::bit_or(), ranks, 1, 0), r, 5, 1)[0];
      all &= elements<std::uint32_t>(TestData(Datatype::u32(), ReduceOp::bit_and(), ranks, 1, 0), r, 5, 1)[0];
    }
    CHECK(any != 0);
    CHECK(any != ~0U);
    CHECK(all != 0);
    CHECK(all != ~0U);
  }
}

TEMPLATE_TEST_CASE("test data: even summands are exact in every order, odd ones show each contribution", "", F16, Bf16, float,
                   double) {
  const auto [type, precision] = std::is_same_v<TestType, F16>     ? std::pair(Datatype::f16(), 11)
                                 : std::is_same_v<TestType, Bf16>  ? std::pair(Datatype::bf16(), 8)
                                 : std::is_same_v<TestType, float> ? std::pair(Datatype::f32(), 24)
                                                                   : std::pair(Datatype::f64(), 53);
  for (const int ranks : {1, 2, 7, 256, 1000, 5000}) {
    const TestData data(type, ReduceOp::sum(), ranks, 1, 0);
    constexpr std::size_t kDrawn = 16;
    std::vector<double> magnitude(kDrawn);
    std::vector<int> contributions(kDrawn);
    for (int r = 0; r < ranks; ++r) {
      const auto x = elements<TestType>(data, r, 0, kDrawn);
      for (std::size_t i = 0; i < kDrawn; ++i) {
        const double value = std::abs(static_cast<double>(x[i]));
        magnitude[i] += value;
        contributions[i] += value > 0 ? 1 : 0;
        if (i % 2 == 0) CHECK(value == std::floor(value));
        if (i % 2 == 1) CHECK((value == 0 || (value >= 0.5 && value < 2)));
      }
    }
    for (std::size_t i = 0; i < kDrawn; ++i) {
      INFO("element " << i << " of " << ranks << " ranks");
      CHECK(contributions[i] > 0);
      if (i % 2 == 0) {
        // All partial sums are whole numbers ≤ 2^t.
        CHECK(data.rounding_operations(static_cast<std::int64_t>(i)) == 0);
        CHECK(magnitude[i] <= std::ldexp(1, precision));
      } else {
        // (k roundings)·u·Σ|x| ≤ 1/4: half of the least contribution, 1/2, so that one more or less is seen.
        const int roundings = data.rounding_operations(static_cast<std::int64_t>(i));
        CHECK(roundings >= contributions[i] - 1);
        CHECK(roundings * std::ldexp(1, -precision) * magnitude[i] <= 0.25);
      }
    }
  }
}

TEMPLATE_TEST_CASE("test data: products stay within every float's range", "", F16, Bf16, float, double) {
  const Datatype type = std::is_same_v<TestType, F16>     ? Datatype::f16()
                        : std::is_same_v<TestType, Bf16>  ? Datatype::bf16()
                        : std::is_same_v<TestType, float> ? Datatype::f32()
                                                          : Datatype::f64();
  for (const int ranks : {1, 8, 9, 1000}) {
    const TestData data(type, ReduceOp::prod(), ranks, 1, 0);
    for (std::int64_t i = 0; i < 16; ++i) {
      // The product of all factors ≥ 1 and that of all factors ≤ 1 bound every partial product.
      double most = 1;
      double least = 1;
      for (int r = 0; r < ranks; ++r) {
        const double factor = std::abs(static_cast<double>(elements<TestType>(data, r, i, 1)[0]));
        (factor >= 1 ? most : least) *= factor;
      }
      CHECK(most <= 256);
      CHECK(least >= 1.0 / 256);
    }
  }
}

TEST_CASE("test data that are only moved are any bits, the same for every type of a size, and no two elements alike") {
  const auto words = [](Datatype type, int rank, int call) {
    return elements<std::uint32_t>(TestData(type, 8, 1, call), rank, 0, 1000);
  };
  CHECK(words(Datatype::f32(), 3, 0) == words(Datatype::u32(), 3, 0));
  std::set<std::uint32_t> all;
  for (int rank = 0; rank < 8; ++rank) {
    for (const int call : {0, 1}) {
      const auto some = words(Datatype::f32(), rank, call);
      all.insert(some.begin(), some.end());
    }
  }
  CHECK(all.size() >= 16'000 - 1);  // 16,000 of 2^32: about 0.03 pairs are alike by chance
  for (const Datatype type : all_types()) {
    const auto whole = bytes(TestData(type, 8, 1, 0), 5, 0, 60);
    const auto part = bytes(TestData(type, 8, 1, 0), 5, 20, 40);
    CHECK(std::equal(part.begin(), part.end(), whole.begin() + static_cast<std::ptrdiff_t>(20 * type.size())));
  }
}

TEST_CASE("special values: NaN, infinities, both zeros; of those that are compared the quiet NaN alone") {
  const auto kinds = [](const std::vector<float>& values) {
    std::set<std::string> found;
    for (const float value : values) {
      const auto bits = std::bit_cast<std::uint32_t>(value);
      if (std::isnan(value)) found.insert(bits == 0x7fc00000 ? "quiet NaN" : "NaN");
      if (std::isinf(value)) found.insert(value > 0 ? "inf" : "-inf");
      if (bits << 1 == 0) found.insert(bits == 0 ? "0" : "-0");
      if (std::fpclassify(value) == FP_SUBNORMAL) found.insert("subnormal");
    }
    return found;
  };
  const TestData moved(Datatype::f32(), 4, 1, 0, DataValues::special);
  const TestData compared(Datatype::f32(), ReduceOp::max(), 4, 1, 0, {}, DataValues::special);
  CHECK(kinds(elements<float>(moved, 1, 0, 300)) == std::set<std::string>{"NaN", "inf", "-inf", "0", "-0", "subnormal"});
  CHECK(kinds(elements<float>(compared, 1, 0, 300)) ==
        std::set<std::string>{"quiet NaN", "inf", "-inf", "0", "-0", "subnormal"});
  CHECK(elements<std::uint32_t>(TestData(Datatype::u32(), 4, 1, 0, DataValues::special), 1, 0, 50) ==
        elements<std::uint32_t>(TestData(Datatype::u32(), 4, 1, 0), 1, 0, 50));
}

TEST_CASE("test data refuse an operation that the type does not have") {
  CHECK_THROWS_WITH(TestData(Datatype::f32(), ReduceOp::bit_or(), 2, 1, 0), Catch::Contains("bor") && Catch::Contains("f32"));
}

}  // namespace heddle::emu
