// SPDX-License-Identifier: Apache-2.0
#include "net/tcp/tcp_transport.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "net/tcp/frame.hpp"
#include "net/tcp/handshake.hpp"
#include "net/tcp/link.hpp"
#include "net/tcp/traffic.hpp"

namespace heddle::net {

namespace tcp {

namespace {

/// Handlers in one step, so that who polls gets its turn.
constexpr int kMostHandlers = 256;
constexpr std::chrono::milliseconds kFlushTime(2000);
constexpr std::chrono::milliseconds kAbortTime(1000);

TcpEndpoint resolve(boost::asio::io_context& io, const HostAndPort& place, const char* what) {
  SystemError error;
  boost::asio::ip::tcp::resolver resolver(io);
  const auto found = resolver.resolve(place.host, std::to_string(place.port), error);
  if (error || found.empty())
    throw NetworkError(fmt::format("{} '{}': no such machine: {}", what, place.host, error.message()));
  return found.begin()->endpoint();
}

std::string text_of(const std::vector<std::byte>& bytes) {
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::ranges::replace(text, '\n', ' ');
  return text;
}

// Streams of the own lane.
constexpr std::int32_t kGive = 0;
constexpr std::int32_t kGet = 1;
constexpr std::int32_t kMeet = 2;

/// One rank among the others: who is there, who has ended, and how.
///
/// Of two ranks that call each other at once the lower one's call remains: it declines the other's, and the other takes its call. No
/// message travels before a call is welcome, so none is lost or overtaken.
class Run final : public Transport, public Link::User, public Listener::User, public Dialer::User, public FrameCarrier {
 public:
  explicit Run(const TcpSettings& settings)
      : settings_(settings),
        io_(1),
        self_{settings.rank, settings.size, settings.token, settings.unexpected},
        peers_(static_cast<std::size_t>(settings.size)),
        traffic_(settings.rank, settings.size, settings.unexpected, *this),
        dialer_(io_, self_, settings.deadline, *this) {
    if (settings.size < 1 || settings.rank < 0 || settings.rank >= settings.size)
      throw InputError(fmt::format("rank {} of {}: there is no such rank", settings.rank, settings.size));
  }

  ~Run() override {
    try {
      leave();
    } catch (const std::exception&) {  // no memory, say: the others see that the connections end
    }
  }

  /// Blocks until all ranks are there.
  void assemble() {
    peer(rank()).place = RankPlace{this_machine(), 0, ""};
    if (size() == 1) return;
    const auto end = Clock::now() + settings_.deadline;
    rendezvous_ = resolve(io_, settings_.rendezvous, "the rendezvous");
    const TcpEndpoint own = resolve(io_, {settings_.bind, 0}, "the address to bind");
    if (rank() == 0) {
      const TcpEndpoint at(own.address().is_unspecified() ? own.address() : rendezvous_.address(), rendezvous_.port());
      listener_ = std::make_unique<Listener>(io_, at, self_, *this);
      step_until(end, [&] { return std::ranges::all_of(peers_, [](const Peer& one) { return one.place.has_value(); }); });
      const auto missing = std::ranges::find_if(peers_, [](const Peer& one) { return !one.place; });
      if (missing != peers_.end())
        fail(static_cast<int>(missing - peers_.begin()),
             fmt::format("rank {} has not come within {:g} s", missing - peers_.begin(),
                         std::chrono::duration<double>(settings_.deadline).count()));
      throw_failure();
      send_table();
      listener_->close();  // all connections of rank 0 are there
      is_assembled_ = true;
      return;
    }
    listener_ = std::make_unique<Listener>(io_, own, self_, *this);
    dialer_.dial(0, rendezvous_);
    // Rank 0 knows best who is missing, and says so in time.
    step_until(end + std::chrono::seconds(1), [&] { return is_assembled_; });
    if (!is_assembled_ && !failure_)
      fail(0, fmt::format("rank 0 at {} has not answered within {:g} s", to_string(settings_.rendezvous),
                          std::chrono::duration<double>(settings_.deadline).count()));
    throw_failure();
  }

  int rank() const override { return settings_.rank; }
  int size() const override { return settings_.size; }
  std::string name() const override { return "TCP"; }

  std::vector<int> machines() const override {
    std::map<std::uint64_t, int> numbers;
    std::vector<int> all;
    for (const Peer& one : peers_) {
      const auto number = numbers.try_emplace(one.place->machine, static_cast<int>(numbers.size())).first;
      all.push_back(number->second);
    }
    return all;
  }

  OperationId send(int peer, Stream stream, SendPieces pieces) override { return send(peer, {Lane::program, stream}, pieces); }
  OperationId receive(int peer, Stream stream, ReceivePieces pieces) override {
    return receive(peer, {Lane::program, stream}, pieces);
  }

  void progress(Patience patience, std::vector<Completion>& ended) override {
    throw_failure();
    auto& own = traffic_.ended(Lane::program);
    step(patience == Patience::some && own.empty() && traffic_.misuses().empty());
    ended.insert(ended.end(), own.begin(), own.end());
    own.clear();
    if (!traffic_.misuses().empty()) {
      const std::string misuse = traffic_.misuses().front();
      traffic_.misuses().pop_front();
      throw UsageError(misuse);
    }
    throw_failure();
  }

  /// To rank 0, and from there to all.
  std::vector<std::vector<std::byte>> gather_all(std::span<const std::byte> mine) override {
    const std::size_t length = mine.size();
    const auto ranks = static_cast<std::size_t>(size());
    std::vector<std::byte> all(length * ranks);
    const auto part = [&](std::size_t rank) { return std::span(all).subspan(rank * length, length); };
    std::vector<OperationId> operations;
    if (rank() == 0) {
      std::ranges::copy(mine, all.begin());
      for (int from = 1; from < size(); ++from)
        operations.push_back(receive_own(from, kGive, part(static_cast<std::size_t>(from))));
      for (const Completion& one : wait_for(std::move(operations)))
        if (one.bytes != length)
          throw UsageError(fmt::format("gather_all: rank {} gives {} bytes, rank 0 {}", one.peer, one.bytes, length));
      operations.clear();
      for (int to = 1; to < size(); ++to) operations.push_back(send_own(to, kGet, all));
    } else {
      operations = {send_own(0, kGive, mine), receive_own(0, kGet, all)};
    }
    wait_for(std::move(operations));
    std::vector<std::vector<std::byte>> by_rank;
    for (std::size_t i = 0; i < ranks; ++i) by_rank.emplace_back(part(i).begin(), part(i).end());
    return by_rank;
  }

  /// Dissemination: in each round to the rank twice as far ahead.
  void barrier() override {
    for (int distance = 1; distance < size(); distance *= 2)
      wait_for(
          {send_own((rank() + distance) % size(), kMeet, {}), receive_own((rank() + size() - distance) % size(), kMeet, {})});
  }

  [[noreturn]] void abort(const std::string& text) override {
    std::fprintf(stderr, "%s\n", text.c_str());
    std::fflush(nullptr);
    traffic_.stop();
    const std::string line = fmt::format("rank {} has ended the run: {}", rank(), text);
    if (!failure_) fail(rank(), line, FrameKind::abort);
    flush(kAbortTime);
    _exit(1);
  }

 private:
  using Clock = std::chrono::steady_clock;

  struct Peer {
    std::shared_ptr<Link> link;
    bool has_ended = false;  ///< in order
    std::optional<RankPlace> place;
  };

  Peer& peer(int rank) { return peers_[static_cast<std::size_t>(rank)]; }
  const Peer& peer(int rank) const { return peers_[static_cast<std::size_t>(rank)]; }

  void require_peer(int rank, const char* call) const {
    if (rank < 0 || rank >= size())
      throw UsageError(fmt::format("rank {}: {} with rank {}, and there are {}", settings_.rank, call, rank, size()));
  }

  OperationId send(int to, Route route, SendPieces pieces) {
    require_peer(to, "send");
    throw_failure();
    const OperationId operation = traffic_.send(to, route, pieces);
    if (peer(to).has_ended) fail_if_waiting(to);
    return operation;
  }

  OperationId receive(int from, Route route, ReceivePieces pieces) {
    if (from != kAnyPeer) require_peer(from, "receive");
    throw_failure();
    const OperationId operation = traffic_.receive(from, route, pieces);
    if (from != kAnyPeer && peer(from).has_ended) fail_if_waiting(from);
    return operation;
  }

  // Of the own lane.
  OperationId send_own(int peer, std::int32_t tag, std::span<const std::byte> bytes) {
    return send(peer, Route{Lane::own, {0, tag}}, {&bytes, 1});
  }

  OperationId receive_own(int peer, std::int32_t tag, std::span<std::byte> bytes) {
    return receive(peer, Route{Lane::own, {0, tag}}, {&bytes, 1});
  }

  /// Blocks until these operations of the own lane have ended; their completions.
  std::vector<Completion> wait_for(std::vector<OperationId> operations) {
    std::vector<Completion> completions;
    while (!operations.empty()) {
      throw_failure();
      auto& own = traffic_.ended(Lane::own);
      step(own.empty());
      for (const Completion& one : own)
        if (std::erase(operations, one.operation) > 0) completions.push_back(one);
      own.clear();
    }
    return completions;
  }

  // What comes.
  Destination destination(Link& link, const Frame& frame) override {
    switch (frame.kind) {
      case FrameKind::enlist:
      case FrameKind::table:
      case FrameKind::death:
      case FrameKind::abort:
        return {{}, true};
      case FrameKind::goodbye:
        return {};
      default:
        return traffic_.destination(link.peer(), frame);
    }
  }

  void take(Link& link, const Frame& frame, std::vector<std::byte> kept) override {
    switch (frame.kind) {
      case FrameKind::enlist:
        return take_enlist(link, kept);
      case FrameKind::table: {
        if (rank() == 0 || is_assembled_) throw FrameError("a table where none belongs");
        const std::vector<RankPlace> places = decode_places(kept, peers_.size());
        for (std::size_t i = 0; i < peers_.size(); ++i) peers_[i].place = places[i];
        is_assembled_ = true;
        return;
      }
      case FrameKind::goodbye:
        return hear_goodbye(link, static_cast<int>(frame.id));
      case FrameKind::death:
      case FrameKind::abort:
        return fail(static_cast<int>(frame.id), text_of(kept), frame.kind, &link);
      default:
        return traffic_.take(link.peer(), frame, std::move(kept));
    }
  }

  void lost(Link& link, const std::string& why) override {
    Peer& of = peer(link.peer());
    if (of.link.get() == &link) of.link.reset();
    if (!of.has_ended) fail(link.peer(), fmt::format("rank {} has died: {}, as rank {} sees it", link.peer(), why, rank()));
  }

  void fill(Link& link, Batch& batch) override {
    if (!failure_) traffic_.fill(link.peer(), batch, link.most_at_once());
  }

  void written(Link&, const Batch& batch) override { traffic_.written(batch); }

  std::optional<std::string> objection(int rank) override {
    if (failure_) return "the run has failed";
    if (settings_.rank == 0 && (peer(rank).link || peer(rank).place)) return fmt::format("a rank {} is there already", rank);
    const bool own_call_remains = dialer_.is_dialing(rank) && settings_.rank < rank;
    if (peer(rank).link || own_call_remains) return "";
    return std::nullopt;
  }

  void joined(int rank, std::size_t credit, std::shared_ptr<Link> link) override {
    dialer_.hang_up(rank);
    reached(rank, credit, std::move(link));
  }

  void reached(int rank, std::size_t credit, std::shared_ptr<Link> link) override {
    link->set_user(*this);
    link->set_peer(rank);
    peer(rank).link = link;
    traffic_.grant(rank, credit);
    if (rank == 0) {
      const TcpEndpoint own = listener_->address();
      const RankPlace place = {this_machine(), own.port(), own.address().to_string()};
      link->post({.kind = FrameKind::enlist}, encode(std::span(&place, 1)));
    }
    link->wake();
  }

  void declined(int) override {}
  void unreachable(int rank, const std::string& why) override { fail(rank, fmt::format("rank {} {}", rank, why)); }

  // What goes.
  void carry(int to, const Frame& frame) override {
    if (!peer(to).link) return;
    peer(to).link->post(frame);
    wake(to);
  }

  void wake(int to) override {
    if (failure_) return;
    if (peer(to).link) return peer(to).link->wake();
    if (!peer(to).has_ended && !dialer_.is_dialing(to)) dialer_.dial(to, address_of(to));
  }

  void take_enlist(Link& link, const std::vector<std::byte>& kept) {
    if (rank() != 0 || peer(link.peer()).place) throw FrameError("an enlistment where none belongs");
    RankPlace place = decode_places(kept, 1).front();
    SystemError error;
    // Any of its addresses is as good: this one has been seen to be reached.
    const auto address = boost::asio::ip::make_address(place.address, error);
    if (error) throw FrameError("an enlistment without an address");
    if (address.is_unspecified()) place.address = link.socket().remote_endpoint(error).address().to_string();
    peer(link.peer()).place = place;
  }

  void send_table() {
    std::vector<RankPlace> places;
    for (const Peer& one : peers_) places.push_back(*one.place);
    const std::vector<std::byte> bytes = encode(places);
    for (const Peer& one : peers_) {
      if (!one.link) continue;
      one.link->post({.kind = FrameKind::table}, bytes);
      one.link->wake();
    }
  }

  /// A rank on the machine of rank 0 may have been seen there at an address that leads nowhere else.
  TcpEndpoint address_of(int rank) const {
    const RankPlace& place = *peer(rank).place;
    SystemError error;
    auto address = boost::asio::ip::make_address(place.address, error);
    if (address.is_loopback() && place.machine != peer(settings_.rank).place->machine) address = rendezvous_.address();
    return {address, place.port};
  }

  /// From the rank itself, or from rank 0, which tells all.
  void hear_goodbye(Link& link, int who) {
    if (who < 0 || who >= size()) throw FrameError("a goodbye of no rank");
    const bool is_direct = link.peer() == who;
    if (!is_direct && peer(who).link) return;  // what it sent itself may still come
    peer(who).has_ended = true;
    if (rank() == 0 && is_direct)
      for (const Peer& other : peers_)
        if (other.link && !other.has_ended) {
          other.link->post({.kind = FrameKind::goodbye, .id = static_cast<std::uint64_t>(who)});
          other.link->wake();
        }
    fail_if_waiting(who);
  }

  void fail_if_waiting(int who) {
    if (const auto what = traffic_.waits_for(who))
      fail(who, fmt::format("rank {} has ended, and rank {} not: {}", who, rank(), *what));
  }

  // Ends.

  /// The first failure is the run's: all are told, and what comes later is its consequence.
  void fail(int culprit, const std::string& text, FrameKind kind = FrameKind::death, const Link* messenger = nullptr) {
    if (failure_) return;
    failure_ = text;
    for (const Peer& other : peers_) {
      if (!other.link || other.link.get() == messenger) continue;
      other.link->post({.kind = kind, .id = static_cast<std::uint64_t>(culprit)},
                       std::string_view(text).substr(0, kLongestText));
      other.link->wake();
    }
  }

  void throw_failure() const {
    if (failure_) throw NetworkError(*failure_);
  }

  /// Lets everything go on; waits for a millisecond at most if it may and nothing has happened.
  void step(bool may_wait) {
    if (io_.stopped()) io_.restart();
    if (listener_) listener_->drop_late();
    int handlers = 0;
    while (handlers < kMostHandlers && io_.poll_one() > 0) ++handlers;
    if (handlers == 0 && may_wait) {
      if (io_.stopped()) {  // nobody is left to hear from
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      } else if (io_.run_one_for(std::chrono::milliseconds(1)) > 0) {
        while (handlers < kMostHandlers && io_.poll_one() > 0) ++handlers;
      }
    }
  }

  void step_until(Clock::time_point end, const std::function<bool()>& is_done) {
    while (!failure_ && !is_done() && Clock::now() < end) step(true);
  }

  void leave() {
    traffic_.stop();
    dialer_.close();
    // What is half written is memory of somebody who may be gone: that connection is cut.
    for (const Peer& one : peers_) {
      if (!one.link) continue;
      one.link->forget_destination();
      if (one.link->holds_memory()) one.link->close();
    }
    const auto others_have_ended = [&] {
      return std::ranges::all_of(peers_, [&](const Peer& one) { return &one == &peer(rank()) || one.has_ended || !one.link; });
    };
    if (!failure_ && is_assembled_) {
      for (const Peer& one : peers_) {
        if (!one.link) continue;
        one.link->post({.kind = FrameKind::goodbye, .id = static_cast<std::uint64_t>(rank())});
        one.link->wake();
      }
      if (rank() == 0 && std::uncaught_exceptions() == 0) step_until(Clock::now() + settings_.deadline, others_have_ended);
    }
    if (listener_) listener_->close();
    flush(kFlushTime);
    for (const Peer& one : peers_)
      if (one.link) one.link->close();
  }

  void flush(std::chrono::milliseconds longest) {
    const auto end = Clock::now() + longest;
    const auto all = [&](const auto& is_so) {
      return std::ranges::all_of(peers_,
                                 [&](const Peer& one) { return !one.link || !one.link->is_open() || is_so(*one.link); });
    };
    while (!all([](const Link& link) { return link.is_flushed(); }) && Clock::now() < end) step(true);
    for (const Peer& one : peers_)
      if (one.link) one.link->finish_writing();
    while (!all([](Link& link) { return link.is_acknowledged(); }) && Clock::now() < end)
      std::this_thread::sleep_for(std::chrono::microseconds(200));
  }

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

}  // namespace

}  // namespace tcp

std::unique_ptr<Transport> open_tcp(const TcpSettings& settings) {
  auto run = std::make_unique<tcp::Run>(settings);
  run->assemble();
  return run;
}

}  // namespace heddle::net
