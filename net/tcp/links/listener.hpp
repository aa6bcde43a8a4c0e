// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "net/tcp/links/link.hpp"
#include "net/tcp/wire/proof.hpp"

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

}  // namespace heddle::net::tcp
