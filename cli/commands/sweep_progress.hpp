// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <iosfwd>
#include <optional>
#include <string>

#include "lab/sweep/run/sweep_runner.hpp"
#include "show/reporter.hpp"

namespace heddle {

/// "[#####.....]  37 of 216 runs, 0:41 gone, about 1:20 left"
std::string progress_text(int finished, int all, double seconds_gone, std::optional<double> seconds_left);

/// One line on standard error, overwritten as it goes; nothing unless `err` is a terminal.
class ProgressBar {
 public:
  explicit ProgressBar(std::ostream& err);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar() { clear(); }

  void show(const std::string& text);
  /// Before something else is printed.
  void clear();

 private:
  std::ostream& err_;
  bool is_on_;
  std::string shown_;
};

/// The progress of a run of many variants.
class RunProgress final : public Reporter {
 public:
  explicit RunProgress(std::ostream& err) : bar_(err) {}

  void begin(const Setup& plan) override { show(plan); }
  void add(const Setup& plan, const Outcome&) override {
    ++finished_;
    show(plan);
  }
  void end(const Setup&) override { bar_.clear(); }

 private:
  void show(const Setup& plan);

  ProgressBar bar_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  int finished_ = 0;
};

/// Shows a sweep's progress, and what became of Ctrl-C, on standard error.
class SweepProgress final : public SweepWatcher {
 public:
  explicit SweepProgress(std::ostream& err) : bar_(err), err_(err) {}

  void progressed(int finished, int all, double seconds_gone, std::optional<double> seconds_left) override;
  void interrupted(int under_way) override;
  void ended() override { bar_.clear(); }

 private:
  ProgressBar bar_;
  std::ostream& err_;
};

}  // namespace heddle
