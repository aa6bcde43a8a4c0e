// SPDX-License-Identifier: Apache-2.0
#include "claims/reports/markdown_links.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "claims/reports/claims_table.hpp"

namespace heddle::claims {

std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

std::string source_page(const std::string& folder, const Source& source) {
  return fmt::format("{}/{}.md", folder, source.name);
}

std::string link_to(const std::string& folder, const Source& source, const Claim& claim) {
  std::string anchor = claim.name;  // as GitHub makes it of a heading
  std::erase_if(anchor, [](char c) { return c == '/' || c == '.'; });
  return fmt::format("[{}]({}#{})", claim.name, source_page(folder, source), anchor);
}

std::string findings_in_markdown(std::span<const Finding> findings) {
  std::string text = "| of | printed | measured | differs | verdict |\n|---|---|---|---|---|\n";
  for (const Finding& finding : findings)
    text += fmt::format("| {} | {} | {} | {} | {} |\n", cell(finding.subject), cell(finding.printed), cell(finding.measured),
                        difference_text(finding), cell(verdict_text(finding)));
  return text;
}

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

}  // namespace heddle::claims
