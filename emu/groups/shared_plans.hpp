// SPDX-License-Identifier: Apache-2.0
// What is worked out once for all ranks of a run (Communicator::shared_plan).
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace heddle::emu {

/// From any thread; the others wait while one makes a plan.
class SharedPlans {
 public:
  std::shared_ptr<const void> get(const std::string& key, const std::function<std::shared_ptr<const void>()>& make) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const void>& plan = plans_[key];
    if (!plan) plan = make();
    return plan;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const void>> plans_;
};

}  // namespace heddle::emu
