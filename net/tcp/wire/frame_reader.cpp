// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/wire/frame_reader.hpp"

#include <algorithm>

namespace heddle::net::tcp {

std::optional<FrameReader::Item> FrameReader::take(std::span<const std::byte>& bytes) {
  if (bytes.empty()) return std::nullopt;
  if (payload_left_ > 0) {
    const std::span<const std::byte> part = bytes.first(std::min(payload_left_, bytes.size()));
    payload_left_ -= part.size();
    bytes = bytes.subspan(part.size());
    return part;
  }
  const std::size_t more = std::min(kFrameBytes - header_bytes_, bytes.size());
  std::copy_n(bytes.begin(), more, header_.begin() + static_cast<std::ptrdiff_t>(header_bytes_));
  header_bytes_ += more;
  bytes = bytes.subspan(more);
  if (header_bytes_ < kFrameBytes) return std::nullopt;
  header_bytes_ = 0;
  const Frame frame = decode(header_);
  payload_left_ = frame.payload;
  return frame;
}

}  // namespace heddle::net::tcp
