// SPDX-License-Identifier: Apache-2.0
#include "python/core/rank_thread.hpp"

#include <stdexcept>
#include <system_error>
#include <utility>

#include "heddle/errors.hpp"

namespace heddle::python {

namespace {

py::object run_over() { return py::module_::import("heddle.ranks").attr("_RunOver"); }

}  // namespace

RankThread::RankThread(std::function<void(RankThread&)> function, StopQuestion& stop)
    : function_(std::move(function)), stop_(stop) {
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& error) {
    throw ResourceError(std::string("the system has no more threads for ranks whose functions are not async (") + error.what() +
                        ")");
  }
}

RankThread::~RankThread() {
  give_up();
  thread_.join();
}

void RankThread::run() {
  {
    const Locked locked;
    {
      const std::lock_guard guard(mutex_);
      ident_ = PyThread_get_thread_ident();
    }
    try {
      function_(*this);
    } catch (...) {
      raised_ = std::current_exception();
    }
    function_ = nullptr;
  }
  const std::lock_guard guard(mutex_);
  has_ended_ = true;
  changed_.notify_all();
}

void RankThread::wait_for_turn() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, StopQuestion::kPause, [this] { return asked_ != nullptr || has_ended_; })) {
    lock.unlock();
    if (stop_.asked_now()) {
      give_up();
      throw std::runtime_error("interrupted");
    }
    lock.lock();
  }
}

void RankThread::serve() {
  for (;;) {
    wait_for_turn();
    if (asked_ == nullptr) break;
    std::exception_ptr thrown;
    try {
      (*asked_)();
    } catch (const UsageError&) {
      thrown = std::current_exception();
    }
    const std::lock_guard guard(mutex_);
    thrown_ = thrown;
    asked_ = nullptr;
    changed_.notify_all();
  }
  if (raised_) std::rethrow_exception(raised_);
}

void RankThread::ask(const std::function<void()>& operation) {
  if (PyThread_get_thread_ident() != ident_)
    throw UsageError("a rank's communicator was used by a thread that is not the rank's");
  std::exception_ptr thrown;
  bool is_over = false;
  {
    const py::gil_scoped_release unlocked;
    std::unique_lock lock(mutex_);
    if (!is_given_up_) {
      asked_ = &operation;
      changed_.notify_all();
      changed_.wait(lock, [this] { return asked_ == nullptr || is_given_up_; });
      thrown = std::exchange(thrown_, nullptr);
    }
    asked_ = nullptr;
    is_over = is_given_up_;
  }
  if (is_over) {
    PyErr_SetString(run_over().ptr(), "the run is given up");
    throw py::error_already_set();
  }
  if (thrown) std::rethrow_exception(thrown);
}

void RankThread::give_up() {
  bool computes = false;
  {
    const std::lock_guard guard(mutex_);
    computes = !has_ended_ && asked_ == nullptr && ident_ != 0 && !is_given_up_;
    is_given_up_ = true;
    changed_.notify_all();
  }
  if (!computes) return;
  const Locked locked;
  PyThreadState_SetAsyncExc(ident_, run_over().ptr());
}

}  // namespace heddle::python
