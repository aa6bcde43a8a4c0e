// SPDX-License-Identifier: Apache-2.0
#include "claims/claims_markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

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
    "| verdict | meaning |\n"
    "|---|---|\n"
    "| *holds* | to the digits that are printed, or in the order that is claimed |\n"
    "| *holds within* | so near |\n"
    "| *holds under other assumptions* | not as it is stated; both figures and the assumptions are given |\n"
    "| *does not hold: the source contradicts itself* | two of its statements cannot both be true; both are quoted |\n"
    "| *does not hold: a run shows otherwise* | a finding: what the source says, and the command that shows otherwise |\n"
    "| *not tested* | and why not |\n"
    "| *definition, not tested* | nothing that a run could refute |\n";

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
    const std::string quote = reason.quote.empty() ? "" : fmt::format("The source: “{}” ", reason.quote);
    text += is_of_all ? fmt::format("\n{}{}\n", quote, reason.why)
                      : fmt::format("\n*{}*: {}{}\n", fmt::join(reason.subjects, "; "), quote, reason.why);
  }
  const std::vector<std::string> commands = commands_of(outcome.findings);
  if (!commands.empty()) text += fmt::format("\n```sh\n{}\n```\n", fmt::join(commands, "\n"));
  return text;
}

/// How many rows of each source have each verdict.
std::string summary_of(std::span<const Outcome> outcomes) {
  std::string titles = "\n| source | claims | rows |";
  std::string line = "\n|---|---|---|";
  for (int v = 0; v < kVerdicts; ++v) {
    titles += fmt::format(" {} |", to_string(static_cast<Verdict>(v)));
    line += "---|";
  }
  std::string text = titles + line + '\n';
  for (auto begin = outcomes.begin(); begin != outcomes.end();) {
    const Source* source = begin->selected.source;
    const auto end = std::find_if(begin, outcomes.end(), [&](const Outcome& it) { return it.selected.source != source; });
    const auto counts = counts_of({begin, end});
    text += fmt::format("| {} {} | {} | {} |", cell(source->title), linked_citations(fmt::format("[{}]", source->name)),
                        end - begin, std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
    for (const std::size_t count : counts) text += fmt::format(" {} |", count);
    text += '\n';
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
