// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "net/tcp/frame.hpp"
#include "tests/fuzzers/targets.hpp"

namespace heddle::fuzzers {

namespace {

using net::tcp::Frame;
using net::tcp::FrameError;
using net::tcp::FrameReader;

std::vector<std::byte> bytes_of_text(std::string_view text) {
  std::vector<std::byte> bytes;
  if (!text.starts_with("hex:")) {
    for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
    return bytes;
  }
  for (std::size_t at = 4; at + 2 <= text.size(); at += 2) {
    unsigned value = 0;
    for (const char c : text.substr(at, 2)) {
      const std::size_t digit = std::string_view("0123456789abcdef").find(c);
      value = 16 * value + (digit == std::string_view::npos ? 0 : static_cast<unsigned>(digit));
    }
    bytes.push_back(static_cast<std::byte>(value));
  }
  return bytes;
}

/// What a reader found: each header as it is written, bytes of payloads, and in the end why it stopped.
struct FoundFrames {
  std::vector<Frame> frames;
  std::vector<std::byte> payloads;
  std::string refusal;
  bool operator==(const FoundFrames&) const = default;
};

FoundFrames read_frames(std::span<const std::byte> bytes, std::size_t at_once) {
  FrameReader reader;
  FoundFrames found;
  try {
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(at_once, bytes.size()))) {
      auto piece = bytes.first(std::min(at_once, bytes.size()));
      while (const auto item = reader.take(piece)) {
        if (const auto* frame = std::get_if<Frame>(&*item)) {
          found.frames.push_back(*frame);
        } else {
          const auto part = std::get<std::span<const std::byte>>(*item);
          found.payloads.insert(found.payloads.end(), part.begin(), part.end());
        }
      }
    }
  } catch (const FrameError& error) {
    found.refusal = error.what();
  }
  return found;
}

}  // namespace

/// Cut anyhow, the same; each header is written as it was read.
void frames(std::string_view text) {
  const std::vector<std::byte> bytes = bytes_of_text(text);
  const FoundFrames whole = read_frames(bytes, std::max<std::size_t>(bytes.size(), 1));
  for (const std::size_t at_once : {1, 7, 41})
    if (read_frames(bytes, at_once) != whole) throw std::logic_error("frames depend on how their bytes are cut");
  for (const Frame& frame : whole.frames)
    if (net::tcp::decode(net::tcp::encode(frame)) != frame) throw std::logic_error("a frame is not written as it was read");
  try {
    const auto places = net::tcp::decode_places(bytes, 2);
    if (net::tcp::encode(places) != bytes) throw std::logic_error("a table is not written as it was read");
  } catch (const FrameError&) {
  }
}

}  // namespace heddle::fuzzers
