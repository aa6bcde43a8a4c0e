// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "core/errors.hpp"
#include "fuzz/draw_case.hpp"
#include "fuzz/shrink.hpp"
#include "lab/grammar/shell_words.hpp"

namespace heddle {

namespace {

using Clock = std::chrono::steady_clock;

void check_settings(const FuzzSettings& settings) {
  if (settings.rows.empty()) throw InputError("no row to fuzz");
  if (settings.cases < 0) throw InputError(fmt::format("{} cases: there must be at least 0", settings.cases));
  if (settings.most_ranks < 1) throw InputError(fmt::format("{} ranks at most: there must be at least 1", settings.most_ranks));
  if (settings.explore && settings.fault_once_in > 0)
    throw InputError("orders of events are explored, or faults are drawn: one of both");
  if (settings.fault_once_in < 0)
    throw InputError(fmt::format("faults in one case of {}: 1 for each, 0 for none", settings.fault_once_in));
  if (settings.workers < 0)
    throw InputError(fmt::format("{} workers: at least 1, or 0 for one on each core", settings.workers));
  std::set<FuzzCoverage::Row> names;
  for (const Algorithm& row : settings.rows) {
    const std::string name = fmt::format("{} algorithm '{}'", to_string(row.collective), row.name);
    if (row.name.find_first_of(" \t\n:,") != std::string::npos || row.name.empty())
      throw InputError(name + ": a row's name is one word without blanks, colons and commas");
    if (row.run == nullptr) throw InputError(name + " has no function to run");
    if (!names.insert({row.collective, row.name}).second) throw InputError(name + " is there twice");
  }
}

/// Hands out the cases and gathers what became of them. Whoever takes a number runs that case to its end; so all cases below
/// a failure have been run, however many workers there are.
class Cases {
 public:
  explicit Cases(const FuzzSettings& settings)
      : settings_(settings), rows_(std::make_shared<const std::vector<Algorithm>>(settings.rows)), coverage_(settings.rows) {}

  /// A worker's whole life.
  void work() {
    while (!is_over()) {
      const std::uint64_t index = next_++;
      if (index >= static_cast<std::uint64_t>(settings_.cases) || index > stops_after_) return;
      try {
        Experiment what = draw_case(settings_.seed, index, rows_, settings_.most_ranks, settings_.fault_once_in);
        CaseEnd end = run(what);
        note(index, what, std::move(end));
      } catch (...) {
        note_error(index, std::current_exception());
      }
    }
  }

  /// After all workers have ended: shrinks what they found. Rethrows what kept the first case that was none from being one.
  FuzzOutcome outcome() {
    if (error_ && error_index_ <= stops_after_) std::rethrow_exception(error_);
    FuzzOutcome outcome{.seed = settings_.seed};
    outcome.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    for (auto& [key, found] : found_) {
      if (found.index <= stops_after_) outcome.findings.push_back(std::move(found));
    }
    std::ranges::sort(outcome.findings, {}, &FuzzFinding::index);
    for (FuzzFinding& finding : outcome.findings) {
      if (!settings_.keep_going) finding.repeats = 0;  // other workers' cases beyond it
      make_small(finding);
    }
    merge_same(outcome.findings);
    outcome.coverage = std::move(coverage_);
    outcome.faults = std::move(faults_);
    return outcome;
  }

 private:
  /// Of a case that fails while orders are explored, `what` becomes the one with its order.
  CaseEnd run(Experiment& what) const {
    if (settings_.is_at != nullptr) settings_.is_at(what);
    CaseEnd end = settings_.explore ? explore_case(what, *settings_.explore) : end_of(what);
    if (settings_.is_idle != nullptr) settings_.is_idle();
    return end;
  }

  bool is_over() const {
    if (settings_.time && Clock::now() - start_ >= *settings_.time) return true;
    return settings_.is_stopped != nullptr && settings_.is_stopped();
  }

  void make_small(FuzzFinding& finding) const {
    const auto run_smaller = [this](Experiment what) { return run(what).failure; };
    Experiment drawn = finding.drawn;
    // Each smaller case has orders of its own; the smallest is explored once more for the one that fails.
    if (settings_.explore) drawn.order = {};
    Shrunk shrunk = shrink(drawn, finding.failure, run_smaller, settings_.shrink_attempts);
    finding.smallest = std::move(shrunk.smallest);
    finding.failure = std::move(shrunk.failure);
    if (settings_.explore) {
      if (std::optional<Failure> again = run(finding.smallest).failure) finding.failure = *std::move(again);
    }
    finding.shrink_attempts = shrunk.attempts;
  }

  /// What failed in several ways and shrinks to one case is one finding.
  static void merge_same(std::vector<FuzzFinding>& findings) {
    std::map<std::string, FuzzFinding> by_text;
    for (FuzzFinding& finding : findings) {
      const auto [place, is_new] = by_text.try_emplace(finding.smallest.text(), finding);
      if (!is_new) place->second.repeats += finding.repeats + 1;
    }
    findings.clear();
    for (auto& [text, finding] : by_text) findings.push_back(std::move(finding));
    std::ranges::sort(findings, {}, &FuzzFinding::index);
  }

  void note(std::uint64_t index, const Experiment& what, CaseEnd end) {
    const std::lock_guard lock(mutex_);
    if (end.failure) {
      if (!settings_.keep_going) stop_after(index);
      const auto [place, is_new] = found_.try_emplace({row_of(what), end.failure->kind});
      FuzzFinding& found = place->second;
      if (!is_new) ++found.repeats;
      if (is_new || index < found.index) {
        found.index = index;
        found.drawn = found.smallest = what;
        found.failure = *end.failure;
      }
    }
    done_[index] = {row_of(what), std::move(end)};
    count_what_is_certain();
  }

  void note_error(std::uint64_t index, std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (error_ && error_index_ < index) return;
    error_ = std::move(error);
    error_index_ = index;
    stop_after(index);
  }

  void stop_after(std::uint64_t index) { stops_after_ = std::min<std::uint64_t>(stops_after_, index); }

  /// Cases count in their order: what another worker ran beyond a failure does not.
  void count_what_is_certain() {
    for (auto first = done_.begin(); first != done_.end() && first->first == counted_ && counted_ <= stops_after_;
         first = done_.begin()) {
      const CaseEnd& end = first->second.end;
      coverage_.add(first->second.row, end.ranks);
      if (!end.fault_kind.empty() && !end.failure) faults_.add(end.fault_kind, end.fault_end);
      done_.erase(first);
      ++counted_;
    }
  }

  struct Done {
    FuzzCoverage::Row row;
    CaseEnd end;
  };

  const FuzzSettings& settings_;
  const std::shared_ptr<const std::vector<Algorithm>> rows_;
  const Clock::time_point start_ = Clock::now();
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<std::uint64_t> stops_after_ = std::numeric_limits<std::uint64_t>::max();

  std::mutex mutex_;  ///< of all below
  std::map<std::pair<FuzzCoverage::Row, CheckError::Kind>, FuzzFinding> found_;
  std::map<std::uint64_t, Done> done_;  ///< and not yet counted
  std::uint64_t counted_ = 0;
  FuzzCoverage coverage_;
  FaultCounts faults_;
  std::exception_ptr error_;
  std::uint64_t error_index_ = 0;
};

std::string indented(std::string_view text) {
  std::string lines = "  ";
  for (const char c : text) lines += c == '\n' ? std::string("\n  ") : std::string(1, c);
  return lines;
}

}  // namespace

FuzzOutcome fuzz(const FuzzSettings& settings) {
  check_settings(settings);
  Cases cases(settings);
  const auto cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const int workers = settings.workers == 0 ? cores : settings.workers;
  std::vector<std::jthread> threads;
  for (int i = 1; i < workers; ++i) threads.emplace_back([&cases] { cases.work(); });
  cases.work();
  threads.clear();
  return cases.outcome();
}

std::string to_text(const FuzzFinding& finding, std::uint64_t seed, std::string_view command) {
  const Experiment& what = finding.smallest;
  std::string text = fmt::format("{} {}: {}\n{}\n", to_string(what.collective), what.algorithm, to_string(finding.failure.kind),
                                 indented(finding.failure.explanation));
  text += fmt::format("  drawn as case {} of seed {}: {}\n", finding.index, seed, finding.drawn.text());
  text += fmt::format("  made smaller in {} runs", finding.shrink_attempts);
  if (finding.repeats > 0) text += fmt::format("; {} more cases of this row failed so", finding.repeats);
  return text +
         fmt::format("\n  repeat: {} {}\n", command, command.ends_with("--case") ? shell_word(what.text()) : what.text());
}

std::string FuzzOutcome::text() const {
  if (passed()) return fmt::format("{} cases right", coverage.cases());
  std::string all;
  for (const FuzzFinding& finding : findings) all += to_text(finding, seed);
  return all;
}

}  // namespace heddle
