// SPDX-License-Identifier: Apache-2.0
// Workers that are processes, and the thread that asks them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "fuzz/case_runner.hpp"
#include "fuzz/cases/coverage.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/processes/case_process.hpp"
#include "fuzz/results.hpp"

namespace heddle {

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
  bool is_hopeless(const std::string& text) const;
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
  std::set<FuzzCoverage::Row> endless_;
  std::map<FuzzCoverage::Row, std::uint64_t> slow_;  ///< by row: the fewest turns that a case was let have and was given up
};

}  // namespace heddle
