// SPDX-License-Identifier: Apache-2.0
// Buffers of programs as the vectors that collectives move: as they are where elements lie side by side, else as copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "heddle/collective.hpp"
#include "heddle/communicator.hpp"
#include "mpi/types/operation.hpp"
#include "mpi/types/type.hpp"

namespace heddle::mpi {

/// `count` elements of a type at `base`, which a call names.
struct TypedBuffer {
  std::byte* base = nullptr;
  std::int64_t count = 0;
  TypePtr type = {};

  std::int64_t bytes() const { return count * type->size(); }
  /// `n` elements, `offset` elements further.
  TypedBuffer part(std::int64_t offset, std::int64_t n) const { return {behind(base, offset * type->extent()), n, type}; }
};
TypedBuffer typed(const void* base, std::int64_t count, const TypePtr& type);

/// Blocks of a type: all of one size, one behind the other, or each at its own place, as the v forms of collectives have them.
struct TypedBlocks {
  std::byte* base = nullptr;
  TypePtr type = {};
  int number = 0;
  std::int64_t each = 0;                         ///< elements in a block, where counts are empty
  std::vector<std::int64_t> counts = {};         ///< of blocks at places of their own
  std::vector<std::int64_t> displacements = {};  ///< in elements

  bool is_even() const { return counts.empty(); }
  std::int64_t count(int i) const { return is_even() ? each : counts[static_cast<std::size_t>(i)]; }
  std::int64_t displacement(int i) const { return is_even() ? i * each : displacements[static_cast<std::size_t>(i)]; }
  TypedBuffer block(int i) const { return {behind(base, displacement(i) * type->extent()), count(i), type}; }
  /// Of blocks that lie one behind the other.
  TypedBuffer whole() const { return {base, each * number, type}; }
  /// In bytes.
  BlockPartition partition() const;
  std::int64_t bytes() const;
};

/// Blocks of these sizes, known to be even where they are: more algorithms serve such.
BlockPartition partition(std::span<const std::int64_t> sizes);

/// Bytes side by side for a buffer: its own memory where it has no holes, else a copy.
class Staged {
 public:
  enum class Fill : std::uint8_t { contents, nothing };

  Staged() = default;
  /// `is_apart`: a copy, holes or not.
  Staged(const TypedBuffer& buffer, Fill fill, bool is_apart = false);
  Staged(const TypedBlocks& blocks, Fill fill);

  VectorView view() const { return view_; }
  /// What came into the copy goes where the program wants it.
  void give_back() const;

 private:
  VectorView view_;
  std::vector<TypedBuffer> parts_;  ///< in the order in which they lie in the copy; empty: it is no copy
  std::unique_ptr<std::byte[]> copy_;
};

/// Elements of a reduction: their type's own layout, holes included, as heddle's operation takes them.
class Reducible {
 public:
  Reducible() = default;
  /// `contents`: where the elements are now; null: they will be written. `count` elements.
  Reducible(const TypedBuffer& contents, Datatype element, Staged::Fill fill);

  VectorView view() const { return view_; }
  /// Writes the bytes of the type map, and none of the holes, to where the program has its elements.
  void give_back() const { give_back(0, buffer_.count, buffer_); }
  /// Elements first … first + count - 1 to another place.
  void give_back(std::int64_t first, std::int64_t count, const TypedBuffer& to) const;

 private:
  TypedBuffer buffer_;
  VectorView view_;
  std::unique_ptr<std::byte[]> copy_;
};

}  // namespace heddle::mpi
