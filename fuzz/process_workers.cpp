// SPDX-License-Identifier: Apache-2.0
#include "fuzz/process_workers.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

#include "core/errors.hpp"
#include "fuzz/findings.hpp"
#include "topo/topology.hpp"

namespace heddle {

std::vector<Experiment> ProcessWorkers::run() {
  constexpr std::chrono::milliseconds kGrace{500};
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> stopped;
  while (true) {
    const bool is_over = results_.is_over();
    if (!stopped && results_.is_stopped()) stopped = Clock::now();
    bool is_busy = false;
    for (auto& worker : workers_) {
      if (!is_over) give_work(worker);
      is_busy = is_busy || (worker && !worker->waiting().empty());
    }
    if (!is_busy) return {};
    if (stopped && Clock::now() - *stopped >= kGrace) return given_up();
    wait();
    for (auto& worker : workers_) take_answers(worker);
  }
}

/// One to be at, and one to go on with at once.
void ProcessWorkers::give_work(Worker& worker) {
  constexpr std::size_t kAhead = 2;
  while (worker == nullptr || worker->waiting().size() < kAhead) {
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
    if (worker == nullptr) worker = std::make_unique<CaseProcess>(server_, settings_.case_limit);
    worker->ask({.index = index, .twice = runner_.is_twice(*index)});
  }
}

void ProcessWorkers::wait() const {
  std::vector<pollfd> files;
  CaseProcess::Seconds left = kAskOften;
  for (const Worker& worker : workers_) {
    if (worker == nullptr || worker->waiting().empty()) continue;
    if (goes_on_for_ever(worker->at())) worker->set_limit(std::min(settings_.case_limit, kShrinkPatience));
    worker->add_to(files);
    left = std::min(left, worker->time_left());
  }
  const double milliseconds = std::max(0.0, left.count() * 1000);
  poll(files.data(), files.size(), static_cast<int>(std::ceil(milliseconds)));
}

void ProcessWorkers::take_answers(Worker& worker) {
  while (worker != nullptr) {
    const std::uint64_t index = worker->waiting().empty() ? 0 : *worker->waiting().front().index;
    std::optional<CaseReply> reply = worker->take();
    if (!reply) return;
    std::span<const CaseRequest> before = worker->answered();
    if (!worker->has_ended()) before = before.first(before.size() - 1);  // the last is this one
    note(index, std::move(*reply), before);
    if (!worker->has_ended()) continue;
    // What it was asked for besides, another one does.
    for (std::size_t i = 1; i < worker->waiting().size(); ++i) begun_.insert(*worker->waiting()[i].index);
    worker.reset();
  }
}

void ProcessWorkers::note(std::uint64_t index, CaseReply reply, std::span<const CaseRequest> before) {
  try {
    reply.require_no_error(fmt::format("case {} of seed {}: ", index, settings_.seed));
  } catch (const InputError&) {
    return results_.note_error(index, std::current_exception());
  }
  if (!reply.end.failure) return results_.note(index, reply.row, std::move(reply.end), {});
  const Experiment what = runner_.parse(reply.text);
  if (reply.end.failure->kind == CheckError::Kind::endless) endless_.insert(row_of(what));
  if (reply.end.ranks == 0) reply.end.ranks = what.ranks.value_or(parse_topology(what.fabric.topology)->endpoints());
  results_.note(index, row_of(what), std::move(reply.end), what, before);
}

/// Whether a case of the same row was endless: nobody waits as long for the next.
bool ProcessWorkers::goes_on_for_ever(const std::string& text) const {
  return !endless_.empty() && !text.empty() && endless_.contains(row_of(runner_.parse(text)));
}

std::vector<Experiment> ProcessWorkers::given_up() const {
  std::vector<Experiment> all;
  for (const Worker& worker : workers_) {
    if (worker != nullptr && !worker->at().empty()) all.push_back(runner_.parse(worker->at()));
  }
  return all;
}

}  // namespace heddle
