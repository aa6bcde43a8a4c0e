// SPDX-License-Identifier: Apache-2.0
// What a run has failed with: the first thing that went wrong.
#pragma once

#include <atomic>
#include <exception>
#include <string>

#include "core/errors.hpp"
#include "emu/engine/engine.hpp"

namespace heddle::emu {

class RunFailure {
 public:
  /// Outlives it.
  explicit RunFailure(Engine& engine) : engine_(engine) {}

  /// On the engine's thread. Stops the engine; who called does no more of what it was about to do.
  void fail(CheckError::Kind kind, const std::string& explanation) {
    fail(std::make_exception_ptr(CheckError(kind, explanation)));
  }
  void fail(const std::exception_ptr& error) {
    if (!error_) error_ = error;
    engine_.stop();
  }
  bool has_failed() const { return error_ != nullptr; }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

  /// From any thread: a rank has thrown or stopped. All others get as far as they can at that instant before it is said who
  /// waits for whom.
  void expect() { is_near_ = true; }
  bool is_near() const { return is_near_; }

 private:
  Engine& engine_;
  std::exception_ptr error_;
  std::atomic<bool> is_near_ = false;
};

}  // namespace heddle::emu
