// SPDX-License-Identifier: Apache-2.0
// A page: one HTML file with all that it shows in it, which needs no network. Its scripts (show/page/web) draw what the data says.
#pragma once

#include <iosfwd>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/describe/equal_runs.hpp"
#include "lab/sweep/sweep_document.hpp"
#include "show/document/document.hpp"
#include "show/document/output_file.hpp"
#include "show/document/reporter.hpp"
#include "show/drawing/drawing.hpp"
#include "show/reports/run_table.hpp"

namespace heddle::pages {

/// `data` has `kind` ("run", "sweep", "claims" or "findings"), which says what the rest of it is, and `title`. Text in it may be
/// anything: it is escaped, and bytes that are not UTF-8 are replaced. A stream that fails is left failed.
void write_page(const nlohmann::ordered_json& data, std::ostream& out);
std::string page_text(const nlohmann::ordered_json& data);

/// A document's page: `kind` "claims" or "findings"; `command` makes it once more.
std::string page_of(const Document& document, std::string_view kind, std::string_view title, const std::string& command);

/// A sweep as a page: its table and its curves. Of each row the best of its variants.
std::string sweep_page(const SweepDocument& document);

// `heddle run --html`: one page of all algorithms of a run.

/// Written at the end, with whatever has run until then. Of outcomes with a sample (Setup::keep_sample) it shows loads over time,
/// messages, the critical path and the steps of the algorithm; a page has room for so much, which its algorithms share.
class RunPageReporter final : public Reporter {
 public:
  /// `command` repeats the run.
  RunPageReporter(std::unique_ptr<OutputFile> file, std::string command)
      : file_(std::move(file)), command_(std::move(command)) {}
  /// `out` outlives this.
  RunPageReporter(std::ostream& out, std::string command) : out_(&out), command_(std::move(command)) {}

  void begin(const Setup& setup) override;
  void add(const Outcome& outcome) override;
  void end(const Setup& setup) override;

 private:
  void add_sample(const Outcome& outcome, nlohmann::ordered_json& run) const;
  nlohmann::ordered_json steps(const Setup& setup, const Algorithm& algorithm);

  std::unique_ptr<OutputFile> file_;
  std::ostream* out_ = nullptr;  ///< in place of the file
  std::string command_;
  nlohmann::ordered_json data_;
  std::optional<pictures::Drawing> drawing_;
  std::vector<LinkId> links_;  ///< of the drawing
  std::map<const Setup*, EquivalentRuns> equivalents_;
  TimesToFirstModel to_first_model_;
  std::size_t room_for_steps_ = 0;  ///< bytes that are left
};

}  // namespace heddle::pages
