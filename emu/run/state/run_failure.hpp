// SPDX-License-Identifier: Apache-2.0
// What a run has failed with: the first thing that went wrong.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <new>
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
  /// From any thread: a communicator was used by a thread that is no rank's. Whatever comes of it, this is what the run has
  /// failed with. The first time counts.
  void note_misuse(const std::string& text) {
    const std::lock_guard lock(mutex_);
    if (misuse_.empty()) misuse_ = text;
  }
  /// Below an explanation.
  void add(const std::string& lines) {
    if (!error_) return;
    try {
      std::rethrow_exception(error_);
    } catch (const CheckError& error) {
      error_ = std::make_exception_ptr(CheckError(error.kind(), error.what() + lines));
    } catch (const ResourceError&) {  // there is nothing to explain
    } catch (const std::bad_alloc&) {
    }
  }
  bool has_failed() const { return error_ != nullptr; }
  void rethrow() const {
    const std::lock_guard lock(mutex_);
    if (!misuse_.empty()) throw CheckError(CheckError::Kind::usage, misuse_);
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
  mutable std::mutex mutex_;  ///< of what follows
  std::string misuse_;
};

}  // namespace heddle::emu
