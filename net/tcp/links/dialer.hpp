// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "net/tcp/links/link.hpp"
#include "net/tcp/links/listener.hpp"

namespace heddle::net::tcp {

/// Calls other ranks. A call that is refused or dropped is tried again until its time is over. One that is taken waits for its answer as
/// long as the other rank computes.
class Dialer : public Link::User {
 public:
  class User {
   public:
    virtual ~User() = default;
    virtual void reached(int rank, std::size_t credit, std::shared_ptr<Link> link) = 0;
    /// Not now: the rank itself calls, or has called.
    virtual void declined(int rank) = 0;
    virtual void unreachable(int rank, const std::string& why) = 0;
  };

  Dialer(boost::asio::io_context& io, const Introduction& self, std::chrono::milliseconds patience, User& user)
      : io_(io), self_(self), patience_(patience), user_(user) {}

  /// One call to a rank at a time.
  void dial(int rank, const TcpEndpoint& address);
  bool is_dialing(int rank) const { return calls_.contains(rank); }
  void hang_up(int rank);
  void close();

  Destination destination(Link& link, const Frame& frame) override;
  void take(Link& link, const Frame& frame, std::vector<std::byte> kept) override;
  void lost(Link& link, const std::string& why) override;

 private:
  struct Call {
    Call(boost::asio::io_context& io, const TcpEndpoint& to, std::chrono::steady_clock::time_point end)
        : address(to), until(end), timer(io), socket(io) {}
    TcpEndpoint address;
    std::chrono::steady_clock::time_point until;
    boost::asio::steady_timer timer;
    TcpSocket socket;  ///< until it is connected
    std::shared_ptr<Link> link;
    Acquaintance both;
    std::size_t credit = 0;
    bool is_answered = false;
  };

  void connect(int rank, const std::shared_ptr<Call>& call);
  void connected(int rank, Call& call);
  void again(int rank, const std::shared_ptr<Call>& call, const std::string& why);
  void fail(int rank, const std::string& why);

  boost::asio::io_context& io_;
  Introduction self_;
  std::chrono::milliseconds patience_;
  User& user_;
  std::map<int, std::shared_ptr<Call>> calls_;
};

}  // namespace heddle::net::tcp
