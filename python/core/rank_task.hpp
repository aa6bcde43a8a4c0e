// SPDX-License-Identifier: Apache-2.0
// Ranks whose code is in Python (docs/python.md). A coroutine hands each operation over and has no frame on any stack until it
// is resumed, so that ranks can be user-level threads: C++ resumes it, on the stack of the thread, and then makes the operation
// as the rank. A plain function has a thread of its own beside its rank (python/core/rank_thread.hpp).
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "heddle/communicator.hpp"
#include "python/core/bindings.hpp"
#include "python/core/rank_collectives.hpp"
#include "python/core/rank_thread.hpp"
#include "python/core/stop.hpp"

namespace heddle::python {

class RankTask;

/// Deletes what has Python's objects in it under the interpreter's lock: C++ may be the last to have it, on any thread.
template <class T, class... Arguments>
std::shared_ptr<T> make_locked(Arguments&&... arguments) {
  return std::shared_ptr<T>(new T(std::forward<Arguments>(arguments)...), [](T* object) {
    if (!Py_IsInitialized()) return;  // so did its objects
    const Locked locked;
    delete object;
  });
}

/// Under the lock: of an exception whether it is a wrong use of heddle, and its text with the place that raised it.
std::pair<bool, std::string> text_of_raised(const py::object& exception);

/// What the ranks of one call of the user's share.
class RankRuns {
 public:
  explicit RankRuns(std::shared_ptr<StopQuestion> stop) : stop_(std::move(stop)) {}

  /// A rank has raised something. Under the lock. Throws the C++ exception that says so in its place.
  [[noreturn]] void raised(int rank, const py::object& exception);
  /// What that rank raised last; none: nothing.
  py::object exception_of(int rank) const;
  StopQuestion& stop() const { return *stop_; }
  CollectiveChoice& choice() { return choice_; }
  /// Its code was given up, and is closed when the run is over: on the stack of the thread.
  void bury(std::shared_ptr<RankTask> task);
  /// Under the lock.
  void close_buried();

 private:
  std::shared_ptr<StopQuestion> stop_;
  CollectiveChoice choice_;
  std::map<int, py::object> exceptions_;  ///< by rank of the run; under the lock
  std::mutex mutex_;
  std::vector<std::shared_ptr<RankTask>> buried_;
};

/// An operation of a rank: what it awaits. Made and used by one task. A request is one, too: to wait for the message.
struct Operation {
  enum class Kind : std::uint8_t {
    wait,
    wait_all,
    send,
    recv,
    sendrecv,
    reduce_into,
    copy,
    split,
    concurrently,
    wait_for_room,
    probe,
    now,
    collective
  };

  Operation(std::shared_ptr<RankTask> its_task, Communicator* its_communicator, Kind its_kind, const char* its_name);
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;
  ~Operation();

  /// As the rank, without the lock. Blocks.
  void perform();
  /// Posts the message of a request. Does not block, but where a fault stops the rank there.
  void post();
  /// Its result in Python; null: None. Under the lock.
  py::object result();
  /// "reduce_into() at mine.py:12".
  std::string place() const;
  /// A coroutine has it, to await it.
  void list();
  /// It has been awaited, or is gone.
  void leave_list();

  std::shared_ptr<RankTask> task;
  Communicator* communicator;
  Kind kind;
  const char* name;
  bool is_given = false;  ///< the coroutine was told to go on when the operation is done
  bool sends = false;     ///< a request: of a send
  bool is_open = false;   ///< a request: the task holds it
  Rank dest = {};
  Rank source = {};
  Tag tag = {};
  ConstVectorView data = {};
  VectorView into = {};
  py::object held = {};  ///< what `data` and `into` point to, or requests, or the body of concurrently
  const ReduceOp* op = nullptr;
  Side side = Side::right;
  Request request = {};
  std::vector<Operation*> requests = {};  ///< of wait_all
  int number = 0;                         ///< color, or tasks
  int key = 0;
  Status status = {};
  Communicator* made = nullptr;
  std::function<void(Communicator&)> call = {};  ///< of a collective
  Time time = {};                                ///< of now
  // Those that nobody has awaited are in a list.
  Operation* before = nullptr;
  Operation* after = nullptr;
  bool is_listed = false;
  PyObject* code = nullptr;  ///< where it was made
  int instruction = 0;
};

/// A rank's function, or a branch of it, while it runs.
class RankTask : public std::enable_shared_from_this<RankTask> {
 public:
  /// By the rank itself.
  RankTask(std::shared_ptr<RankRuns> its_runs, Communicator& its_communicator, bool is_its_coroutine, Datatype its_type);

  /// Resumes the coroutine until it awaits the next operation; nullptr: it has returned. Under the lock.
  Operation* step();
  /// Under the lock: closes the coroutine and lets go of everything.
  void clear();
  /// Throws UsageError that names an operation that was made and never awaited.
  void require_awaited() const;
  /// Of a request: posts it, at once where that cannot block while a coroutine's frames are on the stack. Under the lock.
  void begin(const py::object& request);
  /// Posts what could not be when it was asked for. By the rank, without the lock.
  void post_late();
  /// Makes it at once: what a plain function asks for, or what does not block. Under the lock, which a plain function lets go
  /// of.
  void make_now(const std::function<void()>& operation);
  /// One over the same ranks for their collectives alone. By the rank, without the lock.
  Communicator& for_collectives(Communicator& communicator);
  /// What a plain function, or a coroutine's step, has raised, in C++. Under the lock.
  [[noreturn]] void rethrow_raised(py::error_already_set& error);

  std::shared_ptr<RankRuns> runs;
  const int rank;  ///< of the run
  const bool is_coroutine;
  const Datatype type;  ///< of the call's elements
  const bool is_on_fiber;
  const bool posts_late;
  RankThread* thread = nullptr;  ///< of a plain function
  bool is_over = false;
  py::object coroutine = {};
  py::object current = {};  ///< the operation under way
  py::object returned = {};
  std::string to_throw = {};          ///< into the coroutine: what that has thrown
  std::exception_ptr given_up = {};   ///< what the runtime has thrown to end the task
  std::vector<py::object> open = {};  ///< requests that nobody has waited for, with their buffers
  std::vector<Operation*> late = {};  ///< of these, those to be posted
  std::vector<std::unique_ptr<Communicator>> groups;
  std::map<Communicator*, std::unique_ptr<Communicator>> collectives;
  Operation* unawaited = nullptr;
  std::string forgotten = {};  ///< the first of them that has gone
};

/// Makes a rank's function, or a branch of it, as a task: `make` calls it, under the lock, with the communicator as Python sees
/// it. What it returns goes to `returned`, under the lock as well.
void run_task(const std::shared_ptr<RankRuns>& runs, Communicator& communicator, bool is_coroutine, Datatype type,
              const std::function<py::object(py::object communicator)>& make, py::object* returned = nullptr);

/// A communicator as Python has it, of this task.
py::object communicator_object(const std::shared_ptr<RankTask>& task, Communicator* communicator);
/// The operation that a coroutine has yielded; nullptr: it is another object.
Operation* operation_of(PyObject* yielded);

}  // namespace heddle::python
