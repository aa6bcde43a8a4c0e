// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <unordered_map>

#include "cli/sweep/sweep_plan.hpp"

namespace heddle {

/// How far a sweep is. What is left is guessed from how long each algorithm took on the same fabric, and for one that has not
/// ended yet from its cost. Not thread-safe.
class SweepClock {
 public:
  SweepClock(const SweepPlan& plan, int workers) : plan_(plan), workers_(workers) {}

  void add(const PlannedRun& run, double seconds);
  /// Of the runs without a result, in seconds, run by all workers; no value before the first has ended.
  std::optional<double> seconds_left() const;

 private:
  struct Spent {
    double seconds = 0;
    double cost = 0;
  };
  std::string kind_of(const PlannedRun& run) const;

  const SweepPlan& plan_;
  int workers_;
  Spent all_;
  std::unordered_map<std::string, Spent> by_kind_;
};

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

}  // namespace heddle
