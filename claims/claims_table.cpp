// SPDX-License-Identifier: Apache-2.0
#include "claims/claims_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace heddle::claims {

namespace {

constexpr std::size_t kLineLength = 110;

/// Lines of at most kLineLength letters, more where a word is longer, each after `indent`.
std::string wrapped(std::string_view text, std::string_view indent) {
  std::string lines;
  std::string line;
  std::size_t length = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (length > 0 && length + 1 + letters(word) > kLineLength) {
      lines += fmt::format("{}{}\n", indent, line);
      line.clear();
      length = 0;
    }
    line += length > 0 ? fmt::format(" {}", word) : std::string(word);
    length += letters(word) + (length > 0 ? 1 : 0);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines + (line.empty() ? "" : fmt::format("{}{}\n", indent, line));
}

std::string source_line(const Source& source) { return fmt::format("{}: {}\n", source.name, source.title); }

using Json = nlohmann::ordered_json;

Json finite_or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

Json json_of(const Outcome& outcome) {
  const Claim& claim = *outcome.selected.claim;
  return {{"name", claim.name},
          {"source", outcome.selected.source->title},
          {"section", claim.section},
          {"citation", citation(*outcome.selected.source, claim)},
          {"statement", claim.statement},
          {"for_authors", claim.for_authors},
          {"full", claim.full},
          {"ran", outcome.selected.runs},
          {"verdict", outcome.has_verdict() ? Json(outcome.verdict()) : Json(nullptr)},
          {"error", outcome.error.empty() ? Json(nullptr) : Json(outcome.error)},
          {"findings", json_rows(findings_report(outcome.findings))}};
}

}  // namespace

std::string verdict_text(const Finding& finding) {
  const std::string verdict = to_string(finding.verdict);
  if (finding.verdict == Verdict::holds_otherwise) return fmt::format("{}: {}", verdict, finding.otherwise);
  if (finding.verdict != Verdict::holds_within) return verdict;
  if (!finding.within.empty()) return fmt::format("{} {}", verdict, finding.within);
  return finding.tolerance ? fmt::format("{} {:g} %", verdict, 100 * *finding.tolerance) : verdict;
}

std::string difference_text(const Finding& finding) {
  if (!finding.difference || !std::isfinite(*finding.difference)) return "";
  const double percent = 100 * *finding.difference;
  if (finding.verdict == Verdict::holds && std::abs(percent) < 0.005) return "0 %";
  return fmt::format("{:+.{}f} %", percent, std::abs(percent) < 0.1 ? 2 : 1);
}

Document findings_report(std::span<const Finding> findings) {
  Document document{.columns = {{"subject", {"of", "", Table::Align::left}},
                                {"printed", {"printed", "", Table::Align::left}},
                                {"measured", {"measured", "", Table::Align::left}},
                                {"difference", {"differs", ""}},
                                for_programs("tolerance"),
                                {"verdict", {"verdict", "", Table::Align::left}}},
                    .margins = {.titles = "  ", .rows = "  "}};
  for (const char* key : {"within", "why", "quote", "otherwise", "command"}) document.columns.push_back(for_programs(key));
  for (const Finding& finding : findings)
    document.rows.push_back({finding.subject,
                             finding.printed,
                             finding.measured,
                             {finite_or_null(finding.difference), difference_text(finding)},
                             {finite_or_null(finding.tolerance), ""},
                             {to_string(finding.verdict), verdict_text(finding)},
                             finding.within,
                             finding.why,
                             finding.quote,
                             finding.otherwise,
                             finding.command});
  return document;
}

std::string verdict_text(const Outcome& outcome) {
  if (!outcome.error.empty()) return "no verdict";
  return outcome.selected.runs ? outcome.verdict() : "not run";
}

std::vector<Reason> reasons_of(std::span<const Finding> findings) {
  std::vector<Reason> reasons;
  for (const Finding& finding : findings) {
    if (finding.why.empty()) continue;
    const auto is_same = [&](const Reason& known) { return known.why == finding.why && known.quote == finding.quote; };
    auto known = std::ranges::find_if(reasons, is_same);
    if (known == reasons.end()) known = reasons.insert(known, {.subjects = {}, .quote = finding.quote, .why = finding.why});
    known->subjects.push_back(finding.subject);
  }
  return reasons;
}

std::vector<std::string> commands_of(std::span<const Finding> findings) {
  std::vector<std::string> commands;
  for (const Finding& finding : findings)
    if (!finding.command.empty() && std::ranges::find(commands, finding.command) == commands.end())
      commands.push_back(finding.command);
  return commands;
}

std::array<std::size_t, kVerdicts> counts_of(std::span<const Outcome> outcomes) {
  std::array<std::size_t, kVerdicts> counts{};
  for (const Outcome& outcome : outcomes)
    for (const Finding& finding : outcome.findings) ++counts[static_cast<std::size_t>(finding.verdict)];
  return counts;
}

std::string sum_line(std::span<const Outcome> outcomes) {
  std::size_t findings = 0;
  std::size_t failed = 0;
  std::size_t not_run = 0;
  for (const Outcome& outcome : outcomes) {
    if (!outcome.error.empty()) ++failed;
    if (!outcome.selected.runs) ++not_run;
    findings += outcome.findings.size();
  }
  const std::array<std::size_t, kVerdicts> counts = counts_of(outcomes);
  std::string text = fmt::format("{} claims, {} rows", outcomes.size() - not_run, findings);
  for (std::size_t v = 0; v < counts.size(); ++v)
    if (counts[v] > 0) text += fmt::format("{} {} {}", v == 0 ? ":" : ";", counts[v], to_string(static_cast<Verdict>(v)));
  if (failed > 0) text += fmt::format("; {} failed", failed);
  if (not_run > 0) text += fmt::format("; {} on 4,096 ranks and more not run (--full)", not_run);
  return text;
}

std::string list_text(std::span<const Selected> selected) {
  std::string text;
  const Source* source = nullptr;
  for (const Selected& it : selected) {
    if (it.source != source) text += (source == nullptr ? "" : "\n") + source_line(*it.source);
    source = it.source;
    text += fmt::format("\n  {}  ({}){}{}\n", it.claim->name, citation(*it.source, *it.claim),
                        it.claim->figure ? "  --plot" : "", it.claim->full ? "  with --full only" : "");
    text += wrapped(it.claim->statement, "    ");
  }
  return text;
}

OverviewTable::OverviewTable(std::span<const Selected> selected) {
  for (const Selected& it : selected) {
    name_width_ = std::max(name_width_, it.claim->name.size());
    citation_width_ = std::max(citation_width_, letters(citation(*it.source, *it.claim)));
  }
}

std::string OverviewTable::lines_of(const Outcome& outcome) {
  const Selected& it = outcome.selected;
  std::string text;
  if (it.source != source_) text += (source_ == nullptr ? "" : "\n") + source_line(*it.source);
  source_ = it.source;
  Table line({{"", "", Table::Align::left, name_width_},
              {"", "", Table::Align::right, 3},
              {"", "", Table::Align::left, citation_width_},
              {"", "", Table::Align::left}});
  const std::string findings = it.runs ? fmt::to_string(outcome.findings.size()) : "";
  const std::array<std::string, 4> cells = {it.claim->name, findings, citation(*it.source, *it.claim), verdict_text(outcome)};
  text += fmt::format("  {}\n", line.row(cells));
  if (!outcome.error.empty()) text += wrapped(outcome.error, "      ");
  return text;
}

std::string full_text(const Outcome& outcome) {
  const Claim& claim = *outcome.selected.claim;
  std::string text = fmt::format("{}  ({}, {}): {}\n\n", claim.name, outcome.selected.source->title,
                                 citation(*outcome.selected.source, claim), verdict_text(outcome));
  text += wrapped(claim.statement, "  ");
  if (!outcome.selected.runs) return text + "\n  On 4,096 ranks or more: runs with --full, or called by its whole name.\n";
  if (!outcome.findings.empty()) text += "\n" + table_text(findings_report(outcome.findings));
  if (!outcome.error.empty()) text += "\n" + wrapped(outcome.error, "  ");
  for (const Reason& reason : reasons_of(outcome.findings)) {
    text += fmt::format("\n{}", wrapped(fmt::format("{}:", fmt::join(reason.subjects, "; ")), "  "));
    if (!reason.quote.empty()) text += wrapped(fmt::format("The source: \"{}\"", reason.quote), "    ");
    text += wrapped(reason.why, "    ");
  }
  const std::vector<std::string> commands = commands_of(outcome.findings);
  if (!commands.empty()) text += fmt::format("\n  {}\n", fmt::join(commands, "\n  "));
  return text;
}

Document claims_report(std::span<const Outcome> outcomes) {
  Json claims = Json::array();
  for (const Outcome& outcome : outcomes) claims.push_back(json_of(outcome));
  return {.facts = {{"claims", std::move(claims)}}, .rows_name = ""};
}

}  // namespace heddle::claims
