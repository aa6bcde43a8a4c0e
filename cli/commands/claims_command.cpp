// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/claims_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "claims/claim_outcome.hpp"
#include "claims/claims_json.hpp"
#include "claims/claims_markdown.hpp"
#include "claims/claims_table.hpp"
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
  if (options.json && options.markdown && options.json != "-")
    require_apart({{"--json", *options.json}, {"--markdown", *options.markdown}});
  const Destination json(options.json);
  const Destination markdown(options.markdown);
  if (json.is_standard_output() && markdown.is_standard_output())
    throw InputError("--json - and --markdown -: standard output takes one of them; give the other a file");
  if (options.list) {
    if (json.is_wanted() || markdown.is_wanted()) throw InputError("--list runs nothing: leave out --json and --markdown");
    out << claims::list_text(selected);
    return kExitOk;
  }
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
      selected, lab, print, [&](std::size_t ended, const claims::Claim& latest) { progress.show(ended, latest.name); });
  progress.clear();
  if (has_table && (is_overview || outcomes.size() > 1)) out << fmt::format("\n# {}\n", claims::sum_line(outcomes));
  if (has_table && is_overview)
    out << "# heddle claims NAME shows the findings of one, and why; docs/sources.md has each [key]\n";
  json.write(claims::as_json(outcomes), out);
  markdown.write(claims::markdown_page(outcomes), out);
  return status_of(outcomes, err);
}

}  // namespace heddle
