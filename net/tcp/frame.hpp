// SPDX-License-Identifier: Apache-2.0
// What travels over a connection: frames, each a header of fixed length and perhaps a payload.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "heddle/errors.hpp"
#include "net/ranks/transport.hpp"

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
  // To rank 0 and back (RankPlace).
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

/// The program's messages never meet those of gather_all and barrier.
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

// Numbers as they travel: the lowest byte first, on any machine.

/// The first bytes; there must be enough of them.
template <class Number>
Number read_little(std::span<const std::byte> bytes) {
  std::make_unsigned_t<Number> number = 0;
  for (std::size_t i = sizeof(Number); i-- > 0;)
    number = static_cast<std::make_unsigned_t<Number>>((std::size_t{number} << 8) | std::to_integer<std::size_t>(bytes[i]));
  return static_cast<Number>(number);
}

template <class Number>
void write_little(Number value, std::span<std::byte> bytes) {
  auto number = static_cast<std::make_unsigned_t<Number>>(value);
  for (std::size_t i = 0; i < sizeof(Number); ++i)
    bytes[i] = static_cast<std::byte>(static_cast<unsigned char>(std::size_t{number} >> (8 * i)));
}

// Bytes as they come, however cut, into frames.

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

// What is written to a connection at once, and where what comes from it goes.

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

// Where each rank listens: what it tells rank 0, and what rank 0 tells all.

struct RankPlace {
  std::uint64_t machine = 0;  ///< equal on one machine
  std::uint16_t port = 0;
  std::string address;  ///< as text, at most 64 bytes

  bool operator==(const RankPlace&) const = default;
};

std::vector<std::byte> encode(std::span<const RankPlace> places);
/// Throws FrameError unless there are `count` of them and nothing else.
std::vector<RankPlace> decode_places(std::span<const std::byte> bytes, std::size_t count);

/// Of this machine as it runs now: from its name and the number of its latest start.
std::uint64_t this_machine();

}  // namespace heddle::net::tcp
