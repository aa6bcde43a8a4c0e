// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

#include "claims/findings_for_authors.hpp"
#include "claims/reports/claims_markdown.hpp"
#include "claims/reports/claims_table.hpp"
#include "claims/reports/markdown_links.hpp"
#include "show/document/markup.hpp"

namespace heddle::claims {

namespace {

constexpr std::string_view kIntroduction =
    "# Claims\n"
    "\n"
    "What the sources of the algorithms claim, beside what runs of heddle show. `heddle claims --full --markdown "
    "docs/claims.md`\n"
    "writes this page, those of the sources and their pictures; `heddle claims NAME` shows one claim, `--plot FILE.svg` draws "
    "it.\n"
    "Facts are the sources', times are heddle's own, each of a run whose result was checked. Nothing is tuned to fit. What "
    "each\n"
    "number means is in [model.md](model.md), what each source is in [sources.md](sources.md).\n"
    "\n"
    "| verdict | meaning |\n"
    "|---|---|\n"
    "| *holds* | to the digits that are printed, or in the order that is claimed |\n"
    "| *holds within* | so near |\n"
    "| *holds under other assumptions* | not as it is stated; both figures and the assumptions are given |\n"
    "| *definition, not tested* | nothing that a run could refute |\n"
    "| *not tested* | and why not |\n"
    "| *does not hold: the source contradicts itself* | two of its statements cannot both be true; it is quoted |\n"
    "| *does not hold: a run shows otherwise* | a finding: what the source says, and the command that shows otherwise |\n"
    "\n"
    "A claim has a row for each value, order or property that it states, and is summed up by how many of them hold.\n";

/// How many rows have each verdict, of each source and in all.
std::string totals_of(std::span<const Outcome> outcomes) {
  std::string text = "\n## Rows by verdict\n\n| source | claims | rows |";
  std::string line = "\n|---|---|---|";
  for (int v = 0; v < kVerdicts; ++v) {
    text += fmt::format(" {} |", to_string(static_cast<Verdict>(v)));
    line += "---|";
  }
  text += line + '\n';
  const auto add = [&](const std::string& name, std::span<const Outcome> part) {
    const auto counts = counts_of(part);
    text += fmt::format("| {} | {} | {} |", name, part.size(), std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
    for (const std::size_t count : counts) text += fmt::format(" {} |", count);
    text += '\n';
  };
  const auto parts = parts_by_source(outcomes);
  for (const std::span<const Outcome> part : parts) {
    const Source& source = *part.front().selected.source;
    add(fmt::format("{} {}", cell(source.title), linked_citations(fmt::format("[{}]", source.name))), part);
  }
  if (parts.size() > 1) add("all", outcomes);
  return text;
}

/// One finding: the reason, the source's words, the rows that differ, the commands that repeat them.
std::string finding_of(const Outcome& outcome, const std::string& folder) {
  constexpr std::size_t kMostRows = 6;
  constexpr std::size_t kMostCommands = 2;
  const Selected& it = outcome.selected;
  const std::size_t end_of_title = it.claim->for_authors.find('\n');
  std::vector<Finding> differing;
  std::ranges::copy_if(outcome.findings, std::back_inserter(differing),
                       [](const Finding& finding) { return finding.verdict == Verdict::run_differs; });
  std::string text = fmt::format("\n### {}\n\n{}, {}: {}\n", it.claim->for_authors.substr(0, end_of_title),
                                 link_to(folder, *it.source, *it.claim), linked_citations(citation(*it.source, *it.claim)),
                                 it.claim->statement);
  std::set<std::string> quoted;
  for (const Finding& finding : differing)
    if (quoted.insert(finding.quote).second) text += fmt::format("\n> {}\n", finding.quote);
  text += fmt::format("\n{}\n", it.claim->for_authors.substr(end_of_title + 1));
  const bool is_long = differing.size() > kMostRows;
  std::vector<std::string> commands = commands_of(differing);
  if (is_long) differing.resize(kMostRows);
  if (!differing.empty()) text += "\n" + findings_in_markdown(differing);
  if (commands.empty() || is_long || commands.size() > kMostCommands) commands = {"heddle claims " + it.claim->name};
  return text + fmt::format("\n```sh\n{}\n```\n", fmt::join(commands, "\n"));
}

/// In the order of findings_for_authors().
std::string findings_of(std::span<const Outcome> outcomes, const std::string& folder) {
  const auto place = [](const Outcome* outcome) {
    const auto findings = findings_for_authors();
    return std::ranges::find(findings, outcome->selected.claim->name, &FindingForAuthors::claim) - findings.begin();
  };
  std::vector<const Outcome*> shown;
  for (const Outcome& outcome : outcomes)
    if (outcome.selected.runs && !outcome.selected.claim->for_authors.empty()) shown.push_back(&outcome);
  std::ranges::stable_sort(shown, {}, place);
  std::string text = shown.empty() ? "" : "\n## Findings for authors\n";
  for (const Outcome* outcome : shown) text += finding_of(*outcome, folder);
  return text;
}

std::string list_of(std::span<const Outcome> part, const std::string& folder) {
  const Source& source = *part.front().selected.source;
  std::string text = fmt::format("\n## {}\n\n[Settings, figures and rows]({}).\n\n| claim | where | verdict |\n|---|---|---|\n",
                                 source.title, source_page(folder, source));
  for (const Outcome& outcome : part)
    text += fmt::format("| {} | {} | {} |\n", link_to(folder, source, *outcome.selected.claim),
                        cell(linked_citations(citation(source, *outcome.selected.claim))), cell(verdict_text(outcome)));
  return text;
}

}  // namespace

std::string first_page(std::span<const Outcome> outcomes, const std::string& folder) {
  std::string text = std::string(kIntroduction) + totals_of(outcomes) + findings_of(outcomes, folder);
  for (const std::span<const Outcome> part : parts_by_source(outcomes)) text += list_of(part, folder);
  return text;
}

}  // namespace heddle::claims
