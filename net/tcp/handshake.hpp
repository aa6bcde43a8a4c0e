// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "net/tcp/link.hpp"
#include "net/tcp/proof.hpp"

namespace heddle::net::tcp {

/// What a rank says of itself to another.
struct Introduction {
  int rank = 0;
  int size = 0;
  SipKey token = {};
  std::size_t credit = 0;  ///< bytes that it takes unasked
};

/// Lets in who knows the token. Others are dropped without a word: after a few seconds, when they send what does not belong, or when
/// there are more of them than kMostGuests, the oldest first; a rank that is dropped among them calls again.
class Listener : public Link::User {
 public:
  class User {
   public:
    virtual ~User() = default;
    /// Why this rank must not come; empty words: another connection to it is or will be. Links of who is let in are joined() at once.
    virtual std::optional<std::string> objection(int rank) = 0;
    virtual void joined(int rank, std::size_t credit, std::shared_ptr<Link> link) = 0;
  };

  static constexpr std::size_t kMostGuests = 64;
  static constexpr std::chrono::seconds kGuestTime{5};

  /// Throws NetworkError if nobody can listen there.
  Listener(boost::asio::io_context& io, const TcpEndpoint& address, const Introduction& self, User& user);

  TcpEndpoint address() const { return acceptor_.local_endpoint(); }
  /// Nobody else is let in, and guests are dropped.
  void close();
  /// Drops those who have been guests for too long.
  void drop_late();

  Destination destination(Link& link, const Frame& frame) override;
  void take(Link& link, const Frame& frame, std::vector<std::byte> kept) override;
  void lost(Link& link, const std::string& why) override;

 private:
  struct Guest {
    std::shared_ptr<Link> link;
    std::chrono::steady_clock::time_point until;
    std::optional<Acquaintance> who;  ///< after its hello
    std::size_t credit = 0;
  };

  void accept();
  Guest& guest_of(const Link& link);
  void drop(const Link& link);
  void greet(Guest& guest, const Frame& frame, const std::vector<std::byte>& nonce);
  void let_in(Guest& guest, const Frame& frame);

  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::steady_timer pause_;
  Introduction self_;
  User& user_;
  std::list<Guest> guests_;
};

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
