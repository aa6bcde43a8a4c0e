// SPDX-License-Identifier: Apache-2.0
#include "python/core/rank_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>

#include "emu/engine/tasks.hpp"
#include "emu/messages/emulated_communicator.hpp"
#include "heddle/errors.hpp"

namespace heddle::python {

namespace {

py::object helper(const char* name) { return py::module_::import("heddle.ranks").attr(name); }

/// Where a coroutine waits, innermost: "mine.py:12".
std::string place_of(const py::object& coroutine) { return py::str(helper("_place")(coroutine)); }

/// Python's own exceptions: what comes next on this thread's stack has none.
struct Raised : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace

std::pair<bool, std::string> text_of_raised(const py::object& exception) {
  return py::cast<std::pair<bool, std::string>>(helper("_told")(exception));
}

// What ranks of a call share.

void RankRuns::raised(int rank, const py::object& exception) {
  // KeyboardInterrupt and SystemExit are the user's, not the rank's.
  if (PyErr_GivenExceptionMatches(exception.ptr(), PyExc_KeyboardInterrupt) != 0 ||
      PyErr_GivenExceptionMatches(exception.ptr(), PyExc_SystemExit) != 0)
    stop_->stop(exception);
  exceptions_[rank] = exception;
  const auto [is_usage, text] = text_of_raised(exception);
  if (is_usage) throw UsageError(text);
  throw Raised(text);
}

py::object RankRuns::exception_of(int rank) const {
  const auto found = exceptions_.find(rank);
  return found == exceptions_.end() ? py::object(py::none()) : found->second;
}

void RankRuns::bury(std::shared_ptr<RankTask> task) {
  const std::lock_guard guard(mutex_);
  buried_.push_back(std::move(task));
}

void RankRuns::close_buried() {
  std::vector<std::shared_ptr<RankTask>> buried;
  {
    const std::lock_guard guard(mutex_);
    buried.swap(buried_);
  }
  for (const std::shared_ptr<RankTask>& task : buried) task->clear();
}

// A task.

RankTask::RankTask(std::shared_ptr<RankRuns> its_runs, Communicator& its_communicator, bool is_its_coroutine, Datatype its_type)
    : runs(std::move(its_runs)),
      rank(its_communicator.world_rank().value()),
      is_coroutine(is_its_coroutine),
      type(its_type),
      is_on_fiber(emu::running_task != nullptr && emu::running_task->is_on_fiber),
      // A fault may stop the rank where it posts a message. It could not go on then: frames of other coroutines would be above
      // its own.
      posts_late(is_coroutine && dynamic_cast<const emu::FaultyCommunicator*>(&its_communicator) != nullptr) {}

Operation* RankTask::step() {
  if (runs->stop().is_stopped()) throw std::runtime_error("interrupted");
  current = {};
  for (;;) {
    PyObject* yielded = nullptr;
    if (to_throw.empty()) {
#if PY_VERSION_HEX >= 0x030A0000
      const PySendResult sent = PyIter_Send(coroutine.ptr(), Py_None, &yielded);
      if (sent == PYGEN_RETURN) {
        returned = py::reinterpret_steal<py::object>(yielded);
        return nullptr;
      }
#else
      yielded = PyObject_CallMethod(coroutine.ptr(), "send", "O", Py_None);
#endif
    } else {
      const py::object error = py::module_::import("heddle.errors").attr("UsageError")(std::exchange(to_throw, {}));
      yielded = PyObject_CallMethod(coroutine.ptr(), "throw", "O", error.ptr());
    }
    if (yielded == nullptr && PyErr_ExceptionMatches(PyExc_StopIteration)) {
      returned = py::error_already_set().value().attr("value");
      return nullptr;
    }
    if (yielded == nullptr) {
      py::error_already_set error;
      rethrow_raised(error);
    }
    current = py::reinterpret_steal<py::object>(yielded);
    Operation* operation = operation_of(yielded);
    if (operation != nullptr && operation->task.get() == this) return operation;
    to_throw = fmt::format(
        "rank {} awaits what is no operation of its communicator ({}) at {}; a rank awaits its communicator's alone", rank,
        std::string(py::str(py::type::of(current).attr("__name__"))), place_of(coroutine));
  }
}

void RankTask::rethrow_raised(py::error_already_set& error) {
  if (given_up && error.matches(helper("_RunOver"))) std::rethrow_exception(given_up);
  const py::object exception = error.value();
  if (error.trace()) PyException_SetTraceback(exception.ptr(), error.trace().ptr());
  runs->raised(rank, exception);
}

void RankTask::clear() {
  current = {};
  returned = {};
  if (coroutine && is_coroutine) {
    const py::object closed = std::exchange(coroutine, {});
    if (PyObject* done = PyObject_CallMethod(closed.ptr(), "close", nullptr))
      Py_DECREF(done);
    else
      PyErr_Clear();  // it awaits something while it is closed, and nobody is there any more
  }
  for (const py::object& request : std::exchange(open, {})) request.cast<Operation&>().is_open = false;
  // What a rank raised has its frames, and these have its communicator: the collector of garbage could not see the circle.
  is_over = true;
  runs.reset();
}

void RankTask::require_awaited() const {
  const std::string what = !forgotten.empty() ? forgotten : unawaited != nullptr ? unawaited->place() : "";
  if (!what.empty()) throw UsageError(fmt::format("rank {}: {} was not awaited", rank, what));
}

void RankTask::begin(const py::object& request) {
  auto& operation = request.cast<Operation&>();
  operation.is_open = true;
  open.push_back(request);
  if (posts_late)
    late.push_back(&operation);
  else if (is_on_fiber || !is_coroutine)
    make_now([&] { operation.post(); });
  else
    make_now([&] {
      const py::gil_scoped_release unlocked;  // other threads may hold what it needs
      operation.post();
    });
}

void RankTask::post_late() {
  for (Operation* operation : std::exchange(late, {})) operation->post();
}

void RankTask::make_now(const std::function<void()>& operation) {
  if (thread != nullptr) return thread->ask(operation);
  if (given_up) helper("_raise_run_over")();
  try {
    operation();
    return;
  } catch (const UsageError&) {
    throw;
  } catch (...) {
    given_up = std::current_exception();  // no exception of C++ crosses Python's frames
  }
  helper("_raise_run_over")();
}

Communicator& RankTask::for_collectives(Communicator& communicator) {
  std::unique_ptr<Communicator>& made = collectives[&communicator];
  if (!made) made = communicator.form({}, 0);
  return *made;
}

namespace {

/// Ends a task however that comes about.
class Ending {
 public:
  explicit Ending(std::shared_ptr<RankTask> task) : task_(std::move(task)) {}
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;
  ~Ending() {
    task_->is_over = true;
    task_->collectives.clear();
    task_->groups.clear();
    task_->late.clear();
    if (!is_done_) task_->runs->bury(std::move(task_));
  }
  void done() { is_done_ = true; }

 private:
  std::shared_ptr<RankTask> task_;
  bool is_done_ = false;
};

/// On the stack of the thread, under the lock.
void outside(const std::function<void()>& work) {
  emu::call_outside([&] {
    const Locked locked;
    work();
  });
}

void run_coroutine(RankTask& task, const std::function<py::object()>& make) {
  Operation* next = nullptr;
  outside([&] {
    try {
      task.coroutine = make();
    } catch (py::error_already_set& error) {
      task.rethrow_raised(error);
    }
    if (!py::hasattr(task.coroutine, "send"))
      throw UsageError(fmt::format("rank {}: what its branches run is no async function, as the rank's own is", task.rank));
    next = task.step();
  });
  while (next != nullptr) {
    try {
      task.post_late();
      next->perform();
    } catch (const UsageError& error) {
      task.to_throw = error.what();
    }
    outside([&] { next = task.step(); });
  }
  task.post_late();
}

}  // namespace

namespace {

void run_plain(RankTask& task, const std::function<py::object()>& make) {
  RankThread thread(
      [&](RankThread& its) {
        task.thread = &its;
        try {
          task.returned = make();
        } catch (py::error_already_set& error) {
          task.rethrow_raised(error);
        }
      },
      task.runs->stop());
  thread.serve();
}

}  // namespace

void run_task(const std::shared_ptr<RankRuns>& runs, Communicator& communicator, bool is_coroutine, Datatype type,
              const std::function<py::object(py::object communicator)>& make, py::object* returned) {
  const auto task = make_locked<RankTask>(runs, communicator, is_coroutine, type);
  Ending ending(task);
  const auto made = [&] { return make(communicator_object(task, &communicator)); };
  if (is_coroutine) {
    run_coroutine(*task, made);
  } else {
    run_plain(*task, made);
  }
  outside([&] {
    task->require_awaited();
    if (returned != nullptr) *returned = std::move(task->returned);
    task->clear();
  });
  ending.done();
}

// An operation.

Operation::Operation(std::shared_ptr<RankTask> its_task, Communicator* its_communicator, Kind its_kind, const char* its_name)
    : task(std::move(its_task)), communicator(its_communicator), kind(its_kind), name(its_name) {}

void Operation::list() {
  is_listed = true;
  after = std::exchange(task->unawaited, this);
  if (after != nullptr) after->before = this;
  PyFrameObject* frame = PyEval_GetFrame();
  if (frame == nullptr) return;
  code = reinterpret_cast<PyObject*>(PyFrame_GetCode(frame));
#if PY_VERSION_HEX >= 0x030B0000
  instruction = PyFrame_GetLasti(frame);
#else
  instruction = -PyFrame_GetLineNumber(frame);
#endif
}

Operation::~Operation() {
  if (is_listed && task->forgotten.empty()) task->forgotten = place();
  leave_list();
  Py_XDECREF(code);
}

void Operation::leave_list() {
  if (!std::exchange(is_listed, false)) return;
  if (before != nullptr) before->after = after;
  if (after != nullptr) after->before = before;
  if (task->unawaited == this) task->unawaited = after;
  before = after = nullptr;
}

std::string Operation::place() const {
  if (code == nullptr) return fmt::format("{}()", name);
#if PY_VERSION_HEX >= 0x030B0000
  const int line = PyCode_Addr2Line(reinterpret_cast<PyCodeObject*>(code), instruction);
#else
  const int line = -instruction;
#endif
  const std::string file = py::str(py::handle(code).attr("co_filename"));
  return fmt::format("{}() at {}:{}", name, file.substr(file.rfind('/') + 1), line);
}

void Operation::post() {
  if (sends)
    request = communicator->isend(dest, data, tag);
  else if (tag == kAnyTag)
    request = communicator->irecv(source, std::span(&into, 1), tag, ReceiveOptions());
  else
    request = communicator->irecv(source, into, tag);
}

void Operation::perform() {
  switch (kind) {
    case Kind::wait:
      status = communicator->wait(request);
      return;
    case Kind::wait_all: {
      std::vector<Request> all;
      for (const Operation* one : requests) all.push_back(one->request);
      return communicator->wait_all(all);
    }
    case Kind::send:
      return communicator->send(dest, data, tag);
    case Kind::recv:
      post();
      status = communicator->wait(request);
      return;
    case Kind::sendrecv:
      status = communicator->sendrecv(dest, data, source, into, tag);
      return;
    case Kind::reduce_into:
      return communicator->reduce_into(into, data, *op, side);
    case Kind::copy:
      return communicator->copy(into, data);
    case Kind::wait_for_room:
      return communicator->wait_for_room(dest, tag);
    case Kind::probe:
      status = communicator->probe(source, tag);
      return;
    case Kind::now:
      time = communicator->now();
      return;
    case Kind::collective:
      return call(task->for_collectives(*communicator));
    case Kind::split:
      if (std::unique_ptr<Communicator> group = communicator->split(number, key)) {
        made = group.get();
        task->groups.push_back(std::move(group));
      }
      return;
    case Kind::concurrently:
      return communicator->concurrently(number, [this](int branch, Communicator& its) {
        run_task(task->runs, its, task->is_coroutine, task->type,
                 [&](py::object communicator_of_branch) { return held(branch, std::move(communicator_of_branch)); });
      });
  }
}

py::object Operation::result() {
  const auto close = [this](Operation& request_of) {
    if (!std::exchange(request_of.is_open, false)) return;
    std::vector<py::object>& open = task->open;
    const auto found =
        std::ranges::find_if(open, [&](const py::object& one) { return &one.cast<Operation&>() == &request_of; });
    if (found == open.end()) return;
    std::swap(*found, open.back());
    open.pop_back();
  };
  switch (kind) {
    case Kind::wait:
      close(*this);
      return py::cast(status);
    case Kind::wait_all:
      for (Operation* one : requests) close(*one);
      return {};
    case Kind::recv:
    case Kind::sendrecv:
    case Kind::probe:
      return py::cast(status);
    case Kind::now:
      return py::float_(static_cast<double>(time.ps()) * 1e-12);
    case Kind::split:
      return made == nullptr ? py::object() : communicator_object(task, made);
    default:
      return {};
  }
}

}  // namespace heddle::python
