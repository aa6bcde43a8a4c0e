// SPDX-License-Identifier: Apache-2.0
// Which message a receive takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "net/ranks/transport.hpp"
#include "net/tcp/frame.hpp"

namespace heddle::net::tcp {

struct Route {
  Lane lane = Lane::program;
  Stream stream;
  friend constexpr auto operator<=>(const Route&, const Route&) = default;
};

struct Receive {
  OperationId operation = 0;
  int peer = kAnyPeer;
  Route route;
  std::vector<std::span<std::byte>> pieces;
  std::size_t room = 0;  ///< bytes
};

struct Send {
  OperationId operation = 0;
  int peer = 0;
  Route route;
  std::vector<std::span<const std::byte>> pieces;
  std::size_t length = 0;  ///< bytes
};

/// A message that has begun to come.
struct Arrival {
  int peer = 0;
  Route route;
  std::size_t length = 0;
  std::uint64_t id = 0;            ///< of its send
  bool is_announced = false;       ///< its bytes come when they are asked for
  bool is_whole = false;           ///< all its bytes are here
  std::vector<std::byte> bytes;    ///< that came before its receive
  std::optional<Send> own;         ///< to oneself, of which nothing was copied
  std::optional<Receive> receive;  ///< once there is one
};

/// Messages of one route and sender in order, receives in order. Knows nothing of networks.
class Matching {
 public:
  /// The first message that came for it, if one did; else it waits.
  std::shared_ptr<Arrival> post(const Receive& receive);
  /// Gives the message the first receive that waits for it, if one does, and says whether; else it waits.
  bool arrive(const std::shared_ptr<Arrival>& arrival);
  /// A receive that waits for this very peer.
  const Receive* waiting_for(int peer) const;

 private:
  struct Queues {
    std::deque<Receive> receives;
    std::deque<std::shared_ptr<Arrival>> arrivals;
  };
  std::map<Route, Queues> queues_;
};

// Messages as frames, and back.
//
// A message of at most kLongestUnasked bytes is sent at once while the receiver's credit lasts. A longer one, and any other for which
// there is no credit left, is announced, and sent when the receiver has a receive for it, straight into the receive's memory. So
// every connection is always read: a receive is reached by its message whatever stands before it, and what a receiver must keep
// is bounded by the credit that it gave. A copy of 64 KiB costs about as much as the way there and back on one machine, which asking
// would cost; longer copies cost more.

inline constexpr std::size_t kLongestUnasked = std::size_t{64} << 10;
/// What a message that is kept costs besides its bytes.
inline constexpr std::size_t kMessageCost = 64;

/// Takes small frames to other ranks.
class FrameCarrier {
 public:
  virtual ~FrameCarrier() = default;
  virtual void carry(int peer, const Frame& frame) = 0;
  /// There is something for fill().
  virtual void wake(int peer) = 0;
};

/// The messages of one rank. Knows frames, and no sockets. Reads and writes the memory of operations only within its calls.
class Traffic {
 public:
  /// `credit`: bytes that each peer may send unasked.
  Traffic(int rank, int size, std::size_t credit, FrameCarrier& carrier);

  OperationId send(int peer, Route route, SendPieces pieces);
  OperationId receive(int peer, Route route, ReceivePieces pieces);

  /// So many bytes more may be sent to the peer unasked.
  void grant(int peer, std::size_t bytes) { peers_[index(peer)].credit += bytes; }

  // Frames of messages, from a peer, in order: first where the payload goes, then, when it has come, `kept`, what was to be kept of it.
  // Both throw FrameError for what cannot be.
  Destination destination(int peer, const Frame& frame);
  void take(int peer, const Frame& frame, std::vector<std::byte> kept);

  /// What is to be written next, about `most` bytes of it.
  void fill(int peer, Batch& batch, std::size_t most);
  void written(const Batch& batch);

  /// Nothing comes from this peer any more: what waits for that, in words; none if nothing does.
  std::optional<std::string> waits_for(int peer) const;
  /// Touches no memory of others from now on.
  void stop() { is_stopped_ = true; }

  /// Of the program's lane and of the other. The caller empties them.
  std::vector<Completion>& ended(Lane lane) { return ended_[static_cast<std::size_t>(lane)]; }
  /// Lines: messages that were longer than their receives.
  std::deque<std::string>& misuses() { return misuses_; }

 private:
  struct Part {
    Send send;
    std::size_t sent = 0;
  };
  struct Transfer {
    std::shared_ptr<Arrival> arrival;
    std::size_t came = 0;
  };
  struct Peer {
    std::size_t credit = 0;  ///< that it gave
    std::size_t owed = 0;    ///< that it is to be given back
    std::deque<Send> queue;
    std::unordered_map<std::uint64_t, Send> announced;
    std::deque<Part> cleared;
    std::unordered_map<std::uint64_t, Transfer> transfers;  ///< by its ids
    std::shared_ptr<Arrival> coming;                        ///< whose frame is under way
  };

  static std::size_t index(int peer) { return static_cast<std::size_t>(peer); }
  void send_to_self(Send send);
  void ask_or_deliver(const std::shared_ptr<Arrival>& arrival);
  bool refuse_if_too_long(const Arrival& arrival);
  void deliver_kept(const Arrival& arrival);
  void end_receive(const Arrival& arrival);
  void end_send(const Send& send);
  void give_back(int peer, std::size_t bytes);
  void fill_from_queue(Peer& peer, Batch& batch);
  void fill_part(Peer& peer, Batch& batch, std::size_t most);

  int rank_;
  std::size_t credit_;
  FrameCarrier& carrier_;
  std::vector<Peer> peers_;
  Matching matching_;
  OperationId latest_ = 0;
  std::vector<Completion> ended_[2];
  std::deque<std::string> misuses_;
  bool is_stopped_ = false;
};

}  // namespace heddle::net::tcp
