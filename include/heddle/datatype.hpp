// SPDX-License-Identifier: Apache-2.0
// What the elements of a vector are. Values are cheap to copy and compare.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace heddle {

class Datatype {
 public:
  /// Integers, then floating-point numbers; later ones behind a user's own, so that plugins keep their numbers. What else belongs to a
  /// type is in kElementFacts.
  enum class Kind : std::uint8_t { i32, i64, u32, u64, f16, bf16, f32, f64, user, f8e4m3, f8e5m2 };

  static constexpr Datatype i32() { return {Kind::i32, 4}; }
  static constexpr Datatype i64() { return {Kind::i64, 8}; }
  static constexpr Datatype u32() { return {Kind::u32, 4}; }
  static constexpr Datatype u64() { return {Kind::u64, 8}; }
  static constexpr Datatype f8e4m3() { return {Kind::f8e4m3, 1}; }
  static constexpr Datatype f8e5m2() { return {Kind::f8e5m2, 1}; }
  static constexpr Datatype f16() { return {Kind::f16, 2}; }
  static constexpr Datatype bf16() { return {Kind::bf16, 2}; }
  static constexpr Datatype f32() { return {Kind::f32, 4}; }
  static constexpr Datatype f64() { return {Kind::f64, 8}; }
  /// Opaque elements of `size` ≥ 1 bytes; only a user-defined ReduceOp can reduce them.
  static constexpr Datatype user(std::uint32_t size) { return {Kind::user, size}; }

  /// What a text may ask for (`bytes65536`).
  static constexpr std::uint32_t kMostBytes = 65536;

  constexpr Kind kind() const { return static_cast<Kind>(kind_and_size_ >> 32); }
  /// Bytes per element.
  constexpr std::size_t size() const { return static_cast<std::uint32_t>(kind_and_size_); }
  constexpr bool is_integer() const { return kind() < Kind::f16; }
  constexpr bool is_floating() const { return kind() >= Kind::f16 && kind() != Kind::user; }
  friend constexpr bool operator==(Datatype, Datatype) = default;

 private:
  constexpr Datatype(Kind kind, std::uint32_t size) : kind_and_size_(static_cast<std::uint64_t>(kind) << 32 | size) {}

  /// One word: types pass from hand to hand with every view of a vector. A processor that loads in one go what was just
  /// stored in two waits until both stores are done.
  std::uint64_t kind_and_size_;
};

/// "i32", …; "bytes12" for a user's own type of 12 bytes.
std::string to_string(Datatype type);

/// The built-in types, in the order of Datatype::Kind.
const std::vector<Datatype>& builtin_datatypes();

/// Reads heddle's names, bytes1 to bytes65536 among them, and nccl-tests' (int32, uint64, half, bfloat16, fp8_e4m3, float, …). Throws
/// InputError with the nearest name.
Datatype parse_datatype(std::string_view text);

// 16-bit floating-point numbers as elements: stored in 16 bits, computed in 32. Conversions have no branches, so that loops
// over them vectorise.

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

// 8-bit floating-point numbers (OCP 8-bit Floating Point Specification, revision 1.0), computed in 32 bits as well. They are converted
// in its saturating mode: what rounds to more than the greatest number, infinities too, becomes that number.

/// 1 sign bit, 4 of exponent, 3 of fraction; up to 448. No infinities; NaN has all bits set but the sign's.
class F8E4M3 {
 public:
  constexpr F8E4M3() = default;
  /// Rounds to nearest, ties to even, and saturates. A NaN stays one.
  constexpr explicit F8E4M3(float value);
  static constexpr F8E4M3 from_bits(std::uint8_t bits);

  constexpr std::uint8_t bits() const { return bits_; }
  /// Exact.
  constexpr operator float() const;  // NOLINT(google-explicit-constructor): widening loses nothing

 private:
  std::uint8_t bits_ = 0;
};

/// 1 sign bit, 5 of exponent, 2 of fraction; up to 57,344. Infinities and NaNs as IEEE 754 has them.
class F8E5M2 {
 public:
  constexpr F8E5M2() = default;
  /// Rounds to nearest, ties to even, and saturates. A NaN stays one, quiet.
  constexpr explicit F8E5M2(float value);
  static constexpr F8E5M2 from_bits(std::uint8_t bits);

  constexpr std::uint8_t bits() const { return bits_; }
  /// Exact.
  constexpr operator float() const;  // NOLINT(google-explicit-constructor): widening loses nothing

 private:
  std::uint8_t bits_ = 0;
};

/// How the two formats lie within 8 bits.
struct Float8Format {
  int fraction;                ///< bits
  int bias;                    ///< what is added to exponents
  std::int32_t most;           ///< the greatest number
  std::int32_t nan;            ///< a quiet one
  float ulp_as_least;          ///< whose ulp in binary32 is the least subnormal
  std::int32_t first_special;  ///< from here on infinities and NaNs; one alone: NaN
};
inline constexpr Float8Format kF8E4M3 = {3, 7, 0x7E, 0x7F, 0x1p14F, 0x7F};
inline constexpr Float8Format kF8E5M2 = {2, 15, 0x7B, 0x7E, 0x1p7F, 0x7C};

/// Without branches, as F16's.
constexpr std::uint8_t to_float8(float value, const Float8Format& format) {
  constexpr std::int32_t kInfinity = 255 << 23;
  const int lost = 23 - format.fraction;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto magnitude = static_cast<std::int32_t>(bits & 0x7FFF'FFFF);
  const std::int32_t odd = (magnitude >> lost) & 1;
  const std::int32_t normal = (magnitude - ((127 - format.bias) << 23) + ((1 << (lost - 1)) - 1) + odd) >> lost;
  const std::int32_t subnormal = std::bit_cast<std::int32_t>(std::bit_cast<float>(magnitude) + format.ulp_as_least) -
                                 std::bit_cast<std::int32_t>(format.ulp_as_least);
  const std::int32_t rounded = magnitude < (128 - format.bias) << 23 ? subnormal : normal;
  const std::int32_t finite = rounded > format.most ? format.most : rounded;
  const std::int32_t result = magnitude > kInfinity ? format.nan : finite;
  return static_cast<std::uint8_t>(((bits >> 24) & 0x80) | static_cast<std::uint32_t>(result));
}

constexpr float from_float8(std::uint8_t bits, const Float8Format& format) {
  const int lost = 23 - format.fraction;
  const std::uint32_t sign = (std::uint32_t{bits} & 0x80) << 24;
  const std::int32_t narrow = bits & 0x7F;
  const std::int32_t magnitude = narrow << lost;
  const std::int32_t base = (128 - format.bias) << 23;
  const auto subnormal = std::bit_cast<std::int32_t>(std::bit_cast<float>(magnitude + base) - std::bit_cast<float>(base));
  const std::int32_t normal = magnitude + ((127 - format.bias) << 23);
  // An infinity where the format has one, NaN above it.
  const std::int32_t special = narrow == 0x7C && format.first_special == 0x7C ? 255 << 23 : 255 << 23 | 1 << 22;
  const std::int32_t finite = magnitude < 1 << 23 ? subnormal : normal;
  return std::bit_cast<float>(sign | static_cast<std::uint32_t>(narrow >= format.first_special ? special : finite));
}

constexpr F8E4M3 F8E4M3::from_bits(std::uint8_t bits) {
  F8E4M3 value;
  value.bits_ = bits;
  return value;
}
constexpr F8E4M3::F8E4M3(float value) : bits_(to_float8(value, kF8E4M3)) {}
constexpr F8E4M3::operator float() const { return from_float8(bits_, kF8E4M3); }

constexpr F8E5M2 F8E5M2::from_bits(std::uint8_t bits) {
  F8E5M2 value;
  value.bits_ = bits;
  return value;
}
constexpr F8E5M2::F8E5M2(float value) : bits_(to_float8(value, kF8E5M2)) {}
constexpr F8E5M2::operator float() const { return from_float8(bits_, kF8E5M2); }

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

// The C++ types behind the built-in datatypes. A new one is a kind and a function in Datatype, and here its facts and its place in
// the list. Loops, test data, tolerances, texts and flags follow.

/// Integers: a name, and nccl-tests' for it.
struct IntegerFacts {
  Datatype type;
  std::string_view name;
  std::string_view nccl_name;
};

/// Binary floating-point numbers besides: bits of the significand, the implied one included, and what is added to exponents.
struct FloatFacts {
  Datatype type;
  std::string_view name;
  std::string_view nccl_name;
  int precision;
  int bias;
  bool has_infinity = true;  ///< else its greatest exponent has numbers, and NaN alone has all bits set
};

template <class T>
inline constexpr auto kElementFacts = nullptr;
template <>
inline constexpr IntegerFacts kElementFacts<std::int32_t> = {Datatype::i32(), "i32", "int32"};
template <>
inline constexpr IntegerFacts kElementFacts<std::int64_t> = {Datatype::i64(), "i64", "int64"};
template <>
inline constexpr IntegerFacts kElementFacts<std::uint32_t> = {Datatype::u32(), "u32", "uint32"};
template <>
inline constexpr IntegerFacts kElementFacts<std::uint64_t> = {Datatype::u64(), "u64", "uint64"};
template <>
inline constexpr FloatFacts kElementFacts<F8E4M3> = {Datatype::f8e4m3(), "f8e4m3", "fp8_e4m3", 4, 7, false};
template <>
inline constexpr FloatFacts kElementFacts<F8E5M2> = {Datatype::f8e5m2(), "f8e5m2", "fp8_e5m2", 3, 15};
template <>
inline constexpr FloatFacts kElementFacts<F16> = {Datatype::f16(), "f16", "half", 11, 15};
template <>
inline constexpr FloatFacts kElementFacts<Bf16> = {Datatype::bf16(), "bf16", "bfloat16", 8, 127};
template <>
inline constexpr FloatFacts kElementFacts<float> = {Datatype::f32(), "f32", "float", 24, 127};
template <>
inline constexpr FloatFacts kElementFacts<double> = {Datatype::f64(), "f64", "double", 53, 1023};

template <class... Types>
struct TypeList {};

/// In the order of Datatype::Kind.
using ElementTypes =
    TypeList<std::int32_t, std::int64_t, std::uint32_t, std::uint64_t, F16, Bf16, float, double, F8E4M3, F8E5M2>;

template <class T>
inline constexpr bool kIsFloatElement = std::is_same_v<std::remove_cv_t<decltype(kElementFacts<T>)>, FloatFacts>;

/// The unsigned integer with as many bits.
template <class T>
using BitsOf = std::conditional_t<
    sizeof(T) == 1, std::uint8_t,
    std::conditional_t<sizeof(T) == 2, std::uint16_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>>;

/// Calls visit(std::type_identity<T>()) for each type of the list.
template <class Visit, class... Types>
constexpr void for_each_element_type(const Visit& visit, TypeList<Types...> /*types*/) {
  (visit(std::type_identity<Types>()), ...);
}
template <class Visit>
constexpr void for_each_element_type(const Visit& visit) {
  for_each_element_type(visit, ElementTypes());
}

/// What visit(std::type_identity<T>()) returns for the C++ type T of a built-in datatype; for a user's own, what otherwise()
/// returns.
template <class Visit, class Otherwise, class First, class... Rest>
auto visit_element_type(Datatype type, const Visit& visit, const Otherwise& otherwise, TypeList<First, Rest...> /*types*/) {
  if (type.kind() == kElementFacts<First>.type.kind()) return visit(std::type_identity<First>());
  if constexpr (sizeof...(Rest) > 0)
    return visit_element_type(type, visit, otherwise, TypeList<Rest...>());
  else
    return otherwise();
}
template <class Visit, class Otherwise>
auto visit_element_type(Datatype type, const Visit& visit, const Otherwise& otherwise) {
  return visit_element_type(type, visit, otherwise, ElementTypes());
}

}  // namespace heddle
