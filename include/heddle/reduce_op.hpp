// SPDX-License-Identifier: Apache-2.0
// How two vectors become one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/datatype.hpp"
#include "heddle/vector_view.hpp"

namespace heddle {

/// On which side of the operation the incoming operand stands. Matters only where an op is not commutative:
/// the contributions of lower ranks belong on the left.
enum class Side : std::uint8_t { left, right };

/// An associative operation over arrays, with what algorithms may assume of it. Immutable; safe to share between threads.
class ReduceOp {
 public:
  /// result[i] = a[i] ∘ b[i] for `count` elements of `type`. `result` may be `a` or `b`; no other overlap.
  using Function =
      std::function<void(const std::byte* a, const std::byte* b, std::byte* result, std::size_t count, Datatype type)>;

  struct Properties {
    bool commutative = false;
    bool idempotent = false;  ///< x ∘ x = x
    /// The ALUs of switches have it: so do sum, min, max and the bit operations. One's own may say so only of what stands for
    /// one of these.
    bool offered_by_switches = false;
  };

  /// A user's own operation. `function` is called from several threads at once. Throws InputError if it is empty.
  ReduceOp(std::string name, Function function, Properties properties);

  // Integers are added and multiplied modulo 2^bits. Floats of 16 and 8 bits are computed in 32 bits and rounded to nearest even.
  // The minimum and maximum of floats order -0 before +0 and are NaN where either operand is: they commute bit for bit.

  static const ReduceOp& sum();
  static const ReduceOp& prod();
  static const ReduceOp& min();
  static const ReduceOp& max();
  static const ReduceOp& bit_and();
  static const ReduceOp& bit_or();
  static const ReduceOp& bit_xor();

  const std::string& name() const { return name_; }
  bool commutative() const { return properties_.commutative; }
  bool idempotent() const { return properties_.idempotent; }
  bool offered_by_switches() const { return properties_.offered_by_switches; }
  /// Bit operations need integers; built-in operations need built-in types; a user's own takes what it is given.
  bool supports(Datatype type) const;

  /// into = into ∘ from (Side::right) or from ∘ into (Side::left). Both have one type, which the op supports, and one count,
  /// and are the same memory or do not overlap. Throws UsageError otherwise.
  void apply(VectorView into, ConstVectorView from, Side side = Side::right) const;

 private:
  enum class Operands : std::uint8_t { any, builtin, integers };
  ReduceOp(std::string name, Function function, Properties properties, Operands operands);

  std::string name_;
  Function function_;
  Properties properties_;
  Operands operands_;
};

/// The seven built-in operations.
const std::vector<const ReduceOp*>& builtin_ops();

/// "sum", "prod", "min", "max", "band", "bor", "bxor". Throws InputError with the nearest name.
const ReduceOp& parse_op(std::string_view text);

}  // namespace heddle
