// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/handshake.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::net::tcp {

namespace {

constexpr int kBacklog = 1024;
constexpr std::chrono::milliseconds kPause(50);

}  // namespace

Listener::Listener(boost::asio::io_context& io, const TcpEndpoint& address, const Introduction& self, User& user)
    : acceptor_(io), pause_(io), self_(self), user_(user) {
  try {
    acceptor_.open(address.protocol());
    acceptor_.set_option(boost::asio::socket_base::reuse_address(true));
    acceptor_.bind(address);
    acceptor_.listen(kBacklog);
  } catch (const boost::system::system_error& error) {
    throw NetworkError(fmt::format("rank {}: cannot listen at {}:{}: {}", self.rank, address.address().to_string(),
                                   address.port(), error.code().message()));
  }
  accept();
}

void Listener::accept() {
  acceptor_.async_accept([this](const SystemError& error, TcpSocket socket) {
    if (error == boost::asio::error::operation_aborted || !acceptor_.is_open()) return;
    if (error) {  // no file is left, say: later
      pause_.expires_after(kPause);
      pause_.async_wait([this](const SystemError& stopped) {
        if (!stopped) accept();
      });
      return;
    }
    if (guests_.size() >= kMostGuests) drop(*guests_.front().link);
    guests_.push_back(
        {std::make_shared<Link>(std::move(socket), *this, -1), std::chrono::steady_clock::now() + kGuestTime, {}, 0});
    guests_.back().link->start();
    accept();
  });
}

void Listener::close() {
  SystemError ignored;
  acceptor_.close(ignored);
  pause_.cancel();
  while (!guests_.empty()) drop(*guests_.front().link);
}

void Listener::drop_late() {
  if (guests_.empty()) return;
  const auto now = std::chrono::steady_clock::now();
  while (!guests_.empty() && guests_.front().until < now) drop(*guests_.front().link);
}

Listener::Guest& Listener::guest_of(const Link& link) {
  return *std::ranges::find_if(guests_, [&](const Guest& guest) { return guest.link.get() == &link; });
}

void Listener::drop(const Link& link) {
  const auto guest = std::ranges::find_if(guests_, [&](const Guest& one) { return one.link.get() == &link; });
  if (guest == guests_.end()) return;
  guest->link->close();
  guests_.erase(guest);
}

Destination Listener::destination(Link& link, const Frame& frame) {
  const bool is_known = guest_of(link).who.has_value();
  if (frame.kind != (is_known ? FrameKind::proof : FrameKind::hello)) throw FrameError("another frame than its turn");
  return {{}, true};
}

void Listener::take(Link& link, const Frame& frame, std::vector<std::byte> kept) {
  Guest& guest = guest_of(link);
  if (frame.kind == FrameKind::hello) return greet(guest, frame, kept);
  let_in(guest, frame);
}

void Listener::greet(Guest& guest, const Frame& frame, const std::vector<std::byte>& nonce) {
  Acquaintance both = {frame.tag, self_.rank, frame.context, {}, random_nonce()};
  if (nonce.size() != both.callers_nonce.size()) throw FrameError("a nonce of another length");
  std::ranges::copy(nonce, both.callers_nonce.begin());
  guest.who = both;
  guest.credit = frame.length;
  guest.link->post(
      {.kind = FrameKind::challenge, .tag = self_.rank, .id = prove(self_.token, Side::called, both), .length = self_.credit},
      both.calleds_nonce);
  guest.link->wake();
}

void Listener::let_in(Guest& guest, const Frame& frame) {
  const Acquaintance both = *guest.who;
  if (frame.id != prove(self_.token, Side::calling, both)) throw FrameError("a proof of another token");
  const std::shared_ptr<Link> link = guest.link;
  const std::size_t credit = guest.credit;
  std::optional<std::string> objection;
  if (both.ranks != static_cast<std::uint64_t>(self_.size)) {
    objection = fmt::format("it has {} ranks, and rank {} one of {}", self_.size, both.caller, both.ranks);
  } else if (both.caller < 0 || both.caller >= self_.size || both.caller == self_.rank) {
    objection = fmt::format("{} is none of its other ranks", both.caller);
  } else {
    objection = user_.objection(both.caller);
  }
  if (objection) {
    link->post({.kind = FrameKind::decline}, *objection);
    link->wake();
    link->finish_writing();  // it closes, or is dropped when its time is over
    return;
  }
  std::erase_if(guests_, [&](const Guest& one) { return one.link == link; });
  link->post({.kind = FrameKind::welcome});
  link->set_peer(both.caller);
  user_.joined(both.caller, credit, link);
}

void Listener::lost(Link& link, const std::string&) { drop(link); }

namespace {

constexpr std::chrono::milliseconds kBetweenCalls(20);

}  // namespace

void Dialer::dial(int rank, const TcpEndpoint& address) {
  const auto call = std::make_shared<Call>(io_, address, std::chrono::steady_clock::now() + patience_);
  calls_[rank] = call;
  connect(rank, call);
}

void Dialer::connect(int rank, const std::shared_ptr<Call>& call) {
  call->socket = TcpSocket(io_);
  call->is_answered = false;
  // A machine that does not answer at all.
  call->timer.expires_at(call->until);
  call->timer.async_wait([call](const SystemError& stopped) {
    SystemError ignored;
    if (!stopped) call->socket.close(ignored);
  });
  call->socket.async_connect(call->address, [this, rank, call](const SystemError& error) {
    const auto current = calls_.find(rank);
    if (current == calls_.end() || current->second != call) return;
    call->timer.cancel();
    if (error) return again(rank, call, error == boost::asio::error::operation_aborted ? "no answer" : error.message());
    connected(rank, *call);
  });
}

void Dialer::connected(int rank, Call& call) {
  call.link = std::make_shared<Link>(std::move(call.socket), *this, rank);
  call.both = {self_.rank, rank, static_cast<std::uint64_t>(self_.size), random_nonce(), {}};
  call.link->post({.kind = FrameKind::hello, .tag = self_.rank, .context = call.both.ranks, .length = self_.credit},
                  call.both.callers_nonce);
  call.link->start();
  call.link->wake();
}

void Dialer::again(int rank, const std::shared_ptr<Call>& call, const std::string& why) {
  if (std::chrono::steady_clock::now() + kBetweenCalls >= call->until) {
    return fail(rank, fmt::format("cannot be reached at {}:{} within {:g} s: {}", call->address.address().to_string(),
                                  call->address.port(), std::chrono::duration<double>(patience_).count(), why));
  }
  call->link.reset();
  call->timer.expires_after(kBetweenCalls);
  call->timer.async_wait([this, rank, call](const SystemError& stopped) {
    const auto current = calls_.find(rank);
    if (!stopped && current != calls_.end() && current->second == call) connect(rank, call);
  });
}

void Dialer::fail(int rank, const std::string& why) {
  hang_up(rank);
  user_.unreachable(rank, why);
}

void Dialer::hang_up(int rank) {
  const auto found = calls_.find(rank);
  if (found == calls_.end()) return;
  const std::shared_ptr<Call> call = found->second;
  calls_.erase(found);
  call->timer.cancel();
  SystemError ignored;
  call->socket.close(ignored);
  if (call->link) call->link->close();
}

void Dialer::close() {
  while (!calls_.empty()) hang_up(calls_.begin()->first);
}

Destination Dialer::destination(Link& link, const Frame& frame) {
  const bool is_answered = calls_.at(link.peer())->is_answered;
  const bool is_in_turn =
      is_answered ? frame.kind == FrameKind::welcome || frame.kind == FrameKind::decline : frame.kind == FrameKind::challenge;
  if (!is_in_turn) throw FrameError(fmt::format("a frame '{}' out of turn", to_string(frame.kind)));
  return {{}, true};
}

void Dialer::take(Link& link, const Frame& frame, std::vector<std::byte> kept) {
  const int rank = link.peer();
  const std::shared_ptr<Call> call = calls_.at(rank);
  if (frame.kind == FrameKind::challenge) {
    if (kept.size() != call->both.calleds_nonce.size()) throw FrameError("a nonce of another length");
    std::ranges::copy(kept, call->both.calleds_nonce.begin());
    if (frame.tag != rank || frame.id != prove(self_.token, Side::called, call->both)) {
      return fail(rank, fmt::format("at {}:{} is not of this run: it does not know its token (HEDDLE_TOKEN)",
                                    call->address.address().to_string(), call->address.port()));
    }
    call->is_answered = true;
    call->credit = frame.length;
    link.post({.kind = FrameKind::proof, .id = prove(self_.token, Side::calling, call->both)});
    return link.wake();
  }
  if (frame.kind == FrameKind::decline) {
    if (!kept.empty()) return fail(rank, "refuses: " + std::string(reinterpret_cast<const char*>(kept.data()), kept.size()));
    hang_up(rank);
    return user_.declined(rank);
  }
  const std::shared_ptr<Link> reached = std::exchange(call->link, nullptr);
  calls_.erase(rank);
  user_.reached(rank, call->credit, reached);
}

void Dialer::lost(Link& link, const std::string& why) {
  const auto call = calls_.find(link.peer());
  if (call != calls_.end() && call->second->link.get() == &link) again(link.peer(), call->second, why);
}

}  // namespace heddle::net::tcp
