// SPDX-License-Identifier: Apache-2.0
// What a run has failed with: the first thing that went wrong.
#pragma once

#include <atomic>
#include <optional>
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
    if (!error_) error_.emplace(kind, explanation);
    engine_.stop();
  }
  bool has_failed() const { return error_.has_value(); }
  void rethrow() const {
    if (error_) throw CheckError(*error_);
  }

  /// From any thread: a rank has thrown or stopped. All others get as far as they can at that instant before it is said who
  /// waits for whom.
  void expect() { is_near_ = true; }
  bool is_near() const { return is_near_; }

 private:
  Engine& engine_;
  std::optional<CheckError> error_;
  std::atomic<bool> is_near_ = false;
};

}  // namespace heddle::emu
