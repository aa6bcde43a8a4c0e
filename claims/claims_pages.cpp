// SPDX-License-Identifier: Apache-2.0
#include "claims/claims_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <ostream>
#include <set>

#include "heddle/errors.hpp"
#include "show/document/markup.hpp"

namespace heddle::claims {

namespace {

/// "claims/swing.md"
std::string source_page(const std::string& folder, const Source& source) {
  return fmt::format("{}/{}.md", folder, source.name);
}

/// "[swing/figure-6](claims/swing.md#swingfigure-6)", as the first page has it.
std::string link_to(const std::string& folder, const Source& source, const Claim& claim) {
  std::string anchor = claim.name;  // as GitHub makes it of a heading
  std::erase_if(anchor, [](char c) { return c == '/' || c == '.'; });
  return fmt::format("[{}]({}#{})", claim.name, source_page(folder, source), anchor);
}

/// Outcomes that follow each other and are of one source.
std::vector<std::span<const Outcome>> parts_by_source(std::span<const Outcome> outcomes) {
  std::vector<std::span<const Outcome>> parts;
  while (!outcomes.empty()) {
    const Source* source = outcomes.front().selected.source;
    const auto end = std::ranges::find_if(outcomes, [&](const Outcome& it) { return it.selected.source != source; });
    const auto length = static_cast<std::size_t>(end - outcomes.begin());
    parts.push_back(outcomes.first(length));
    outcomes = outcomes.subspan(length);
  }
  return parts;
}

// ---- the first page ----

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
    add(fmt::format("{} {}", markdown_cell(source.title), linked_citations(fmt::format("[{}]", source.name))), part);
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
  if (!differing.empty()) text += "\n" + markdown_text(findings_report(differing));
  if (commands.empty() || is_long || commands.size() > kMostCommands) commands = {"heddle claims " + it.claim->name};
  return text + fmt::format("\n```sh\n{}\n```\n", fmt::join(commands, "\n"));
}

std::string findings_of(std::span<const Outcome> outcomes, const std::string& folder) {
  std::vector<const Outcome*> shown;
  for (const Outcome& outcome : outcomes)
    if (outcome.selected.runs && !outcome.selected.claim->for_authors.empty()) shown.push_back(&outcome);
  std::ranges::stable_sort(shown, {}, [](const Outcome* outcome) { return outcome->selected.claim->place_for_authors; });
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
                        markdown_cell(linked_citations(citation(source, *outcome.selected.claim))),
                        markdown_cell(verdict_text(outcome)));
  return text;
}

/// What the verdicts mean, how many rows have each, what authors would want to know, then each source's claims with their verdicts,
/// which link to the source's page in `folder`.
std::string first_page(std::span<const Outcome> outcomes, const std::string& folder) {
  std::string text = std::string(kIntroduction) + totals_of(outcomes) + findings_of(outcomes, folder);
  for (const std::span<const Outcome> part : parts_by_source(outcomes)) text += list_of(part, folder);
  return text;
}

// ---- the sources' pages ----

std::string section_of(const Outcome& outcome) {
  const Claim& claim = *outcome.selected.claim;
  std::string text = fmt::format("\n## {}\n\n**{}: {}.** {}\n", claim.name,
                                 linked_citations(citation(*outcome.selected.source, claim), "../sources.md"),
                                 verdict_text(outcome), claim.statement);
  if (claim.figure) text += fmt::format("\n![{}]({})\n", claim.figure->shows, figure_file(claim));
  if (!outcome.selected.runs) return text + "\nOn 4,096 ranks and more: `heddle claims --full`.\n";
  if (!outcome.findings.empty()) text += "\n" + markdown_text(findings_report(outcome.findings));
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

std::string page_of(std::span<const Outcome> outcomes, const std::string& folder) {
  const Source& source = *outcomes.front().selected.source;
  std::string text = fmt::format(
      "# {}\n\nWhat {} claims, beside what runs of heddle show; [all sources, and what the verdicts mean](../{}.md).\n",
      source.title, linked_citations(fmt::format("[{}]", source.name), "../sources.md"), folder);
  if (!source.setting.empty()) text += fmt::format("\n{}\n", source.setting);
  for (const Outcome& outcome : outcomes) text += section_of(outcome);
  return text;
}

struct PageFile {
  std::string path;  ///< beside the first page: "claims/swing.md"
  std::string content;
};

/// A page for each source: its setting and its claims, each under a heading of its name with figure, findings, reasons and
/// commands. Claims that did not run are listed.
std::vector<PageFile> source_pages(std::span<const Outcome> outcomes, const std::string& folder) {
  std::vector<PageFile> pages;
  for (const std::span<const Outcome> part : parts_by_source(outcomes))
    pages.push_back({source_page(folder, *part.front().selected.source), page_of(part, folder)});
  return pages;
}

/// Of those that were drawn.
std::vector<PageFile> pictures_of(std::span<const Outcome> outcomes, const std::string& folder) {
  std::vector<PageFile> files;
  for (const Outcome& outcome : outcomes)
    if (outcome.chart)
      files.push_back({fmt::format("{}/{}", folder, figure_file(*outcome.selected.claim)), chart_svg(*outcome.chart)});
  return files;
}

}  // namespace

ClaimsPages::ClaimsPages(const std::optional<std::string>& path, std::span<const Selected> selected) {
  if (!path) return;
  is_standard_output_ = path == "-";
  if (is_standard_output_) return;
  first_.emplace(*path);
  if (first_->is_stream()) return;
  const std::filesystem::path page(*path);
  if (!page.has_extension())
    throw InputError(fmt::format("--markdown '{0}': give the page an ending, '{0}.md': its other pages lie in '{0}'", *path));
  folder_ = page.stem().string();
  const std::string name = page.filename().string();
  beside_ = path->substr(0, path->size() - name.size());
  std::error_code error;
  std::filesystem::create_directories(beside_ + folder_, error);
  if (error) throw InputError(fmt::format("--markdown: '{}{}': no folder can be made: {}", beside_, folder_, error.message()));
  for (const Selected& it : selected) OutputFile(fmt::format("{}{}/{}.md", beside_, folder_, it.source->name));
}

void ClaimsPages::write(std::span<const Outcome> outcomes, std::ostream& out) const {
  if (!is_standard_output_ && !first_) return;
  const std::string first = first_page(outcomes, folder_);
  const std::vector<PageFile> others = source_pages(outcomes, folder_);
  if (has_pictures()) {
    for (const PageFile& page : others) OutputFile(beside_ + page.path).write(page.content);
    for (const PageFile& picture : pictures_of(outcomes, folder_)) OutputFile(beside_ + picture.path).write(picture.content);
    first_->write(first);
    return;
  }
  std::string all = first;
  for (const PageFile& page : others) all += '\n' + page.content;
  if (is_standard_output_) out << all;
  if (first_) first_->write(all);
}

}  // namespace heddle::claims
