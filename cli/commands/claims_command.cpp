// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/claims_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "claims/claim_outcome.hpp"
#include "claims/claims_json.hpp"
#include "claims/claims_table.hpp"
#include "cli/commands/claims_pages.hpp"
#include "cli/process/exit_status.hpp"
#include "core/errors.hpp"
#include "show/output_file.hpp"

namespace heddle {

using claims::Outcome;
using claims::Selected;

namespace {

/// A report that was asked for, to a file or to standard output.
class Destination {
 public:
  explicit Destination(const std::optional<std::string>& path) {
    if (path == "-") is_standard_output_ = true;
    if (path && !is_standard_output_) file_.emplace(*path);
  }

  bool is_wanted() const { return is_standard_output_ || file_; }
  bool is_standard_output() const { return is_standard_output_; }

  void write(const std::string& content, std::ostream& out) const {
    if (is_standard_output_) out << content;
    if (file_) file_->write(content);
  }

 private:
  bool is_standard_output_ = false;
  std::optional<OutputFile> file_;
};

void require_apart_outputs(const ClaimsOptions& options) {
  if (options.json == "-" && options.markdown == "-")
    throw InputError("--json - and --markdown -: standard output takes one of them; give the other a file");
  std::vector<NamedOutput> files;
  const auto add = [&](const char* flag, const std::optional<std::string>& path) {
    if (path && path != "-") files.push_back({flag, *path});
  };
  add("--json", options.json);
  add("--markdown", options.markdown);
  add("--plot", options.plot);
  require_apart(files);
}

/// One line that says how far it is, overwritten as it goes; nothing unless standard error is a terminal.
class ProgressLine {
 public:
  ProgressLine(std::ostream& err, std::size_t claims) : err_(err), claims_(claims) {
    is_on_ = &err == &std::cerr && isatty(STDERR_FILENO) == 1;
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  void show(std::size_t ended, std::string_view latest) {
    if (is_on_) err_ << fmt::format("\r\033[K{} of {} claims; latest: {}", ended, claims_, latest) << std::flush;
  }
  /// Before something else is printed.
  void clear() {
    if (is_on_) err_ << "\r\033[K" << std::flush;
  }

 private:
  std::ostream& err_;
  std::size_t claims_;
  bool is_on_;
};

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
    if (!path->ends_with(".svg")) throw InputError(fmt::format("--plot '{}': the file of a picture ends in .svg", *path));
    file_.emplace(*path);
  }

  bool is_wanted() const { return file_.has_value(); }
  void write(const Outcome& outcome) const {
    if (file_ && outcome.chart) file_->write(pictures::chart_svg(*outcome.chart));
  }

 private:
  std::optional<OutputFile> file_;
};

int status_of(std::span<const Outcome> outcomes, std::ostream& err) {
  int status = kExitOk;
  for (const Outcome& outcome : outcomes) {
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
  const Destination json(options.json);
  if (options.list) {
    if (options.json || options.markdown || options.plot)
      throw InputError("--list runs nothing: leave out --json, --markdown and --plot");
    out << claims::list_text(selected);
    return kExitOk;
  }
  const Picture picture(options.plot, selected);
  const ClaimsPages markdown(options.markdown, selected);
  const bool has_table = !json.is_standard_output() && !markdown.is_standard_output();
  const bool is_overview = options.names.empty();
  claims::OverviewTable overview(selected);
  ProgressLine progress(err, static_cast<std::size_t>(std::ranges::count(selected, true, &Selected::runs)));
  claims::Lab lab;
  bool is_first = true;
  const auto print = [&](const Outcome& outcome) {
    if (!has_table) return;
    progress.clear();
    if (is_overview)
      out << overview.lines_of(outcome) << std::flush;
    else
      out << (is_first ? "" : "\n") << claims::full_text(outcome) << std::flush;
    is_first = false;
  };
  const std::vector<Outcome> outcomes = claims::run_claims(
      selected, lab, markdown.has_pictures() || picture.is_wanted() ? claims::Figures::drawn : claims::Figures::left_out, print,
      [&](std::size_t ended, const claims::Claim& latest) { progress.show(ended, latest.name); });
  progress.clear();
  if (has_table && (is_overview || outcomes.size() > 1)) out << fmt::format("\n# {}\n", claims::sum_line(outcomes));
  if (has_table && is_overview)
    out << "# heddle claims NAME shows the findings of one, and why; docs/sources.md has each [key]\n";
  json.write(claims::as_json(outcomes), out);
  markdown.write(outcomes, out);
  if (picture.is_wanted()) picture.write(outcomes.front());
  return status_of(outcomes, err);
}

}  // namespace heddle
