// SPDX-License-Identifier: Apache-2.0
#include "mpi/types/packing.hpp"

#include <algorithm>
#include <cstdlib>
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
    for_each_piece(*type.layout(), i * type.extent(), [&](std::int64_t at, std::int64_t length) {
      length = std::min(length, bytes);
      visit(at, length);
      bytes -= length;
      return bytes > 0;
    });
  }
}

// ---- whether pieces meet ----

bool meet(std::vector<Span>& ranges) {
  if (!std::ranges::is_sorted(ranges, {}, &Span::first)) std::ranges::sort(ranges, {}, &Span::first);
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i - 1].last > ranges[i].first) return true;
  }
  return false;
}

/// Something that comes `count` times, at equal distances.
struct Repeats {
  std::int64_t count;
  std::int64_t distance;
};

/// Whether all pieces of `layout`, repeated as `all` says, lie apart for a simple reason: each repetition begins behind all that is
/// repeated closer together. False: they may meet.
bool lie_apart_simply(const Layout& layout, std::vector<Repeats> all) {
  const Layout* inner = &layout;
  while (inner->runs.size() == 1) {
    all.push_back({inner->runs[0].count, std::abs(inner->runs[0].stride)});
    if (!inner->runs[0].of) break;
    inner = inner->runs[0].of.get();
  }
  std::int64_t length = inner->last - inner->first;
  if (inner->runs.size() == 1) {
    length = inner->runs[0].bytes;
  } else {
    std::vector<Span> ranges;
    for (const PieceRun& run : inner->runs) {
      const Layout alone{.runs = {run}};
      if (!lie_apart_simply(alone, {})) return false;
      ranges.push_back({run.low(), run.high()});
    }
    if (meet(ranges)) return false;
  }
  std::ranges::sort(all, {}, &Repeats::distance);
  for (const Repeats& repeats : all) {
    if (repeats.count == 1) continue;
    if (repeats.distance < length) return false;
    length = plus(length, times(repeats.count - 1, repeats.distance));
  }
  return true;
}

}  // namespace

void pack(const Type& type, std::int64_t count, const std::byte* base, std::int64_t bytes, std::byte* out) {
  for_pieces(type, count, bytes, [&](std::int64_t at, std::int64_t length) {
    std::memcpy(out, behind(base, at), static_cast<std::size_t>(length));
    out += length;
  });
}

void unpack(const Type& type, std::int64_t count, const std::byte* in, std::int64_t bytes, std::byte* base) {
  for_pieces(type, count, bytes, [&](std::int64_t at, std::int64_t length) {
    std::memcpy(behind(base, at), in, static_cast<std::size_t>(length));
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
  if (!type.is_contiguous() && type.layout()->pieces > static_cast<std::int64_t>(kMostPieces)) return std::nullopt;
  if (!type.is_contiguous() && count > 2 * static_cast<std::int64_t>(kMostPieces)) return std::nullopt;
  bool is_more = false;
  for_pieces(type, count, count * type.size(), [&](std::int64_t at, std::int64_t length) {
    if (is_more) return;
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
  times(count, type.size());
  const std::int64_t farthest = times(count - 1, type.extent());
  const std::int64_t first = type.true_lower_bound();
  return {plus(std::min<std::int64_t>(0, farthest), first),
          plus(std::max<std::int64_t>(0, farthest), first + type.true_extent())};
}

bool overlaps_itself(const Type& type, std::int64_t count) {
  if (count == 0 || type.is_contiguous()) return false;
  const Layout& layout = *type.layout();
  if (lie_apart_simply(layout, {{count, std::abs(type.extent())}})) return false;
  if (layout.pieces > kMostComparedPieces / count) return false;
  std::vector<Span> ranges;
  ranges.reserve(static_cast<std::size_t>(layout.pieces * count));
  for_pieces(type, count, count * type.size(), [&](std::int64_t at, std::int64_t length) {
    ranges.push_back({at, at + length});
  });
  return meet(ranges);
}

std::optional<std::int64_t> basic_types_in(const Type& type, std::int64_t bytes) {
  if (type.size() == 0) return 0;
  const BasicExtent all = type.signature().all();
  const std::int64_t whole = bytes / type.size();
  bytes -= whole * type.size();
  const BasicExtent rest = beginning_of(type.signature(), {all.basics, bytes});
  if (rest.bytes != bytes) return std::nullopt;
  return whole * all.basics + rest.basics;
}

}  // namespace heddle::mpi
