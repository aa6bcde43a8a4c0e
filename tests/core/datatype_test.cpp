// SPDX-License-Identifier: Apache-2.0
#include "heddle/datatype.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "heddle/errors.hpp"
#include "tests/catch.hpp"

namespace heddle {

TEST_CASE("a datatype has a name, a size and a class of numbers") {
  struct Row {
    Datatype type;
    const char* name;
    std::size_t size;
    bool is_integer;
    bool is_floating;
  };
  const auto row = GENERATE(Row{Datatype::i32(), "i32", 4, true, false}, Row{Datatype::i64(), "i64", 8, true, false},
                            Row{Datatype::u32(), "u32", 4, true, false}, Row{Datatype::u64(), "u64", 8, true, false},
                            Row{Datatype::f16(), "f16", 2, false, true}, Row{Datatype::bf16(), "bf16", 2, false, true},
                            Row{Datatype::f8e4m3(), "f8e4m3", 1, false, true},
                            Row{Datatype::f8e5m2(), "f8e5m2", 1, false, true}, Row{Datatype::f32(), "f32", 4, false, true},
                            Row{Datatype::f64(), "f64", 8, false, true}, Row{Datatype::user(12), "bytes12", 12, false, false});
  CAPTURE(row.name);
  CHECK(to_string(row.type) == row.name);
  CHECK(row.type.size() == row.size);
  CHECK(row.type.is_integer() == row.is_integer);
  CHECK(row.type.is_floating() == row.is_floating);
}

TEST_CASE("datatypes are equal by kind and size") {
  CHECK(Datatype::f32() == Datatype::f32());
  CHECK_FALSE(Datatype::f32() == Datatype::i32());
  CHECK(Datatype::user(12) == Datatype::user(12));
  CHECK_FALSE(Datatype::user(12) == Datatype::user(16));
  CHECK_FALSE(Datatype::user(4) == Datatype::f32());
}

TEST_CASE("elements of so many bytes are read back") {
  for (const std::uint32_t size : {1U, 3U, 12U, 65536U})
    CHECK(parse_datatype(to_string(Datatype::user(size))) == Datatype::user(size));
  CHECK_THROWS_WITH(parse_datatype("bytes0"), "'bytes0': elements have 1 to 65536 bytes");
  CHECK_THROWS_WITH(parse_datatype("bytes65537"), "'bytes65537': elements have 1 to 65536 bytes");
  CHECK_THROWS_WITH(parse_datatype("bytes"), Catch::Contains("unknown datatype 'bytes'"));
}

TEST_CASE("a built-in datatype's name is read back") {
  CHECK(builtin_datatypes().size() == 10);
  for (std::size_t i = 0; i < builtin_datatypes().size(); ++i) {
    const Datatype type = builtin_datatypes()[i];
    const bool is_behind_users = type.kind() > Datatype::Kind::user;  // plugins keep the numbers of earlier ones
    CHECK(static_cast<std::size_t>(type.kind()) == i + (is_behind_users ? 1 : 0));
    CHECK(parse_datatype(to_string(type)) == type);
  }
}

TEST_CASE("nccl-tests' names of datatypes are understood") {
  CHECK(parse_datatype("int32") == Datatype::i32());
  CHECK(parse_datatype("int64") == Datatype::i64());
  CHECK(parse_datatype("uint32") == Datatype::u32());
  CHECK(parse_datatype("uint64") == Datatype::u64());
  CHECK(parse_datatype("half") == Datatype::f16());
  CHECK(parse_datatype("bfloat16") == Datatype::bf16());
  CHECK(parse_datatype("float") == Datatype::f32());
  CHECK(parse_datatype("double") == Datatype::f64());
}

TEST_CASE("an unknown datatype is refused with the nearest name") {
  CHECK_THROWS_AS(parse_datatype("flaot"), InputError);
  CHECK_THROWS_WITH(parse_datatype("flaot"),
                    Catch::StartsWith("unknown datatype 'flaot': did you mean 'float'? Known: i32, i64"));
  CHECK_THROWS_WITH(parse_datatype("string"), Catch::StartsWith("unknown datatype 'string'. Known: "));
}

namespace {

/// What the specification's fields mean; `has_infinity`: as IEEE 754 has the greatest exponent.
double value_of_float8(int bits, int fraction, int bias, bool has_infinity) {
  const int exponent = (bits & 0x7F) >> fraction;
  const int rest = bits & ((1 << fraction) - 1);
  const double sign = (bits & 0x80) != 0 ? -1 : 1;
  if (has_infinity && exponent == (1 << (7 - fraction)) - 1) return rest == 0 ? sign * HUGE_VAL : std::nan("");
  if (!has_infinity && (bits & 0x7F) == 0x7F) return std::nan("");
  const int whole = exponent == 0 ? rest : (1 << fraction) + rest;
  return sign * std::ldexp(whole, std::max(exponent, 1) - bias - fraction);
}

template <class T>
void check_float8(int fraction, int bias, bool has_infinity, double most) {
  std::vector<double> numbers;  // not negative, by their bits
  for (int bits = 0; bits < 256; ++bits) {
    const double expected = value_of_float8(bits, fraction, bias, has_infinity);
    const float value = T::from_bits(static_cast<std::uint8_t>(bits));
    if (std::isnan(expected)) {
      CHECK(std::isnan(value));
      CHECK(std::isnan(static_cast<float>(T(value))));
      continue;
    }
    CHECK(value == expected);
    CHECK(std::signbit(value) == std::signbit(expected));
    if (!std::isinf(expected)) CHECK(T(value).bits() == bits);
    if (bits < 0x80 && !std::isinf(expected)) numbers.push_back(expected);
  }
  CHECK(numbers.back() == most);
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 0x7F80'0000; bits += 1'048'573) {
    const auto x = std::bit_cast<float>(bits);
    const auto above = std::ranges::lower_bound(numbers, static_cast<double>(x)) - numbers.begin();
    double nearest = above == 0 ? 0 : most;  // saturates
    if (above > 0 && above < std::ssize(numbers)) {
      const auto at = static_cast<std::size_t>(above);
      const double below = numbers[at - 1];
      const bool is_tie = x - below == numbers[at] - x;
      nearest = (is_tie ? at % 2 == 0 : numbers[at] - x < x - below) ? numbers[at] : below;
    }
    wrong += static_cast<float>(T(x)) != nearest || static_cast<float>(T(-x)) != -nearest ? 1 : 0;
  }
  CHECK(wrong == 0);
  CHECK(static_cast<float>(T(HUGE_VALF)) == most);
}

}  // namespace

TEST_CASE("8-bit floats hold what the OCP specification says, round to nearest even and saturate") {
  check_float8<F8E4M3>(3, 7, false, 448);
  check_float8<F8E5M2>(2, 15, true, 57344);
  CHECK(F8E4M3(464.0F).bits() == 0x7E);  // halfway to where NaN is
  CHECK(F8E4M3(17.0F).bits() == F8E4M3(16.0F).bits());
  CHECK(F8E4M3(19.0F).bits() == F8E4M3(20.0F).bits());
}

}  // namespace heddle
