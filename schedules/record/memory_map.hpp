// SPDX-License-Identifier: Apache-2.0
// From addresses that a rank used to chunks of its buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "schedules/program/schedule_program.hpp"
#include "schedules/record/recording.hpp"

namespace heddle {

/// Ranges that follow each other side by side are one.
std::vector<MemoryRange> joined_ranges(const std::vector<MemoryRange>& ranges);

class MemoryMap {
 public:
  /// What is neither of the rank's input nor of its output becomes scratch. `whole`: what input and output are called where they are one
  /// vector. All sizes are in elements from here on.
  MemoryMap(const RankRecording& rank, std::size_t element_size, ChunkBuffer whole);

  /// The largest size of chunks that all ranges are whole numbers of, `so_far` counted in (0: none yet).
  std::int64_t common_chunk(std::int64_t so_far) const;

  /// Chunks are so long from now on. Divides common_chunk(0).
  void set_chunk(std::int64_t elements);
  std::int32_t scratch_chunks() const { return scratch_chunks_; }

  struct Place {
    ChunkPlace place;
    std::int32_t chunks;
  };
  Place place_of(const MemoryRange& range) const;

 private:
  struct Area {
    const std::byte* begin;
    const std::byte* end;
    ChunkBuffer buffer;
    std::int32_t first_chunk = 0;
  };

  const Area& area_of(const MemoryRange& range) const;
  std::int64_t elements(std::ptrdiff_t bytes) const { return bytes / static_cast<std::ptrdiff_t>(element_size_); }

  std::size_t element_size_;
  std::vector<Area> areas_;
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges_;  ///< begin in its area, length
  std::int64_t chunk_ = 1;
  std::int32_t scratch_chunks_ = 0;
};

}  // namespace heddle
