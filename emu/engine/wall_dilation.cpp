// SPDX-License-Identifier: Apache-2.0
#include "emu/engine/wall_dilation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "emu/engine/make_engine.hpp"

namespace heddle {

namespace {

using emu::TaskId;

constexpr std::size_t kTries = 30;
constexpr double kQuantile = 0.9;

/// Tasks that do nothing but wait for the next try.
class LatenessTrial final : private emu::EngineClient, private emu::Alarm {
 public:
  explicit LatenessTrial(int tasks) : clock_(emu::make_wall_clock({})), tasks_(static_cast<std::size_t>(tasks)) {
    // Long enough for all threads to be asleep again.
    gap_ = Time::ps(1'000'000'000 + 100'000'000 * std::int64_t{tasks});
  }

  std::vector<double> run() {
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
      tasks_[task] = clock_->start(task, [this, task] {
        for (std::size_t i = 0; i < kTries; ++i) {
          clock_->block(tasks_[task]);
          if (is_given_up_) return;
          lateness_.back() = std::max(lateness_.back(), (clock_->now() - due_).seconds());
          clock_->leave();  // as a task that goes to its own work
          clock_->enter(tasks_[task]);
          if (is_given_up_) return;
        }
      });
    }
    next();
    try {
      clock_->run(*this);
    } catch (...) {
      is_given_up_ = true;
      clock_->drain();
      throw;
    }
    return std::move(lateness_);
  }

 private:
  void next() {
    due_ = clock_->now() + gap_;
    clock_->at(due_, *this, 0);
  }

  void on_timer(std::uint64_t) override {
    lateness_.push_back(0);
    for (const TaskId task : tasks_) clock_->wake(task);
  }
  void take_pending(TaskId) override {
    if (++blocked_ % tasks_.size() == 0 && blocked_ > tasks_.size() && lateness_.size() < kTries) next();
  }
  bool end_timestamp() override { return false; }

  std::unique_ptr<emu::WallClock> clock_;
  std::vector<TaskId> tasks_;
  Time gap_;
  Time due_;
  std::size_t blocked_ = 0;
  std::vector<double> lateness_;
  bool is_given_up_ = false;  ///< tasks leave when they go on
};

}  // namespace

double measure_lateness(int tasks) {
  std::vector<double> lateness = LatenessTrial(tasks).run();
  const auto place = static_cast<std::ptrdiff_t>(kQuantile * static_cast<double>(lateness.size() - 1));
  std::nth_element(lateness.begin(), lateness.begin() + place, lateness.end());
  return lateness[static_cast<std::size_t>(place)];
}

Dilation choose_dilation(const Report& virtually, double lateness_seconds, double error, double longest_seconds) {
  const double time = virtually.completion.seconds();
  if (time <= 0) return {};
  const double late = static_cast<double>(virtually.critical_path.messages + 1) * lateness_seconds;
  const double tasks_of_a_rank =
      virtually.ranks.empty() ? 1 : std::ceil(virtually.peak_tasks / static_cast<double>(virtually.ranks.size()));
  const double added = std::max(1.0, tasks_of_a_rank) * (late + virtually.host.wall_seconds / 2);
  const double factor = std::max(1.0, std::min(added / error, longest_seconds) / time);
  return {.factor = factor, .expected_error = added / (factor * time)};
}

}  // namespace heddle
