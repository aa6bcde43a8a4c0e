// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/sweep_progress.hpp"

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

void RunProgress::show(const Setup& plan) {
  const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - begin_;
  bar_.show(progress_text(finished_, static_cast<int>(plan.algorithms.chosen.size()), gone.count(), std::nullopt));
}

void SweepProgress::progressed(int finished, int all, double seconds_gone, std::optional<double> seconds_left) {
  bar_.show(progress_text(finished, all, seconds_gone, seconds_left));
}

void SweepProgress::interrupted(int under_way) {
  bar_.clear();
  err_ << fmt::format("heddle: interrupted; {} run{} under way: a second to end, or none with Ctrl-C again\n", under_way,
                      under_way == 1 ? "" : "s")
       << std::flush;
}

}  // namespace heddle
