// SPDX-License-Identifier: Apache-2.0
// The progress line (show/terminal/progress.hpp) of runs and of sweeps.
#pragma once

#include <iosfwd>
#include <optional>

#include "lab/sweep/sweep_runner.hpp"
#include "show/document/reporter.hpp"
#include "show/terminal/progress.hpp"

namespace heddle {

/// The progress of a run of several algorithms. Two reporters, as others print between them: the first of all and the last.
/// `progress` outlives them.
class RunProgress final : public Reporter {
 public:
  explicit RunProgress(WorkProgress& progress) : progress_(progress) {}

  void begin(const Setup&) override { progress_.pause(); }
  void add(const Setup&, const Outcome&) override { end_one(); }
  void add_stopped(const Setup&, const Algorithm&, const RunStopped&) override { end_one(); }
  void end(const Setup&) override { progress_.pause(); }

  /// After all others have printed.
  class Resumed final : public Reporter {
   public:
    explicit Resumed(WorkProgress& progress) : progress_(progress) {}
    void begin(const Setup&) override { progress_.resume(); }
    void add(const Setup&, const Outcome&) override { progress_.resume(); }
    void end(const Setup&) override {}

   private:
    WorkProgress& progress_;
  };

 private:
  void end_one() {
    progress_.finish_one();
    progress_.pause();
  }

  WorkProgress& progress_;
};

/// Shows a sweep's progress, and what became of Ctrl-C, on standard error, which outlives it.
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
