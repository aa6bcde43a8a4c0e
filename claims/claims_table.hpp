// SPDX-License-Identifier: Apache-2.0
// Claims and what came of them, for a terminal and as JSON.
#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "claims/claim_outcome.hpp"
#include "show/document/document.hpp"

namespace heddle::claims {

/// "holds", "holds within 5 %", "holds under other assumptions: 8.83 us with host links".
std::string verdict_text(const Finding& finding);
/// "+0.5 %"; "0 %" for none; empty where nothing can be subtracted.
std::string difference_text(const Finding& finding);
/// A row for each finding, for people and as JSON.
Document findings_report(std::span<const Finding> findings);
/// What all of a claim's findings come to, or "no verdict".
std::string verdict_text(const Outcome& outcome);

/// The reasons that findings give, each once, below the subjects that it is for.
struct Reason {
  std::vector<std::string> subjects;
  std::string quote;  ///< the source's words; empty: none are contradicted
  std::string why;
};
std::vector<Reason> reasons_of(std::span<const Finding> findings);
/// The commands that repeat the findings, each once.
std::vector<std::string> commands_of(std::span<const Finding> findings);

/// How many findings have each verdict, by its number.
std::array<std::size_t, kVerdicts> counts_of(std::span<const Outcome> outcomes);
/// "25 claims, 104 rows: 90 holds; 13 holds within; 1 does not hold: a run shows otherwise".
std::string sum_line(std::span<const Outcome> outcomes);

/// Names, sections and statements; ends with a line feed.
std::string list_text(std::span<const Selected> selected);

/// One line for each claim, below a line for each source. Lines come as outcomes do.
class OverviewTable {
 public:
  explicit OverviewTable(std::span<const Selected> selected);
  /// Ends with a line feed.
  std::string lines_of(const Outcome& outcome);

 private:
  std::size_t name_width_ = 0;
  std::size_t citation_width_ = 0;
  const Source* source_ = nullptr;  ///< of the last line
};

/// Statement, table of findings, reasons and commands of one claim; ends with a line feed.
std::string full_text(const Outcome& outcome);

/// JSON alone: `claims` in order, each with `name`, `source`, `section`, `citation`, `statement`, `full`, `ran`,
/// `verdict` and `error` (null where there is none), and `findings`: `subject`, `printed`, `measured`, `difference` and
/// `tolerance` (relative, or null), `verdict`, `within` (the tolerance in words where it is no number), `why`, `command`.
/// Verdicts are "holds", "holds within", "does not hold".
Document claims_report(std::span<const Outcome> outcomes);

// docs/claims.md and the pages and pictures in docs/claims/: the first where it is asked for, the others in a folder beside it.

class ClaimsPages {
 public:
  /// Makes the folder, "docs/claims" for "docs/claims.md". "-", a pipe and the like take all pages one after another, without
  /// pictures. Throws InputError where something cannot be written, or for a name without an ending.
  ClaimsPages(const std::optional<std::string>& path, std::span<const Selected> selected);

  bool is_standard_output() const { return is_standard_output_; }
  bool has_pictures() const { return first_ && !first_->is_stream(); }

  void write(std::span<const Outcome> outcomes, std::ostream& out) const;

 private:
  bool is_standard_output_ = false;
  std::string beside_;             ///< what stands before a file's path beside the first page: "docs/"
  std::string folder_ = "claims";  ///< as the pages name it
  std::optional<OutputFile> first_;
};

}  // namespace heddle::claims
