// SPDX-License-Identifier: Apache-2.0
#include "mpi/types/packing.hpp"

#include <algorithm>
#include <cstring>

namespace heddle::mpi {

namespace {

/// Calls visit(place, bytes) for the pieces of `count` elements in order, until `bytes` bytes are done.
template <class Visit>
void for_pieces(const Type& type, std::int64_t count, std::int64_t bytes, const Visit& visit) {
  if (type.is_contiguous()) {
    if (bytes > 0) visit(0, std::min(bytes, count * type.size()));
    return;
  }
  for (std::int64_t i = 0; i < count && bytes > 0; ++i) {
    for (const Piece& piece : type.pieces()) {
      const std::int64_t length = std::min(piece.bytes, bytes);
      if (length == 0) return;
      visit(i * type.extent() + piece.at, length);
      bytes -= length;
    }
  }
}

}  // namespace

void pack(const Type& type, std::int64_t count, const std::byte* base, std::int64_t bytes, std::byte* out) {
  for_pieces(type, count, bytes, [&](std::int64_t at, std::int64_t length) {
    std::memcpy(out, base + at, static_cast<std::size_t>(length));
    out += length;
  });
}

void unpack(const Type& type, std::int64_t count, const std::byte* in, std::int64_t bytes, std::byte* base) {
  for_pieces(type, count, bytes, [&](std::int64_t at, std::int64_t length) {
    std::memcpy(base + at, in, static_cast<std::size_t>(length));
    in += length;
  });
}

void copy_elements(const Type& from_type, std::int64_t from_count, const std::byte* from, const Type& into_type,
                   std::int64_t into_count, std::byte* into) {
  const std::int64_t bytes = std::min(from_count * from_type.size(), into_count * into_type.size());
  if (bytes == 0) return;
  if (from_type.is_contiguous()) return unpack(into_type, into_count, from, bytes, into);
  if (into_type.is_contiguous()) return pack(from_type, from_count, from, bytes, into);
  std::vector<std::byte> packed(static_cast<std::size_t>(bytes));
  pack(from_type, from_count, from, bytes, packed.data());
  unpack(into_type, into_count, packed.data(), bytes, into);
}

std::optional<std::vector<Piece>> pieces_of(const Type& type, std::int64_t count) {
  std::vector<Piece> pieces;
  if (count == 0 || type.size() == 0) return pieces;
  if (!type.is_contiguous() && type.pieces().size() > kMostPieces) return std::nullopt;
  bool is_more = false;
  if (!type.is_contiguous() && count > static_cast<std::int64_t>(kMostPieces) * 2) return std::nullopt;
  for_pieces(type, count, count * type.size(), [&](std::int64_t at, std::int64_t length) {
    if (!pieces.empty() && pieces.back().at + pieces.back().bytes == at)
      pieces.back().bytes += length;
    else if (pieces.size() == kMostPieces)
      is_more = true;
    else
      pieces.push_back({at, length});
  });
  if (is_more) return std::nullopt;
  return pieces;
}

Span span_of(const Type& type, std::int64_t count) {
  if (count == 0 || type.size() == 0) return {};
  const std::int64_t farthest = (count - 1) * type.extent();
  return {std::min<std::int64_t>(0, farthest) + type.true_lower_bound(),
          std::max<std::int64_t>(0, farthest) + type.true_lower_bound() + type.true_extent()};
}

bool overlaps_itself(const Type& type, std::int64_t count) {
  if (count == 0 || type.is_contiguous()) return false;
  std::vector<Piece> pieces = type.pieces();
  // Elements whose bytes lie within their extent do not meet: then one element shows all.
  const bool apart = type.extent() >= type.true_extent();
  if (!apart) {
    const std::size_t one = pieces.size();
    for (std::int64_t i = 1; i < count; ++i) {
      for (std::size_t k = 0; k < one; ++k) pieces.push_back({pieces[k].at + i * type.extent(), pieces[k].bytes});
    }
  }
  std::ranges::sort(pieces, {}, &Piece::at);
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    if (pieces[i - 1].at + pieces[i - 1].bytes > pieces[i].at) return true;
  }
  return false;
}

std::optional<std::int64_t> basic_types_in(const Type& type, std::int64_t bytes) {
  if (type.size() == 0) return 0;
  const std::int64_t whole = bytes / type.size();
  std::int64_t count = whole * type.basic_count();
  bytes -= whole * type.size();
  const Signature& signature = type.signature();
  for (std::int64_t time = 0; bytes > 0 && time < signature.times; ++time) {
    for (const BasicRun& run : signature.runs) {
      const std::int64_t size = find_basic(run.basic)->size;
      const std::int64_t in_run = std::min(run.count, bytes / size);
      count += in_run;
      bytes -= in_run * size;
      if (in_run < run.count) return bytes == 0 ? std::optional(count) : std::nullopt;
    }
  }
  return count;
}

}  // namespace heddle::mpi
