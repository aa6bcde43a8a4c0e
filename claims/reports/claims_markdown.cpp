// SPDX-License-Identifier: Apache-2.0
#include "claims/reports/claims_markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "claims/reports/claims_table.hpp"
#include "claims/reports/markdown_links.hpp"
#include "show/document/markup.hpp"

namespace heddle::claims {

namespace {

std::string section_of(const Outcome& outcome) {
  const Claim& claim = *outcome.selected.claim;
  std::string text = fmt::format("\n## {}\n\n**{}: {}.** {}\n", claim.name,
                                 linked_citations(citation(*outcome.selected.source, claim), "../sources.md"),
                                 verdict_text(outcome), claim.statement);
  if (claim.figure) text += fmt::format("\n![{}]({})\n", claim.figure->shows, figure_file(claim));
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

std::string page_of(std::span<const Outcome> outcomes, const std::string& folder) {
  const Source& source = *outcomes.front().selected.source;
  std::string text = fmt::format(
      "# {}\n\nWhat {} claims, beside what runs of heddle show; [all sources, and what the verdicts mean](../{}.md).\n",
      source.title, linked_citations(fmt::format("[{}]", source.name), "../sources.md"), folder);
  if (!source.setting.empty()) text += fmt::format("\n{}\n", source.setting);
  for (const Outcome& outcome : outcomes) text += section_of(outcome);
  return text;
}

}  // namespace

std::vector<PageFile> source_pages(std::span<const Outcome> outcomes, const std::string& folder) {
  std::vector<PageFile> pages;
  for (const std::span<const Outcome> part : parts_by_source(outcomes))
    pages.push_back({source_page(folder, *part.front().selected.source), page_of(part, folder)});
  return pages;
}

std::vector<PageFile> pictures_of(std::span<const Outcome> outcomes, const std::string& folder) {
  std::vector<PageFile> files;
  for (const Outcome& outcome : outcomes)
    if (outcome.chart)
      files.push_back({fmt::format("{}/{}", folder, figure_file(*outcome.selected.claim)), chart_svg(*outcome.chart)});
  return files;
}

}  // namespace heddle::claims
