// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep/sweep_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>

namespace heddle {

namespace {

/// "1:05", "2:00:00"
std::string clock_text(double seconds) {
  const auto all = static_cast<std::int64_t>(std::ceil(seconds));
  if (all < 3600) return fmt::format("{}:{:02}", all / 60, all % 60);
  return fmt::format("{}:{:02}:{:02}", all / 3600, all / 60 % 60, all % 60);
}

}  // namespace

std::string SweepClock::kind_of(const PlannedRun& run) const {
  const SweepResult& result = plan_.document.runs[run.run];
  return result.algorithm + '\n' + result.fabric;
}

void SweepClock::add(const PlannedRun& run, double seconds) {
  for (Spent* spent : {&all_, &by_kind_[kind_of(run)]}) {
    spent->seconds += seconds;
    spent->cost += run.cost;
  }
}

std::optional<double> SweepClock::seconds_left() const {
  if (all_.cost == 0) return std::nullopt;
  double seconds = 0;
  double longest = 0;
  for (const PlannedRun& run : plan_.runs) {
    if (is_finished(plan_.document.runs[run.run])) continue;
    const auto kind = by_kind_.find(kind_of(run));
    const Spent& spent = kind == by_kind_.end() ? all_ : kind->second;
    const double guess = run.cost * spent.seconds / spent.cost;
    seconds += guess;
    longest = std::max(longest, guess);
  }
  return std::max(longest, seconds / workers_);
}

std::string progress_text(int finished, int all, double seconds_gone, std::optional<double> seconds_left) {
  constexpr int kWidth = 30;
  const int full = all > 0 ? finished * kWidth / all : kWidth;
  return fmt::format("[{}{}]  {} of {} runs, {} gone{}", std::string(static_cast<std::size_t>(full), '#'),
                     std::string(static_cast<std::size_t>(kWidth - full), '.'), finished, all, clock_text(seconds_gone),
                     seconds_left ? fmt::format(", about {} left", clock_text(*seconds_left)) : "");
}

ProgressBar::ProgressBar(std::ostream& err) : err_(err), is_on_(&err == &std::cerr && isatty(STDERR_FILENO) == 1) {}

void ProgressBar::show(const std::string& text) {
  if (!is_on_ || text == shown_) return;
  err_ << "\r\033[K" << text << std::flush;
  shown_ = text;
}

void ProgressBar::clear() {
  if (!shown_.empty()) err_ << "\r\033[K" << std::flush;
  shown_.clear();
}

}  // namespace heddle
