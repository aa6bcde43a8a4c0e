// SPDX-License-Identifier: Apache-2.0
// How far a program is: one line on standard error, overwritten as it goes, and only where that is a terminal.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "lab/sweep/sweep_runner.hpp"
#include "show/document/reporter.hpp"

namespace heddle {

/// "[#####.....]  37 of 216 runs, 0:41 gone, about 1:20 left"
std::string progress_text(std::int64_t finished, std::int64_t all, std::string_view unit, double seconds_gone,
                          std::optional<double> seconds_left);

/// What is left if it goes on as it did; no value before anything has finished.
std::optional<double> seconds_left(double part_finished, double seconds_gone);

/// Nothing unless `err` is standard error and a terminal. Longer texts are cut off at the terminal's width.
class ProgressBar {
 public:
  explicit ProgressBar(std::ostream& err);
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ~ProgressBar() { clear(); }

  bool is_on() const { return columns_ > 0; }
  void show(const std::string& text);
  /// Before something else is printed.
  void clear();

 private:
  std::ostream& err_;
  std::size_t columns_;  ///< 0: no terminal
  std::string shown_;
};

/// The bar of work that counts itself: from the first second on it is shown anew several times a second.
class WorkProgress {
 public:
  /// Who shows it: a thread of its own, or whoever has finished something, where no other thread may run.
  enum class ShownBy { itself, workers };

  /// `unit` outlives this: "runs". Of `seconds`, where it is given, the time says how far it is, not the count.
  WorkProgress(std::ostream& err, std::string_view unit, std::int64_t all, std::optional<double> seconds = std::nullopt,
               ShownBy shown_by = ShownBy::itself);
  WorkProgress(const WorkProgress&) = delete;
  WorkProgress& operator=(const WorkProgress&) = delete;
  /// Clears the line.
  ~WorkProgress();

  /// One more has finished. From any thread.
  void finish_one();
  /// No line is there, and none comes until resume(): what is printed meanwhile stands on lines of its own.
  void pause();
  void resume();

 private:
  void show();

  ProgressBar bar_;
  std::string_view unit_;
  std::int64_t all_;
  std::optional<double> seconds_;
  ShownBy shown_by_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::atomic<std::int64_t> finished_ = 0;
  std::chrono::steady_clock::time_point due_;  ///< shown by workers: not before
  std::mutex mutex_;                           ///< of what follows, and of the bar
  std::condition_variable ends_;
  bool has_ended_ = false;
  bool is_paused_ = false;
  std::thread shows_;  ///< none where there is no bar
};

/// The progress of a run of several algorithms. Two reporters, as others print between them: the first of all and the last.
/// `progress` outlives them.
class RunProgress final : public Reporter {
 public:
  explicit RunProgress(WorkProgress& progress) : progress_(progress) {}

  void begin(const Setup&) override { progress_.pause(); }
  void add(const Outcome&) override { end_one(); }
  void end(const Setup&) override { progress_.pause(); }

  /// After all others have printed.
  class Resumed final : public Reporter {
   public:
    explicit Resumed(WorkProgress& progress) : progress_(progress) {}
    void begin(const Setup&) override { progress_.resume(); }
    void add(const Outcome&) override { progress_.resume(); }

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
