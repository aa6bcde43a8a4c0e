// SPDX-License-Identifier: Apache-2.0
#include "fuzz/reports/fuzz_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <string_view>

#include "fuzz/reports/coverage_table.hpp"
#include "fuzz/reports/pasted_test.hpp"
#include "lab/describe/flag_value.hpp"

namespace heddle {

namespace {

/// Of lines, the first of which has one.
std::string with_comment_marks(std::string_view lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += lines[i];
    if (lines[i] == '\n' && i + 1 < lines.size()) text += "# ";
  }
  return text;
}

std::string cases_text(std::int64_t cases) { return fmt::format("{} {}", cases, cases == 1 ? "case" : "cases"); }

/// Of cases as they were drawn.
std::string failed_text(const FuzzOutcome& outcome) {
  std::int64_t all = 0;
  std::string kinds;
  for (const auto& [kind, cases] : outcome.failed) {
    all += cases;
    kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", cases, to_string(kind));
  }
  return fmt::format("{} failed as drawn: {}\n", cases_text(all), kinds);
}

std::string slow_text(const FuzzOutcome& outcome, const FindingTexts& texts) {
  if (outcome.slow == 0) return "";
  std::string text =
      fmt::format("# {} given up as slow, neither right nor wrong; the first of each row:\n", cases_text(outcome.slow));
  for (const SlowCase& one : outcome.first_slow)
    text += fmt::format("#   {} {}: {}\n#   repeat: {} {}\n", to_string(one.what.collective), one.what.algorithm, one.words,
                        texts.watched, shell_word(one.what.text()));
  return text;
}

}  // namespace

std::string findings_text(const FuzzOutcome& outcome, const FindingTexts& texts) {
  std::string text;
  for (const FuzzFinding& finding : outcome.findings)
    text += fmt::format("heddle: {}  as a test:\n\n{}\n", to_text(finding, outcome.seed, texts.command(finding)),
                        pasted_test(finding, texts.source, texts.style));
  return text;
}

std::string summary_text(const FuzzOutcome& outcome, bool by_row, bool was_interrupted, const FindingTexts& texts) {
  const FuzzCoverage& coverage = outcome.coverage;
  std::string text = coverage_table(coverage, by_row);
  text += fmt::format("# {} rows of {}, {} different numbers of ranks\n", coverage.rows_covered(), coverage.rows().size(),
                      coverage.ranks().size());
  text += fmt::format("# {} cases in {:.1f} s, {:.0f} a second\n", coverage.cases(), outcome.seconds,
                      outcome.seconds > 0 ? static_cast<double>(coverage.cases()) / outcome.seconds : 0);
  if (!outcome.left_out.empty())
    text += fmt::format("# left out, as they serve nothing of what is given: {}\n", fmt::join(outcome.left_out, ", "));
  if (!outcome.faults.empty()) text += "# " + with_comment_marks(outcome.faults.table());
  if (outcome.saved_right > 0) text += fmt::format("# {} saved cases right\n", outcome.saved_right);
  text += slow_text(outcome, texts);
  if (!outcome.failed.empty()) text += "# " + failed_text(outcome);
  if (outcome.passed())
    text += fmt::format("# {}{} cases right{}\n", was_interrupted ? "interrupted: until then " : "",
                        coverage.cases() - outcome.slow, outcome.faults.empty() ? "" : ", or ended by what was done to them");
  else
    text += fmt::format("# {}{} {}\n", was_interrupted ? "interrupted: until then " : "", outcome.findings.size(),
                        outcome.findings.size() == 1 ? "finding" : "findings");
  return text;
}

}  // namespace heddle
