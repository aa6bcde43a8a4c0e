// SPDX-License-Identifier: Apache-2.0
// Messages between processes, each one rank: what a network must do for a Communicator. MPI and TCP each have one.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heddle/errors.hpp"

namespace heddle::net {

/// The network, or a process at its other end, failed. One line that names the rank and what was called.
class NetworkError : public Error {
 public:
  using Error::Error;
};

/// Messages of one stream, source and destination match in the order in which they were sent; others never match.
struct Stream {
  std::uint64_t context = 0;  ///< of a communicator: the same number on all of its ranks
  std::int32_t tag = 0;
  friend constexpr auto operator<=>(const Stream&, const Stream&) = default;
};

/// Where the bytes of a message lie, in order.
using SendPieces = std::span<const std::span<const std::byte>>;
using ReceivePieces = std::span<const std::span<std::byte>>;

template <class Byte>
std::size_t bytes_in(std::span<const std::span<Byte>> pieces) {
  std::size_t bytes = 0;
  for (const std::span<Byte> piece : pieces) bytes += piece.size();
  return bytes;
}

/// One message that was begun; its number is never used again.
using OperationId = std::uint64_t;

/// An operation that has ended: the caller may use its memory again.
struct Completion {
  OperationId operation = 0;
  int peer = 0;           ///< whom it was sent to or came from
  std::size_t bytes = 0;  ///< of the message
};

/// Of a receive: from whoever sends first.
inline constexpr int kAnyPeer = -1;

/// How long progress() may wait.
enum class Patience : std::uint8_t { none, some };

/// The processes of one run, each with the same number of them. One thread uses it. What goes wrong with the network throws
/// NetworkError that names the rank it concerns, UsageError where a message is longer than its receive.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// "Open MPI 4.1.4", "TCP".
  virtual std::string name() const = 0;
  /// By rank: a number for each machine, equal where ranks share one.
  virtual std::vector<int> machines() const = 0;

  /// Why messages of such a stream cannot be sent; empty: they can. Of a context and a tag that can, lesser ones can as well.
  virtual std::string why_not(Stream /*stream*/) const { return ""; }

  // Both return at once. The bytes stay the caller's until the completion; the list of pieces is copied. `peer` may be this rank.
  virtual OperationId send(int peer, Stream stream, SendPieces pieces) = 0;
  virtual OperationId receive(int peer, Stream stream, ReceivePieces pieces) = 0;

  /// Lets messages go on, and appends what has ended. With Patience::some and nothing to append it may wait a while, about a
  /// millisecond at most, or let other processes run.
  virtual void progress(Patience patience, std::vector<Completion>& ended) = 0;

  /// Collective, blocks: what every rank gives, by rank, all of one length. No message of its own is seen by a profiler as the
  /// program's. Nothing else of this process goes on meanwhile.
  virtual std::vector<std::vector<std::byte>> gather_all(std::span<const std::byte> mine) = 0;
  /// Collective, blocks: returns when all ranks have called it, as nearly at once as can be.
  virtual void barrier() = 0;

  /// Ends all processes of the run, this one included, after standard error has the text and a new line. Does not return.
  [[noreturn]] virtual void abort(const std::string& text) = 0;
};

}  // namespace heddle::net
