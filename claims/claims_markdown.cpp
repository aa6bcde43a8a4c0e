// SPDX-License-Identifier: Apache-2.0
#include "claims/claims_markdown.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "claims/claims_table.hpp"
#include "show/text/citations.hpp"

namespace heddle::claims {

namespace {

constexpr std::string_view kIntroduction =
    "# Claims\n"
    "\n"
    "What the sources of the algorithms claim, beside what runs of heddle show. `heddle claims --full --markdown "
    "docs/claims.md`\n"
    "writes this page. Facts are the sources', times are heddle's own, each of a run whose result was checked. Nothing is "
    "tuned to\n"
    "fit; where a run differs from a claim, the reason stands below it with numbers. What each number means is in\n"
    "[model.md](model.md), what each source is in [sources.md](sources.md).\n"
    "\n"
    "*holds*: to the digits that are printed, or in the order that is claimed. *holds within*: so near. *does not hold*: see "
    "why.\n";

/// A table's cell.
std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

std::string findings_in_markdown(std::span<const Finding> findings) {
  std::string text = "| of | printed | measured | differs | verdict |\n|---|---|---|---|---|\n";
  for (const Finding& finding : findings)
    text += fmt::format("| {} | {} | {} | {} | {} |\n", cell(finding.subject), cell(finding.printed), cell(finding.measured),
                        difference_text(finding), verdict_text(finding));
  return text;
}

std::string section_of(const Outcome& outcome) {
  const Claim& claim = *outcome.selected.claim;
  std::string text =
      fmt::format("\n### {}\n\n**{}: {}.** {}\n", claim.name, linked_citations(citation(*outcome.selected.source, claim)),
                  verdict_text(outcome), claim.statement);
  if (!outcome.selected.runs) return text + "\nOn 4,096 ranks and more: `heddle claims --full`.\n";
  if (!outcome.findings.empty()) text += "\n" + findings_in_markdown(outcome.findings);
  if (!outcome.error.empty()) text += fmt::format("\n{}\n", outcome.error);
  const std::vector<Reason> reasons = reasons_of(outcome.findings);
  for (const Reason& reason : reasons) {
    const bool is_of_all = reasons.size() == 1 && reason.subjects.size() == outcome.findings.size();
    text += is_of_all ? fmt::format("\n{}\n", reason.why)
                      : fmt::format("\n*{}*: {}\n", fmt::join(reason.subjects, "; "), reason.why);
  }
  const std::vector<std::string> commands = commands_of(outcome.findings);
  if (!commands.empty()) text += fmt::format("\n```sh\n{}\n```\n", fmt::join(commands, "\n"));
  return text;
}

/// How many claims of each source hold.
std::string summary_of(std::span<const Outcome> outcomes) {
  std::string text = "\n| source | claims | hold | hold within | do not hold | findings |\n|---|---|---|---|---|---|\n";
  for (auto begin = outcomes.begin(); begin != outcomes.end();) {
    const Source* source = begin->selected.source;
    const auto end = std::find_if(begin, outcomes.end(), [&](const Outcome& it) { return it.selected.source != source; });
    std::size_t findings = 0;
    const auto count = [&](Verdict verdict) {
      return std::count_if(begin, end, [&](const Outcome& it) { return it.has_verdict() && it.verdict() == verdict; });
    };
    std::for_each(begin, end, [&](const Outcome& it) { findings += it.findings.size(); });
    text += fmt::format("| {} {} | {} | {} | {} | {} | {} |\n", cell(source->title),
                        linked_citations(fmt::format("[{}]", source->name)), end - begin, count(Verdict::holds),
                        count(Verdict::holds_within), count(Verdict::does_not_hold), findings);
    begin = end;
  }
  return text;
}

}  // namespace

std::string markdown_page(std::span<const Outcome> outcomes) {
  std::string text = std::string(kIntroduction) + summary_of(outcomes);
  const Source* source = nullptr;
  for (const Outcome& outcome : outcomes) {
    if (outcome.selected.source != source) {
      source = outcome.selected.source;
      text += fmt::format("\n## {}\n", source->title);
      if (!source->setting.empty()) text += fmt::format("\n{}\n", source->setting);
    }
    text += section_of(outcome);
  }
  return text;
}

}  // namespace heddle::claims
