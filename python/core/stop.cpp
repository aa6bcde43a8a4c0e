// SPDX-License-Identifier: Apache-2.0
#include "python/core/stop.hpp"

#include <future>
#include <utility>

#include "emu/engine/tasks.hpp"

namespace heddle::python {

namespace {

/// A thread state that stays.
class KeptThreadState {
 public:
  KeptThreadState() : state_(PyGILState_Ensure()), saved_(PyEval_SaveThread()) {}
  ~KeptThreadState() {
    if (!Py_IsInitialized()) return;  // it went with the interpreter
    PyEval_RestoreThread(saved_);
    PyGILState_Release(state_);
  }
  KeptThreadState(const KeptThreadState&) = delete;
  KeptThreadState& operator=(const KeptThreadState&) = delete;

 private:
  PyGILState_STATE state_;
  PyThreadState* saved_;
};

void know_this_thread() {
  if (PyGILState_GetThisThreadState() != nullptr) return;
  thread_local const KeptThreadState kKept;
}

}  // namespace

Locked::Locked() : state_((know_this_thread(), PyGILState_Ensure())) {}

bool StopQuestion::asked() {
  if (is_stopped_.load(std::memory_order_relaxed)) return true;
  if (std::this_thread::get_id() != caller_ || ++calls_ % kCallsBetween != 0) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < kPause) return false;
  last_ = now;
  return asked_now();
}

bool StopQuestion::asked_now() {
  if (!is_stopped_ && std::this_thread::get_id() == caller_) emu::call_outside([this] { handle_signals(); });
  return is_stopped_.load(std::memory_order_relaxed);
}

void StopQuestion::handle_signals() {
  const Locked locked;
  if (PyErr_CheckSignals() == 0) return;
  stop(py::error_already_set().value());
}

void StopQuestion::stop(py::object raised) {
  const std::lock_guard guard(mutex_);
  if (!raised_) raised_ = std::move(raised);
  is_stopped_ = true;
}

void StopQuestion::watch(const std::function<void()>& work, const std::function<void()>& meanwhile) {
  std::future<void> done = std::async(std::launch::async, work);
  while (done.wait_for(kPause) == std::future_status::timeout) {
    if (is_stopped_) continue;
    handle_signals();
    look(meanwhile);
  }
  done.get();
  look(meanwhile);
}

void StopQuestion::look(const std::function<void()>& meanwhile) {
  if (!meanwhile || is_stopped_) return;
  const Locked locked;
  try {
    meanwhile();
  } catch (py::error_already_set& error) {
    stop(error.value());
  }
}

py::object StopQuestion::taken() {
  if (!raised_) return py::none();
  return std::exchange(raised_, {});
}

void StopQuestion::rethrow() {
  const py::object raised = taken();
  if (raised.is_none()) return;
  PyErr_SetObject(py::type::of(raised).ptr(), raised.ptr());
  throw py::error_already_set();
}

}  // namespace heddle::python
