// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <mutex>

namespace heddle {

/// Does something once: whichever thread comes first does it, the others wait until it is done. Where it throws, the exception passes,
/// and the next to come does it. As std::call_once, which ends the process where an exception passes it and no memory is left: glibc's
/// pthread_once then loads the library that unwinds.
class Once {
 public:
  template <class Function>
  void operator()(const Function& function) {
    if (done_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(mutex_);
    if (done_.load(std::memory_order_relaxed)) return;
    function();
    done_.store(true, std::memory_order_release);
  }

 private:
  std::atomic<bool> done_ = false;
  std::mutex mutex_;
};

}  // namespace heddle
