// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/links/dialer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::net::tcp {

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
