// SPDX-License-Identifier: Apache-2.0
// What a checked run asks of its communicators besides messages.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "heddle/communicator.hpp"
#include "heddle/units.hpp"

namespace heddle::emu {

/// Who looks at a rank's memory whenever the rank blocks. It changes nothing that the rank can see.
class BlockingWatch {
 public:
  /// On the thread of the task that is about to block. How many times it may then block unseen.
  virtual std::uint32_t look() = 0;

 protected:
  ~BlockingWatch() = default;
};

/// Whose messages branches have: each its own, apart from all others', or all of them those of the communicator that was asked.
enum class MessageSpace : std::uint8_t { own, shared };

class MeasuredCommunicator : public Communicator {
 public:
  /// As concurrently() or concurrently_shared(), and split(), whose communicators are measured, too.
  virtual void measure_concurrently(int n, MessageSpace space, const std::function<void(int, MeasuredCommunicator&)>& body) = 0;
  virtual std::unique_ptr<MeasuredCommunicator> split_measured(int color, int key) = 0;

  void concurrently(int n, const std::function<void(int, Communicator&)>& body) final {
    measure_concurrently(n, MessageSpace::own, std::cref(body));
  }
  void concurrently_shared(int n, const std::function<void(int, Communicator&)>& body) final {
    measure_concurrently(n, MessageSpace::shared, std::cref(body));
  }
  std::unique_ptr<Communicator> split(int color, int key) final { return split_measured(color, key); }

  virtual Time now() const = 0;
  /// What switches have rounded f32 to in this run so far; no value: they have not.
  virtual std::optional<Datatype> switch_precision() const = 0;
  /// From here on this rank's messages take no time, meet no others and are not counted, and its completion time is now (or
  /// when it crossed the finish line). Called once, by the rank's own task, when all of its requests have been waited for.
  virtual void begin_second_call() = 0;
  /// From now on, on this task and those that it starts; nullptr: nobody looks any more. Where time is real nobody does: it would
  /// be part of what is measured.
  virtual void let_watch(BlockingWatch* watch) = 0;
  /// What the rank's vectors are called in messages to whoever wrote its program, on this task and those that it starts from now on;
  /// nullptr: nothing. The names outlive that.
  virtual void name_memory(const MemoryNames* names) = 0;
  /// Throws CheckError (hygiene) where this task has requests that it has not waited for: its function has returned, and the memory
  /// that they use may be no more.
  virtual void require_all_waited_for() = 0;
  /// For long work outside of calls: where the run is to stop, it does not return, or throws. Elsewhere it does nothing.
  virtual void stop_if_asked() {}
  /// Blocks for so long that every other rank gets as far as it can without this one.
  virtual void delay() = 0;
  /// What is measured begins now, for all tasks that take part in it together. Once on each of them.
  virtual void start_line() = 0;
  /// What is measured has ended: when. Once on each task that crossed the start line, before anything else is done.
  virtual Time finish_line() = 0;
};

/// What each rank does that a run measures. A RankFunction is one that asks for no more than messages.
using MeasuredFunction = std::function<void(MeasuredCommunicator&)>;

}  // namespace heddle::emu
