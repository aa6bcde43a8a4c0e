// SPDX-License-Identifier: Apache-2.0
// A second implementation of Communicator, as plain as can be: each task a std::thread, messages copied through mailboxes. It
// shows that algorithms need nothing but core/, and counts rounds and bytes independently of the emulator.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "heddle/communicator.hpp"

namespace heddle::testing {

struct SentMessage {
  int from;
  int to;
  int round;  ///< 1 + the largest round that the sending task had waited for
  std::vector<std::byte> data;

  template <class T>
  std::vector<T> as() const {
    std::vector<T> elements(data.size() / sizeof(T));
    std::memcpy(elements.data(), data.data(), elements.size() * sizeof(T));
    return elements;
  }
};

/// Where the tasks of all ranks meet.
class ThreadWorld {
 public:
  /// No tiers at all: a flat fabric. The cost is what algorithms are told, and nothing more.
  explicit ThreadWorld(int ranks, std::shared_ptr<const Grid> grid = nullptr, Tiers tiers = {}, MessageCost cost = {})
      : ranks_(ranks),
        grid_(std::move(grid)),
        tiers_(std::move(tiers)),
        cost_(cost),
        arrived_(static_cast<std::size_t>(ranks)) {
    if (tiers_.group.empty()) tiers_.group.emplace_back(static_cast<std::size_t>(ranks), 0);
  }

  /// Runs `function` as every rank and returns when all have ended; throws what the first of them threw.
  void run(const std::function<void(Communicator&)>& function);

  /// What was sent since the start, in no particular order except per pair of ranks and task.
  const std::vector<SentMessage>& sent() const { return sent_; }
  int rounds() const {
    int most = 0;
    for (const SentMessage& message : sent_) most = std::max(most, message.round);
    return most;
  }
  std::int64_t most_bytes_sent_by_one() const {
    std::vector<std::int64_t> bytes(static_cast<std::size_t>(ranks_));
    for (const SentMessage& message : sent_)
      bytes[static_cast<std::size_t>(message.from)] += static_cast<std::int64_t>(message.data.size());
    return *std::max_element(bytes.begin(), bytes.end());
  }

 private:
  friend class ThreadCommunicator;
  /// Task, source, destination, tag.
  using Stream = std::tuple<std::string, int, int, int>;

  void post(const Stream& stream, SentMessage message) {
    const std::lock_guard lock(mutex_);
    const auto dest = static_cast<std::size_t>(message.to);
    mailbox_[stream].push_back(message);
    sent_.push_back(std::move(message));
    arrived_[dest].notify_all();
  }

  /// Waits for the message that was sent as number `number` of its stream.
  SentMessage take(const Stream& stream, std::size_t number) {
    std::unique_lock lock(mutex_);
    const std::vector<SentMessage>& messages = mailbox_[stream];
    const bool in_time = arrived_[static_cast<std::size_t>(std::get<2>(stream))].wait_for(
        lock, std::chrono::seconds(60), [&] { return failure_ || messages.size() > number; });
    if (failure_) throw std::runtime_error("another rank failed");
    if (!in_time) throw std::runtime_error("nothing arrived for a minute: deadlock");
    return messages[number];
  }

  void fail(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    for (std::condition_variable& rank : arrived_) rank.notify_all();
    all_chose_.notify_all();
  }

  std::shared_ptr<const void> plan(const std::string& key, const std::function<std::shared_ptr<const void>()>& make) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const void>& plan = plans_[key];
    if (!plan) plan = make();
    return plan;
  }

  struct Choice {
    int color;
    int key;
    int rank;  ///< of the communicator that is split
  };

  /// What all ranks of a communicator chose when they split it, known when the last one has.
  std::vector<Choice> choices(const std::string& split, std::size_t ranks, Choice own) {
    std::unique_lock lock(mutex_);
    std::vector<Choice>& choices = splits_[split];
    choices.push_back(own);
    all_chose_.notify_all();
    if (!all_chose_.wait_for(lock, std::chrono::seconds(60), [&] { return failure_ || choices.size() == ranks; }))
      throw std::runtime_error("not every rank splits");
    if (failure_) throw std::runtime_error("another rank failed");
    return choices;
  }

  int ranks_;
  std::shared_ptr<const Grid> grid_;
  Tiers tiers_;
  MessageCost cost_;
  std::mutex mutex_;
  std::condition_variable all_chose_;
  std::map<std::string, std::vector<Choice>> splits_;
  std::deque<std::condition_variable> arrived_;  ///< by destination
  std::map<Stream, std::vector<SentMessage>> mailbox_;
  std::vector<SentMessage> sent_;
  std::map<std::string, std::shared_ptr<const void>> plans_;
  std::exception_ptr failure_;
};

class ThreadCommunicator final : public Communicator {
 public:
  /// Who is in a communicator, and where.
  struct Group {
    std::vector<int> members;  ///< ranks of the world
    std::shared_ptr<const Grid> grid;
    Tiers tiers;
  };

  ThreadCommunicator(ThreadWorld& world, std::shared_ptr<const Group> group, int rank, std::string task,
                     std::shared_ptr<int> round)
      : world_(world), group_(std::move(group)), rank_(rank), task_(std::move(task)), round_(std::move(round)) {}

  Rank rank() const override { return Rank(rank_); }
  int size() const override { return static_cast<int>(group_->members.size()); }
  Rank world_rank() const override { return Rank(world_rank(rank_)); }
  const Grid* grid() const override { return group_->grid.get(); }
  const Tiers& tiers() const override { return group_->tiers; }
  MessageCost message_cost() const override { return world_.cost_; }
  int round() const { return *round_; }

  using Communicator::irecv;
  using Communicator::isend;
  using Communicator::wait_all;

  Request isend(Rank dest, std::span<const ConstVectorView> pieces, Tag tag) override {
    SentMessage message{world_rank(rank_), world_rank(dest.value()), *round_ + 1, {}};
    for (const ConstVectorView& piece : pieces) {
      message.data.insert(message.data.end(), piece.data(), piece.data() + piece.size_bytes());
    }
    const ThreadWorld::Stream stream{task_, message.from, message.to, tag.value()};
    world_.post(stream, std::move(message));
    operations_.emplace_back([this, sent_in = *round_ + 1] {
      *round_ = std::max(*round_, sent_in);
      return Status{};
    });
    return Request(operations_.size() - 1);
  }

  Request irecv(Rank source, std::span<const VectorView> pieces, Tag tag) override {
    const ThreadWorld::Stream stream{task_, world_rank(source.value()), world_rank(rank_), tag.value()};
    operations_.emplace_back([this, stream, source, tag, number = received_[stream]++,
                              into = std::vector<VectorView>(pieces.begin(), pieces.end())] {
      const SentMessage message = world_.take(stream, number);
      scatter(message.data, into);
      *round_ = std::max(*round_, message.round);
      const std::size_t element = into.empty() ? 1 : into.front().type().size();
      return Status{source, tag, static_cast<std::int64_t>(message.data.size() / element)};
    });
    return Request(operations_.size() - 1);
  }

  void wait_all(std::span<const Request> requests, std::span<Status> statuses) override {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const Status status = std::exchange(operations_.at(requests[i].id()), nullptr)();
      if (!statuses.empty()) statuses[i] = status;
    }
  }

  void concurrently(int n, const std::function<void(int, Communicator&)>& body) override {
    const std::string name = task_ + '/' + std::to_string(++branchings_) + '.';
    std::vector<std::unique_ptr<ThreadCommunicator>> tasks;
    for (int i = 0; i < n; ++i) {
      tasks.push_back(std::make_unique<ThreadCommunicator>(world_, group_, rank_, name + std::to_string(i),
                                                           std::make_shared<int>(*round_)));
    }
    std::vector<std::thread> threads;
    for (int i = 0; i < n; ++i) {
      threads.emplace_back([this, i, &body, &task = *tasks[static_cast<std::size_t>(i)]] {
        try {
          body(i, task);
        } catch (...) {
          world_.fail(std::current_exception());
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& task : tasks) *round_ = std::max(*round_, task->round());
  }

  std::unique_ptr<Communicator> split(int color, int key) override {
    const std::string name = task_ + "/split " + std::to_string(++splits_);
    std::vector<ThreadWorld::Choice> choices =
        world_.choices(name, group_->members.size(), {.color = color, .key = key, .rank = rank_});
    if (color < 0) return nullptr;
    std::erase_if(choices, [color](const ThreadWorld::Choice& choice) { return choice.color != color; });
    std::sort(choices.begin(), choices.end(), [](const ThreadWorld::Choice& a, const ThreadWorld::Choice& b) {
      return std::pair(a.key, a.rank) < std::pair(b.key, b.rank);
    });
    auto group = std::make_shared<Group>();
    group->tiers.group.resize(group_->tiers.group.size());
    int rank = 0;
    for (const ThreadWorld::Choice& choice : choices) {
      if (choice.rank == rank_) rank = static_cast<int>(group->members.size());
      group->members.push_back(world_rank(choice.rank));
      for (std::size_t tier = 0; tier < group->tiers.group.size(); ++tier)
        group->tiers.group[tier].push_back(group_->tiers.group[tier][static_cast<std::size_t>(choice.rank)]);
    }
    return std::make_unique<ThreadCommunicator>(world_, group, rank, name + ':' + std::to_string(color), round_);
  }

  void reduce_into(VectorView into, ConstVectorView from, const ReduceOp& op, Side side) override {
    op.apply(into, from, side);
  }
  void copy(VectorView into, ConstVectorView from) override { std::memmove(into.data(), from.data(), from.size_bytes()); }

 protected:
  std::shared_ptr<const void> shared_plan_erased(const std::string& key,
                                                 const std::function<std::shared_ptr<const void>()>& make) override {
    // The ranks of a task are those of the communicator that it branched off: its plans may be its own.
    return world_.plan(task_ + '/' + key, make);
  }

 private:
  int world_rank(int rank) const { return group_->members.at(static_cast<std::size_t>(rank)); }

  static void scatter(const std::vector<std::byte>& data, const std::vector<VectorView>& into) {
    std::size_t used = 0;
    for (const VectorView& piece : into) {
      const std::size_t n = std::min(piece.size_bytes(), data.size() - used);
      std::copy_n(data.begin() + static_cast<std::ptrdiff_t>(used), n, piece.data());
      used += n;
    }
    if (used < data.size()) throw std::runtime_error("a message is longer than its receive");
  }

  ThreadWorld& world_;
  std::shared_ptr<const Group> group_;
  int rank_;  ///< of the group
  std::string task_;
  std::shared_ptr<int> round_;  ///< of the task, shared by its communicators
  int branchings_ = 0;
  int splits_ = 0;
  std::vector<std::function<Status()>> operations_;  ///< by request: what waiting for it does
  std::map<ThreadWorld::Stream, std::size_t> received_;
};

inline void ThreadWorld::run(const std::function<void(Communicator&)>& function) {
  auto everyone = std::make_shared<ThreadCommunicator::Group>();
  for (int rank = 0; rank < ranks_; ++rank) everyone->members.push_back(rank);
  everyone->grid = grid_;
  everyone->tiers = tiers_;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks_; ++rank) {
    threads.emplace_back([this, rank, &function, &everyone] {
      try {
        ThreadCommunicator comm(*this, everyone, rank, "0", std::make_shared<int>(0));
        function(comm);
      } catch (...) {
        fail(std::current_exception());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace heddle::testing
