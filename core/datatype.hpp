// SPDX-License-Identifier: Apache-2.0
// What the elements of a vector are. Values are cheap to copy and compare.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

class Datatype {
 public:
  /// Integers, then floating-point numbers. What else belongs to a type is in core/element_types.hpp.
  enum class Kind : std::uint8_t { i32, i64, u32, u64, f16, bf16, f32, f64, user };

  static constexpr Datatype i32() { return {Kind::i32, 4}; }
  static constexpr Datatype i64() { return {Kind::i64, 8}; }
  static constexpr Datatype u32() { return {Kind::u32, 4}; }
  static constexpr Datatype u64() { return {Kind::u64, 8}; }
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
  constexpr bool is_floating() const { return kind() >= Kind::f16 && kind() < Kind::user; }
  friend constexpr bool operator==(Datatype, Datatype) = default;

 private:
  constexpr Datatype(Kind kind, std::uint32_t size) : kind_and_size_(static_cast<std::uint64_t>(kind) << 32 | size) {}

  /// One word: types pass from hand to hand with every view of a vector. A processor that loads in one go what was just
  /// stored in two waits until both stores are done.
  std::uint64_t kind_and_size_;
};

/// "i32", …; "bytes12" for a user's own type of 12 bytes.
std::string to_string(Datatype type);

/// The built-in types in the order of Datatype::Kind.
const std::vector<Datatype>& builtin_datatypes();

/// Reads heddle's names, bytes1 to bytes65536 among them, and nccl-tests' (int32, uint64, half, bfloat16, float, double). Throws
/// InputError with the nearest name.
Datatype parse_datatype(std::string_view text);

}  // namespace heddle
