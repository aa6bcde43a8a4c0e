// SPDX-License-Identifier: Apache-2.0
// 16-bit floating-point numbers as elements: stored in 16 bits, computed in 32. Conversions have no branches, so that loops
// over them vectorise.
#pragma once

#include <bit>
#include <cstdint>

namespace heddle {

/// IEEE 754 binary16: 1 sign bit, 5 of exponent, 10 of fraction.
class F16 {
 public:
  constexpr F16() = default;
  /// Rounds to nearest, ties to even; beyond 65,519 is infinity. A NaN stays one, quiet.
  constexpr explicit F16(float value);
  static constexpr F16 from_bits(std::uint16_t bits);

  constexpr std::uint16_t bits() const { return bits_; }
  /// Exact.
  constexpr operator float() const;  // NOLINT(google-explicit-constructor): widening loses nothing

 private:
  std::uint16_t bits_ = 0;
};

/// bfloat16: the upper half of a binary32.
class Bf16 {
 public:
  constexpr Bf16() = default;
  /// Rounds to nearest, ties to even. A NaN stays one, quiet.
  constexpr explicit Bf16(float value);
  static constexpr Bf16 from_bits(std::uint16_t bits);

  constexpr std::uint16_t bits() const { return bits_; }
  /// Exact.
  constexpr operator float() const;  // NOLINT(google-explicit-constructor): widening loses nothing

 private:
  std::uint16_t bits_ = 0;
};

constexpr F16 F16::from_bits(std::uint16_t bits) {
  F16 half;
  half.bits_ = bits;
  return half;
}

constexpr F16::F16(float value) {
  // The fraction loses 13 bits and the exponent's bias goes from 127 to 15. Magnitudes are signed: machines compare those.
  constexpr std::int32_t kLeastNormal = (127 - 14) << 23;  // 2^-14
  constexpr std::int32_t kOverflow = (127 + 16) << 23;     // 2^16
  constexpr std::int32_t kInfinity = 255 << 23;
  constexpr std::int32_t kInfinity16 = 0x7C00;
  constexpr std::int32_t kQuiet16 = 0x0200;
  constexpr float kHalf = 0.5F;

  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto magnitude = static_cast<std::int32_t>(bits & 0x7FFF'FFFF);

  // Half an ulp of the result less one, and one more where the result would be odd; a carry moves into the exponent.
  const std::int32_t odd = (magnitude >> 13) & 1;
  const std::int32_t normal = (magnitude - ((127 - 15) << 23) + 0xFFF + odd) >> 13;
  // The ulp of 0.5 is 2^-24, the least subnormal: adding it makes the machine round there.
  const std::int32_t subnormal =
      std::bit_cast<std::int32_t>(std::bit_cast<float>(magnitude) + kHalf) - std::bit_cast<std::int32_t>(kHalf);
  const std::int32_t infinite_or_nan =
      magnitude > kInfinity ? kInfinity16 | kQuiet16 | ((magnitude >> 13) & 0x3FF) : kInfinity16;

  const std::int32_t finite = magnitude < kLeastNormal ? subnormal : normal;
  const std::int32_t result = magnitude < kOverflow ? finite : infinite_or_nan;
  bits_ = static_cast<std::uint16_t>(((bits >> 16) & 0x8000) | static_cast<std::uint32_t>(result));
}

constexpr F16::operator float() const {
  constexpr std::int32_t kLeastNormal16 = 1 << 23;  // exponent 1, where binary32 has its own
  constexpr std::int32_t kInfinity16 = 31 << 23;
  constexpr std::int32_t kSubnormalBase = (127 - 14) << 23;  // 2^-14
  const std::uint32_t sign = (std::uint32_t{bits_} & 0x8000) << 16;
  const auto magnitude = static_cast<std::int32_t>((std::uint32_t{bits_} & 0x7FFF) << 13);

  // fraction·2^-14 = (1 + fraction)·2^-14 - 2^-14, where the difference of two normal numbers is exact.
  const auto subnormal =
      std::bit_cast<std::int32_t>(std::bit_cast<float>(magnitude + kSubnormalBase) - std::bit_cast<float>(kSubnormalBase));
  const std::int32_t bias = magnitude < kInfinity16 ? (127 - 15) << 23 : (255 - 31) << 23;
  const std::int32_t result = magnitude < kLeastNormal16 ? subnormal : magnitude + bias;
  return std::bit_cast<float>(sign | static_cast<std::uint32_t>(result));
}

constexpr Bf16 Bf16::from_bits(std::uint16_t bits) {
  Bf16 half;
  half.bits_ = bits;
  return half;
}

constexpr Bf16::Bf16(float value) {
  constexpr std::uint32_t kInfinity = 255U << 23;
  constexpr std::uint32_t kQuiet = 0x0040'0000;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t odd = (bits >> 16) & 1;
  const std::uint32_t rounded = bits + 0x7FFF + odd;
  const std::uint32_t result = (bits & 0x7FFF'FFFF) > kInfinity ? bits | kQuiet : rounded;
  bits_ = static_cast<std::uint16_t>(result >> 16);
}

constexpr Bf16::operator float() const { return std::bit_cast<float>(std::uint32_t{bits_} << 16); }

}  // namespace heddle
