// SPDX-License-Identifier: Apache-2.0
#include "show/sweep/sweep_outputs.hpp"

#include <fmt/format.h>

#include <ostream>

#include "core/errors.hpp"
#include "lab/grammar/flag_value.hpp"
#include "show/sweep/sweep_csv.hpp"
#include "show/sweep/sweep_plot.hpp"
#include "show/sweep/sweep_table.hpp"

namespace heddle {

SweepOutputs::SweepOutputs(const std::optional<std::string>& csv, const std::optional<std::string>& json) {
  if (csv && csv == json) throw InputError("--csv and --json: not the same file");
  add("--json", json, json_text_of);
  add("--csv", csv, csv_text_of);
}

void SweepOutputs::add(const std::string& flag, const std::optional<std::string>& path,
                       std::string (*text_of)(const SweepDocument&)) {
  if (!path) return;
  Output output{flag, *path, std::nullopt, text_of};
  if (path == "-")
    is_standard_output_taken_ = true;
  else
    read_flag(flag, *path, [&](std::string_view name) { output.file.emplace(std::string(name)); });
  outputs_.push_back(std::move(output));
}

std::string SweepOutputs::first_file() const {
  for (const Output& output : outputs_)
    if (output.file && !output.file->is_stream()) return output.path;
  return "";
}

std::vector<std::string> SweepOutputs::write(const SweepDocument& document, std::ostream& out) const {
  std::vector<std::string> failures;
  if (!is_standard_output_taken_) out << table_text_of(document);
  for (const Output& output : outputs_) {
    const std::string text = output.text_of(document);
    try {
      if (output.file)
        output.file->write(text);
      else
        out << text;
    } catch (const InputError& error) {
      failures.push_back(with_flag(output.flag, error.what()));
    }
  }
  out << std::flush;
  try {
    if (plots_) plots_->write(document.runs, [&](const SweepResult& run) { return plot_title_of(document, run); });
  } catch (const InputError& error) {
    failures.push_back(with_flag("--plot", error.what()));
  }
  return failures;
}

}  // namespace heddle
