// SPDX-License-Identifier: Apache-2.0
// Letters that count the lines which a parser has read of them: nlohmann's says how many letters, not how many lines.
#pragma once

#include <cstddef>
#include <iterator>

namespace heddle {

/// How far the parser has read. It never reads further than one character behind a value.
struct ReadProgress {
  int line = 1;  ///< of the last character read; the end of a line belongs to it
  bool has_ended = false;

  void take(char character) {
    if (has_ended) ++line;
    has_ended = character == '\n';
  }
};

class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, ReadProgress* progress) : at_(at), progress_(progress) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    progress_->take(*at_++);
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }
  friend bool operator!=(const CountingIterator& a, const CountingIterator& b) { return a.at_ != b.at_; }

 private:
  const char* at_;
  ReadProgress* progress_;
};

}  // namespace heddle
