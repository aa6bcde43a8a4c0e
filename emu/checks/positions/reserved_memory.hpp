// SPDX-License-Identifier: Apache-2.0
// Vectors of any length that take no memory, as long as nobody writes to them.
#pragma once

#include <cstddef>
#include <vector>

namespace heddle::emu {

/// Addresses that read as zeros, apart from all others. A page that is written to takes memory.
class ReservedMemory {
 public:
  ReservedMemory() = default;
  ReservedMemory(const ReservedMemory&) = delete;
  ReservedMemory& operator=(const ReservedMemory&) = delete;
  ~ReservedMemory();

  /// So many bytes. Throws ResourceError if the system refuses them.
  std::byte* reserve(std::size_t bytes);
  bool contains(const std::byte* address) const;
  /// Bytes of pages that somebody has read or written.
  std::size_t touched() const;

 private:
  struct Range {
    std::byte* begin;
    std::size_t bytes;
  };

  std::vector<Range> ranges_;
};

}  // namespace heddle::emu
