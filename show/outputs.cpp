// SPDX-License-Identifier: Apache-2.0
#include "show/outputs.hpp"

#include <fmt/format.h>

#include <ostream>
#include <sstream>
#include <string_view>
#include <utility>

#include "heddle/errors.hpp"
#include "heddle/registry.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/sweep/sweep_axes.hpp"
#include "show/document/output_file.hpp"
#include "show/drawing/fabric_drawing.hpp"
#include "show/drawing/heatmap.hpp"
#include "show/drawing/picture_file.hpp"
#include "show/drawing/sweep_plot.hpp"
#include "show/page/page.hpp"
#include "show/reports/run_table.hpp"
#include "show/reports/sweep_report.hpp"
#include "show/trace/trace.hpp"

namespace heddle {

namespace {

using IsInterrupted = std::function<bool()>;

std::unique_ptr<Reporter> make_json_reporter(const std::string& path, std::ostream& out, const IsInterrupted& is_interrupted) {
  if (path == "-") return std::make_unique<JsonReporter>(out);
  return std::make_unique<JsonReporter>(read_flag(
      "--json", path, [&](std::string_view name) { return std::make_unique<OutputFile>(std::string(name), is_interrupted); }));
}

/// Throws InputError for loads that the setup's runs do not measure.
void require_measured(const Setup& setup, pictures::HeatmapOf of) {
  for (const PlannedAlgorithm& run : setup.planned()) {
    const Model& model = run.setup->settings.model;
    if (of == pictures::HeatmapOf::contention && model.name() == Model::packets.name())
      throw InputError("--heatmap-of contention: under --model packets messages wait in queues; --heatmap-of queue");
    if (pictures::is_of_packets(of) && model.name() != Model::packets.name())
      throw InputError(fmt::format("--heatmap-of {}: model {} has no packets that wait; --model packets",
                                   pictures::words_of(of).name, to_string(model)));
  }
}

std::unique_ptr<Reporter> make_heatmap_reporter(const Setup& setup, const RunOutputPaths& paths, std::ostream& out) {
  const std::string& path = *paths.heatmap;
  if (path == "-" && paths.json == "-")
    throw InputError("--heatmap -: standard output takes the JSON report of --json - already; name a file for one of them");
  const pictures::HeatmapOf of =
      read_flag("--heatmap-of", paths.heatmap_of.value_or("utilisation"), pictures::parse_heatmap_of);
  require_measured(setup, of);
  if (path == "-") return std::make_unique<pictures::HeatmapReporter>(of, pictures::text_heatmaps(out));
  return read_flag("--heatmap", path, [&](std::string_view name) -> std::unique_ptr<Reporter> {
    pictures::require_picture_file(name);
    return std::make_unique<pictures::HeatmapReporter>(of, pictures::heatmap_files(setup, path));
  });
}

std::unique_ptr<Reporter> make_trace_reporter(const Setup& setup, const std::string& path) {
  return read_flag("--trace", path, [&](std::string_view name) {
    if (name == "-") throw InputError("'-': a trace is a file; try trace.json");
    return std::make_unique<pictures::TraceReporter>(setup, std::string(name));
  });
}

std::unique_ptr<Reporter> make_page_reporter(const std::string& path, const std::string& command,
                                             const IsInterrupted& is_interrupted) {
  return read_flag("--html", path, [&](std::string_view name) {
    if (name == "-") throw InputError("'-': a page is a file; try page.html");
    auto file = std::make_unique<OutputFile>(std::string(name), is_interrupted);
    return std::make_unique<pages::RunPageReporter>(std::move(file), command);
  });
}

/// The files of --json, --html, --heatmap and --trace; standard output has rules of its own.
void require_files_apart(const Setup& setup, const RunOutputPaths& paths) {
  std::vector<NamedOutput> names;
  if (paths.json && *paths.json != "-") names.push_back({"--json", *paths.json});
  if (paths.html) names.push_back({"--html", *paths.html});
  const auto add_pictures = [&](const std::string& flag, const std::optional<std::string>& path) {
    if (!path || *path == "-") return;
    const std::vector<PlannedAlgorithm> runs = setup.planned();
    if (runs.size() > 1) names.push_back({flag, *path});  // which nobody means twice
    for (const PlannedAlgorithm& run : runs) names.push_back({flag, pictures::path_of(*run.setup, *run.algorithm, *path)});
  };
  add_pictures("--heatmap", paths.heatmap);
  add_pictures("--trace", paths.trace);
  require_apart(names);
}

}  // namespace

std::vector<std::unique_ptr<Reporter>> run_outputs(const Setup& setup, const RunOutputPaths& paths, const std::string& command,
                                                   std::ostream& out, const std::function<bool()>& is_interrupted) {
  require_files_apart(setup, paths);
  std::vector<std::unique_ptr<Reporter>> reporters;
  if (paths.json) reporters.push_back(make_json_reporter(*paths.json, out, is_interrupted));
  if (paths.heatmap) reporters.push_back(make_heatmap_reporter(setup, paths, out));
  if (paths.trace) reporters.push_back(make_trace_reporter(setup, *paths.trace));
  if (paths.html) reporters.push_back(make_page_reporter(*paths.html, command, is_interrupted));
  return reporters;
}

namespace {

/// What a reporter that was made with a stream puts there.
template <class Make>
std::string text_by(const Setup& setup, std::span<const Outcome> outcomes, const Make& make) {
  std::ostringstream out;
  auto reporter = make(out);
  reporter.begin(setup);
  for (const Outcome& outcome : outcomes) reporter.add(outcome);
  reporter.end(setup);
  return std::move(out).str();
}

}  // namespace

std::string table_text_of(const Setup& setup, std::span<const Outcome> outcomes, std::size_t columns) {
  return text_by(setup, outcomes, [&](std::ostream& out) { return TableReporter(out, columns); });
}

std::string json_text_of(const Setup& setup, std::span<const Outcome> outcomes) {
  return text_by(setup, outcomes, [](std::ostream& out) { return JsonReporter(out); });
}

std::string page_text_of(const Setup& setup, std::span<const Outcome> outcomes, const std::string& command) {
  return text_by(setup, outcomes, [&](std::ostream& out) { return pages::RunPageReporter(out, command); });
}

std::vector<std::string> heatmaps_of(const Setup& setup, std::span<const Outcome> outcomes, pictures::HeatmapOf of) {
  require_measured(setup, of);
  for (const Outcome& outcome : outcomes) {
    if (of == pictures::HeatmapOf::contention && outcome.report() != nullptr && !outcome.timeline)
      throw InputError("a heat map of contention: the run kept no timeline, of which that is made");
  }
  const pictures::Drawing drawing = pictures::draw_loads(setup.fabric.topology(), setup.placement);
  std::vector<std::string> maps(outcomes.size());
  text_by(setup, outcomes, [&](std::ostream&) {
    return pictures::HeatmapReporter(of, [&](const Setup& shown, const pictures::HeatmapOfRun& run) {
      maps[run.algorithm] = pictures::svg_heatmap(drawing, run.loads, shown.fabric, run.title);
    });
  });
  return maps;
}

std::string trace_text_of(const Outcome& outcome) {
  if (outcome.report() == nullptr) throw InputError("a trace is of a run whose result is right");
  if (!outcome.timeline) throw InputError("a trace: the run kept no timeline, of which that is made");
  std::ostringstream out;
  pictures::write_trace(outcome, out);
  return std::move(out).str();
}

namespace {

/// A curve for each row, of the best of its variants at each size.
std::vector<SweepResult> rows_of(const std::vector<SweepResult>& variants) {
  std::vector<SweepResult> rows = best_of_rows(variants);
  for (SweepResult& row : rows) row.algorithm = bare_name(row.algorithm);
  return rows;
}

}  // namespace

SweepOutputs::SweepOutputs(const std::optional<std::string>& csv, const std::optional<std::string>& json,
                           const std::optional<std::string>& html, std::function<bool()> is_interrupted)
    : is_interrupted_(std::move(is_interrupted)) {
  add("--json", json, json_text_of);
  add("--csv", csv, csv_text_of);
  add("--html", html, pages::sweep_page);
}

void SweepOutputs::add(const std::string& flag, const std::optional<std::string>& path,
                       std::string (*text_of)(const SweepDocument&)) {
  if (!path) return;
  Output output{flag, *path, std::nullopt, text_of};
  if (path == "-")
    is_standard_output_taken_ = true;
  else
    read_flag(flag, *path, [&](std::string_view name) { output.file.emplace(std::string(name), is_interrupted_); });
  outputs_.push_back(std::move(output));
}

std::vector<NamedOutput> SweepOutputs::names() const {
  std::vector<NamedOutput> names;
  for (const Output& output : outputs_) names.push_back({output.flag, output.path});
  if (plots_)
    for (const std::string& path : plots_->paths()) names.push_back({"--plot", path});
  return names;
}

std::string SweepOutputs::first_file() const {
  for (const Output& output : outputs_)
    if (output.file && !output.file->is_stream()) return output.path;
  return "";
}

std::vector<std::string> SweepOutputs::write(const SweepDocument& document, std::ostream& out,
                                             std::optional<std::size_t> columns) const {
  std::vector<std::string> failures;
  const auto note = [&](const std::string& flag, const Error& error) { failures.push_back(with_flag(flag, error.what())); };
  if (!is_standard_output_taken_) out << table_text_of(document, columns);
  for (const Output& output : outputs_) {
    const std::string text = output.text_of(document);
    try {
      if (output.file)
        output.file->write(text);
      else
        out << text;
    } catch (const OutputError& error) {
      note(output.flag, error);
    }
  }
  out << std::flush;
  try {
    const SweepDocument over = with_marked_names(over_seeds(document));
    const std::vector<SweepResult> drawn = document.context.contains("tuning") ? rows_of(over.runs) : over.runs;
    if (plots_)
      plots_->write(drawn, [&](const std::vector<SweepResult>& runs, const pictures::PlotAxes& axes) {
        return plot_title_of(over, runs, axes);
      });
  } catch (const OutputError& error) {
    note("--plot", error);
  } catch (const InputError& error) {  // rsvg-convert's complaint
    note("--plot", error);
  }
  return failures;
}

}  // namespace heddle
