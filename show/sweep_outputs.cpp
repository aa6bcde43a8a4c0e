// SPDX-License-Identifier: Apache-2.0
#include "show/sweep_outputs.hpp"

#include <fmt/format.h>

#include <ostream>
#include <utility>

#include "algorithms/registry/registry.hpp"
#include "core/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/sweep/sweep_axes.hpp"
#include "show/drawing/sweep_plot.hpp"
#include "show/page/page.hpp"
#include "show/reports/sweep_report.hpp"

namespace heddle {

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
