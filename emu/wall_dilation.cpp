// SPDX-License-Identifier: Apache-2.0
#include "emu/wall_dilation.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "emu/wall_clock.hpp"

namespace heddle {

namespace {

using emu::StrandId;

constexpr std::size_t kTries = 30;
constexpr double kQuantile = 0.9;

/// Ranks that do nothing but wait for the next try.
class LatenessTrial final : private emu::EngineClient, private emu::Alarm {
 public:
  explicit LatenessTrial(int ranks) : clock_(emu::make_wall_clock({})), ranks_(static_cast<std::size_t>(ranks)) {
    // Long enough for all threads to be asleep again.
    gap_ = Time::ps(1'000'000'000 + 100'000'000 * std::int64_t{ranks});
  }

  std::vector<double> run() {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      ranks_[rank] = clock_->start(rank, [this, rank] {
        for (std::size_t i = 0; i < kTries; ++i) {
          clock_->block(ranks_[rank]);
          lateness_.back() = std::max(lateness_.back(), (clock_->now() - due_).seconds());
          clock_->leave();  // as a rank that goes to its own work
          clock_->enter(ranks_[rank]);
        }
      });
    }
    next();
    clock_->run(*this);
    return std::move(lateness_);
  }

 private:
  void next() {
    due_ = clock_->now() + gap_;
    clock_->at(due_, *this, 0);
  }

  void ring(std::uint64_t) override {
    lateness_.push_back(0);
    for (const StrandId rank : ranks_) clock_->wake(rank);
  }
  void take_effect(StrandId) override {
    if (++blocked_ % ranks_.size() == 0 && blocked_ > ranks_.size() && lateness_.size() < kTries) next();
  }
  void expect_effect(StrandId, int) override {}
  void settle() override {}

  std::unique_ptr<emu::WallClock> clock_;
  std::vector<StrandId> ranks_;
  Time gap_;
  Time due_;
  std::size_t blocked_ = 0;
  std::vector<double> lateness_;
};

}  // namespace

double measure_lateness(int ranks) {
  std::vector<double> lateness = LatenessTrial(ranks).run();
  const auto place = static_cast<std::ptrdiff_t>(kQuantile * static_cast<double>(lateness.size() - 1));
  std::nth_element(lateness.begin(), lateness.begin() + place, lateness.end());
  return lateness[static_cast<std::size_t>(place)];
}

double choose_dilation(const Report& virtually, double lateness_seconds, double error) {
  const double time = virtually.completion.seconds();
  if (time <= 0) return 1;
  const double late = static_cast<double>(virtually.critical_path.messages + 1) * lateness_seconds;
  return std::max(1.0, (late + virtually.host.wall_seconds / 2) / (error * time));
}

}  // namespace heddle
