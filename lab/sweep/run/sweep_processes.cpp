// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep/run/sweep_processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <numeric>
#include <thread>

#include "core/errors.hpp"

namespace heddle {

template <class Call>
auto SweepProcesses::saying(const Call& call) {
  try {
    return call();
  } catch (...) {
    has_failed_ = true;
    throw;
  }
}

SweepProcesses::SweepProcesses(ProcessMessages& messages) : messages_(messages) {
  for (int rank = 1; rank < messages.size(); ++rank) processes_.push_back({.rank = rank});
}

SweepProcesses::~SweepProcesses() {
  if (has_failed_) return;
  try {
    for (const Process& process : processes_) messages_.send(process.rank, text_of_no_more());
    messages_.part();
  } catch (const std::exception&) {  // nothing is asked of it any more
  }
}

void SweepProcesses::begin(const SweepCall& call) {
  saying([&] {
    for (const Process& process : processes_) messages_.send(process.rank, text_of(call));
  });
}

void SweepProcesses::note_offer(const ProcessMessages::Received& message, const std::string& plan) {
  Process& process = process_of(message.from);
  process.offer = read_offer(message.text);
  if (!process.offer.refusal.empty()) throw InputError(fmt::format("rank {}: {}", process.rank, process.offer.refusal));
  if (process.offer.plan != plan)
    throw InputError(fmt::format(
        "rank {} has planned another sweep; all processes need the same heddle and files of the same content", process.rank));
}

void SweepProcesses::agree(const SweepPlan& plan) {
  plan_ = &plan;
  const std::string checksum = plan_checksum_of(plan.document);
  for (std::size_t missing = processes_.size(); missing > 0;) {
    const std::vector<ProcessMessages::Received> received = saying([&] { return messages_.receive(); });
    for (const ProcessMessages::Received& message : received) note_offer(message, checksum);
    missing -= received.size();
    if (received.empty()) std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

int SweepProcesses::workers() const {
  return std::accumulate(processes_.begin(), processes_.end(), 0,
                         [](int sum, const Process& process) { return sum + process.offer.workers; });
}

int SweepProcesses::under_way() const {
  return std::accumulate(processes_.begin(), processes_.end(), 0,
                         [](int sum, const Process& process) { return sum + static_cast<int>(process.runs.size()); });
}

bool SweepProcesses::have_room() const {
  return std::ranges::any_of(processes_, [](const Process& one) { return std::ssize(one.runs) < one.offer.workers; });
}

bool SweepProcesses::give(const PlannedRun& run) {
  const auto process = std::ranges::find_if(processes_, [&](const Process& one) {
    return std::ssize(one.runs) < one.offer.workers && (one.runs.empty() || one.used + run.cost.memory <= one.offer.memory);
  });
  if (process == processes_.end()) return false;
  saying([&] { messages_.send(process->rank, text_of_run(run.run)); });
  process->runs.insert(run.run);
  process->used = process->used + run.cost.memory;
  return true;
}

std::vector<SweepAnswer> SweepProcesses::answers() {
  return saying([&] {
    std::vector<SweepAnswer> answers;
    for (const ProcessMessages::Received& message : messages_.receive()) {
      Process& process = process_of(message.from);
      SweepAnswer answer = read_answer(message.text);
      const bool was_asked = process.runs.erase(answer.run) > 0;
      if (!was_asked || (answer.result && answer.result->run != plan_->document.runs[answer.run].run))
        throw Error(fmt::format("rank {} answers with a run that it was not given", process.rank));
      process.used = process.used - plan_->runs[answer.run].cost.memory;
      if (!answer.stop.text.empty()) answer.stop.text = fmt::format("rank {}: {}", process.rank, answer.stop.text);
      answers.push_back(std::move(answer));
    }
    return answers;
  });
}

}  // namespace heddle
