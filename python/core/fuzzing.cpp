// SPDX-License-Identifier: Apache-2.0
// Drawn calls of algorithms, in threads: a process with an interpreter in it must not be forked.
#include <pybind11/stl.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/cases/draw_case.hpp"
#include "fuzz/cases/run_case.hpp"
#include "fuzz/fuzz.hpp"
#include "lab/documents/failure_facts.hpp"
#include "python/core/bindings.hpp"
#include "python/core/rank_rows.hpp"
#include "python/core/stop.hpp"

namespace heddle::python {

namespace {

/// How far to look.
struct Bounds {
  std::uint64_t seed = 1;
  std::int64_t cases = 1000;
  int most_ranks = 64;
  int fault_once_in = 0;
  std::optional<int> orders = {};  ///< delays, with which each case is explored
  bool keeps_going = false;
};

py::tuple finding_of(const FuzzFinding& finding, const CalledRows& rows) {
  const Failure& failure = finding.failure;
  const py::object cause = failure.facts.rank ? rows.exception_of(finding.smallest.algorithm, *failure.facts.rank) : py::none();
  return py::make_tuple(finding.smallest.text(), line_text(nlohmann::ordered_json(failure)), cause);
}

/// Findings, each a line, a failure and what a rank raised; how many cases were made; and the report.
py::tuple fuzz_rows(const std::vector<PythonRow>& rows, const Bounds& bounds, const py::object& progress) {
  const auto stop = make_locked<StopQuestion>();
  const CalledRows called(rows, stop);
  FuzzOutcome outcome;
  std::atomic<std::int64_t> ended = 0;
  const auto tell = [&] {
    if (!progress.is_none()) progress(ended.load(), bounds.cases, py::none());
  };
  {
    const py::gil_scoped_release unlocked;
    FuzzSettings settings = usual_settings(true, bounds.orders);
    settings.seed = bounds.seed;
    settings.rows = called.entries();
    settings.cases = bounds.cases;
    settings.most_ranks = bounds.most_ranks;
    settings.fault_once_in = bounds.fault_once_in;
    settings.keep_going = bounds.keeps_going;
    if (called.call_python()) settings.workers = 1;  // the interpreter runs one at a time
    settings.in_processes = false;
    settings.saved = {};
    settings.large_once_in = settings.positions_once_in = 0;
    settings.is_stopped = [stop] { return stop->is_stopped(); };
    settings.ended_one = [&ended] { ++ended; };
    try {
      stop->watch([&] { outcome = fuzz(settings); }, tell);
    } catch (...) {
      if (!stop->is_stopped()) throw;
    }
  }
  called.close();
  stop->rethrow();
  py::list findings;
  for (const FuzzFinding& finding : outcome.findings) findings.append(finding_of(finding, called));
  return py::make_tuple(findings, outcome.coverage.cases(), outcome.text());
}

/// A case as text.
std::string draw(const std::vector<PythonRow>& rows, std::uint64_t seed, std::uint64_t index, const Bounds& bounds) {
  const auto own = std::make_shared<const std::vector<Algorithm>>(CalledRows(rows, make_locked<StopQuestion>()).entries());
  const DrawBounds drawn{.most_ranks = bounds.most_ranks, .fault_once_in = bounds.fault_once_in};
  return draw_case(seed, index, own, drawn).text();
}

/// Throws CheckError if it fails.
py::object run_one(const std::string& text, const std::vector<PythonRow>& rows) {
  const auto stop = make_locked<StopQuestion>();
  const CalledRows called(rows, stop);
  const Experiment experiment = Experiment::parse(text);
  const std::optional<Failure> failure = failure_of(called, stop, experiment, [](const Experiment& what) { run_case(what); });
  if (!failure) return py::none();
  const py::object cause = failure->facts.rank ? called.exception_of(experiment.algorithm, *failure->facts.rank) : py::none();
  return py::make_tuple(line_text(nlohmann::ordered_json(*failure)), cause);
}

}  // namespace

void add_fuzzing(py::module_& module) {
  py::class_<Bounds>(module, "Bounds")
      .def(py::init([](std::uint64_t seed, std::int64_t cases, int most_ranks, int fault_once_in, std::optional<int> orders,
                       bool keeps_going) { return Bounds{seed, cases, most_ranks, fault_once_in, orders, keeps_going}; }),
           py::arg("seed") = 1, py::arg("cases") = 1000, py::arg("most_ranks") = 64, py::arg("fault_once_in") = 0,
           py::arg("orders") = py::none(), py::arg("keeps_going") = false);
  module.def("fuzz", &fuzz_rows, py::arg("rows"), py::arg("bounds"), py::arg("progress"));
  module.def("draw_case", &draw, py::arg("rows"), py::arg("seed"), py::arg("index"), py::arg("bounds"));
  module.def("run_case", &run_one, py::arg("text"), py::arg("rows"));
}

}  // namespace heddle::python
