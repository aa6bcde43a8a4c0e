// SPDX-License-Identifier: Apache-2.0
// What a call of fuzz() is made of: what became of its cases, what runs them, what is found out about failures, and the processes.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/case_child.hpp"
#include "fuzz/case_process.hpp"
#include "fuzz/cases/draw_case.hpp"
#include "fuzz/cases/run_case.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/shrink.hpp"

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
    const bool is_refused = end.failure && end.failure->kind == CheckError::Kind::refused && !settings_.strict;
    if (is_refused) end.failure.reset();
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
    done_[index] = {row, std::move(end), false, is_refused};
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

  std::vector<std::string> notes() const {
    std::vector<std::string> all;
    for (const auto& [row, note] : notes_) all.push_back(note);
    return all;
  }

  FuzzOutcome outcome() {
    return {.seed = settings_.seed,
            .failed = std::move(failed_),
            .slow = slow_count_,
            .refused = refused_count_,
            .first_slow = slow(),
            .coverage = std::move(coverage_),
            .notes = notes(),
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
      if (!end.note.empty()) notes_.try_emplace(first->second.row, end.note);
      if (first->second.is_refused)
        ++refused_count_;
      else if (!end.slow.empty())
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
    bool is_refused = false;
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
  std::map<FuzzCoverage::Row, std::string> notes_;
  std::map<CheckError::Kind, std::int64_t> failed_;
  std::int64_t slow_count_ = 0;
  std::int64_t refused_count_ = 0;
  std::map<std::uint64_t, Done> done_;  ///< and not yet counted
  std::uint64_t counted_ = 0;
  FuzzCoverage coverage_;
  FaultCounts faults_;
  std::exception_ptr error_;
  std::uint64_t error_index_ = 0;
};

// Draws cases and runs them.

/// All in the calling thread. `settings` outlives it.
class CaseRunner {
 public:
  explicit CaseRunner(const FuzzSettings& settings)
      : settings_(settings), rows_(std::make_shared<const std::vector<Algorithm>>(settings.rows)) {}

  Experiment draw(std::uint64_t index) const {
    Experiment what = draw_case(settings_.seed, index, rows_, bounds());
    what.stack = settings_.stack;
    return what;
  }
  FuzzCoverage::Row row_of_case(std::uint64_t index) const {
    const Algorithm& row = heddle::row_of_case(settings_.seed, index, *rows_, bounds());
    return {row.collective, row.name};
  }
  Experiment parse(const std::string& text) const {
    Experiment what = Experiment::parse(text);
    what.own = rows_;
    return what;
  }
  /// Whether it is a case of one of the rows.
  bool has_row_of(const SavedCase& saved) const {
    const FuzzCoverage::Row row = row_of(parse(saved.text));
    return std::ranges::any_of(*rows_,
                               [&row](const Algorithm& one) { return row == FuzzCoverage::Row(one.collective, one.name); });
  }
  bool is_twice(std::uint64_t index) const {
    return settings_.twice_once_in > 0 && index % static_cast<std::uint64_t>(settings_.twice_once_in) == 0;
  }
  /// Of a case that fails while orders are explored, `what` becomes the one with its order. `index`: of a drawn case as it was
  /// drawn, of which not each is compared with the usual order.
  CaseEnd run(Experiment& what, bool twice, std::optional<std::uint64_t> index = {}) const {
    if (settings_.explore) return explore_case(what, *settings_.explore);
    // Those of many calls and the large ones have other numbers: to run one of many calls again takes as long as ten usual cases.
    const auto once_in = static_cast<std::uint64_t>(settings_.compared_once_in);
    return end_of(what, twice, !index || *index % once_in == once_in / 2);
  }
  /// In a process of its own.
  CaseServer server() const {
    return [this](const CaseRequest& request, const std::function<void(const Experiment&)>& is_at) {
      Experiment what = request.index ? draw(*request.index) : parse(request.text);
      is_at(what);
      if (request.layout > 0) shift_addresses(request.layout);
      CaseReply reply{.row = row_of(what), .end = run(what, request.twice, request.index)};
      if (request.with_text || reply.end.failure || !reply.end.slow.empty()) reply.text = what.text();
      return reply;
    };
  }

 private:
  DrawBounds bounds() const {
    return {.most_ranks = settings_.most_ranks,
            .fault_once_in = settings_.fault_once_in,
            .large_once_in = settings_.large_once_in,
            .positions_once_in = settings_.positions_once_in,
            .most_large_ranks = settings_.most_large_ranks,
            .only = settings_.only};
  }

  const FuzzSettings& settings_;
  const std::shared_ptr<const std::vector<Algorithm>> rows_;
};

// Runs a finding's case again, makes it small, and finds out what it depends on.

/// So long is waited at first, while a case that was endless is made smaller, or one of a row that had one is run.
inline constexpr std::chrono::duration<double> kShrinkPatience = std::chrono::seconds(1);

/// The same with few elements on fewer ranks, some numbers of them, the least first. A row may serve none of them.
std::vector<Experiment> on_fewer_ranks(const Experiment& what);

/// All that it is given outlives it. Blocks; ends early when stopped.
class Findings {
 public:
  Findings(const FuzzSettings& settings, const CaseRunner& runner, RunBounds& bounds)
      : settings_(settings), runner_(runner), bounds_(bounds), server_(runner.server()) {}

  /// Of a saved case, made small; none: it is right.
  std::vector<FuzzFinding> try_saved(const SavedCase& saved, std::uint64_t number) const;
  /// The finding, made small. Behind it, if there is one, what was met meanwhile: a simpler case that fails in a graver way, or the way in which
  /// the case fails alone. Not of the kinds of `known`, which are findings of the row by themselves.
  std::vector<FuzzFinding> explain(Found found, const std::set<CheckError::Kind>& known = {}) const;
  /// Of a case that was given up: the same on fewer ranks, if that is endless.
  std::optional<Found> on_fewer_ranks(const Found& slow) const;

 private:
  bool is_stopped() const { return settings_.is_stopped != nullptr && settings_.is_stopped(); }
  CaseEnd run(Experiment what, CheckError::Kind kind, std::chrono::duration<double> patience, std::uint32_t layout = 0) const;
  std::optional<Shrunk::Other> make_small(FuzzFinding& finding) const;
  void keep(FuzzFinding& finding, Shrunk shrunk) const;
  std::function<bool()> until(std::optional<std::chrono::duration<double>> time) const;
  std::string what_it_depends_on(const Found& found) const;
  std::optional<std::string> earlier_calls(const Found& found, const std::function<bool()>& is_over) const;
  std::optional<std::string> fails_after(const Found& found, std::size_t first, std::size_t end) const;
  std::optional<CaseReply> next_reply(CaseProcess& process) const;

  const FuzzSettings& settings_;
  const CaseRunner& runner_;
  RunBounds& bounds_;
  const CaseServer server_;
};

// Workers that are processes, and the thread that asks them.

/// All that it is given outlives it. For one thread.
class ProcessWorkers {
 public:
  ProcessWorkers(const FuzzSettings& settings, Results& results, const CaseRunner& runner, const RunBounds& bounds, int workers)
      : settings_(settings),
        results_(results),
        runner_(runner),
        bounds_(bounds),
        server_(runner.server()),
        workers_(static_cast<std::size_t>(workers)),
        cores_(usable_cores()) {}

  /// Until there are no more cases. Returns those that were given up. Throws InputError if the system has no more processes.
  std::vector<Experiment> run();

 private:
  struct Worker {
    std::unique_ptr<CaseProcess> process;
    /// So many cases that it has not answered yet: one to be at and others to go on with at once. Where cases are short, as many as it
    /// answers in some milliseconds, for to wake this thread for each would cost a tenth of the time.
    std::size_t ahead = kFewestAhead;
    CaseProcess::Clock::time_point last_answer = CaseProcess::Clock::now();
  };
  static constexpr std::size_t kFewestAhead = 2;

  std::optional<int> core_of(const Worker& worker) const;
  void give_work(Worker& worker);
  void wait();
  void take_answers(Worker& worker);
  void note(std::uint64_t index, CaseReply reply, std::span<const CaseRequest> before);
  CaseProcess::Seconds patience_with(const std::string& text) const;
  std::vector<Experiment> given_up() const;

  const FuzzSettings& settings_;
  Results& results_;
  const CaseRunner& runner_;
  const RunBounds& bounds_;
  const CaseServer server_;
  std::vector<Worker> workers_;
  const std::vector<int> cores_;
  std::set<std::uint64_t> begun_;        ///< numbers that have been taken, by a process that has ended
  std::set<std::uint64_t> asked_again_;  ///< numbers of cases that did not begin in time, once
  bool has_no_more_ = false;
  /// Of a row: its cases that did not end in time.
  struct Unended {
    int cases = 0;
    bool is_endless = false;
    std::uint64_t slices = ~std::uint64_t{0};  ///< the fewest that one was let have and was given up
  };
  std::map<FuzzCoverage::Row, Unended> unended_;
};

}  // namespace heddle
