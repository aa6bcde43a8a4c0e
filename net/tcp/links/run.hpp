// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "net/tcp/links/dialer.hpp"
#include "net/tcp/links/link.hpp"
#include "net/tcp/links/listener.hpp"
#include "net/tcp/messages/traffic.hpp"
#include "net/tcp/tcp_settings.hpp"
#include "net/tcp/wire/rank_table.hpp"

namespace heddle::net::tcp {

/// One rank among the others: who is there, who has ended, and how.
///
/// Of two ranks that call each other at once the lower one's call remains: it declines the other's, and the other takes its call. No
/// message travels before a call is welcome, so none is lost or overtaken.
class Run : public Link::User, public Listener::User, public Dialer::User, public FrameCarrier {
 public:
  explicit Run(const TcpSettings& settings);
  ~Run() override;

  /// Blocks until all ranks are there.
  void assemble();

  int rank() const { return settings_.rank; }
  int size() const { return settings_.size; }
  std::vector<int> machines() const;

  OperationId send(int peer, Route route, SendPieces pieces);
  OperationId receive(int peer, Route route, ReceivePieces pieces);
  void progress(Patience patience, std::vector<Completion>& ended);
  /// Blocks until these operations of the own lane have ended; their completions.
  std::vector<Completion> wait_for(std::vector<OperationId> operations);
  [[noreturn]] void abort(const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;

  struct Peer {
    std::shared_ptr<Link> link;
    bool has_ended = false;  ///< in order
    std::optional<RankPlace> place;
  };

  Peer& peer(int rank) { return peers_[static_cast<std::size_t>(rank)]; }
  const Peer& peer(int rank) const { return peers_[static_cast<std::size_t>(rank)]; }
  void require_peer(int rank, const char* call) const;

  // What comes.
  Destination destination(Link& link, const Frame& frame) override;
  void take(Link& link, const Frame& frame, std::vector<std::byte> kept) override;
  void lost(Link& link, const std::string& why) override;
  void fill(Link& link, Batch& batch) override;
  void written(Link& link, const Batch& batch) override;
  std::optional<std::string> objection(int rank) override;
  void joined(int rank, std::size_t credit, std::shared_ptr<Link> link) override;
  void reached(int rank, std::size_t credit, std::shared_ptr<Link> link) override;
  void declined(int) override {}
  void unreachable(int rank, const std::string& why) override;

  // What goes.
  void carry(int peer, const Frame& frame) override;
  void wake(int peer) override;

  void take_enlist(Link& link, const std::vector<std::byte>& kept);
  void send_table();
  TcpEndpoint address_of(int rank) const;
  void hear_goodbye(Link& link, int rank);
  void fail_if_waiting(int rank);
  void fail(int culprit, const std::string& text, FrameKind kind = FrameKind::death, const Link* messenger = nullptr);
  void throw_failure() const;
  /// Lets everything go on; waits for a millisecond at most if it may and nothing has happened.
  void step(bool may_wait);
  void step_until(Clock::time_point end, const std::function<bool()>& is_done);
  void leave();
  void flush(std::chrono::milliseconds longest);

  TcpSettings settings_;
  boost::asio::io_context io_;
  Introduction self_;
  std::vector<Peer> peers_;
  Traffic traffic_;
  std::unique_ptr<Listener> listener_;
  Dialer dialer_;
  TcpEndpoint rendezvous_;
  bool is_assembled_ = false;
  std::optional<std::string> failure_;
};

}  // namespace heddle::net::tcp
