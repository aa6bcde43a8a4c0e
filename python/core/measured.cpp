// SPDX-License-Identifier: Apache-2.0
// Measured runs that files hold, and the speeds of a fabric that fit them.
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "emu/record/report.hpp"
#include "heddle/errors.hpp"
#include "lab/measurements/measured_run.hpp"
#include "lab/results/fabric_fit.hpp"
#include "python/core/bindings.hpp"
#include "python/core/rank_rows.hpp"
#include "python/core/rank_task.hpp"
#include "python/core/stop.hpp"
#include "show/reports/study_reports.hpp"
#include "topo/spec/topology_spec.hpp"

namespace heddle::python {

namespace {

/// A run as it crosses: experiment, picoseconds, place, network, rounds, messages.
using RunTuple = std::tuple<Experiment, std::int64_t, std::string, std::string, int, std::int64_t>;

RunTuple tuple_of(const MeasuredRun& run) {
  return {run.experiment, run.time.ps(), run.place, run.network, run.rounds, run.messages};
}

MeasuredRun run_of(const RunTuple& of) {
  const auto& [experiment, ps, place, network, rounds, messages] = of;
  return {place, experiment, Time::ps(ps), network, rounds, messages};
}

/// Runs, and lines on what of the file does not count.
py::tuple read_runs(const std::string& path, bool takes_least, const std::string& program,
                    const std::optional<std::string>& collective, const std::string& algorithm, std::optional<int> ranks,
                    bool in_place) {
  MeasuredRuns measured;
  {
    const py::gil_scoped_release unlocked;
    LogFacts facts{.algorithm = algorithm, .ranks = ranks, .in_place = in_place, .program = program};
    if (collective) facts.collective = parse_collective(*collective);
    const std::vector<std::string> files = {path};
    measured = read_measurements(files, takes_least ? MeasuredTime::least : MeasuredTime::median, facts);
  }
  py::list runs;
  for (const MeasuredRun& run : measured.runs) runs.append(tuple_of(run));
  return py::make_tuple(runs, measured.left_out);
}

/// Its runs are kept: the fit names them.
struct Fit {
  std::vector<MeasuredRun> measured;
  std::vector<std::string> left_out;
  std::string topology;
  FabricFit found;

  Document report() const { return fit_report(found, topology, left_out); }

  /// A barrier on the fabric, for the flags that make it.
  Experiment experiment() const {
    Experiment on;
    on.collective = Collective::barrier;
    on.fabric.topology = topology;
    const FabricSettings& speeds = found.settings;
    on.fabric.bandwidth = {speeds.tiers.front().bandwidth};
    on.fabric.latency = {speeds.tiers.front().latency};
    on.fabric.gamma = speeds.gamma;
    on.fabric.send_overhead = speeds.send_overhead;
    on.fabric.recv_overhead = speeds.recv_overhead;
    return on;
  }
};

Fit fit_runs(const std::vector<RunTuple>& runs, const std::vector<std::string>& left_out, const std::string& topology,
             const std::string& algorithms, const std::vector<PythonRow>& rows) {
  const auto stop = make_locked<StopQuestion>();
  const CalledRows called(rows, stop);
  Fit fit{.measured = {}, .left_out = left_out, .topology = {}, .found = {}};
  {
    const py::gil_scoped_release unlocked;
    for (const RunTuple& run : runs) {
      fit.measured.push_back(run_of(run));
      fit.measured.back().experiment.clock.interrupted = [stop] { return stop->is_stopped(); };
    }
    const std::shared_ptr<const Topology> shape = parse_topology(topology);
    fit.topology = shape->spec();
    const auto own = std::make_shared<const std::vector<Algorithm>>(called.entries());
    const std::vector<bool> fitted = choose_fitted(fit.measured, algorithms);
    try {
      stop->watch([&] { fit.found = fit_fabric(shape, fit.measured, fitted, own); });
    } catch (const RunStopped&) {
      if (!stop->is_stopped()) throw;
    }
  }
  called.close();
  stop->rethrow();
  return fit;
}

}  // namespace

void add_measured(py::module_& module) {
  module.def("read_runs", &read_runs, py::arg("path"), py::arg("takes_least"), py::arg("program"), py::arg("collective"),
             py::arg("algorithm"), py::arg("ranks"), py::arg("in_place"));
  py::class_<Fit, std::shared_ptr<Fit>>(module, "Fit")
      .def("table", [](const Fit& fit) { return report_text(fit.report()); })
      .def("json", [](const Fit& fit) { return line_text(json_of(fit.report())); })
      .def("preset", [](const Fit& fit) { return preset_of_fit(fit.found, fit.topology); })
      .def("experiment", &Fit::experiment);
  module.def("fit", &fit_runs, py::arg("runs"), py::arg("left_out"), py::arg("topology"), py::arg("algorithms"),
             py::arg("rows"));
}

}  // namespace heddle::python
