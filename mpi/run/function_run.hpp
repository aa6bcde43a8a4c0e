// SPDX-License-Identifier: Apache-2.0
// A run in which each rank calls a function of MPI's signature.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "heddle/communicator.hpp"
#include "mpi/run/function_call.hpp"
#include "mpi/run/library_copies.hpp"

namespace heddle::mpi {

/// What its calls leave each time, and nobody frees: the first that was seen in this process. Any thread.
class Leftovers {
 public:
  bool is_known() const { return is_known_; }
  void tell(std::string text) {
    const std::lock_guard lock(mutex_);
    if (!is_known_.exchange(true)) text_ = std::move(text);
  }
  /// Empty where there is nothing, or where it was taken before.
  std::string text() const {
    const std::lock_guard lock(mutex_);
    return text_;
  }
  /// The same, taken.
  std::string take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(text_, {});
  }

 private:
  std::atomic<bool> is_known_ = false;
  mutable std::mutex mutex_;
  std::string text_;
};

/// What an algorithm made of a function keeps.
struct HandedFunction {
  std::string name;                  ///< of the algorithm
  std::string symbol;                ///< of the function in the library
  AnyFunction function;              ///< in this process; null: it is found in each copy
  std::shared_ptr<Library> library;  ///< null: none
  FunctionOptions options;
  Collective collective;
  std::shared_ptr<Leftovers> leftovers = std::make_shared<Leftovers>();
  bool serves_programs = false;  ///< it is called by collectives of a program that runs
};

/// One rank's call. All calls of a run on one communicator have the same state of MPI and of the library: what a function keeps, as
/// libraries do, is there in the next call. It is as new in each run. Throws what the call fails with.
void run_function(const HandedFunction& handed, Communicator& communicator, const CollectiveArguments& arguments);

}  // namespace heddle::mpi
