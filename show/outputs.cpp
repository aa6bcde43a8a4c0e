// SPDX-License-Identifier: Apache-2.0
#include "show/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <sstream>
#include <string_view>

#include "heddle/errors.hpp"
#include "heddle/registry.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/sweep/sweep_axes.hpp"
#include "show/drawing/picture_file.hpp"
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

/// Files; standard output has rules of its own.
void require_files_apart(const Setup& setup, const RunOutputTexts& asked) {
  std::vector<NamedOutput> names;
  if (asked.json && *asked.json != "-") names.push_back({"--json", *asked.json});
  for (const RunOutput::Files files : {RunOutput::Files::of_all, RunOutput::Files::of_each}) {
    for (const RunOutput* output : asked.outputs()) {
      const std::string& path = *asked[output->flag];
      if (output->files != files || path == "-") continue;
      const std::vector<PlannedAlgorithm> runs = setup.planned();
      if (files == RunOutput::Files::of_all || runs.size() > 1)
        names.push_back({output->flag, path});  // which nobody means twice
      if (files == RunOutput::Files::of_all) continue;
      for (const PlannedAlgorithm& run : runs)
        names.push_back({output->flag, pictures::path_of(*run.setup, *run.algorithm, path)});
    }
  }
  require_apart(names);
}

}  // namespace

RunOutputTexts::RunOutputTexts() {
  for (const RunOutput& output : run_output_table()) {
    texts_[output.flag];
    if (!output.option.flag.empty()) texts_[output.option.flag];
  }
}

std::vector<const RunOutput*> RunOutputTexts::outputs() const {
  std::vector<const RunOutput*> asked;
  for (const RunOutput& output : run_output_table())
    if ((*this)[output.flag]) asked.push_back(&output);
  return asked;
}

std::string RunOutputTexts::option_of(const RunOutput& output) const {
  return output.option.flag.empty() ? std::string() : (*this)[output.option.flag].value_or(output.option.usual);
}

bool RunOutputTexts::need_timeline() const {
  return std::ranges::any_of(outputs(), [this](const RunOutput* output) {
    return output->needs_timeline != nullptr && output->needs_timeline(option_of(*output));
  });
}

bool RunOutputTexts::need_sample() const { return std::ranges::any_of(outputs(), &RunOutput::needs_sample); }

void RunOutputTexts::require_options() const {
  for (const RunOutput& output : run_output_table()) {
    if (output.option.flag.empty() || !(*this)[output.option.flag] || (*this)[output.flag]) continue;
    throw InputError(fmt::format("{}: it says what {} shows, which is missing; try {} {}", output.option.flag, output.flag,
                                 output.flag, output.example));
  }
}

std::vector<std::unique_ptr<Reporter>> run_outputs(const Setup& setup, const RunOutputTexts& asked, const std::string& command,
                                                   std::ostream& out, const std::function<bool()>& is_interrupted) {
  require_files_apart(setup, asked);
  std::vector<std::unique_ptr<Reporter>> reporters;
  if (asked.json) reporters.push_back(make_json_reporter(*asked.json, out, is_interrupted));
  for (const RunOutput* output : asked.outputs())
    reporters.push_back(
        output->make({setup, *asked[output->flag], asked.option_of(*output), asked.json == "-", command, out, is_interrupted}));
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
  pictures::require_measured(setup, of);
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
