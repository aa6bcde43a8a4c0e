// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>

#include "schedules/run/recording.hpp"

namespace heddle {

namespace {

bool contains(const MemoryRange& outer, const MemoryRange& inner) {
  return outer.bytes > 0 && inner.begin >= outer.begin && inner.begin + inner.bytes <= outer.begin + outer.bytes;
}

/// Of scratch, by an operation.
struct Use {
  MemoryRange* range;
  std::int32_t operation;
  bool writes;

  const std::byte* begin() const { return range->begin; }
  const std::byte* end() const { return range->begin + range->bytes; }
};

/// Whether two tasks use the same memory at once, one of them to write. `uses` are sorted by where they begin.
bool are_at_once(const RankRecording& rank, std::span<const Use> uses) {
  const auto task_of = [&](const Use& use) { return rank.operations()[static_cast<std::size_t>(use.operation)].task; };
  for (std::size_t a = 0; a < uses.size(); ++a) {
    for (std::size_t b = a + 1; b < uses.size() && uses[b].begin() < uses[a].end(); ++b) {
      if (task_of(uses[a]) == task_of(uses[b]) || (!uses[a].writes && !uses[b].writes)) continue;
      const auto [first, second] = std::minmax(uses[a].operation, uses[b].operation);
      if (!is_after(rank, second, first)) return true;
    }
  }
  return false;
}

}  // namespace

void RankRecording::part_reused_memory() {
  constexpr int kAddressBits = 48;  // beyond those that a process has
  std::vector<Use> uses;
  const auto add = [&](std::vector<MemoryRange>& ranges, std::int32_t operation, bool writes) {
    for (MemoryRange& range : ranges)
      if (range.bytes > 0 && !contains(input, range) && !contains(output, range)) uses.push_back({&range, operation, writes});
  };
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    add(operations_[i].from, static_cast<std::int32_t>(i), false);
    add(operations_[i].into, static_cast<std::int32_t>(i), true);
  }
  std::ranges::sort(uses, {}, &Use::begin);
  for (std::size_t begin = 0, end = 0; begin < uses.size(); begin = end) {
    const std::byte* last = uses[begin].end();
    for (end = begin + 1; end < uses.size() && uses[end].begin() < last; ++end) last = std::max(last, uses[end].end());
    const std::span<Use> area = std::span(uses).subspan(begin, end - begin);
    if (!are_at_once(*this, area)) continue;
    for (const Use& use : area) {
      const auto task = static_cast<std::uintptr_t>(operations_[static_cast<std::size_t>(use.operation)].task);
      use.range->begin =
          reinterpret_cast<const std::byte*>(reinterpret_cast<std::uintptr_t>(use.begin()) + (task << kAddressBits));
    }
  }
}

std::vector<MemoryRange> joined_ranges(const std::vector<MemoryRange>& ranges) {
  std::vector<MemoryRange> joined;
  for (const MemoryRange& range : ranges) {
    if (!joined.empty() && joined.back().begin + joined.back().bytes == range.begin)
      joined.back().bytes += range.bytes;
    else
      joined.push_back(range);
  }
  return joined;
}

MemoryMap::MemoryMap(const RankRecording& rank, std::size_t element_size, ChunkBuffer whole) : element_size_(element_size) {
  const auto add = [this](const MemoryRange& range, ChunkBuffer buffer) {
    if (range.bytes > 0) areas_.push_back({range.begin, range.begin + range.bytes, buffer});
  };
  const bool is_one = contains(rank.output, rank.input) && rank.output.begin == rank.input.begin;
  add(rank.output, is_one ? whole : ChunkBuffer::output);
  if (!is_one) add(rank.input, ChunkBuffer::input);
  const std::size_t vectors = areas_.size();
  std::vector<MemoryRange> all;
  for (const RecordedOperation& operation : rank.operations()) {
    for (const std::vector<MemoryRange>& ranges : {joined_ranges(operation.from), joined_ranges(operation.into)})
      all.insert(all.end(), ranges.begin(), ranges.end());
  }
  std::vector<MemoryRange> other;
  std::ranges::copy_if(all, std::back_inserter(other),
                       [&](const MemoryRange& range) { return !contains(rank.input, range) && !contains(rank.output, range); });
  std::ranges::sort(other, {}, &MemoryRange::begin);
  for (const MemoryRange& range : other) {
    // What overlaps is one area; what only touches may be two buffers that lie side by side by chance.
    if (areas_.size() > vectors && range.begin < areas_.back().end)
      areas_.back().end = std::max(areas_.back().end, range.begin + range.bytes);
    else
      add(range, ChunkBuffer::scratch);
  }
  for (const MemoryRange& range : all)
    ranges_.emplace_back(elements(range.begin - area_of(range).begin), elements(static_cast<std::ptrdiff_t>(range.bytes)));
}

const MemoryMap::Area& MemoryMap::area_of(const MemoryRange& range) const {
  return *std::ranges::find_if(areas_, [&](const Area& area) {
    return contains({area.begin, static_cast<std::size_t>(area.end - area.begin)}, range);
  });
}

std::int64_t MemoryMap::common_chunk(std::int64_t so_far) const {
  for (const auto& [begin, length] : ranges_) so_far = std::gcd(so_far, std::gcd(begin, length));
  return so_far;
}

void MemoryMap::set_chunk(std::int64_t elements_of_one) {
  chunk_ = elements_of_one;
  scratch_chunks_ = 0;
  for (Area& area : areas_) {
    if (area.buffer != ChunkBuffer::scratch) continue;
    area.first_chunk = scratch_chunks_;
    scratch_chunks_ += static_cast<std::int32_t>((elements(area.end - area.begin) + chunk_ - 1) / chunk_);
  }
}

MemoryMap::Place MemoryMap::place_of(const MemoryRange& range) const {
  const Area& area = area_of(range);
  const std::int64_t begin = elements(range.begin - area.begin) / chunk_;
  return {{area.buffer, area.first_chunk + static_cast<std::int32_t>(begin)},
          static_cast<std::int32_t>(elements(static_cast<std::ptrdiff_t>(range.bytes)) / chunk_)};
}

}  // namespace heddle
