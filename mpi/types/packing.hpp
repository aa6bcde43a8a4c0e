// SPDX-License-Identifier: Apache-2.0
// Elements of a type, and their bytes side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heddle/vector_view.hpp"
#include "mpi/types/type.hpp"

namespace heddle::mpi {

/// Copies the first `bytes` bytes of `count` elements at `base`, in the order of the type map, to `out`.
void pack(const Type& type, std::int64_t count, const std::byte* base, std::int64_t bytes, std::byte* out);
/// The other way. Bytes that the type map has not are left as they are; so are the elements after `bytes`.
void unpack(const Type& type, std::int64_t count, const std::byte* in, std::int64_t bytes, std::byte* base);

/// Copies elements from one place and type to another, as if a message had carried them: as many bytes as both have.
void copy_elements(const Type& from_type, std::int64_t from_count, const std::byte* from, const Type& into_type,
                   std::int64_t into_count, std::byte* into);

/// At most so many pieces of a message stay where they are; more are packed.
inline constexpr std::size_t kMostPieces = 64;
/// The elements as views of bytes, or no value where these are more than kMostPieces. Neighbours that touch are one.
std::optional<std::vector<Piece>> pieces_of(const Type& type, std::int64_t count);

/// Bytes from the lowest to the highest of `count` elements, relative to the address that a call is given.
struct Span {
  std::int64_t first = 0;
  std::int64_t last = 0;  ///< exclusive; as first where there are none
};
/// Throws TooLarge where 64 bits do not hold it, or the size.
Span span_of(const Type& type, std::int64_t count);

/// Types of more pieces that interleave are not looked at, as all of them would have to be.
inline constexpr std::int64_t kMostComparedPieces = std::int64_t{1} << 24;
/// Whether bytes of the elements lie on one another: a receive must not write a byte twice.
bool overlaps_itself(const Type& type, std::int64_t count);

/// Basic types in the first `bytes` bytes (MPI_Get_elements); no value where a basic type is cut.
std::optional<std::int64_t> basic_types_in(const Type& type, std::int64_t bytes);

}  // namespace heddle::mpi
