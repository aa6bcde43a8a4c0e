// SPDX-License-Identifier: Apache-2.0
// Sweeps: many runs over all cores, their results, and two files of results held against each other.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/results/comparison.hpp"
#include "lab/sweep/sweep.hpp"
#include "lab/sweep/sweep_journal.hpp"
#include "lab/sweep/sweep_runner.hpp"
#include "python/core/bindings.hpp"
#include "python/core/rank_rows.hpp"
#include "python/core/stop.hpp"
#include "show/drawing/sweep_plot.hpp"
#include "show/page/page.hpp"
#include "show/reports/study_reports.hpp"
#include "show/reports/sweep_report.hpp"

namespace heddle::python {

namespace {

using Texts = std::vector<std::string>;

/// How far a sweep is.
struct Progress {
  int finished = 0;
  int all = 0;
  std::optional<double> seconds_left = {};
};

/// Tells another thread.
class ProgressNote final : public SweepWatcher {
 public:
  void progressed(int finished, int all, double /*seconds_gone*/, std::optional<double> seconds_left) override {
    const std::lock_guard guard(mutex_);
    now_ = {finished, all, seconds_left};
  }
  void interrupted(int /*under_way*/) override {}
  void ended() override {}

  Progress now() {
    const std::lock_guard guard(mutex_);
    return now_;
  }

 private:
  std::mutex mutex_;
  Progress now_;
};

AxisTexts axes_of(const std::map<std::string, Texts>& given) {
  const auto all = [&](const char* axis) {
    const auto found = given.find(axis);
    return found == given.end() ? Texts() : found->second;
  };
  const auto joined = [&](const char* axis) -> std::optional<std::string> {
    const Texts texts = all(axis);
    if (texts.empty()) return std::nullopt;
    return fmt::format("{}", fmt::join(texts, ","));
  };
  return {.topologies = all("--topo"),
          .presets = all("--preset"),
          .bandwidths = all("--bw"),
          .latencies = all("--latency"),
          .routings = all("--routing"),
          .placements = all("--placement"),
          .faults = all("--fault"),
          .models = all("--model"),
          .ranks = joined("--ranks"),
          .sizes = joined("--size")};
}

/// What a sweep is asked for.
struct SweepCall {
  Experiment common;
  std::string algorithms;
  std::vector<PythonRow> rows;
  std::map<std::string, Texts> axes;
  std::string base;
  std::optional<int> tune;
  std::optional<int> jobs;
};

/// The results, whole or not, and what has stopped it, or None.
py::tuple run_all(const SweepCall& call, const py::object& progress) {
  const auto stop = make_locked<StopQuestion>();
  const CalledRows rows(call.rows, stop);
  std::shared_ptr<SweepDocument> document;
  ProgressNote note;
  const auto tell = [&] {
    const Progress now = note.now();
    if (!progress.is_none() && now.all > 0) progress(now.finished, now.all, now.seconds_left);
  };
  {
    const py::gil_scoped_release unlocked;
    Sweep sweep{.common = call.common, .algorithms = call.algorithms};
    sweep.common.alone = 0;
    sweep.common.clock.interrupted = [stop] { return stop->asked(); };
    rows.add_to(sweep.common);
    read_axes(axes_of(call.axes), sweep);
    sweep.base = call.base;
    if (call.tune) sweep.tuning = Tuning{.budget = *call.tune};
    SweepPlan plan = plan_sweep(sweep);
    SweepWork work = usual_work();
    if (rows.call_python()) work.workers = 1;  // the interpreter runs one at a time
    if (call.jobs) work.workers = *call.jobs;
    work.run = run_algorithm;
    // Runs end by themselves once they are asked to. None is left to go on by itself.
    work.interruptions = [stop] { return stop->is_stopped() ? 1 : 0; };
    work.patience = std::chrono::hours(24);
    std::optional<SweepEnd> end;
    stop->watch(
        [&] {
          run_sweep(plan, nullptr, work, &note, [&](const SweepEnd& its) {
            end = its;
            note.progressed(static_cast<int>(std::ranges::count_if(plan.document.runs, is_finished)), plan.document.planned, 0,
                            0);
          });
        },
        tell);
    if (end && !end->failure.empty()) throw ResourceError(end->failure);
    document = std::make_shared<SweepDocument>(std::move(plan.document));
  }
  rows.close();
  return py::make_tuple(document, stop->taken());
}

/// Of results that were read or made, by the name of a format.
std::string text_of(const SweepDocument& document, const std::string& format) {
  if (format == "json") return json_text_of(document);
  if (format == "csv") return csv_text_of(document);
  if (format == "table") return table_text_of(document);
  if (format == "html") return pages::sweep_page(document);
  return svg_text_of(document);
}

std::string crossings_text(const SweepDocument& document) { return line_text(json_of_crossings(document)); }

/// Two files of `heddle run --json` or `heddle sweep --json`.
py::tuple compare_files(const std::string& before, const std::string& now, double tolerance) {
  const ResultFile old_file = read_result_file(before);
  const ResultFile new_file = read_result_file(now);
  const Comparison comparison = compare(old_file, new_file, tolerance);
  const Document report = comparison_report(old_file, new_file, comparison, tolerance);
  return py::make_tuple(comparison.is_worse(), comparison.matched, comparison.unchanged, line_text(json_of(report)),
                        report_text(report));
}

}  // namespace

void add_sweeps(py::module_& module) {
  py::class_<SweepDocument, std::shared_ptr<SweepDocument>>(module, "SweepDocument")
      .def("text", &text_of, py::arg("format"))
      .def("crossings", &crossings_text)
      .def_property_readonly("is_complete", [](const SweepDocument& document) { return is_complete(document); });
  module.def(
      "sweep",
      [](const Experiment& common, const std::string& algorithms, const std::vector<PythonRow>& rows,
         const std::map<std::string, Texts>& axes, const std::string& base, std::optional<int> tune, std::optional<int> jobs,
         const py::object& progress) {
        return run_all({common, algorithms, rows, axes, base, tune, jobs}, progress);
      },
      py::arg("common"), py::arg("algorithms"), py::arg("rows"), py::arg("axes"), py::arg("base"), py::arg("tune"),
      py::arg("jobs"), py::arg("progress"));
  module.def("read_sweep",
             [](const std::string& path) { return std::make_shared<SweepDocument>(read_sweep_file(path).document); });
  module.def("compare", &compare_files, py::arg("before"), py::arg("now"), py::arg("tolerance"));
}

}  // namespace heddle::python
