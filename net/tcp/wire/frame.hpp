// SPDX-License-Identifier: Apache-2.0
// What travels over a connection: frames, each a header of fixed length and perhaps a payload.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "heddle/errors.hpp"

namespace heddle::net::tcp {

/// Bytes that are no frame, or a frame that must not come here. One line.
class FrameError : public Error {
 public:
  using Error::Error;
};

/// `id` of a message is its send's, unique for the sender.
enum class FrameKind : std::uint8_t {
  // Who is there (handshake.hpp).
  hello = 1,  ///< tag: the caller's rank; context: how many ranks; length: the bytes it takes unasked; payload: its nonce
  challenge,  ///< tag: own rank; id: own proof; length: as hello's; payload: own nonce
  proof,      ///< id: the caller's proof
  welcome,
  decline,  ///< payload: why, empty where another connection of the two remains
  // To rank 0 and back (rank_table.hpp).
  enlist,
  table,
  // Messages.
  message,   ///< whole, unasked; length: of the message
  announce,  ///< there is one; length: of the message
  clear,     ///< it may come
  drop,      ///< it is longer than its receive: it counts as sent
  part,      ///< bytes of it; length: how many of it have come before
  credit,    ///< length: so many bytes more may come unasked
  // Ends. id: whose.
  goodbye,
  death,  ///< payload: what is known of it
  abort,  ///< payload: what it said
};

/// The program's messages never meet those of gather_all and meet.
enum class Lane : std::uint8_t { program, own };

struct Frame {
  FrameKind kind = FrameKind::hello;
  Lane lane = Lane::program;
  std::int32_t tag = 0;
  std::uint32_t payload = 0;  ///< bytes that follow
  std::uint64_t context = 0;
  std::uint64_t id = 0;
  std::uint64_t length = 0;

  bool operator==(const Frame&) const = default;
};

inline constexpr std::size_t kFrameBytes = 40;
using EncodedFrame = std::array<std::byte, kFrameBytes>;

/// No part is longer, so that no other frame waits long behind one; no unasked message either.
inline constexpr std::uint32_t kLongestPart = 1U << 20;
/// Of a death, an abort, a decline.
inline constexpr std::uint32_t kLongestText = 4096;

EncodedFrame encode(const Frame& frame);
/// Throws FrameError for what encode() does not write, and for a payload that is too long for its kind.
Frame decode(std::span<const std::byte, kFrameBytes> bytes);

std::uint32_t longest_payload(FrameKind kind);
std::string to_string(FrameKind kind);

}  // namespace heddle::net::tcp
