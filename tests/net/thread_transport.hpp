// SPDX-License-Identifier: Apache-2.0
// Processes for tests: threads of one program, which exchange messages by copying them.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "net/ranks/transport.hpp"

namespace heddle::testing {

/// When a send has ended.
enum class SendEnds { at_once, when_received };

/// What the threads share.
class ThreadWorld {
 public:
  ThreadWorld(int size, SendEnds ends) : size_(size), ends_(ends), gathered_(static_cast<std::size_t>(size)) {}

 private:
  friend class ThreadTransport;
  struct Message {
    int source;
    int dest;
    net::Stream stream;
    std::vector<std::byte> bytes;
    net::OperationId operation;
  };
  int size_;
  SendEnds ends_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Message> messages_;
  std::vector<std::pair<int, net::Completion>> ended_sends_;  ///< and whose they are
  std::vector<std::vector<std::byte>> gathered_;
  int waiting_ = 0;  ///< to meet
  std::uint64_t meetings_ = 0;
  std::string aborted_;  ///< with these words; empty: not
};

class ThreadTransport final : public net::Transport {
 public:
  ThreadTransport(ThreadWorld& world, int rank) : world_(world), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return world_.size_; }
  std::string name() const override { return "threads"; }
  /// Two ranks share one.
  std::vector<int> machines() const override {
    std::vector<int> machines;
    for (int rank = 0; rank < size(); ++rank) machines.push_back(rank / 2 * 2);
    return machines;
  }

  net::OperationId send(int peer, net::Stream stream, net::SendPieces pieces) override {
    const std::lock_guard lock(world_.mutex_);
    ThreadWorld::Message message{rank_, peer, stream, {}, next_++};
    for (const std::span<const std::byte> piece : pieces) message.bytes.insert(message.bytes.end(), piece.begin(), piece.end());
    if (world_.ends_ == SendEnds::at_once)
      world_.ended_sends_.push_back({rank_, {message.operation, peer, message.bytes.size()}});
    const net::OperationId operation = message.operation;
    world_.messages_.push_back(std::move(message));
    world_.changed_.notify_all();
    return operation;
  }

  net::OperationId receive(int peer, net::Stream stream, net::ReceivePieces pieces) override {
    receives_.push_back({next_, peer, stream, {pieces.begin(), pieces.end()}});
    return next_++;
  }

  void progress(net::Patience patience, std::vector<net::Completion>& ended) override {
    std::unique_lock lock(world_.mutex_);
    if (!take(ended) && patience == net::Patience::some) {
      world_.changed_.wait_for(lock, std::chrono::milliseconds(1));
      take(ended);
    }
  }

  std::vector<std::vector<std::byte>> gather_all(std::span<const std::byte> mine) override {
    world_.gathered_[static_cast<std::size_t>(rank_)].assign(mine.begin(), mine.end());
    barrier();
    std::vector<std::vector<std::byte>> all = world_.gathered_;
    barrier();
    return all;
  }
  void barrier() override {
    std::unique_lock lock(world_.mutex_);
    const std::uint64_t meeting = world_.meetings_;
    if (++world_.waiting_ == size()) {
      world_.waiting_ = 0;
      ++world_.meetings_;
      world_.changed_.notify_all();
    }
    world_.changed_.wait(lock, [&] { return world_.meetings_ != meeting || !world_.aborted_.empty(); });
    require_alive();
  }
  /// Threads cannot end each other: all throw.
  [[noreturn]] void abort(const std::string& text) override {
    const std::lock_guard lock(world_.mutex_);
    if (world_.aborted_.empty()) world_.aborted_ = text;
    world_.changed_.notify_all();
    throw std::runtime_error(text);
  }

 private:
  struct Receive {
    net::OperationId operation;
    int peer;
    net::Stream stream;
    std::vector<std::span<std::byte>> pieces;
  };

  void require_alive() const {
    if (!world_.aborted_.empty()) throw net::NetworkError(world_.aborted_);
  }

  bool take(std::vector<net::Completion>& ended) {
    require_alive();
    const std::size_t before = ended.size();
    std::erase_if(world_.ended_sends_, [&](const auto& send) {
      if (send.first != rank_) return false;
      ended.push_back(send.second);
      return true;
    });
    for (auto receive = receives_.begin(); receive != receives_.end();) {
      const auto message = std::ranges::find_if(world_.messages_, [&](const ThreadWorld::Message& m) {
        return m.dest == rank_ && m.stream == receive->stream && (receive->peer == net::kAnyPeer || receive->peer == m.source);
      });
      if (message == world_.messages_.end()) {
        ++receive;
        continue;
      }
      ended.push_back({receive->operation, message->source, message->bytes.size()});
      auto from = message->bytes.begin();
      for (const std::span<std::byte> piece : receive->pieces) {
        const auto part = std::min<std::ptrdiff_t>(std::ssize(piece), message->bytes.end() - from);
        std::copy_n(from, part, piece.begin());
        from += part;
      }
      if (from != message->bytes.end()) throw UsageError("a message is longer than its receive");
      if (world_.ends_ == SendEnds::when_received)
        world_.ended_sends_.push_back({message->source, {message->operation, rank_, message->bytes.size()}});
      world_.messages_.erase(message);
      world_.changed_.notify_all();
      receive = receives_.erase(receive);
    }
    return ended.size() > before;
  }

  ThreadWorld& world_;
  int rank_;
  net::OperationId next_ = 1;
  std::vector<Receive> receives_;
};

/// Runs the body on each rank's own thread; what the first rank that threw threw, in words; empty: none did.
inline std::string run_threads(int size, const std::function<void(net::Transport&)>& body, SendEnds ends = SendEnds::at_once) {
  ThreadWorld world(size, ends);
  std::vector<std::string> thrown(static_cast<std::size_t>(size));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadTransport transport(world, rank);
      try {
        body(transport);
      } catch (const std::exception& error) {
        thrown[static_cast<std::size_t>(rank)] = error.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto first = std::ranges::find_if(thrown, [](const std::string& text) { return !text.empty(); });
  return first == thrown.end() ? "" : *first;
}

}  // namespace heddle::testing
