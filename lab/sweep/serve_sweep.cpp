// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/sweep_runner.hpp"

#include <tbb/task_arena.h>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <iterator>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace heddle {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds kIdlePoll(200);
/// While runs are under way, whose core this thread may share.
constexpr std::chrono::microseconds kBusyPoll(1000);

/// Makes runs that are given one by one.
class RunThreads {
 public:
  explicit RunThreads(const ServedSweep& sweep) : sweep_(sweep) {
    try {
      for (int i = 0; i < sweep.work.workers; ++i) threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // fewer, then
    } catch (...) {
      end();  // those that have begun wait
      throw;
    }
  }
  RunThreads(const RunThreads&) = delete;
  RunThreads& operator=(const RunThreads&) = delete;
  ~RunThreads() { end(); }

  /// Where the system has no thread for it, the run is made at once.
  void start(std::size_t run) {
    ++under_way_;
    if (threads_.empty()) return answers_.push_back(made(run));
    const std::lock_guard lock(mutex_);
    answers_.reserve(static_cast<std::size_t>(under_way_));  // a thread that has ended a run needs no memory to say so
    waiting_.push_back(run);
    changed_.notify_all();
  }

  /// Waits a while for the first, if runs are under way or not.
  std::vector<SweepAnswer> ended() {
    std::unique_lock lock(mutex_);
    if (answers_.empty()) has_ended_.wait_for(lock, under_way_ > 0 ? kBusyPoll : kIdlePoll);
    under_way_ -= static_cast<int>(answers_.size());
    std::vector<SweepAnswer> ended(std::move_iterator(answers_.begin()), std::move_iterator(answers_.end()));
    answers_.clear();
    return ended;
  }

  int under_way() const { return under_way_; }

 private:
  void end() {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    waiting_.clear();
    changed_.notify_all();
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] { return is_over_ || !waiting_.empty(); });
      if (is_over_) return;
      const std::size_t run = waiting_.front();
      waiting_.pop_front();
      lock.unlock();
      SweepAnswer answer = made(run);
      lock.lock();
      answers_.push_back(std::move(answer));
      has_ended_.notify_all();
    }
  }

  SweepAnswer made(std::size_t run) const {
    const Clock::time_point begin = Clock::now();
    SweepAnswer answer{.run = run, .seconds = 0, .result = {}, .stop = {}};
    try {
      // Alone: what a run would share among oneTBB's threads stays on this one.
      tbb::task_arena(1).execute(
          [&] { answer.result = make_run(sweep_.plan.runs.at(run), sweep_.work.run, sweep_.plan.document.runs.at(run)); });
    } catch (...) {
      answer.stop = stop_of(std::current_exception());
    }
    answer.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return answer;
  }

  const ServedSweep& sweep_;
  int under_way_ = 0;  ///< of the caller's thread
  std::mutex mutex_;   ///< of all below
  std::condition_variable changed_;
  std::condition_variable has_ended_;
  std::deque<std::size_t> waiting_;
  std::vector<SweepAnswer> answers_;
  bool is_over_ = false;
  std::vector<std::jthread> threads_;
};

/// Says when to give up.
class ServePatience {
 public:
  explicit ServePatience(const SweepWork& work) : work_(work) {}

  bool is_interrupted() const { return work_.interruptions && work_.interruptions() > 0; }
  /// Rank 0, which is interrupted too as a rule, has a second more than it gives to runs to say that there is no more.
  bool has_ended() {
    if (!is_interrupted()) return false;
    if (!first_) first_ = Clock::now();
    return Clock::now() - *first_ >= work_.patience + std::chrono::seconds(1);
  }

 private:
  const SweepWork& work_;
  std::optional<Clock::time_point> first_;
};

/// What rank 0 says, in its order.
class Orders {
 public:
  explicit Orders(ProcessMessages& messages) : messages_(messages) {}

  /// None: nothing has come.
  std::optional<std::string> next() {
    for (ProcessMessages::Received& message : messages_.receive()) texts_.push_back(std::move(message.text));
    if (texts_.empty()) return std::nullopt;
    std::string text = std::move(texts_.front());
    texts_.pop_front();
    return text;
  }
  std::string wait_for_next() {
    while (true) {
      if (auto text = next()) return *std::move(text);
      std::this_thread::sleep_for(kIdlePoll);
    }
  }

 private:
  ProcessMessages& messages_;
  std::deque<std::string> texts_;
};

std::optional<ServedSweep> planned(const SweepCall& call, const std::function<ServedSweep(const SweepCall&)>& plan,
                                   SweepOffer& offer) {
  try {
    ServedSweep sweep = plan(call);
    offer = {"", plan_checksum_of(sweep.plan.document), sweep.work.workers, sweep.work.memory};
    return sweep;
  } catch (...) {
    offer.refusal = stop_of(std::current_exception()).text;
    return std::nullopt;
  }
}

/// Until rank 0 says that there is no more, or patience has ended.
void make_runs(ProcessMessages& messages, Orders& orders, const ServedSweep& sweep, RunThreads& threads, ServeEnd& end) {
  ServePatience patience(sweep.work);
  while (true) {
    while (const auto order = orders.next()) {
      const std::optional<std::size_t> run = read_order(*order);
      if (!run) return messages.part();
      threads.start(*run);
    }
    for (const SweepAnswer& answer : threads.ended()) messages.send(0, text_of(answer, sweep.plan.document));
    end.is_interrupted = patience.is_interrupted();
    if (!patience.has_ended()) continue;
    end.has_abandoned = true;
    return;
  }
}

}  // namespace

void serve_sweep(ProcessMessages& messages, const std::function<ServedSweep(const SweepCall&)>& plan,
                 const std::function<void(const ServeEnd&)>& finish) {
  ServeEnd end;
  std::optional<ServedSweep> sweep;
  std::optional<RunThreads> threads;
  try {
    Orders orders(messages);
    const std::optional<SweepCall> call = read_call(orders.wait_for_next());
    if (call) {
      SweepOffer offer;
      sweep = planned(*call, plan, offer);
      messages.send(0, text_of(offer));
    }
    if (sweep) {
      threads.emplace(*sweep);
      make_runs(messages, orders, *sweep, *threads, end);
    } else {
      messages.part();
    }
  } catch (const std::exception& error) {
    end.failure = error.what();
    end.has_abandoned = threads && threads->under_way() > 0;
  }
  finish(end);
}

}  // namespace heddle
