// SPDX-License-Identifier: Apache-2.0
// The interpreter's lock, taken by threads of runs, and Ctrl-C.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <thread>

#include "python/core/bindings.hpp"

namespace heddle {
struct Failure;
}

namespace heddle::python {

/// JSON on one line, as Python reads it.
std::string line_text(const nlohmann::ordered_json& json);

/// Under the lock: raises its class of heddle.errors. `cause`: what a rank raised, or None.
[[noreturn]] void raise_failure(const Failure& failure, const py::object& cause);

/// While it lives, the calling thread has the interpreter's lock. A thread that Python does not know gets a thread state that
/// stays until the thread ends: one for each use would cost twenty times as much.
class Locked {
 public:
  Locked();
  ~Locked() { PyGILState_Release(state_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  PyGILState_STATE state_;
};

/// Whether a call of the user's is to stop: a signal's handler has raised something (KeyboardInterrupt), or a rank has. Made
/// under the lock, on the thread that calls.
class StopQuestion {
 public:
  /// How long a signal may wait.
  static constexpr std::chrono::milliseconds kPause{50};

  StopQuestion() : caller_(std::this_thread::get_id()) {}
  StopQuestion(const StopQuestion&) = delete;
  StopQuestion& operator=(const StopQuestion&) = delete;

  /// From any thread, without the lock; on the caller's it lets signals be handled, twenty times a second.
  bool asked();
  /// Whether it has been said.
  bool is_stopped() const { return is_stopped_.load(std::memory_order_relaxed); }
  /// The same, at once.
  bool asked_now();
  /// Raised in a rank, which ends the call. Under the lock.
  void stop(py::object raised);
  /// Runs it on a thread of its own, as the caller's must handle signals meanwhile, and rethrows what it throws. Without the
  /// lock. It calls `meanwhile` twenty times a second, and once in the end, under the lock; what that raises stops the call.
  void watch(const std::function<void()>& work, const std::function<void()>& meanwhile = nullptr);
  /// What has stopped the call, taken out of this; None: nothing. Under the lock.
  py::object taken();
  /// Under the lock: raises in Python what has stopped the call, if anything has.
  void rethrow();

 private:
  void handle_signals();
  void look(const std::function<void()>& meanwhile);

  static constexpr int kCallsBetween = 16;  ///< a look at the clock costs as much as a rank's call

  const std::thread::id caller_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  int calls_ = 0;
  std::atomic<bool> is_stopped_{false};
  std::mutex mutex_;
  py::object raised_;
};

}  // namespace heddle::python
