// SPDX-License-Identifier: Apache-2.0
// Algorithms and programs whose code is in Python.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "emu/settings/emulation_settings.hpp"
#include "heddle/errors.hpp"
#include "heddle/registry.hpp"
#include "lab/describe/experiment.hpp"
#include "python/core/rank_task.hpp"

namespace heddle::python {

/// A function and how its ranks run. Made and destroyed under the lock.
struct PythonFunction {
  py::object function;
  bool is_coroutine;
};

/// An entry of the registry but for its function, or a whole one that needs no interpreter: a schedule. A value.
struct PythonRow {
  std::string collective;
  std::string name;
  std::shared_ptr<PythonFunction> function;  ///< nullptr: the facts have one
  Algorithm facts;
};

/// The rows of one call of the user's, each with what its ranks share.
class CalledRows {
 public:
  CalledRows(const std::vector<PythonRow>& rows, const std::shared_ptr<StopQuestion>& stop);

  /// Adds them to the experiment's own.
  void add_to(Experiment& experiment) const;
  const std::vector<Algorithm>& entries() const { return entries_; }
  /// Whether one of them runs in the interpreter, which runs one at a time.
  bool call_python() const;
  /// What that rank of this algorithm raised; none: nothing, or it is not one of these.
  py::object exception_of(const std::string& algorithm, int rank) const;
  /// Under the lock, when no rank runs any more.
  void close() const;

 private:
  std::vector<Algorithm> entries_;
  std::vector<std::shared_ptr<RankRuns>> runs_;  ///< by entry; nullptr: it calls nothing in Python
};

/// Does `work` with the experiment and these algorithms, without the interpreter's lock. What a check found; none: nothing. Throws what
/// stopped it.
std::optional<Failure> failure_of(const CalledRows& called, const std::shared_ptr<StopQuestion>& stop, Experiment experiment,
                                  const std::function<void(const Experiment&)>& work);

/// A program on ranks, once for each. What they return is in `returned`, by rank, of the last run.
struct CalledProgram {
  CalledProgram(std::shared_ptr<PythonFunction> its_function, const std::shared_ptr<StopQuestion>& stop, int ranks);

  RankFunction function() const;

  std::shared_ptr<PythonFunction> called;
  std::shared_ptr<RankRuns> runs;
  std::shared_ptr<std::vector<py::object>> returned;
};

}  // namespace heddle::python
