// SPDX-License-Identifier: Apache-2.0
// What a run has failed with: the first thing that went wrong.
#pragma once

#include <atomic>
#include <mutex>
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
  /// From any thread: a communicator was used by a thread that is no rank's. Whatever comes of it, this is what the run has
  /// failed with. The first time counts.
  void note_misuse(const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (misuse_.empty()) misuse_ = text;
  }
  /// Below an explanation.
  void add(const std::string& lines) {
    if (error_) error_.emplace(error_->kind(), error_->what() + lines);
  }
  bool has_failed() const { return error_.has_value(); }
  void rethrow() const {
    const std::lock_guard lock(mutex_);
    if (!misuse_.empty()) throw CheckError(CheckError::Kind::usage, misuse_);
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
  mutable std::mutex mutex_;  ///< of what follows
  std::string misuse_;
};

}  // namespace heddle::emu
