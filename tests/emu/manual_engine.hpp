// SPDX-License-Identifier: Apache-2.0
// An engine without tasks, for tests of a run's parts: time passes when the test says so.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

#include "emu/engine/engine.hpp"

namespace heddle::emu {

class ManualEngine final : public Engine {
 public:
  Time now() const override { return time; }
  /// Nobody runs it.
  TaskId start(std::uint64_t, std::function<void()> body) override {
    bodies.push_back(std::move(body));
    return static_cast<TaskId>(bodies.size() - 1);
  }
  void block(TaskId) override {}
  void wake(TaskId task) override { woken.push_back(task); }
  void at(Time when, Alarm& alarm, std::uint64_t payload) override { set_.push_back({when, &alarm, payload}); }
  Outcome run(EngineClient&) override { return Outcome::finished; }
  void stop() override { has_stopped = true; }
  void drain() noexcept override {}
  void leave_behind(TaskId) override { std::abort(); }

  bool has_alarm() const { return !set_.empty(); }
  /// Another alarm is set for the time that it is.
  bool rings_now() const {
    return std::any_of(set_.begin(), set_.end(), [this](const Set& one) { return one.when == time; });
  }
  /// It is the time of the earliest alarm, which rings.
  void ring_next() {
    const auto next = std::min_element(set_.begin(), set_.end(), [](const Set& a, const Set& b) { return a.when < b.when; });
    const Set rings = *next;
    set_.erase(next);
    time = rings.when;
    rings.alarm->on_timer(rings.payload);
  }

  Time time;
  std::vector<TaskId> woken;
  std::vector<std::function<void()>> bodies;  ///< by TaskId
  bool has_stopped = false;

 private:
  struct Set {
    Time when;
    Alarm* alarm;
    std::uint64_t payload;
  };
  std::vector<Set> set_;
};

}  // namespace heddle::emu
