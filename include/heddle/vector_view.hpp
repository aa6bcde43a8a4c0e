// SPDX-License-Identifier: Apache-2.0
// A user's vector as the library sees it: where, how many elements, of what type. Views own nothing.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <memory>
#include <new>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

#include "heddle/datatype.hpp"

namespace heddle {

/// The Datatype of a C++ type: integers by width and sign (long long is i64, too), or a built-in floating-point type. It is
/// user(sizeof(T)) for what is not built in.
template <class T>
constexpr Datatype datatype_of() {
  using V = std::remove_const_t<T>;
  Datatype type = Datatype::user(sizeof(V));
  for_each_element_type([&type]<class E>(std::type_identity<E>) {
    constexpr bool kBothIntegers = std::is_integral_v<V> && std::is_integral_v<E>;
    if (std::is_same_v<V, E> || (kBothIntegers && sizeof(V) == sizeof(E) && std::is_signed_v<V> == std::is_signed_v<E>))
      type = kElementFacts<E>.type;
  });
  return type;
}

/// Of a slice that is no part of its vector, and of elements that are taken for those of another size. Both throw UsageError.
[[noreturn]] void refuse_slice(std::int64_t first, std::int64_t count, std::int64_t of);
[[noreturn]] void refuse_elements(std::size_t size, Datatype type);

template <class ByteType>
class BasicVectorView;

template <class T>
inline constexpr bool kIsVectorView = false;
template <class ByteType>
inline constexpr bool kIsVectorView<BasicVectorView<ByteType>> = true;

/// A contiguous range of plain elements; lists of views are not vectors.
template <class Range>
concept ElementRange = requires(Range& range) {
  std::data(range);
  std::size(range);
  requires std::is_trivially_copyable_v<std::remove_reference_t<decltype(*std::data(range))>>;
  requires !kIsVectorView<std::remove_cvref_t<decltype(*std::data(range))>>;
};

template <class ByteType>
class BasicVectorView {
 public:
  BasicVectorView() = default;
  BasicVectorView(ByteType* data, std::int64_t count, Datatype type) : data_(data), count_(count), type_(type) {}

  /// Any contiguous range of trivially copyable elements that outlives the view: a vector, an array, a span (temporary or not).
  template <class Range, class T = std::remove_reference_t<decltype(*std::data(std::declval<Range&>()))>>
  requires ElementRange<std::remove_reference_t<Range>> && std::ranges::borrowed_range<Range> &&
      (!std::is_const_v<T> || std::is_const_v<ByteType>)
          BasicVectorView(Range&& range)  // NOLINT(google-explicit-constructor): a view of a vector is that vector
      : BasicVectorView(reinterpret_cast<ByteType*>(std::data(range)), static_cast<std::int64_t>(std::size(range)),
                        datatype_of<T>()) {}

  /// A view one may write through reads as well.
  operator BasicVectorView<const ByteType>() const  // NOLINT(google-explicit-constructor)
      requires(!std::is_const_v<ByteType>) {
    return {data_, count_, type_};
  }

  ByteType* data() const { return data_; }
  std::int64_t count() const { return count_; }
  Datatype type() const { return type_; }
  std::size_t size_bytes() const { return static_cast<std::size_t>(count_) * type_.size(); }
  bool empty() const { return count_ == 0; }

  /// Elements first … first + count - 1. Throws UsageError where the vector has not all of them.
  BasicVectorView slice(std::int64_t first, std::int64_t count) const {
    if ((first | count) < 0 || first > count_ - count) [[unlikely]]
      refuse_slice(first, count, count_);
    return {data_ + static_cast<std::size_t>(first) * type_.size(), count, type_};
  }

  /// The elements as T, which must be the element type. Throws UsageError where T has another size.
  template <class T>
  std::span<std::conditional_t<std::is_const_v<ByteType>, const T, T>> as() const {
    if (sizeof(T) != type_.size()) [[unlikely]]
      refuse_elements(sizeof(T), type_);
    using Element = std::conditional_t<std::is_const_v<ByteType>, const T, T>;
    return {reinterpret_cast<Element*>(data_), static_cast<std::size_t>(count_)};
  }

 private:
  ByteType* data_ = nullptr;
  std::int64_t count_ = 0;
  Datatype type_ = Datatype::user(1);
};

using VectorView = BasicVectorView<std::byte>;
using ConstVectorView = BasicVectorView<const std::byte>;

/// Owned scratch space for `count` elements, uninitialised. Movable, not copyable.
class Buffer {
 public:
  Buffer(Datatype type, std::int64_t count)
      : data_(static_cast<std::byte*>(std::malloc(static_cast<std::size_t>(count) * type.size() + 1))),
        count_(count),
        type_(type) {
    if (!data_) throw std::bad_alloc();
  }

  VectorView view() { return {data_.get(), count_, type_}; }
  ConstVectorView view() const { return {data_.get(), count_, type_}; }

 private:
  struct Free {
    void operator()(std::byte* data) const { std::free(data); }
  };
  std::unique_ptr<std::byte, Free> data_;
  std::int64_t count_;
  Datatype type_;
};

// Strong integers that a call must not confuse: who (Rank) and which stream of messages (Tag).

/// A member of a communicator: 0 … size-1. Arithmetic on ranks belongs in schedules, on plain ints.
class Rank {
 public:
  constexpr Rank() = default;
  constexpr explicit Rank(int value) : value_(value) {}
  constexpr int value() const { return value_; }
  friend constexpr auto operator<=>(Rank, Rank) = default;

 private:
  int value_ = 0;
};

/// In a receive: from whoever sends first. Never a destination.
inline constexpr Rank kAnySource{-1};

/// Separates streams of messages between the same two ranks. Messages with the same tag never overtake.
class Tag {
 public:
  constexpr Tag() = default;
  constexpr explicit Tag(int value) : value_(value) {}
  constexpr int value() const { return value_; }
  friend constexpr auto operator<=>(Tag, Tag) = default;

 private:
  int value_ = 0;
};

/// In a receive or a probe: of any tag. Never that of a message.
inline constexpr Tag kAnyTag{std::numeric_limits<int>::min()};

}  // namespace heddle
