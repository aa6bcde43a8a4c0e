// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace heddle::emu {

/// Elements by number that stay where they are as more come. Looked up many times for every message: by a shift and two loads,
/// where std::deque, which holds no two large elements together, divides and reads a table as long as it is itself.
template <class T>
class ChunkedVector {
 public:
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return chunks_[i / kChunk][i % kChunk]; }
  const T& operator[](std::size_t i) const { return chunks_[i / kChunk][i % kChunk]; }

  /// New elements are value-initialised.
  void grow(std::size_t size) {
    while (chunks_.size() * kChunk < size) chunks_.push_back(std::make_unique<T[]>(kChunk));
    size_ = size;
  }

 private:
  static constexpr std::size_t kChunk = 32;

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace heddle::emu
