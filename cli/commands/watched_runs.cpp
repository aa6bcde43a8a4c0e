// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/watched_runs.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>

#include "core/read_number.hpp"
#include "fuzz/case_process.hpp"
#include "heddle/registry.hpp"
#include "lab/plugin/load_plugins.hpp"

namespace heddle {

namespace {

/// A run may take as long as it would here.
constexpr CaseProcess::Seconds kAnyTime{1e9};

/// A forked process has the same objects at the same addresses.
std::string text_of(const Setup& setup, const Algorithm& algorithm) {
  return fmt::format("{} {}", reinterpret_cast<std::uintptr_t>(&setup), reinterpret_cast<std::uintptr_t>(&algorithm));
}

template <class T>
const T& object_at(std::string_view address) {
  return *reinterpret_cast<const T*>(*read_number<std::uintptr_t>(address));
}

/// In the process that is forked for the run. How it ends otherwise is seen here again.
CaseReply run_there(const CaseRequest& request, const std::function<void(const Experiment&)>& is_at) {
  is_at(Experiment());
  const std::string_view text = request.text;
  const std::size_t blank = text.find(' ');
  Setup setup = object_at<Setup>(text.substr(0, blank));
  setup.asked.clock.is_wall = false;
  run_algorithm(setup, object_at<Algorithm>(text.substr(blank + 1)));
  return {};
}

}  // namespace

/// A process that has no threads, and forks one for each run.
class WatchedRuns::Watcher {
 public:
  std::optional<Failure> failure_of(const Setup& setup, const Algorithm& algorithm) {
    process_.ask({.text = text_of(setup, algorithm)});
    while (true) {
      if (std::optional<CaseProcess::Answer> answer = process_.take()) return std::move(answer->reply.end.failure);
      process_.wait(kAskOften);
    }
  }

 private:
  CaseServer server_ = [](const CaseRequest& request, const std::function<void(const Experiment&)>& is_at) {
    is_at(Experiment());
    return *run_alone(run_there, request, kAnyTime);
  };
  CaseProcess process_{server_, kAnyTime};
};

WatchedRuns::WatchedRuns(const std::vector<std::string>& plugins, int workers) {
  if (plugins.empty()) return;
  for (const Algorithm& row : load_plugins(plugins)) own_.insert({row.collective, std::string(bare_name(row.name))});
  for (int i = 0; i < workers; ++i) free_.push_back(std::make_unique<Watcher>());
}

WatchedRuns::~WatchedRuns() = default;

Outcome WatchedRuns::run(const Setup& setup, const Algorithm& algorithm) {
  const bool is_watched = !setup.asked.over && own_.contains({algorithm.collective, std::string(bare_name(algorithm.name))});
  if (!is_watched) return run_algorithm(setup, algorithm);
  std::unique_lock lock(mutex_);
  one_is_free_.wait(lock, [this] { return !free_.empty(); });
  std::unique_ptr<Watcher> watcher = std::move(free_.back());
  free_.pop_back();
  lock.unlock();
  std::optional<Failure> failure = watcher->failure_of(setup, algorithm);
  lock.lock();
  free_.push_back(std::move(watcher));
  lock.unlock();
  one_is_free_.notify_one();
  if (failure) return outcome_with(setup, algorithm, *std::move(failure));
  return run_algorithm(setup, algorithm);
}

}  // namespace heddle
