// SPDX-License-Identifier: Apache-2.0
#include "fuzz/fuzz_run.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

#include "heddle/errors.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {

std::vector<Experiment> ProcessWorkers::run() {
  constexpr std::chrono::milliseconds kGrace{500};
  std::optional<CaseProcess::Clock::time_point> stopped;
  while (true) {
    const bool is_over = results_.is_over();
    if (!stopped && results_.is_stopped()) stopped = CaseProcess::Clock::now();
    bool is_busy = false;
    for (Worker& worker : workers_) {
      if (!is_over) give_work(worker);
      is_busy = is_busy || (worker.process && !worker.process->waiting().empty());
    }
    if (!is_busy) return {};
    if (stopped && CaseProcess::Clock::now() - *stopped >= kGrace) return given_up();
    wait();
    for (Worker& worker : workers_) take_answers(worker);
  }
}

/// Where there is a worker for each core, each stays on its own: where ranks are kernel threads, those of one would wait for the turn of
/// another on its core while their own is idle, a tenth of the time.
std::optional<int> ProcessWorkers::core_of(const Worker& worker) const {
  if (cores_.empty() || workers_.size() < cores_.size()) return std::nullopt;
  return cores_[static_cast<std::size_t>(&worker - workers_.data()) % cores_.size()];
}

void ProcessWorkers::give_work(Worker& worker) {
  while (worker.process == nullptr || worker.process->waiting().size() < worker.ahead) {
    std::optional<std::uint64_t> index;
    if (!begun_.empty()) {
      index = *begun_.begin();
      begun_.erase(begun_.begin());
    } else if (!has_no_more_) {
      index = results_.take_number();
      has_no_more_ = !index;
      if (index && results_.is_left_out(*index, runner_.row_of_case(*index))) continue;
    }
    if (!index) return;
    if (worker.process == nullptr)
      worker = {.process = std::make_unique<CaseProcess>(
                    server_,
                    CasePatience(settings_.case_limit, true,
                                 [this](const std::string& text) { return bounds_.bound(runner_.parse(text)); }),
                    core_of(worker))};
    worker.process->ask({.index = index, .twice = runner_.is_twice(*index)});
  }
}

void ProcessWorkers::wait() {
  std::vector<pollfd> files;
  CaseProcess::Seconds left = kAskOften;
  for (const Worker& worker : workers_) {
    if (worker.process == nullptr || worker.process->waiting().empty()) continue;
    worker.process->set_limit(patience_with(worker.process->at()));
    worker.process->add_to(files);
    left = std::min(left, worker.process->time_left());
  }
  const double milliseconds = std::max(0.0, left.count() * 1000);
  poll(files.data(), files.size(), static_cast<int>(std::ceil(milliseconds)));
}

void ProcessWorkers::take_answers(Worker& worker) {
  constexpr CaseProcess::Seconds kBatch = std::chrono::milliseconds(10);
  constexpr std::size_t kMostAhead = 64;
  std::size_t answers = 0;
  while (worker.process != nullptr) {
    std::optional<CaseProcess::Answer> answer = worker.process->take();
    if (!answer) break;
    ++answers;
    const bool has_ended = worker.process->has_ended();
    std::span<const CaseRequest> before = worker.process->answered();
    if (!has_ended) before = before.first(before.size() - 1);  // the last is this one
    const std::uint64_t index = *answer->request.index;
    // On a busy machine a process may get no time; one that a case before has spoilt may not get on. A new one may, once.
    if (answer->never_began && asked_again_.insert(index).second)
      begun_.insert(index);
    else
      note(index, std::move(answer->reply), before);
    if (!has_ended) continue;
    // What it was asked for besides, another one does.
    for (const CaseRequest& request : worker.process->waiting()) begun_.insert(*request.index);
    worker.process.reset();
  }
  if (answers == 0) return;
  const CaseProcess::Clock::time_point now = CaseProcess::Clock::now();
  const CaseProcess::Seconds of_each = (now - worker.last_answer) / static_cast<double>(answers);
  worker.last_answer = now;
  const auto in_a_batch = static_cast<std::size_t>(std::min(kBatch / of_each, static_cast<double>(kMostAhead)));
  worker.ahead = std::clamp(in_a_batch, kFewestAhead, 2 * worker.ahead);
}

void ProcessWorkers::note(std::uint64_t index, CaseReply reply, std::span<const CaseRequest> before) {
  try {
    reply.require_no_error(fmt::format("case {} of seed {}: ", index, settings_.seed));
  } catch (const InputError&) {
    return results_.note_error(index, std::current_exception());
  }
  const bool is_slow = !reply.end.slow.empty();
  if (!reply.end.failure && !is_slow) return results_.note(index, reply.row, std::move(reply.end), {});
  const Experiment what = reply.text.empty() ? runner_.draw(index) : runner_.parse(reply.text);  // empty: it never began
  const bool is_endless = reply.end.failure && reply.end.failure->kind == CheckError::Kind::endless;
  if (is_slow || is_endless) {
    Unended& of_row = unended_[row_of(what)];
    ++of_row.cases;
    of_row.is_endless = of_row.is_endless || is_endless;
    if (is_slow) of_row.slices = std::min(of_row.slices, bounds_.bound(what).slices);
  }
  if (reply.end.ranks == 0) reply.end.ranks = what.ranks.value_or(topology_of(what.fabric)->endpoints());
  results_.note(index, row_of(what), std::move(reply.end), what, before);
}

/// Where a case of the same row was endless, or one that is no longer was given up, nobody waits as long for the next, and each time
/// less: a row of which most cases are endless would take more time than all others.
CaseProcess::Seconds ProcessWorkers::patience_with(const std::string& text) const {
  constexpr int kMostHalvings = 4;
  if (unended_.empty() || text.empty()) return settings_.case_limit;
  const Experiment what = runner_.parse(text);
  const auto found = unended_.find(row_of(what));
  if (found == unended_.end()) return settings_.case_limit;
  const Unended& of_row = found->second;
  if (!of_row.is_endless && bounds_.bound(what).slices < of_row.slices) return settings_.case_limit;
  return std::min(settings_.case_limit, kShrinkPatience / static_cast<double>(1 << std::min(of_row.cases - 1, kMostHalvings)));
}

std::vector<Experiment> ProcessWorkers::given_up() const {
  std::vector<Experiment> all;
  for (const Worker& worker : workers_) {
    if (worker.process != nullptr && !worker.process->at().empty()) all.push_back(runner_.parse(worker.process->at()));
  }
  return all;
}

}  // namespace heddle
