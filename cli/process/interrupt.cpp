// SPDX-License-Identifier: Apache-2.0
#include "cli/process/interrupt.hpp"

#include <atomic>
#include <cstddef>

namespace heddle {

namespace {

// A handler has nothing but what is global.
std::atomic<int> interrupts = 0;
std::atomic<int> latest_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free);

/// Who waits for what never comes (a terminal that is stopped, say) is ended by the third.
void count_signal(int signal) {
  latest_signal = signal;
  if (++interrupts < 3) return;
  std::signal(signal, SIG_DFL);
  raise(signal);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  interrupts = 0;
  struct sigaction action = {};
  action.sa_handler = count_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < std::size(kSignals); ++i) {
    sigaction(kSignals[i], nullptr, &before_[i]);
    // What is ignored stays so: under nohup a hang-up ends nothing.
    if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
  }
}

InterruptGuard::~InterruptGuard() {
  for (std::size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

int InterruptGuard::count() { return interrupts; }

int InterruptGuard::exit_status() { return 128 + latest_signal; }

}  // namespace heddle
