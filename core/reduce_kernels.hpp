// SPDX-License-Identifier: Apache-2.0
// The loops behind the built-in operations: one tight loop per operation and element type, for the compiler to vectorise.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "heddle/datatype.hpp"

// No iteration depends on another: operands are the result or do not touch it (ReduceOp::Function). The compiler cannot know.
#if defined(__clang__)
#define HEDDLE_INDEPENDENT_ITERATIONS _Pragma("clang loop vectorize(assume_safety)")
#else
#define HEDDLE_INDEPENDENT_ITERATIONS _Pragma("GCC ivdep")
#endif

namespace heddle::kernels {

struct Sum {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<BitsOf<T>>(a) + static_cast<BitsOf<T>>(b));  // unsigned: wraps
    else
      return static_cast<T>(a + b);
  }
};

struct Prod {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(1U * static_cast<BitsOf<T>>(a) * static_cast<BitsOf<T>>(b));  // 1U: a short would become an int
    else
      return static_cast<T>(a * b);
  }
};

enum class Wanted : std::uint8_t { least, greatest };

/// The minimum or maximum of two floats: the zeros in order, NaN where either is. Selects bits, without branches.
template <Wanted Which, class T>
T extreme(T a, T b) {
  using Bits = BitsOf<T>;
  using Compared = std::conditional_t<(sizeof(T) < sizeof(float)), float, T>;
  constexpr bool kGreatest = Which == Wanted::greatest;
  const auto nan = std::bit_cast<Bits>(static_cast<T>(std::numeric_limits<float>::quiet_NaN()));
  const Compared x = a, y = b;
  const auto a_bits = std::bit_cast<Bits>(a), b_bits = std::bit_cast<Bits>(b);
  // Equal numbers have equal bits, but for the two zeros: only the lesser one has its sign bit set.
  const auto equal = static_cast<Bits>(kGreatest ? a_bits & b_bits : a_bits | b_bits);
  Bits bits = x == y ? equal : nan;
  bits = x < y ? (kGreatest ? b_bits : a_bits) : bits;
  bits = y < x ? (kGreatest ? a_bits : b_bits) : bits;
  return std::bit_cast<T>(bits);
}

struct Min {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (kIsFloatElement<T>)
      return extreme<Wanted::least>(a, b);
    else
      return a < b ? a : b;
  }
};

struct Max {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (kIsFloatElement<T>)
      return extreme<Wanted::greatest>(a, b);
    else
      return a < b ? b : a;
  }
};

struct BitAnd {
  template <class T>
  T operator()(T a, T b) const {
    return a & b;
  }
};

struct BitOr {
  template <class T>
  T operator()(T a, T b) const {
    return a | b;
  }
};

struct BitXor {
  template <class T>
  T operator()(T a, T b) const {
    return a ^ b;
  }
};

/// result[i] = op(a[i], b[i]). Elements are read and written by memcpy, which compiles to plain moves. The user's memory need
/// not be aligned to T, nor hold objects of type T.
template <class T, class Op>
void elementwise(const std::byte* a, const std::byte* b, std::byte* result, std::size_t count) {
  HEDDLE_INDEPENDENT_ITERATIONS
  for (std::size_t i = 0; i < count; ++i) {
    T x, y;
    std::memcpy(&x, a + i * sizeof(T), sizeof(T));
    std::memcpy(&y, b + i * sizeof(T), sizeof(T));
    const T z = Op{}(x, y);
    std::memcpy(result + i * sizeof(T), &z, sizeof(T));
  }
}

/// For integers of any built-in type.
template <class Op>
void on_integers(const std::byte* a, const std::byte* b, std::byte* result, std::size_t count, Datatype type) {
  const auto visit = [&]<class T>(std::type_identity<T>) {
    if constexpr (!kIsFloatElement<T>) elementwise<T, Op>(a, b, result, count);
  };
  visit_element_type(type, visit, [] {});  // ReduceOp::supports keeps others out
}

/// For numbers of any built-in type.
template <class Op>
void on_numbers(const std::byte* a, const std::byte* b, std::byte* result, std::size_t count, Datatype type) {
  const auto visit = [&]<class T>(std::type_identity<T>) { elementwise<T, Op>(a, b, result, count); };
  visit_element_type(type, visit, [] {});
}

}  // namespace heddle::kernels
