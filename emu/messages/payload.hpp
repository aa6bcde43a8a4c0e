// SPDX-License-Identifier: Apache-2.0
// The bytes of a message on the way, and the pieces of memory that it comes from and goes to.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include "core/argument_checks.hpp"
#include "heddle/vector_view.hpp"

namespace heddle::emu {

/// A gather or scatter list. One piece, the usual case, needs no allocation, and several use again what there is.
template <class View>
class Pieces {
 public:
  Pieces() = default;
  explicit Pieces(std::span<const View> pieces) { assign(pieces); }

  void assign(std::span<const View> pieces) {
    assign(pieces, [](const View& piece) { return piece; });
  }
  /// The pieces as `convert` makes them.
  template <class Other, class Convert>
  void assign(std::span<const Other> pieces, Convert convert) {
    count_ = static_cast<std::uint32_t>(pieces.size());
    if (count_ == 1) [[likely]]
      one_ = convert(pieces[0]);
    else if (count_ > 1)
      assign_many(pieces, convert);
  }

  std::span<const View> span() const { return {count_ > 1 ? many_.get() : &one_, count_}; }

  std::size_t size_bytes() const {
    std::size_t bytes = 0;
    for (const View& piece : span()) bytes += piece.size_bytes();
    return bytes;
  }
  Datatype type() const { return count_ == 0 ? Datatype::user(1) : span()[0].type(); }

 private:
  template <class Other, class Convert>
  [[gnu::noinline]] void assign_many(std::span<const Other> pieces, Convert convert) {
    if (count_ > room_) {
      many_ = std::make_unique<View[]>(count_);
      room_ = count_;
    }
    std::transform(pieces.begin(), pieces.end(), many_.get(), convert);
  }

  std::uint32_t count_ = 0;
  std::uint32_t room_ = 0;  ///< of `many_`
  View one_;
  std::unique_ptr<View[]> many_;
};

/// Where a message is sent from, as a receive has it, for who only asks for places.
inline void assign_places(Pieces<VectorView>& places, std::span<const ConstVectorView> pieces) {
  places.assign(pieces, [](const ConstVectorView& piece) {
    return VectorView(const_cast<std::byte*>(piece.data()), piece.count(), piece.type());
  });
}

/// Whether two stretches of memory hold the same. A library's comparison of a few bytes reads on behind them, where that
/// traps nowhere, into a cache line that nobody has fetched.
inline bool are_equal(const std::byte* a, const std::byte* b, std::size_t bytes) {
  const auto equal_as = [&]<class Word>(Word left) {
    Word right;
    std::memcpy(&left, a, sizeof left);
    std::memcpy(&right, b, sizeof right);
    return left == right;
  };
  if (bytes == sizeof(std::uint32_t)) return equal_as(std::uint32_t{});
  if (bytes == sizeof(std::uint64_t)) return equal_as(std::uint64_t{});
  return std::memcmp(a, b, bytes) == 0;
}

/// Of as many bytes: two that differ anywhere have the same one by chance alone.
std::uint64_t digest_of(const std::byte* bytes, std::size_t size);

/// A message's bytes, as they were when it was sent: a copy, where small ones live inside; or the sender's own memory, where nobody uses
/// that before the message has drained.
class Payload {
 public:
  /// Shorter ones are copied: that is as quick as to look twice whether they have changed.
  static constexpr std::size_t kWorthLending = 32 << 10;

  /// Replaces the bytes by those of the pieces; memory that is large enough is used again.
  void assign(std::span<const ConstVectorView> pieces) {
    is_lent_ = false;
    size_ = 0;
    for (const ConstVectorView& piece : pieces) size_ += piece.size_bytes();
    if (size_ > capacity()) {
      outside_ = std::make_unique_for_overwrite<std::byte[]>(size_);
      outside_size_ = size_ & (~std::size_t{0} >> 1);
    }
    std::byte* to = data();
    for (const ConstVectorView& piece : pieces) {
      if (piece.empty()) continue;
      std::memcpy(to, piece.data(), piece.size_bytes());
      to += piece.size_bytes();
    }
  }

  /// The bytes stay where they are, until they are given back.
  void lend(ConstVectorView piece) {
    is_lent_ = true;
    size_ = piece.size_bytes();
    note({piece.data(), digest_of(piece.data(), size_)});
  }
  bool is_lent() const { return is_lent_; }
  /// They are given back: this has a copy from now on, or lies in memory where it belongs.
  void give_back() {
    const ConstVectorView lent(lent_bytes().begin, static_cast<std::int64_t>(size_), Datatype::user(1));
    assign(std::span(&lent, 1));
  }
  void give_back_into(std::byte* place) {
    Lent lent = lent_bytes();
    std::memcpy(place, lent.begin, size_);
    lent.begin = place;
    note(lent);
  }

  std::size_t size() const { return size_; }
  const std::byte* bytes() const {
    if (is_lent_) [[unlikely]]
      return lent_bytes().begin;
    return outside_ ? outside_.get() : inside_.data();
  }

  /// What it holds, to be changed on its way. It is not lent.
  std::span<std::byte> in_flight() { return {data(), size_}; }

  /// Whether the memory that it was copied from still holds the same.
  bool equals(std::span<const ConstVectorView> pieces) const {
    if (is_lent_) [[unlikely]]
      return digest_of(bytes(), size_) == lent_bytes().digest;
    const std::byte* mine = bytes();
    for (const ConstVectorView& piece : pieces) {
      if (piece.empty()) continue;
      if (!are_equal(mine, piece.data(), piece.size_bytes())) return false;
      mine += piece.size_bytes();
    }
    return true;
  }

  /// Writes all bytes to the pieces in turn; what is left of them stays as it is. They must be large enough.
  void scatter(std::span<const VectorView> pieces) const {
    const std::byte* from = bytes();
    std::size_t left = size_;
    for (const VectorView& piece : pieces) {
      const std::size_t bytes = std::min(left, piece.size_bytes());
      if (bytes == 0) continue;
      if (piece.data() != from) std::memcpy(piece.data(), from, bytes);
      from += bytes;
      left -= bytes;
    }
  }

 private:
  /// Where lent bytes are, and what they were: it lies inside, where small ones do else.
  struct Lent {
    const std::byte* begin;
    std::uint64_t digest;
  };
  void note(const Lent& lent) { std::memcpy(inside_.data(), &lent, sizeof lent); }
  Lent lent_bytes() const {
    Lent lent;
    std::memcpy(&lent, inside_.data(), sizeof lent);
    return lent;
  }

  std::byte* data() { return outside_ ? outside_.get() : inside_.data(); }

  std::size_t capacity() const { return outside_ ? outside_size_ : inside_.size(); }

  std::size_t size_ = 0;
  std::size_t outside_size_ : 63 = 0;
  std::size_t is_lent_ : 1 = false;
  std::unique_ptr<std::byte[]> outside_;
  std::array<std::byte, 32> inside_;
};

// Communicator::copy, as every Communicator here has it.

/// How many bytes were copied: none into the same memory. Throws UsageError as require_copyable().
inline std::size_t copy_vector(VectorView into, ConstVectorView from, const MemoryNames* names) {
  const std::size_t bytes = require_copyable(into, from, names);
  if (bytes > 0) std::memcpy(into.data(), from.data(), bytes);
  return bytes;
}

}  // namespace heddle::emu
