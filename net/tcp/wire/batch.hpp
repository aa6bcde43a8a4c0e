// SPDX-License-Identifier: Apache-2.0
// What is written to a connection at once, and where what comes from it goes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "net/tcp/wire/frame.hpp"
#include "net/transport/transport.hpp"

namespace heddle::net::tcp {

/// A send whose last byte is in a batch.
struct EndingSend {
  Completion completion;
  Lane lane = Lane::program;
};

/// Headers of its own and payloads of others, in order. Neither copied nor moved: the pieces point into it.
class Batch {
 public:
  Batch() = default;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  void add(const Frame& frame) {
    headers_.push_back(encode(frame));
    add(std::span<const std::byte>(headers_.back()));
  }
  void add(std::span<const std::byte> piece) {
    if (piece.empty()) return;
    pieces_.push_back(piece);
    bytes_ += piece.size();
  }
  void add(const EndingSend& send) { ending_.push_back(send); }
  void clear() {
    pieces_.clear();
    headers_.clear();
    ending_.clear();
    bytes_ = 0;
  }

  std::span<const std::span<const std::byte>> pieces() const { return pieces_; }
  std::span<const EndingSend> ending() const { return ending_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::deque<EncodedFrame> headers_;
  std::vector<std::span<const std::byte>> pieces_;
  std::vector<EndingSend> ending_;
  std::size_t bytes_ = 0;
};

/// Where a payload goes: into these pieces, which have room for it, or else into a vector that grows with it, or else nowhere.
struct Destination {
  std::vector<std::span<std::byte>> pieces = {};
  bool is_kept = false;
};

/// `length` bytes of them from `offset`; there must be so many.
template <class Byte>
std::vector<std::span<Byte>> pieces_within(std::span<const std::span<Byte>> pieces, std::size_t offset, std::size_t length) {
  std::vector<std::span<Byte>> within;
  for (const std::span<Byte> piece : pieces) {
    if (offset >= piece.size()) {
      offset -= piece.size();
      continue;
    }
    if (length == 0) break;
    const std::span<Byte> part = piece.subspan(offset, std::min(length, piece.size() - offset));
    within.push_back(part);
    length -= part.size();
    offset = 0;
  }
  return within;
}

}  // namespace heddle::net::tcp
