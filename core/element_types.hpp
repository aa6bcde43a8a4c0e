// SPDX-License-Identifier: Apache-2.0
// The C++ types behind the built-in datatypes. A new one is a kind and a function in Datatype, and here its facts and its place in
// the list. Loops, test data, tolerances, texts and flags follow.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

#include "core/datatype.hpp"
#include "core/half.hpp"

namespace heddle {

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
using ElementTypes = TypeList<std::int32_t, std::int64_t, std::uint32_t, std::uint64_t, F16, Bf16, float, double>;

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
