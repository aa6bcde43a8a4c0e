// SPDX-License-Identifier: Apache-2.0
#include "heddle/reduce_op.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/reduce_kernels.hpp"
#include "heddle/datatype.hpp"
#include "heddle/errors.hpp"
#include "tests/catch.hpp"
#include "tests/drawn.hpp"

#define HEDDLE_NUMBER_TYPES std::int32_t, std::int64_t, std::uint32_t, std::uint64_t, F16, Bf16, float, double
#define HEDDLE_FLOAT_TYPES F16, Bf16, float, double

namespace heddle {

namespace {

template <class T>
using Bits =
    std::conditional_t<sizeof(T) == 2, std::uint16_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;

/// 16-bit numbers are computed in float, all others in themselves.
template <class T>
using Computed = std::conditional_t<sizeof(T) == 2, float, T>;

/// Equal bits, or a NaN each: IEEE 754 leaves a NaN's payload open.
template <class T>
bool same(T a, T b) {
  if constexpr (!std::is_integral_v<T>)
    if (std::isnan(static_cast<Computed<T>>(a)) && std::isnan(static_cast<Computed<T>>(b))) return true;
  return std::bit_cast<Bits<T>>(a) == std::bit_cast<Bits<T>>(b);
}

/// One element of each operation as docs define it, written for clarity: what the fast loops must agree with.
template <class T>
T reference_for_integers(const std::string& op, T a, T b) {
  const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
  if (op == "sum") return static_cast<T>(x + y);
  if (op == "prod") return static_cast<T>(x * y);
  if (op == "min") return std::min(a, b);
  if (op == "max") return std::max(a, b);
  if (op == "band") return static_cast<T>(x & y);
  if (op == "bor") return static_cast<T>(x | y);
  if (op == "bxor") return static_cast<T>(x ^ y);
  throw std::logic_error("no reference for " + op);
}

template <class T>
T reference_for_floats(const std::string& op, T a, T b) {
  const Computed<T> x = a, y = b;
  if (op == "sum") return T(x + y);
  if (op == "prod") return T(x * y);
  if (std::isnan(x) || std::isnan(y)) return T(std::numeric_limits<float>::quiet_NaN());
  const bool a_is_less = x < y || (x == y && std::signbit(x) && !std::signbit(y));
  if (op == "min") return a_is_less ? a : b;
  if (op == "max") return a_is_less ? b : a;
  throw std::logic_error("no reference for " + op);
}

template <class T>
T reference(const std::string& op, T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return reference_for_integers(op, a, b);
  else
    return reference_for_floats(op, a, b);
}

/// Numbers at the edges of T, which chance alone would seldom draw.
template <class T>
std::vector<T> edges() {
  if constexpr (std::is_integral_v<T>) {
    using Limits = std::numeric_limits<T>;
    return {0, 1, static_cast<T>(-1), Limits::min(), Limits::max(), static_cast<T>(Limits::max() - 1)};
  } else {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const auto least = std::bit_cast<T>(Bits<T>{1});
    return {T(0.0F), T(-0.0F), T(1.0F), T(-1.0F), T(infinity), T(-infinity), T(std::numeric_limits<float>::quiet_NaN()), least};
  }
}

/// Half of the elements are edges, half any pattern of bits.
template <class T>
std::vector<T> draw_elements(std::size_t count) {
  const std::vector<T> at_edges = edges<T>();
  std::vector<T> elements(count);
  for (T& one : elements)
    one = drawn::any<bool>() ? std::bit_cast<T>(static_cast<Bits<T>>(drawn::bits())) : drawn::one_of(at_edges);
  return elements;
}

template <class T>
T apply_once(const ReduceOp& op, T into, T from, Side side = Side::right) {
  std::array<T, 1> result{into};
  const std::array<T, 1> incoming{from};
  op.apply(result, incoming, side);
  return result[0];
}

/// A copy of elements at any address, aligned to their type or not.
template <class T>
class Misplaced {
 public:
  Misplaced(const std::vector<T>& elements, std::size_t offset)
      : bytes_(elements.size() * sizeof(T) + offset), offset_(offset), count_(elements.size()) {
    if (count_ > 0) std::memcpy(bytes_.data() + offset_, elements.data(), count_ * sizeof(T));
  }

  VectorView view() { return {bytes_.data() + offset_, static_cast<std::int64_t>(count_), datatype_of<T>()}; }
  T operator[](std::size_t i) const {
    T element;
    std::memcpy(&element, bytes_.data() + offset_ + i * sizeof(T), sizeof(T));
    return element;
  }

 private:
  std::vector<std::byte> bytes_;
  std::size_t offset_;
  std::size_t count_;
};

}  // namespace

TEMPLATE_TEST_CASE("built-in operations agree with a scalar reference", "", HEDDLE_NUMBER_TYPES) {
  using T = TestType;
  for (const ReduceOp* op : builtin_ops()) {
    if (!op->supports(datatype_of<T>())) continue;
    testing::property(op->name() + " at any count, address and side", [op] {
      const auto count = drawn::number<std::size_t>(0, 70);
      const auto a = draw_elements<T>(count), b = draw_elements<T>(count);
      Misplaced<T> into(a, drawn::number<std::size_t>(0, 9)), from(b, drawn::number<std::size_t>(0, 9));
      const Side side = drawn::one_of({Side::left, Side::right});
      op->apply(into.view(), from.view(), side);
      for (std::size_t i = 0; i < count; ++i) {
        RC_ASSERT(same(into[i], reference(op->name(), a[i], b[i])));
        RC_ASSERT(std::bit_cast<Bits<T>>(from[i]) == std::bit_cast<Bits<T>>(b[i]));
      }
    });
  }
}

TEMPLATE_TEST_CASE("built-in operations have the properties that they claim", "", HEDDLE_NUMBER_TYPES) {
  using T = TestType;
  for (const ReduceOp* op : builtin_ops()) {
    if (!op->supports(datatype_of<T>())) continue;
    REQUIRE(op->commutative());
    testing::property(op->name() + " commutes", [op] {
      const auto some = draw_elements<T>(2);
      RC_ASSERT(same(apply_once(*op, some[0], some[1]), apply_once(*op, some[1], some[0])));
    });
    if (op->idempotent()) {
      testing::property(op->name() + " is idempotent", [op] {
        const T x = draw_elements<T>(1)[0];
        RC_ASSERT(same(apply_once(*op, x, x), x));
      });
    } else {
      CHECK_FALSE(same(apply_once(*op, T(2), T(2)), T(2)));
    }
    // Rounding makes the sums and products of floats associate only nearly.
    if (std::is_integral_v<T> || op->idempotent()) {
      testing::property(op->name() + " is associative", [op] {
        const auto some = draw_elements<T>(3);
        RC_ASSERT(same(apply_once(*op, apply_once(*op, some[0], some[1]), some[2]),
                       apply_once(*op, some[0], apply_once(*op, some[1], some[2]))));
      });
    }
  }
}

TEMPLATE_TEST_CASE("the minimum and maximum of floats carry NaN on and order the zeros", "", HEDDLE_FLOAT_TYPES) {
  using T = TestType;
  const T nan = T(std::numeric_limits<float>::quiet_NaN());
  const auto bits = [](T value) { return std::bit_cast<Bits<T>>(value); };
  for (const ReduceOp* op : {&ReduceOp::min(), &ReduceOp::max()}) {
    CHECK(bits(apply_once(*op, nan, T(1))) == bits(nan));
    CHECK(bits(apply_once(*op, T(1), nan)) == bits(nan));
    CHECK(bits(apply_once(*op, nan, T(-std::numeric_limits<float>::infinity()))) == bits(nan));
  }
  CHECK(bits(apply_once(ReduceOp::min(), T(0.0F), T(-0.0F))) == bits(T(-0.0F)));
  CHECK(bits(apply_once(ReduceOp::min(), T(-0.0F), T(0.0F))) == bits(T(-0.0F)));
  CHECK(bits(apply_once(ReduceOp::max(), T(0.0F), T(-0.0F))) == bits(T(0.0F)));
  CHECK(bits(apply_once(ReduceOp::max(), T(-0.0F), T(0.0F))) == bits(T(0.0F)));
}

TEST_CASE("integers wrap, floats round, by example") {
  CHECK(apply_once<std::int32_t>(ReduceOp::sum(), 2'147'483'647, 1) == std::numeric_limits<std::int32_t>::min());
  CHECK(apply_once<std::int64_t>(ReduceOp::prod(), std::int64_t{1} << 62, 4) == 0);
  CHECK(apply_once<std::uint32_t>(ReduceOp::prod(), 65'536, 65'537) == 65'536);
  CHECK(apply_once<std::int32_t>(ReduceOp::min(), -3, 2) == -3);
  CHECK(apply_once<std::uint32_t>(ReduceOp::max(), 0xFFFF'FFFF, 2) == 0xFFFF'FFFF);
  CHECK(apply_once(ReduceOp::sum(), F16(2048.0F), F16(1.0F)) == 2048.0F);  // 11 bits of significand
  CHECK(apply_once(ReduceOp::sum(), F16(65504.0F), F16(16.0F)) == std::numeric_limits<float>::infinity());
  CHECK(apply_once(ReduceOp::prod(), Bf16(1.0078125F), Bf16(1.0078125F)) == 1.015625F);  // 1 + 2^-6 + 2^-14, rounded to 8 bits
}

TEST_CASE("a vector may be reduced with itself") {
  std::vector<float> vector(37, 1.5F);
  ReduceOp::sum().apply(vector, vector);
  CHECK(vector == std::vector<float>(37, 3.0F));
}

TEST_CASE("the incoming operand stands on the side that the caller says") {
  // Of two numbers the first: associative, not commutative.
  const ReduceOp first("first",
                       [](const std::byte* a, const std::byte*, std::byte* result, std::size_t count, Datatype type) {
                         std::memmove(result, a, count * type.size());
                       },
                       {.commutative = false, .idempotent = true});
  CHECK_FALSE(first.commutative());
  CHECK(first.idempotent());
  CHECK(apply_once<std::int32_t>(first, 1, 2, Side::right) == 1);
  CHECK(apply_once<std::int32_t>(first, 1, 2, Side::left) == 2);
}

TEST_CASE("a user's operation gets the user's elements") {
  struct Pixel {
    std::uint8_t red, green, blue;
  };
  const ReduceOp brightest("brightest",
                           [](const std::byte* a, const std::byte* b, std::byte* result, std::size_t count, Datatype type) {
                             if (type != datatype_of<Pixel>()) throw UsageError("brightest compares pixels");
                             for (std::size_t i = 0; i < count * type.size(); ++i) result[i] = std::max(a[i], b[i]);
                           },
                           {.commutative = true, .idempotent = true});
  CHECK(brightest.name() == "brightest");
  CHECK(brightest.supports(Datatype::user(3)));

  std::vector<Pixel> into = {{1, 2, 3}, {9, 9, 9}};
  const std::vector<Pixel> from = {{3, 2, 1}, {0, 10, 0}};
  brightest.apply(into, from);
  CHECK(into[0].red == 3);
  CHECK(into[0].blue == 3);
  CHECK(into[1].green == 10);

  std::vector<float> numbers(3);
  CHECK_THROWS_WITH(brightest.apply(numbers, numbers), "brightest compares pixels");
  CHECK_THROWS_AS(ReduceOp("nothing", nullptr, {}), InputError);
}

TEST_CASE("operations know the types that they are defined for") {
  for (const Datatype type : builtin_datatypes()) {
    CHECK(ReduceOp::sum().supports(type));
    CHECK(ReduceOp::max().supports(type));
    CHECK(ReduceOp::bit_xor().supports(type) == type.is_integer());
  }
  CHECK_FALSE(ReduceOp::sum().supports(Datatype::user(4)));
  CHECK_FALSE(ReduceOp::bit_and().supports(Datatype::user(4)));
}

TEST_CASE("vectors that cannot be reduced together are refused") {
  std::vector<float> floats(4);
  std::vector<std::int32_t> integers(4);
  std::vector<float> longer(5);
  struct Point {
    float x, y, z;
  };
  std::vector<Point> points(4);
  CHECK_THROWS_AS(ReduceOp::sum().apply(floats, integers), UsageError);
  CHECK_THROWS_WITH(ReduceOp::sum().apply(floats, integers),
                    "sum: one vector holds f32, the other i32; both must hold one type");
  CHECK_THROWS_WITH(ReduceOp::sum().apply(floats, longer),
                    "sum: one vector has 4 elements, the other 5; both must have as many");
  CHECK_THROWS_WITH(ReduceOp::bit_or().apply(floats, floats), "bor is not defined for f32; it needs integers");
  CHECK_THROWS_WITH(ReduceOp::sum().apply(points, points), "sum is not defined for bytes12; give a ReduceOp of your own");

  const VectorView all(longer);
  CHECK_THROWS_WITH(
      ReduceOp::sum().apply(all.slice(0, 4), all.slice(1, 4)),
      "sum: the vectors overlap in part, in 12 bytes: bytes 4-15 of the first are bytes 0-11 of the second; they must be "
      "one and the same, or apart");
  CHECK_THROWS_WITH(ReduceOp::sum().apply(all.slice(1, 4), all.slice(0, 4)),
                    Catch::Contains("sum: the vectors overlap in part"));
  CHECK_NOTHROW(ReduceOp::sum().apply(all.slice(0, 2), all.slice(2, 2)));
}

TEST_CASE("nothing is reduced with nothing") {
  const VectorView empty(nullptr, 0, Datatype::f32());
  for (const ReduceOp* op : {&ReduceOp::sum(), &ReduceOp::min()}) CHECK_NOTHROW(op->apply(empty, empty, Side::left));
}

TEST_CASE("operations are found by name") {
  const auto names = {"sum", "prod", "min", "max", "band", "bor", "bxor"};
  REQUIRE(builtin_ops().size() == names.size());
  std::size_t place = 0;
  for (const char* name : names) {
    CHECK(parse_op(name).name() == name);
    CHECK(&parse_op(name) == builtin_ops()[place++]);
  }
  CHECK(&parse_op("sum") == &ReduceOp::sum());
  CHECK_THROWS_AS(parse_op("smu"), InputError);
  CHECK_THROWS_WITH(parse_op("smu"),
                    "unknown operation 'smu': did you mean 'sum'? Known: sum, prod, min, max, band, bor, bxor");
}

namespace {

/// An integer that is a class.
struct OwnInteger {
  std::uint16_t value;
  friend bool operator<(OwnInteger a, OwnInteger b) { return a.value < b.value; }
};

}  // namespace

TEST_CASE("integers of other types: short ones do not overflow an int, classes are compared by their operator") {
  const std::uint16_t most = 65535;
  CHECK(kernels::Prod{}(most, most) == 1);
  CHECK(kernels::Min{}(OwnInteger{2}, OwnInteger{65535}).value == 2);
  CHECK(kernels::Max{}(OwnInteger{2}, OwnInteger{65535}).value == 65535);
}

}  // namespace heddle
