// SPDX-License-Identifier: Apache-2.0
// Bytes as they come, however cut, into frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>

#include "net/tcp/wire/frame.hpp"

namespace heddle::net::tcp {

/// Pure, and allocates nothing: what it holds is a header that has come in part. The payload passes through.
class FrameReader {
 public:
  /// A header, after which its payload comes, or bytes of the payload, within what was given.
  using Item = std::variant<Frame, std::span<const std::byte>>;

  /// Takes the next item from the front of `bytes`. None: all were taken, and more must come. Throws FrameError; what comes after
  /// that means nothing.
  std::optional<Item> take(std::span<const std::byte>& bytes);

  /// Bytes of the latest frame's payload that are still to come.
  std::size_t payload_left() const { return payload_left_; }
  /// So many of them, at most payload_left(), were read by the caller itself.
  void skip(std::size_t bytes) { payload_left_ -= bytes; }

 private:
  EncodedFrame header_ = {};
  std::size_t header_bytes_ = 0;
  std::size_t payload_left_ = 0;
};

}  // namespace heddle::net::tcp
