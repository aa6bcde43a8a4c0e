// SPDX-License-Identifier: Apache-2.0
// Claims that are run, and what came of them: for a terminal, as JSON, and as the pages of docs/claims.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "claims/claim.hpp"
#include "show/document/document.hpp"

namespace heddle::claims {

// Claims that are asked for, and what came of each.

/// One of the claims that a command is about.
struct Selected {
  const Source* source;
  const Claim* claim;
  bool runs = true;  ///< false: only listed
};

/// What came of it: findings, or why there are none.
struct Outcome {
  Selected selected;
  std::vector<Finding> findings = {};  ///< those before an error stay
  std::string error = {};  ///< its check threw, found nothing, leaves a verdict without its reason, or cannot be drawn
  std::optional<pictures::Chart> chart = {};  ///< if asked for, of a claim with a figure

  bool has_verdict() const { return selected.runs && error.empty(); }
  /// "holds"; of findings that differ, how many hold and what the others do: "5 of 6 hold; 1 does not hold: a run shows
  /// otherwise". Only if has_verdict().
  std::string verdict() const;
  int count(Verdict verdict) const;
};

/// The claims that are called so: all of a name that has them ("traeff/theorem-1"), else all whose names begin so ("traeff",
/// "swing/fig"); of no names, all. In the order of the sources, each once. Those on 4,096 ranks and more run if `full` or if
/// called by their whole name. Throws InputError that names the nearest for what no claim is called.
std::vector<Selected> select_claims(std::span<const Source> sources, std::span<const std::string> names, bool full);

/// Gets each outcome when it and all before it are there; calls do not overlap.
using OutcomeObserver = std::function<void(const Outcome&)>;

/// Called whenever a claim begins or ends, with how many have ended; calls do not overlap.
using ClaimProgress = std::function<void(std::size_t ended, const Claim& latest)>;

enum class Figures : std::uint8_t { left_out, drawn };

/// Runs them on all cores: those of fewer than 4,096 ranks side by side, then the others one after the other, each on all cores
/// by itself. Outcomes in the order of `selected`, whatever the number of cores. A check that throws ends its claim only.
/// Figures, which need runs of their own, are drawn on request.
std::vector<Outcome> run_claims(std::span<const Selected> selected, Lab& lab, Figures figures = Figures::left_out,
                                const OutcomeObserver& observe = {}, const ClaimProgress& progress = {});

// What came of them, for a terminal and as JSON.

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
