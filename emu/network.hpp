// SPDX-License-Identifier: Apache-2.0
// How messages cross the fabric. A model of contention stands behind this interface and knows nothing of ranks or tags.
#pragma once

#include <cstdint>
#include <span>

#include "topo/topology.hpp"

namespace heddle::emu {

using MessageId = std::uint32_t;

/// An operation that the switches do.
using StreamId = std::uint32_t;

/// What a stream takes of a link (or trunk): `use` bytes there per byte of its own.
struct StreamLink {
  LinkId link;
  double use;
  bool counts;  ///< as bytes of that link; else the link takes part in sharing alone
};

class NetworkClient {
 public:
  /// The last byte has left the sender.
  virtual void drained(MessageId message) = 0;
  /// The last byte has reached the receiver. Always after drained().
  virtual void arrived(MessageId message) = 0;
  /// One of the two comes soon, as Alarm::expect.
  virtual void expect_drained(MessageId message, int stage) = 0;
  virtual void expect_arrived(MessageId message, int stage) = 0;
  /// The last byte of a stream has left its source, or all of them.
  virtual void streamed(StreamId /*stream*/) {}

 protected:
  ~NetworkClient() = default;
};

class Network {
 public:
  virtual ~Network() = default;

  /// `message` of `bytes` ≥ 0 leaves endpoint `from` for another endpoint `to` now. `round` ≥ 1 is for the statistics.
  virtual void send(MessageId message, VertexId from, VertexId to, std::int64_t bytes, int round) = 0;

  /// A stream of `bytes` ≥ 0 starts now on all of its links at once; each link is named once. The client learns when it has
  /// drained; the way from there is its own affair.
  virtual void stream(StreamId stream, std::span<const StreamLink> links, double bytes, int round) = 0;

  /// All starts and ends of this instant are known: what they change takes effect.
  virtual void settle() = 0;
};

}  // namespace heddle::emu
