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
#include <tuple>
#include <vector>

#include "net/tcp/wire/frame.hpp"
#include "net/transport/transport.hpp"

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

}  // namespace heddle::net::tcp
