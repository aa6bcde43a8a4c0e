// SPDX-License-Identifier: Apache-2.0
// What is sent comes, once, whole, and in order.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include "tests/catch.hpp"
#include "tests/drawn.hpp"
#include "tests/effort.hpp"
#include "tests/net/tcp/ranks_as_threads.hpp"

namespace heddle::net {

using loopback::all_went_well;
using loopback::pattern;
using loopback::receive;
using loopback::run_ranks;
using loopback::send;
using loopback::wait_for;

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
/// Received from any peer.
constexpr std::int32_t kAnyTag = 9;

void demand(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

struct DrawnMessage {
  int from = 0;
  int to = 0;
  Stream stream;
  std::size_t bytes = 0;
  std::size_t pieces = 1;
  std::size_t spare = 0;  ///< bytes that its receive has more
  bool is_late = false;   ///< its receive
  std::size_t key = 0;    ///< of the order in which receives are posted
};

template <class Byte>
std::vector<std::span<Byte>> cut(std::span<Byte> bytes, std::size_t pieces) {
  std::vector<std::span<Byte>> all;
  for (std::size_t i = 0; i < pieces; ++i) {
    const std::size_t begin = bytes.size() * i / pieces;
    all.push_back(bytes.subspan(begin, bytes.size() * (i + 1) / pieces - begin));
  }
  return all;
}

std::size_t draw_size() {
  switch (drawn::number(0, 8)) {
    case 0:
      return 0;
    case 1:
    case 2:
    case 3:
      return drawn::number<std::size_t>(1, 200);
    case 4:
    case 5:
      return drawn::number<std::size_t>(60'000, 70'000);
    case 6:
      return drawn::number<std::size_t>(1, 300'000);
    default:
      return drawn::number<std::size_t>(kMiB - 2, 3 * kMiB);
  }
}

std::vector<DrawnMessage> draw_messages(int ranks) {
  std::vector<DrawnMessage> messages(drawn::number<std::size_t>(1, 25));
  for (DrawnMessage& one : messages) {
    one.from = drawn::number(0, ranks);
    one.to = drawn::number(0, ranks);
    one.stream = {drawn::number<std::uint64_t>(0, 2), drawn::one_of<std::int32_t>({0, -1, kAnyTag})};
    one.bytes = draw_size();
    one.pieces = drawn::number<std::size_t>(1, 4);
    one.spare = drawn::one_of<std::size_t>({0, 0, 1, 100});
    one.is_late = drawn::any<bool>();
    one.key = drawn::number<std::size_t>(0, 1000);
  }
  return messages;
}

/// A rank's receives: what each should hold is said by its place among those of the same stream (and peer).
class ModelRank {
 public:
  ModelRank(Transport& transport, const std::vector<DrawnMessage>& messages) : transport_(transport), messages_(messages) {}

  void run() {
    plan();
    std::vector<std::vector<std::byte>> contents;
    contents.reserve(messages_.size());
    post(false);
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      const DrawnMessage& message = messages_[i];
      if (message.from != transport_.rank()) continue;
      contents.push_back(pattern(message.bytes, i));
      transport_.send(message.to, message.stream, cut(std::span<const std::byte>(contents.back()), message.pieces));
      ++open_;
    }
    for (int i = 0; i < 3; ++i) transport_.progress(Patience::some, ended_);
    post(true);
    while (ended_.size() < open_) transport_.progress(Patience::some, ended_);
    check();
    transport_.barrier();
  }

 private:
  struct Planned {
    int peer = 0;
    Stream stream;
    std::size_t room = 0;
    std::size_t pieces = 1;
    bool is_late = false;
    std::vector<std::size_t> could_be;  ///< messages
    OperationId operation = 0;
    std::vector<std::byte> memory;
  };

  /// In the drawn order, but in a stream late ones after others.
  void plan() {
    std::map<std::pair<int, Stream>, std::vector<std::size_t>> groups;
    std::vector<std::pair<std::size_t, std::pair<int, Stream>>> order;
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      if (messages_[i].to != transport_.rank()) continue;
      const bool is_any = messages_[i].stream.tag == kAnyTag;
      const std::pair<int, Stream> group = {is_any ? kAnyPeer : messages_[i].from, messages_[i].stream};
      groups[group].push_back(i);
      order.emplace_back(messages_[i].key, group);
    }
    std::ranges::stable_sort(order, {}, &std::pair<std::size_t, std::pair<int, Stream>>::first);
    std::map<std::pair<int, Stream>, std::size_t> planned;
    std::map<std::pair<int, Stream>, bool> is_late;
    for (const auto& [key, group] : order) {
      const std::vector<std::size_t>& members = groups[group];
      const std::size_t which = members[planned[group]++];
      Planned one;
      std::tie(one.peer, one.stream) = group;
      one.could_be = one.peer == kAnyPeer ? members : std::vector{which};
      for (const std::size_t i : one.could_be) one.room = std::max(one.room, messages_[i].bytes + messages_[which].spare);
      one.pieces = messages_[which].pieces;
      one.is_late = is_late[group] = is_late[group] || messages_[which].is_late;
      planned_.push_back(std::move(one));
    }
  }

  void post(bool late) {
    for (Planned& one : planned_) {
      if (one.is_late != late) continue;
      one.memory.assign(one.room, std::byte{0xcc});
      one.operation = transport_.receive(one.peer, one.stream, cut(std::span<std::byte>(one.memory), one.pieces));
      ++open_;
    }
  }

  void check() {
    std::map<OperationId, Completion> by_operation;
    for (const Completion& one : ended_) demand(by_operation.emplace(one.operation, one).second, "an operation ended twice");
    std::vector<bool> has_come(messages_.size());
    // Those of one stream and sender match in the order in which they were posted.
    std::ranges::sort(planned_, {}, &Planned::operation);
    for (const Planned& one : planned_) {
      const auto found = by_operation.find(one.operation);
      demand(found != by_operation.end(), "a receive has not ended");
      const Completion& end = found->second;
      const auto which =
          std::ranges::find_if(one.could_be, [&](std::size_t i) { return !has_come[i] && messages_[i].from == end.peer; });
      demand(which != one.could_be.end(), "a message from nobody");
      has_come[*which] = true;
      demand(end.bytes == messages_[*which].bytes, fmt::format("{} bytes of {}", end.bytes, messages_[*which].bytes));
      const std::vector<std::byte> expected = pattern(end.bytes, *which);
      demand(std::ranges::equal(expected, std::span(one.memory).first(end.bytes)), "other bytes");
      demand(std::ranges::all_of(std::span(one.memory).subspan(end.bytes), [](std::byte b) { return b == std::byte{0xcc}; }),
             "bytes behind the message were changed");
    }
  }

  Transport& transport_;
  const std::vector<DrawnMessage>& messages_;
  std::vector<Planned> planned_;
  std::vector<Completion> ended_;
  std::size_t open_ = 0;
};

}  // namespace

TEST_CASE("any messages come as a simple model says") {
  testing::property([] {
    const int ranks = drawn::number(1, 6);
    const std::vector<DrawnMessage> messages = draw_messages(ranks);
    const auto credit = drawn::one_of<std::size_t>({0, 1000, 100'000, 64 * kMiB});
    const auto errors = run_ranks(
        ranks, [&](Transport& transport) { ModelRank(transport, messages).run(); },
        [&](TcpSettings& settings) { settings.unexpected = credit; });
    for (const std::string& error : errors)
      if (!error.empty()) RC_FAIL(error);
  });
}

TEST_CASE("what everyone sends before anyone receives needs no room") {
  constexpr int kRanks = 3;
  const int messages = testing::sampled(20, 4);
  const std::vector<std::byte> sent = pattern(8 * kMiB, 1);
  const auto errors = run_ranks(kRanks, [&](Transport& transport) {
    for (int i = 0; i < messages; ++i)
      for (int peer = 0; peer < kRanks; ++peer)
        if (peer != transport.rank()) send(transport, peer, {1, i}, sent);
    std::vector<Completion> ended;
    for (int i = 0; i < 20; ++i) transport.progress(Patience::some, ended);
    demand(ended.empty(), "a long message was sent without a receive");
    transport.barrier();
    std::vector<std::byte> received(sent.size());
    for (int i = messages; i-- > 0;)  // the last first
      for (int peer = 0; peer < kRanks; ++peer) {
        if (peer == transport.rank()) continue;
        const OperationId operation = receive(transport, peer, {1, i}, received);
        while (std::ranges::find(ended, operation, &Completion::operation) == ended.end())
          transport.progress(Patience::some, ended);
        demand(received == sent, "other bytes");
        received[0] ^= std::byte{1};
      }
    while (ended.size() < static_cast<std::size_t>(2 * messages * (kRanks - 1))) transport.progress(Patience::some, ended);
    transport.barrier();
  });
  CHECK(errors == std::vector<std::string>(kRanks));
}

TEST_CASE("many short messages without a receive use up the credit, and one behind them is reached") {
  constexpr int kMessages = 20'000;
  const auto errors = run_ranks(
      2,
      [](Transport& transport) {
        const std::vector<std::byte> sent = pattern(100, 7);
        if (transport.rank() == 0) {
          for (int i = 0; i < kMessages; ++i) send(transport, 1, {1, 1}, sent);
          send(transport, 1, {1, 2}, sent);
          wait_for(transport, kMessages + 1);
        } else {
          std::vector<std::byte> received(100);
          receive(transport, 0, {1, 2}, received);
          wait_for(transport, 1);
          demand(received == sent, "other bytes");
          for (int i = 0; i < kMessages; ++i) receive(transport, 0, {1, 1}, received);
          wait_for(transport, kMessages);
        }
        transport.barrier();
      },
      [](TcpSettings& settings) { settings.unexpected = 100'000; });
  CHECK(errors == std::vector<std::string>(2));
}

TEST_CASE("all ranks that call one another at once keep one connection, and the order of their messages") {
  constexpr int kRanks = 6;
  constexpr std::int32_t kMessages = 50;
  for (int round = 0; round < testing::sampled(10, 2); ++round) {
    const auto errors = run_ranks(kRanks, [](Transport& transport) {
      std::vector<std::int32_t> sent(kMessages);
      std::vector<std::vector<std::int32_t>> received(kRanks, std::vector<std::int32_t>(kMessages));
      transport.barrier();
      for (std::int32_t i = 0; i < kMessages; ++i) {
        sent[static_cast<std::size_t>(i)] = i;
        for (int peer = 0; peer < kRanks; ++peer)
          send(transport, peer, {1, 1}, std::as_bytes(std::span(sent).subspan(static_cast<std::size_t>(i), 1)));
      }
      for (std::size_t i = 0; i < kMessages; ++i)
        for (int peer = 0; peer < kRanks; ++peer)
          receive(transport, peer, {1, 1},
                  std::as_writable_bytes(std::span(received[static_cast<std::size_t>(peer)]).subspan(i, 1)));
      wait_for(transport, std::size_t{2} * kRanks * kMessages);
      for (const auto& of_peer : received) demand(of_peer == sent, "another order");
      transport.barrier();
    });
    CHECK(errors == std::vector<std::string>(kRanks));
  }
}

TEST_CASE("all gather what each gives, and meet") {
  for (const int ranks : {1, 2, 3, 7}) {
    std::vector<std::vector<int>> machines(static_cast<std::size_t>(ranks));
    const auto errors = run_ranks(ranks, [&](Transport& transport) {
      for (const std::size_t bytes : {std::size_t{0}, std::size_t{5}, kMiB}) {
        const auto all = transport.gather_all(pattern(bytes, static_cast<std::uint64_t>(transport.rank())));
        demand(all.size() == static_cast<std::size_t>(ranks), "another number of ranks");
        for (std::size_t i = 0; i < all.size(); ++i) demand(all[i] == pattern(bytes, i), "other bytes");
        transport.barrier();
      }
      machines[static_cast<std::size_t>(transport.rank())] = transport.machines();
      demand(transport.name() == "TCP" && transport.size() == ranks, "another name or size");
    });
    CHECK(errors == std::vector<std::string>(static_cast<std::size_t>(ranks)));
    for (const auto& one : machines) CHECK(one == std::vector<int>(static_cast<std::size_t>(ranks)));
  }
}

TEST_CASE("a message longer than its receive is an error that names both, and the next one comes") {
  for (const std::size_t bytes : {std::size_t{16}, std::size_t{100'000}})
    for (const bool is_late : {false, true})
      for (const int sender : {0, 1}) {
        INFO(bytes << " bytes, " << is_late << " from " << sender);
        std::string misuse;
        const auto errors = run_ranks(2, [&](Transport& transport) {
          const std::vector<std::byte> sent = pattern(bytes, 3);
          std::vector<Completion> ended;
          if (transport.rank() == sender) {
            send(transport, 1, {4, 5}, sent);
            send(transport, 1, {4, 5}, sent);
            if (sender == 0) wait_for(transport, 2);
          }
          if (transport.rank() == 1) {
            if (is_late)
              for (int i = 0; i < 5; ++i) transport.progress(Patience::some, ended);
            std::vector<std::byte> received(bytes);
            receive(transport, sender, {4, 5}, std::span(received).first(8));
            receive(transport, sender, {4, 5}, received);
            const std::size_t all = sender == 1 ? 3 : 1;
            while (ended.size() < all) {
              try {
                transport.progress(Patience::some, ended);
              } catch (const UsageError& error) {
                demand(misuse.empty(), "two errors");
                misuse = error.what();
              }
            }
            demand(received == sent, "other bytes");
          }
          transport.barrier();
        });
        CHECK(all_went_well(errors));
        CHECK(errors == std::vector<std::string>(2));
        CHECK(misuse ==
              fmt::format("rank 1: a message of rank {} with tag 5 has {} bytes, its receive room for 8", sender, bytes));
      }
}

TEST_CASE("a rank that has ended is no death to those who go on") {
  const auto errors = run_ranks(4, [](Transport& transport) {
    const std::vector<std::byte> sent = pattern(10, 1);
    std::vector<std::byte> received(10);
    transport.barrier();
    if (transport.rank() < 2) return;
    const int peer = 5 - transport.rank();
    for (int i = 0; i < 200; ++i) {
      send(transport, peer, {1, 1}, sent);
      receive(transport, peer, {1, 1}, received);
      wait_for(transport, 2);
    }
  });
  CHECK(errors == std::vector<std::string>(4));
}

}  // namespace heddle::net
