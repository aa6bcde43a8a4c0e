// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/claims_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "claims/claim.hpp"
#include "claims/claims_table.hpp"
#include "cli/process/process.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "show/document/output_file.hpp"
#include "show/drawing/picture_file.hpp"
#include "show/page/page.hpp"
#include "show/terminal/progress.hpp"

namespace heddle {

using claims::Selected;

namespace {

void require_apart_outputs(const ClaimsOptions& options) {
  if (options.json == "-" && options.markdown == "-")
    throw InputError("--json - and --markdown -: standard output takes one of them; give the other a file");
  std::vector<NamedOutput> files;
  const auto add = [&](const char* flag, const std::optional<std::string>& path) {
    if (path && path != "-") files.push_back({flag, *path});
  };
  add("--json", options.json);
  add("--html", options.html);
  add("--markdown", options.markdown);
  add("--plot", options.plot);
  require_apart(files);
}

/// The picture of the one claim that is asked for.
class Picture {
 public:
  Picture(const std::optional<std::string>& path, std::span<const Selected> selected) {
    if (!path) return;
    if (selected.size() != 1)
      throw InputError(fmt::format("--plot {}: {} claims are called so; a picture is of one", *path, selected.size()));
    if (!selected.front().claim->figure)
      throw InputError(fmt::format("--plot {}: '{}' has no figure; 'heddle claims --list' says which have", *path,
                                   selected.front().claim->name));
    read_flag("--plot", *path, pictures::require_picture_file);
    path_ = *path;
    file_.emplace(path_);
  }

  bool is_wanted() const { return file_.has_value(); }
  void write(const claims::Outcome& outcome) const {
    if (file_ && outcome.chart) file_->write(pictures::picture_for(path_, pictures::chart_svg(*outcome.chart)));
  }

 private:
  std::string path_;
  std::optional<OutputFile> file_;
};

std::optional<OutputFile> page_of(const std::optional<std::string>& path) {
  if (!path) return std::nullopt;
  return read_flag("--html", *path, [](std::string_view name) {
    if (name == "-") throw InputError("'-': a page is a file; try claims.html");
    return OutputFile(std::string(name));
  });
}

std::string command_of(const ClaimsOptions& options) {
  std::string command = "heddle claims";
  for (const std::string& name : options.names) command += ' ' + shell_word(name);
  return options.full ? command + " --full" : command;
}

int status_of(std::span<const claims::Outcome> outcomes, std::ostream& err) {
  int status = kExitOk;
  for (const claims::Outcome& outcome : outcomes) {
    if (outcome.error.empty()) continue;
    err << fmt::format("heddle: claim {}: {}\n", outcome.selected.claim->name, outcome.error);
    status = kExitCheckFailed;
  }
  return status;
}

}  // namespace

int claims_command(const ClaimsOptions& options, std::ostream& out, std::ostream& err) {
  const std::vector<claims::Source> sources = claims::all_sources();
  return claims_command(options, sources, out, err);
}

int claims_command(const ClaimsOptions& options, std::span<const claims::Source> sources, std::ostream& out,
                   std::ostream& err) {
  const std::vector<Selected> selected = claims::select_claims(sources, options.names, options.full);
  require_apart_outputs(options);
  const ReportOutput json("--json", options.json);
  if (options.list) {
    if (options.json || options.html || options.markdown || options.plot)
      throw InputError("--list runs nothing: leave out --json, --html, --markdown and --plot");
    out << claims::list_text(selected);
    return kExitOk;
  }
  const std::optional<OutputFile> html = page_of(options.html);
  const Picture picture(options.plot, selected);
  const claims::ClaimsPages markdown(options.markdown, selected);
  const bool has_table = !json.is_standard_output() && !markdown.is_standard_output();
  const bool is_overview = options.names.empty();
  claims::OverviewTable overview(selected);
  WorkProgress progress(err, "claims", std::ranges::count(selected, true, &Selected::runs));
  claims::Lab lab;
  bool is_first = true;
  const auto print = [&](const claims::Outcome& outcome) {
    if (!has_table) return;
    progress.pause();
    if (is_overview)
      out << overview.lines_of(outcome) << std::flush;
    else
      out << (is_first ? "" : "\n") << claims::full_text(outcome) << std::flush;
    is_first = false;
    progress.resume();
  };
  const std::vector<claims::Outcome> outcomes = claims::run_claims(
      selected, lab, markdown.has_pictures() || picture.is_wanted() ? claims::Figures::drawn : claims::Figures::left_out, print,
      [&](std::size_t, const claims::Claim&) { progress.finish_one(); });
  progress.pause();
  if (has_table && (is_overview || outcomes.size() > 1)) out << fmt::format("\n# {}\n", claims::sum_line(outcomes));
  if (has_table && is_overview)
    out << "# heddle claims NAME shows the findings of one, and why; docs/sources.md has each [key]\n";
  const Document document = claims::claims_report(outcomes);
  json.write(json_text(json_of(document)), out);
  if (html) html->write(pages::page_of(document, "claims", "What the sources claim", command_of(options)));
  markdown.write(outcomes, out);
  if (picture.is_wanted()) picture.write(outcomes.front());
  return status_of(outcomes, err);
}

}  // namespace heddle
