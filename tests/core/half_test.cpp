// SPDX-License-Identifier: Apache-2.0
#include "heddle/datatype.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "tests/catch.hpp"

namespace heddle {

namespace {

constexpr std::uint32_t kPatterns = 1 << 16;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

/// The value of a 16-bit pattern by IEEE 754's definition (§3.4): (-1)^s · 2^(e - bias) · (1 + f / 2^n), and without the 1 at
/// e = 0, with n bits of fraction. Finite patterns only.
double value_by_definition(std::uint32_t pattern, int fraction_bits, int bias) {
  const int exponent = static_cast<int>((pattern & 0x7FFF) >> fraction_bits);
  const double fraction = std::ldexp(pattern & ((1U << fraction_bits) - 1), -fraction_bits);
  const double magnitude = exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, exponent - bias);
  return pattern & 0x8000 ? -magnitude : magnitude;
}

/// How many of a format's 65,536 patterns break a rule. Counted, because as many assertions would take a while.
template <class Rule>
int patterns_against(Rule holds) {
  int against = 0;
  for (std::uint32_t pattern = 0; pattern < kPatterns; ++pattern) against += holds(static_cast<std::uint16_t>(pattern)) ? 0 : 1;
  return against;
}

/// Every finite value, the half-way points between neighbours, and the floats next to these: each must round to the nearest,
/// at half-way to the even one.
template <class Half>
int roundings_against(std::uint16_t infinity) {
  return patterns_against([infinity](std::uint16_t pattern) {
    if ((pattern & 0x7FFF) >= infinity) return true;
    const auto next = static_cast<std::uint16_t>(pattern + 1);
    const float here = Half::from_bits(pattern);
    // Beyond the largest number lies what would be the next, had the exponent no end; from half-way on it is infinity.
    const bool last = (next & 0x7FFF) == infinity;
    const float previous = Half::from_bits(static_cast<std::uint16_t>(pattern - 1));
    const double there = last ? 2.0 * here - previous : static_cast<double>(static_cast<float>(Half::from_bits(next)));
    const auto middle = static_cast<float>((here + there) / 2);  // has one bit of fraction more: exact
    const float below = std::nextafter(middle, here);
    const float above = std::nextafter(middle, std::copysign(kInfinity, here));
    const std::uint16_t even = pattern % 2 == 0 ? pattern : next;
    return Half(here).bits() == pattern && Half(below).bits() == pattern && Half(middle).bits() == even &&
           Half(above).bits() == next;
  });
}

}  // namespace

TEST_CASE("f16 has IEEE 754's values at every pattern") {
  CHECK(patterns_against([](std::uint16_t pattern) {
          const float value = F16::from_bits(pattern);
          const bool special = (pattern & 0x7C00) == 0x7C00;
          if (special && (pattern & 0x3FF) != 0) return std::isnan(value);
          if (special) return value == (pattern & 0x8000 ? -kInfinity : kInfinity);
          const double expected = value_by_definition(pattern, 10, 15);
          return value == expected && std::signbit(value) == std::signbit(expected);
        }) == 0);
}

TEST_CASE("bf16 has the values of a float's upper half at every pattern") {
  CHECK(patterns_against([](std::uint16_t pattern) {
          const float value = Bf16::from_bits(pattern);
          const bool special = (pattern & 0x7F80) == 0x7F80;
          if (special && (pattern & 0x7F) != 0) return std::isnan(value);
          if (special) return value == (pattern & 0x8000 ? -kInfinity : kInfinity);
          const double expected = value_by_definition(pattern, 7, 127);
          return value == expected && std::signbit(value) == std::signbit(expected);
        }) == 0);
}

TEST_CASE("every 16-bit number survives the way to float and back") {
  const auto survives = [](auto half) {
    const float value = half;
    const auto back = decltype(half)(value);
    return std::isnan(value) ? std::isnan(static_cast<float>(back)) : back.bits() == half.bits();
  };
  CHECK(patterns_against([&](std::uint16_t pattern) { return survives(F16::from_bits(pattern)); }) == 0);
  CHECK(patterns_against([&](std::uint16_t pattern) { return survives(Bf16::from_bits(pattern)); }) == 0);
}

TEST_CASE("floats round to the nearest 16-bit number, ties to even") {
  CHECK(roundings_against<F16>(0x7C00) == 0);
  CHECK(roundings_against<Bf16>(0x7F80) == 0);
}

TEST_CASE("f16 by example") {
  CHECK(F16(0.0F).bits() == 0);
  CHECK(F16(-0.0F).bits() == 0x8000);
  CHECK(F16(1.0F).bits() == 0x3C00);
  CHECK(F16(-2.0F).bits() == 0xC000);
  CHECK(F16(65504.0F).bits() == 0x7BFF);    // the largest
  CHECK(F16(65519.996F).bits() == 0x7BFF);  // below half-way to 65,536
  CHECK(F16(65520.0F).bits() == 0x7C00);    // half-way: infinity is the even one
  CHECK(F16(1e10F).bits() == 0x7C00);
  CHECK(F16(-kInfinity).bits() == 0xFC00);
  CHECK(F16(0x1p-24F).bits() == 0x0001);  // the least subnormal
  CHECK(F16(0x1p-25F).bits() == 0x0000);  // half of it ties to zero
  CHECK(F16(0x1.000002p-25F).bits() == 0x0001);
  CHECK(F16(std::numeric_limits<float>::denorm_min()).bits() == 0x0000);
  CHECK(F16(2049.0F).bits() == F16(2048.0F).bits());  // 11 bits of significand: a tie, down to even
  CHECK(F16(2051.0F).bits() == F16(2052.0F).bits());  // a tie, up to even
  static_assert(F16(1.5F).bits() == 0x3E00);
}

TEST_CASE("bf16 by example") {
  CHECK(Bf16(1.0F).bits() == 0x3F80);
  CHECK(Bf16(-kInfinity).bits() == 0xFF80);
  CHECK(Bf16(std::numeric_limits<float>::max()).bits() == 0x7F80);
  CHECK(Bf16(257.0F).bits() == Bf16(256.0F).bits());  // 8 bits of significand: a tie, down to even
  CHECK(Bf16(259.0F).bits() == Bf16(260.0F).bits());  // a tie, up to even
  static_assert(Bf16(1.5F).bits() == 0x3FC0);
}

TEST_CASE("a NaN becomes a quiet NaN of its sign, wherever its payload sits") {
  // The lowest bit of payload alone must not round away to infinity.
  for (const std::uint32_t pattern : {0x7F80'0001U, 0x7FC0'0000U, 0x7FFF'FFFFU, 0xFF80'0001U, 0xFFFF'FFFFU}) {
    const auto nan = std::bit_cast<float>(pattern);
    REQUIRE(bits_of(nan) == pattern);
    const std::uint32_t sign = pattern >> 16 & 0x8000;
    CHECK((F16(nan).bits() & 0xFE00) == (sign | 0x7E00));
    CHECK((Bf16(nan).bits() & 0xFFC0) == (sign | 0x7FC0));
  }
}

}  // namespace heddle
