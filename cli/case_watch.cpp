// SPDX-License-Identifier: Apache-2.0
#include "cli/case_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <utility>

#include "cli/command_line.hpp"
#include "lab/grammar/shell_words.hpp"

namespace heddle {

CaseWatch::CaseWatch(std::chrono::duration<double> limit, std::string command)
    : limit_(limit), command_(std::move(command)), thread_([this] { watch(); }) {}

CaseWatch::~CaseWatch() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  ending_.notify_one();
  thread_.join();
}

void CaseWatch::is_at(const Experiment& what) {
  const std::lock_guard lock(mutex_);
  running_[std::this_thread::get_id()] = {what, Clock::now()};
}

void CaseWatch::is_idle() {
  const std::lock_guard lock(mutex_);
  running_.erase(std::this_thread::get_id());
}

void CaseWatch::watch() {
  const std::chrono::duration<double> often = std::min(limit_ / 4, std::chrono::duration<double>(1));
  std::unique_lock lock(mutex_);
  while (!ending_.wait_for(lock, often, [this] { return ends_; })) {
    const Clock::time_point now = Clock::now();
    const auto is_stuck = [&](const auto& entry) { return now - entry.second.since > limit_; };
    const auto stuck = std::find_if(running_.begin(), running_.end(), is_stuck);
    if (stuck == running_.end()) continue;
    std::cerr << fmt::format("heddle: a case has not ended after {:g} s (--case-seconds), and cannot be stopped: {} {}\n",
                             limit_.count(), command_, shell_word(stuck->second.what.text()))
              << std::flush;
    std::_Exit(kExitCheckFailed);
  }
}

}  // namespace heddle
