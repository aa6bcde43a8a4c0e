// SPDX-License-Identifier: Apache-2.0
// What became of the cases, whoever ran them.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "fuzz/processes/case_message.hpp"

namespace heddle {

/// Of a process's life so far, what is kept to find out what a case depends on.
inline constexpr std::size_t kCasesBefore = 256;

/// A row that has failed so often in a run that ends by time has most of its cases left out, as those of others say more.
inline constexpr std::int64_t kFailuresEnough = 8;
inline constexpr std::uint64_t kRunOneIn = 8;

/// A case that failed, before it is made small.
struct Found {
  FuzzFinding finding;
  std::vector<CaseRequest> before = {};  ///< in the same process
};

/// Gathers what became of the cases. Whoever takes a number runs that case to its end; so all cases below a failure have been
/// run, however many workers there are.
class Results {
 public:
  Results(const FuzzSettings& settings, RunBounds& bounds) : settings_(settings), bounds_(bounds), coverage_(settings.rows) {}

  /// The number of the next case; no value: there is none any more. From any worker.
  std::optional<std::uint64_t> take_number() {
    const std::uint64_t index = next_++;
    if (index >= static_cast<std::uint64_t>(settings_.cases) || index > stops_after_) return std::nullopt;
    return index;
  }

  /// Whether it need not be run. Only where time is the limit, so that a number of cases makes the same findings anywhere.
  bool is_left_out(std::uint64_t index, const FuzzCoverage::Row& row) {
    if (!settings_.keep_going || !settings_.time) return false;
    const std::lock_guard lock(mutex_);
    const auto failures = failures_.find(row);
    if (failures == failures_.end() || failures->second < kFailuresEnough) return false;
    if (failures->second++ % kRunOneIn == 0) return false;
    done_[index] = {row, {}, true};
    count_what_is_certain();
    return true;
  }

  /// No case is drawn.
  void stop() { is_at_end_ = true; }
  bool is_over() const {
    if (is_at_end_) return true;
    if (settings_.time && Clock::now() - start_ >= *settings_.time) return true;
    return is_stopped();
  }
  bool is_stopped() const { return settings_.is_stopped != nullptr && settings_.is_stopped(); }

  /// `what` is looked at if it failed; `before`: the cases before it in its process.
  void note(std::uint64_t index, const FuzzCoverage::Row& row, CaseEnd end, const Experiment& what,
            std::span<const CaseRequest> before = {}) {
    if (settings_.ended_one) settings_.ended_one();
    if (!end.failure && end.slow.empty() && settings_.in_processes) bounds_.learn(row, end.length);
    const std::lock_guard lock(mutex_);
    if (!end.slow.empty()) {
      const auto [place, is_new] = slow_.try_emplace(row, SlowCase{index, what, end.slow});
      if (index < place->second.index) place->second = {index, what, end.slow};
    }
    if (end.failure) {
      ++failures_[row];
      if (!settings_.keep_going) stop_after(index);
      const auto [place, is_new] = found_.try_emplace({row, end.failure->kind});
      FuzzFinding& finding = place->second.finding;
      if (!is_new) ++finding.repeats;
      if (is_new || index < finding.index) {
        finding.index = index;
        finding.drawn = finding.smallest = what;
        finding.failure = *end.failure;
        const auto kept = before.last(std::min(before.size(), kCasesBefore));
        place->second.before.assign(kept.begin(), kept.end());
      }
    }
    done_[index] = {row, std::move(end), false};
    count_what_is_certain();
  }

  void note_error(std::uint64_t index, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (error_ && error_index_ < index) return;
    error_ = std::move(error);
    error_index_ = index;
    stop_after(index);
  }

  /// After all workers have ended. Rethrows what kept the first case that was none from being one.
  void require_no_error() const {
    if (error_ && error_index_ <= stops_after_) std::rethrow_exception(error_);
  }
  std::vector<Found> found() {
    std::vector<Found> all;
    for (auto& [key, found] : found_) {
      if (!settings_.keep_going) found.finding.repeats = 0;  // other workers' cases beyond it
      if (found.finding.index <= stops_after_) all.push_back(std::move(found));
    }
    std::ranges::sort(all, {}, [](const Found& found) { return found.finding.index; });
    return all;
  }

  /// The first of each row.
  std::vector<SlowCase> slow() const {
    std::vector<SlowCase> all;
    for (const auto& [row, slow] : slow_) {
      if (slow.index <= stops_after_) all.push_back(slow);
    }
    std::ranges::sort(all, {}, &SlowCase::index);
    return all;
  }

  FuzzOutcome outcome() {
    return {.seed = settings_.seed,
            .failed = std::move(failed_),
            .slow = slow_count_,
            .first_slow = slow(),
            .coverage = std::move(coverage_),
            .faults = std::move(faults_),
            .seconds = std::chrono::duration<double>(Clock::now() - start_).count()};
  }

 private:
  void stop_after(std::uint64_t index) { stops_after_ = std::min<std::uint64_t>(stops_after_, index); }

  /// Cases count in their order: what another worker ran beyond a failure does not.
  void count_what_is_certain() {
    for (auto first = done_.begin(); first != done_.end() && first->first == counted_ && counted_ <= stops_after_;
         first = done_.begin()) {
      const CaseEnd& end = first->second.end;
      if (!first->second.was_left_out) coverage_.add(first->second.row, end.ranks);
      if (end.failure) ++failed_[end.failure->kind];
      if (!end.slow.empty())
        ++slow_count_;
      else if (!end.fault_kind.empty() && !end.failure)
        faults_.add(end.fault_kind, end.fault_end);
      done_.erase(first);
      ++counted_;
    }
  }

  struct Done {
    FuzzCoverage::Row row;
    CaseEnd end;
    bool was_left_out = false;
  };

  const FuzzSettings& settings_;
  RunBounds& bounds_;
  using Clock = std::chrono::steady_clock;

  const Clock::time_point start_ = Clock::now();
  bool is_at_end_ = false;  ///< before it has begun
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<std::uint64_t> stops_after_ = std::numeric_limits<std::uint64_t>::max();

  std::mutex mutex_;  ///< of all below
  std::map<std::pair<FuzzCoverage::Row, CheckError::Kind>, Found> found_;
  std::map<FuzzCoverage::Row, std::int64_t> failures_;
  std::map<FuzzCoverage::Row, SlowCase> slow_;
  std::map<CheckError::Kind, std::int64_t> failed_;
  std::int64_t slow_count_ = 0;
  std::map<std::uint64_t, Done> done_;  ///< and not yet counted
  std::uint64_t counted_ = 0;
  FuzzCoverage coverage_;
  FaultCounts faults_;
  std::exception_ptr error_;
  std::uint64_t error_index_ = 0;
};

}  // namespace heddle
