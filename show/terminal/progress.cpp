// SPDX-License-Identifier: Apache-2.0
#include "show/terminal/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <ostream>
#include <system_error>

#include "core/printable.hpp"
#include "show/terminal/terminal.hpp"

namespace heddle {

namespace {

constexpr std::chrono::milliseconds kUntilShown(1000);
constexpr std::chrono::milliseconds kShownEvery(200);

/// "1:05", "2:00:00"
std::string clock_text(double seconds) {
  const auto all = static_cast<std::int64_t>(std::ceil(seconds));
  if (all < 3600) return fmt::format("{}:{:02}", all / 60, all % 60);
  return fmt::format("{}:{:02}:{:02}", all / 3600, all / 60 % 60, all % 60);
}

std::size_t columns_of_standard_error(const std::ostream& err) {
  if (&err != &std::cerr) return 0;
  const std::optional<Terminal> terminal = terminal_of(STDERR_FILENO);
  return terminal ? terminal->columns : 0;
}

}  // namespace

std::string progress_text(std::int64_t finished, std::int64_t all, std::string_view unit, double seconds_gone,
                          std::optional<double> seconds_left) {
  constexpr std::int64_t kBarWidth = 25;
  const std::int64_t full = all > 0 ? std::min(finished * kBarWidth / all, kBarWidth) : kBarWidth;
  return fmt::format("[{}{}]  {} of {} {}, {} gone{}", std::string(static_cast<std::size_t>(full), '#'),
                     std::string(static_cast<std::size_t>(kBarWidth - full), '.'), finished, all, unit,
                     clock_text(seconds_gone), seconds_left ? fmt::format(", about {} left", clock_text(*seconds_left)) : "");
}

std::optional<double> seconds_left(double part_finished, double seconds_gone) {
  if (part_finished <= 0) return std::nullopt;
  return std::max(0.0, seconds_gone / part_finished - seconds_gone);
}

ProgressBar::ProgressBar(std::ostream& err) : err_(err), columns_(columns_of_standard_error(err)) {}

void ProgressBar::show(const std::string& text) {
  if (!is_on() || text == shown_) return;
  err_ << "\r\033[K" << text.substr(0, columns_ - 1) << std::flush;
  shown_ = text;
}

void ProgressBar::clear() {
  if (!shown_.empty()) err_ << "\r\033[K" << std::flush;
  shown_.clear();
}

WorkProgress::WorkProgress(std::ostream& err, std::string_view unit, std::int64_t all, std::optional<double> seconds,
                           ShownBy shown_by)
    : bar_(err), unit_(unit), all_(all), seconds_(seconds), shown_by_(shown_by), due_(begin_ + kUntilShown) {
  if (!bar_.is_on() || shown_by == ShownBy::workers) return;
  try {
    shows_ = std::thread([this] {
      std::unique_lock lock(mutex_);
      for (auto wait = kUntilShown; !ends_.wait_for(lock, wait, [this] { return has_ended_; }); wait = kShownEvery) show();
    });
  } catch (const std::system_error&) {
    // The system has no thread for it: the work goes on, and nobody says how far it is.
  }
}

WorkProgress::~WorkProgress() {
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
  }
  ends_.notify_all();
  if (shows_.joinable()) shows_.join();
}

void WorkProgress::finish_one() {
  ++finished_;
  if (!bar_.is_on() || shown_by_ == ShownBy::itself) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  const auto now = std::chrono::steady_clock::now();
  if (!lock.owns_lock() || now < due_) return;
  due_ = now + kShownEvery;
  show();
}

void WorkProgress::pause() {
  const std::lock_guard lock(mutex_);
  is_paused_ = true;
  bar_.clear();
}

void WorkProgress::resume() {
  const std::lock_guard lock(mutex_);
  is_paused_ = false;
}

void WorkProgress::show() {
  if (is_paused_) return;
  const double gone = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  const std::int64_t finished = finished_;
  if (!seconds_) {
    const double part = all_ > 0 ? static_cast<double>(finished) / static_cast<double>(all_) : 0;
    return bar_.show(progress_text(finished, all_, unit_, gone, heddle::seconds_left(part, gone)));
  }
  bar_.show(fmt::format("{} {}, {} gone, about {} left", finished, unit_, clock_text(gone),
                        clock_text(std::max(0.0, *seconds_ - gone))));
}

void SweepProgress::progressed(int finished, int all, double seconds_gone, std::optional<double> seconds_left) {
  bar_.show(progress_text(finished, all, "runs", seconds_gone, seconds_left));
}

void SweepProgress::interrupted(int under_way) {
  bar_.clear();
  err_ << fmt::format("heddle: interrupted; {} under way: a second to stop, or none with Ctrl-C again\n",
                      counted(under_way, "run"))
       << std::flush;
}

}  // namespace heddle
