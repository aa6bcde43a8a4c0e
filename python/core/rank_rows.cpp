// SPDX-License-Identifier: Apache-2.0
#include "python/core/rank_rows.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <utility>

#include "python/core/rank_values.hpp"

namespace heddle::python {

namespace {

Algorithm entry_of(const PythonRow& row, const std::shared_ptr<RankRuns>& runs) {
  Algorithm entry = row.facts;
  entry.collective = parse_collective(row.collective);
  entry.name = row.name;
  entry.run = [runs, called = row.function](Communicator& communicator, const CollectiveArguments& arguments) {
    run_task(runs, communicator, called->is_coroutine, arguments.output.type(),
             [&](py::object rank) { return called->function(std::move(rank), PythonArguments(arguments)); });
  };
  return entry;
}

PythonRow make_row(const std::string& collective, const std::string& name, const py::object& function, bool is_coroutine,
                   const py::dict& facts) {
  PythonRow row{collective, name, make_locked<PythonFunction>(PythonFunction{function, is_coroutine}), {}};
  const auto take = [&](const char* key, auto& member) {
    if (!facts.contains(key)) return;
    try {
      member = facts[key].cast<std::remove_reference_t<decltype(member)>>();
    } catch (const py::cast_error&) {
      throw InputError(fmt::format("{}={}: a fact of an algorithm has no such value", key, std::string(py::repr(facts[key]))));
    }
  };
  const auto take_names = [&](const char* key, const auto& add) {
    std::vector<std::string> names;
    take(key, names);
    for (const std::string& one : names) add(one);
  };
  take("commutative", row.facts.needs.commutative);
  take("grid", row.facts.needs.grid);
  take("equal_blocks", row.facts.needs.equal_blocks);
  take("buffered", row.facts.needs.buffered);
  take("ranks", row.facts.needs.ranks);
  take("credits", row.facts.credits);
  take("same_bits", row.facts.same_bits);
  take("same_bits_in_any_order", row.facts.same_bits_in_any_order);
  take("independent_of_size", row.facts.independent_of_size);
  take_names("dtypes", [&](const std::string& type) { row.facts.needs.types.push_back(parse_datatype(type)); });
  take_names("ops", [&](const std::string& op) { row.facts.needs.ops.push_back(&parse_op(op)); });
  return row;
}

}  // namespace

CalledRows::CalledRows(const std::vector<PythonRow>& rows, const std::shared_ptr<StopQuestion>& stop) {
  for (const PythonRow& row : rows) {
    runs_.push_back(row.function ? make_locked<RankRuns>(stop) : nullptr);
    entries_.push_back(row.function ? entry_of(row, runs_.back()) : row.facts);
  }
}

void CalledRows::add_to(Experiment& experiment) const {
  if (entries_.empty()) return;
  auto own = std::make_shared<std::vector<Algorithm>>(entries_);
  if (experiment.own) own->insert(own->end(), experiment.own->begin(), experiment.own->end());
  experiment.own = std::move(own);
}

py::object CalledRows::exception_of(const std::string& algorithm, int rank) const {
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].name == algorithm && runs_[i]) return runs_[i]->exception_of(rank);
  return py::none();
}

bool CalledRows::call_python() const {
  return std::ranges::any_of(runs_, [](const std::shared_ptr<RankRuns>& runs) { return runs != nullptr; });
}

void CalledRows::close() const {
  for (const std::shared_ptr<RankRuns>& runs : runs_)
    if (runs) runs->close_buried();
}

std::optional<Failure> failure_of(const CalledRows& called, const std::shared_ptr<StopQuestion>& stop, Experiment experiment,
                                  const std::function<void(const Experiment&)>& work) {
  std::optional<Failure> failure;
  {
    const py::gil_scoped_release unlocked;
    called.add_to(experiment);
    experiment.clock.interrupted = [stop] { return stop->asked(); };
    try {
      work(experiment);
    } catch (const CheckError& error) {
      failure = error.failure();
    } catch (const RunStopped&) {
      if (!stop->is_stopped()) throw;
    }
  }
  called.close();
  stop->rethrow();
  return failure;
}

CalledProgram::CalledProgram(std::shared_ptr<PythonFunction> its_function, const std::shared_ptr<StopQuestion>& stop, int ranks)
    : called(std::move(its_function)),
      runs(make_locked<RankRuns>(stop)),
      returned(make_locked<std::vector<py::object>>(static_cast<std::size_t>(ranks))) {}

RankFunction CalledProgram::function() const {
  return [called = called, runs = runs, returned = returned](Communicator& communicator) {
    run_task(
        runs, communicator, called->is_coroutine, Datatype::user(1),
        [&](py::object rank) { return called->function(std::move(rank)); },
        &(*returned)[static_cast<std::size_t>(communicator.rank().value())]);
  };
}

void add_rank_rows(py::module_& module) {
  py::class_<PythonFunction, std::shared_ptr<PythonFunction>>(module, "Function")
      .def(py::init([](py::object function, bool is_coroutine) {
        return make_locked<PythonFunction>(PythonFunction{std::move(function), is_coroutine});
      }));
  py::class_<PythonRow>(module, "Row", "An algorithm whose function is in Python.").def(py::init(&make_row));
}

}  // namespace heddle::python
