// SPDX-License-Identifier: Apache-2.0
// Runs of an experiment by some algorithms, and what came of each.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "lab/describe/flag_value.hpp"
#include "lab/describe/value_lists.hpp"
#include "lab/documents/context.hpp"
#include "lab/documents/failure_facts.hpp"
#include "lab/plugin/load_plugins.hpp"
#include "lab/run/run_algorithm.hpp"
#include "python/core/arrays.hpp"
#include "python/core/bindings.hpp"
#include "python/core/rank_rows.hpp"
#include "python/core/stop.hpp"
#include "show/outputs.hpp"
#include "show/reports/explanation.hpp"
#include "show/reports/run_table.hpp"

namespace heddle::python {

namespace {

/// What is kept of a run beside its numbers.
struct Kept {
  bool timeline = false;
  bool sample = false;
};

/// Why no command makes a run: what of it is this program's own. Empty: one does.
std::string why_no_command(const Experiment& asked, const CalledRows* rows, const std::string& algorithm) {
  constexpr std::string_view kWhy = "of this program, which no command has";
  const bool is_of_file = algorithm.starts_with(kMscclPrefix);
  if (rows != nullptr && !is_of_file &&
      std::ranges::find(rows->entries(), algorithm, &Algorithm::name) != rows->entries().end())
    return fmt::format("{} is an algorithm {}", algorithm, kWhy);
  if (asked.own_op) return fmt::format("{} is an operation {}", asked.op->name(), kWhy);
  if (asked.fabric.given && asked.fabric.topology.starts_with("given:"))
    return fmt::format("{} is a fabric {}; Fabric.save writes it to a file, as the topology \"file:NAME.json\" reads it",
                       asked.fabric.topology, kWhy);
  return {};
}

std::string command_of(Experiment asked, const std::string& algorithm) {
  asked.algorithm = algorithm;
  return "heddle run " + asked.text();
}

/// All that a call of run() made. Read-only once it is made.
class Run {
 public:
  std::shared_ptr<const Setup> setup;
  std::vector<std::shared_ptr<const Setup>> setups = {};  ///< by outcome: under its model
  std::vector<std::shared_ptr<const Outcome>> outcomes;
  std::shared_ptr<const CalledRows> rows;
  std::shared_ptr<const CalledProgram> program;

  /// Tells a reporter of all of it, as the command does.
  void tell(Reporter& reporter) const {
    reporter.begin(*setup);
    for (const auto& outcome : outcomes) reporter.add(*outcome);
    reporter.end(*setup);
  }

  std::string table(std::size_t columns) const {
    std::ostringstream text;
    TableReporter reporter(text, columns);
    tell(reporter);
    return text.str();
  }

  std::string json() const {
    std::ostringstream text;
    JsonReporter reporter(text);
    tell(reporter);
    return text.str();
  }

  std::vector<std::pair<std::string, std::string>> left_out() const {
    std::vector<std::pair<std::string, std::string>> all;
    for (const LeftOut& one : setup->algorithms.left_out) all.emplace_back(one.algorithm, one.reason);
    return all;
  }

  /// What repeats it; empty: no command does.
  std::string command() const {
    std::vector<std::string> names;
    for (const Algorithm& algorithm : setup->algorithms.chosen) {
      names.push_back(algorithm.name);
      if (!why_no_command(setup->asked, rows.get(), algorithm.name).empty()) return {};
    }
    return command_of(setup->asked, fmt::format("{}", fmt::join(names, ",")));
  }

  /// The command's files, by its flags: "--trace" and its like.
  void write(const std::map<std::string, std::string>& paths) const {
    std::ostringstream unused;
    RunOutputTexts outputs;
    for (const auto& [flag, path] : paths) outputs[flag] = path;
    for (const auto& reporter : run_outputs(*setup, outputs, command(), unused)) tell(*reporter);
  }
};

/// One algorithm's run.
struct RunResult {
  std::shared_ptr<const Setup> setup;
  std::shared_ptr<const Outcome> outcome;
  std::shared_ptr<const CalledRows> rows;
  std::shared_ptr<const CalledProgram> program;

  /// What the rank raised that has failed, or None.
  py::object cause() const {
    if (outcome->failure() == nullptr || !outcome->failure()->facts.rank) return py::none();
    const int rank = *outcome->failure()->facts.rank;
    if (program) return program->runs->exception_of(rank);
    return rows ? rows->exception_of(outcome->algorithm->name, rank) : py::none();
  }

  const Report& report() const {
    if (outcome->report() == nullptr) throw UsageError(outcome->algorithm->name + " was not measured: its result is wrong");
    return *outcome->report();
  }

  /// Throws UsageError where no command has what was run.
  std::string command() const {
    const std::string why = why_no_command(setup->asked, rows.get(), outcome->algorithm->name);
    if (!why.empty()) throw UsageError("command: " + why);
    return command_of(setup->asked, outcome->algorithm->name);
  }

  std::optional<std::string> failure() const {
    if (outcome->failure() == nullptr) return std::nullopt;
    return line_text(nlohmann::ordered_json(*outcome->failure()));
  }

  std::string explain() const {
    if (!outcome->timeline) throw UsageError("explain: the run kept no timeline");
    return explanation(*setup, *outcome->algorithm, report(), *outcome->timeline) + explanation_legend(*setup);
  }

  py::array messages() const {
    if (!outcome->timeline) throw UsageError("messages: the run kept no timeline");
    return messages_array(outcome->timeline);
  }

  std::vector<std::string> link_names() const {
    std::vector<std::string> names;
    for (const LinkReport& link : report().links) names.push_back(setup->fabric.topology().link_name(link.link));
    return names;
  }

  py::dict path() const {
    py::dict parts;
    for (const auto& [name, part] : path_parts()) parts[name] = (report().critical_path.parts.*part).ps();
    return parts;
  }
};

Experiment watched(Experiment experiment, const std::shared_ptr<StopQuestion>& stop, const Kept& kept) {
  experiment.keep_timeline = kept.timeline;
  experiment.clock.interrupted = [stop] { return stop->asked(); };
  return experiment;
}

/// Blocks. A failure is a result; the next algorithm is run only where `keeps_failures`.
Run run_all(const Experiment& experiment, const std::string& algorithms, const std::vector<PythonRow>& rows, const Kept& kept,
            bool keeps_failures, const std::string& models) {
  const auto stop = make_locked<StopQuestion>();
  Run run;
  run.rows = std::make_shared<const CalledRows>(rows, stop);
  {
    const py::gil_scoped_release unlocked;
    Experiment asked = watched(experiment, stop, kept);
    run.rows->add_to(asked);
    const auto under = [&](const Model& model) {
      asked.model = model;
      Setup made = set_up(asked, algorithms);
      made.keep_sample = kept.sample;
      return made;
    };
    const std::vector<Model> all = models.empty() ? std::vector{asked.model} : read_flag("--model", models, different_models);
    Setup setup = under(all.front());
    std::vector<Setup> others;
    for (const Model& model : std::span(all).subspan(1)) others.push_back(under(model));
    if (!others.empty()) hold_beside(setup, std::move(others));
    run.setup = std::make_shared<const Setup>(std::move(setup));
    try {
      for (const auto [of, algorithm] : run.setup->planned()) {
        run.outcomes.push_back(std::make_shared<const Outcome>(run_algorithm(*of, *algorithm)));
        run.setups.emplace_back(run.setup, of);
        if (run.outcomes.back()->failure() != nullptr && !keeps_failures) break;
      }
    } catch (const RunStopped&) {
      if (!stop->asked()) throw;  // by its deadline
    }
  }
  run.rows->close();
  stop->rethrow();
  return run;
}

/// A program in place of the experiment's call.
Run emulate(const Experiment& experiment, const std::string& name, const std::shared_ptr<PythonFunction>& function,
            const Kept& kept) {
  const auto stop = make_locked<StopQuestion>();
  Run run;
  Experiment asked = watched(experiment, stop, kept);
  {
    const py::gil_scoped_release unlocked;
    run.setup = std::make_shared<const Setup>(set_up(asked, ProgramText{name, {}}));
  }
  run.program = std::make_shared<const CalledProgram>(function, stop, run.setup->ranks());
  {
    const py::gil_scoped_release unlocked;
    try {
      const ProgramSpec program{run.program->function(), name};
      run.outcomes.push_back(std::make_shared<const Outcome>(heddle::run(*run.setup, program)));
      run.setups.push_back(run.setup);
    } catch (const RunStopped&) {
      if (!stop->asked()) throw;
    }
  }
  run.program->runs->close_buried();
  stop->rethrow();
  return run;
}

}  // namespace

void add_runs(py::module_& module) {
  add_arrays();
  py::class_<Kept>(module, "Kept").def(py::init<bool, bool>(), py::arg("timeline") = false, py::arg("sample") = false);
  py::class_<RunResult>(module, "Result")
      .def_property_readonly("algorithm", [](const RunResult& result) { return result.outcome->algorithm->name; })
      .def_property_readonly("model", [](const RunResult& result) { return to_string(result.setup->settings.model); })
      .def_property_readonly("failure", &RunResult::failure)
      .def_property_readonly("cause", &RunResult::cause)
      .def_property_readonly(
          "returned",
          [](const RunResult& result) { return result.program ? *result.program->returned : std::vector<py::object>(); })
      .def_property_readonly("command", &RunResult::command)
      .def_property_readonly("time_ps", [](const RunResult& result) { return result.report().completion.ps(); })
      .def_property_readonly("messages_digest", [](const RunResult& result) { return result.report().messages_digest; })
      .def_property_readonly("has_timeline", [](const RunResult& result) { return result.outcome->timeline != nullptr; })
      .def("json", [](const RunResult& result) { return line_text(json_of_run(*result.outcome)); })
      .def("ranks", [](const RunResult& result) { return ranks_array(result.report()); })
      .def("rounds", [](const RunResult& result) { return rounds_array(result.report()); })
      .def("links", [](const RunResult& result) { return links_array(result.report(), result.setup->fabric); })
      .def("link_names", &RunResult::link_names)
      .def("path_ps", &RunResult::path)
      .def("messages", &RunResult::messages)
      .def("explain", &RunResult::explain);
  py::class_<Run>(module, "Run")
      .def_property_readonly("results",
                             [](const Run& run) {
                               std::vector<RunResult> results;
                               for (std::size_t i = 0; i < run.outcomes.size(); ++i)
                                 results.push_back({run.setups[i], run.outcomes[i], run.rows, run.program});
                               return results;
                             })
      .def_property_readonly("left_out", &Run::left_out)
      .def("table", &Run::table, py::arg("columns") = TableReporter::kUsualWidth)
      .def("json", &Run::json)
      .def("write", &Run::write);
  module.def("run", &run_all, py::arg("experiment"), py::arg("algorithms"), py::arg("rows"), py::arg("kept"),
             py::arg("keeps_failures"), py::arg("models") = "");
  module.def("emulate", &emulate, py::arg("experiment"), py::arg("name"), py::arg("function"), py::arg("kept"));
}

}  // namespace heddle::python
