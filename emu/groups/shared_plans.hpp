// SPDX-License-Identifier: Apache-2.0
// What is worked out once for all ranks of a run (Communicator::shared_plan).
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "core/errors.hpp"
#include "emu/tasks/task_identity.hpp"

namespace heddle::emu {

/// From any thread; the others wait while one makes a plan, which asks for no other and makes no call on a communicator.
class SharedPlans {
 public:
  std::shared_ptr<const void> get(const std::string& key, const std::function<std::shared_ptr<const void>()>& make) {
    if (calling_task == &maker_of_plans)
      throw UsageError("shared_plan() by the function that makes a shared plan; ask for the other plan before, and capture it");
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const void>& plan = plans_[key];
    if (!plan) {
      const CallingTaskScope making(&maker_of_plans);
      plan = make();
    }
    return plan;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const void>> plans_;
};

}  // namespace heddle::emu
