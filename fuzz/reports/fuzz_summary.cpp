// SPDX-License-Identifier: Apache-2.0
#include "fuzz/reports/fuzz_reports.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <utility>

#include "core/printable.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/documents/failure_facts.hpp"
#include "show/document/document.hpp"

namespace heddle {

namespace {

std::string total_text(const FuzzCoverage::CountByKind& cases) {
  return std::to_string(std::accumulate(cases.begin(), cases.end(), std::int64_t{0}));
}

/// For each collective how many of its rows were run on each kind of rank count; with `by_row`, a line for each row with its cases.
Document coverage_of(const FuzzCoverage& coverage, bool by_row) {
  Document document{.columns = {for_people({by_row ? "row" : "rows run on p of", "", Table::Align::left}),
                                for_people({by_row ? "cases" : "rows", ""})},
                    .margins = {.titles = "# ", .rows = "  "}};
  for (std::size_t kind = 0; kind < kRankKinds; ++kind)
    document.columns.push_back(for_people({std::string(to_string(static_cast<RankKind>(kind))), ""}));
  const auto add = [&](std::string name, std::string count, const FuzzCoverage::CountByKind& by_kind) {
    document.rows.push_back({std::move(name), std::move(count)});
    for (const std::int64_t of : by_kind) document.rows.back().emplace_back(of);
  };
  // How many rows, and how many of them have a case of each kind.
  std::map<Collective, std::pair<std::int64_t, FuzzCoverage::CountByKind>> collectives;
  for (const auto& [row, cases] : coverage.rows()) {
    if (by_row) add(fmt::format("{} {}", to_string(row.first), row.second), total_text(cases), cases);
    auto& [rows, covered] = collectives[row.first];
    ++rows;
    for (std::size_t kind = 0; kind < kRankKinds; ++kind) covered[kind] += cases[kind] > 0 ? 1 : 0;
  }
  if (!by_row)
    for (const auto& [collective, of] : collectives) add(to_string(collective), std::to_string(of.first), of.second);
  return document;
}

/// A line for each kind of fault, and one for all.
Document ends_of(const FaultCounts& faults) {
  Document document{.columns = {for_people({"fault", "", Table::Align::left, 20})}, .margins = {.titles = "# ", .rows = "# "}};
  for (std::size_t end = 0; end < kFaultEnds; ++end)
    document.columns.push_back(for_people({std::string(to_string(static_cast<FaultEnd>(end))), "", Table::Align::right, 12}));
  const auto add = [&](const std::string& kind, const FaultCounts::ByEnd& ends) {
    document.rows.push_back({kind});
    for (const std::int64_t count : ends) document.rows.back().emplace_back(count);
  };
  FaultCounts::ByEnd all = {};
  for (const auto& [kind, ends] : faults.by_kind()) {
    for (std::size_t end = 0; end < kFaultEnds; ++end) all[end] += ends[end];
    add(kind, ends);
  }
  add("all", all);
  return document;
}

/// Of cases as they were drawn.
std::string failed_text(const FuzzOutcome& outcome) {
  std::int64_t all = 0;
  std::string kinds;
  for (const auto& [kind, cases] : outcome.failed) {
    all += cases;
    kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", cases, to_string(kind));
  }
  return fmt::format("{} failed as drawn: {}\n", counted(all, "case"), kinds);
}

std::string slow_text(const FuzzOutcome& outcome, const FindingTexts& texts) {
  if (outcome.slow == 0) return "";
  std::string text =
      fmt::format("# {} given up as slow, neither right nor wrong; the first of each row:\n", counted(outcome.slow, "case"));
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
  std::string text = table_text(coverage_of(coverage, by_row));
  text += fmt::format("# {} of {}, {} of ranks\n", counted(coverage.rows_covered(), "row"), coverage.rows().size(),
                      counted(std::ssize(coverage.ranks()), "different number"));
  text += fmt::format("# {} in {:.1f} s, {:.0f} a second\n", counted(coverage.cases(), "case"), outcome.seconds,
                      outcome.seconds > 0 ? static_cast<double>(coverage.cases()) / outcome.seconds : 0);
  if (!outcome.left_out.empty())
    text += fmt::format("# left out, as they serve nothing of what is given: {}\n", fmt::join(outcome.left_out, ", "));
  if (!outcome.faults.empty()) text += table_text(ends_of(outcome.faults));
  if (outcome.saved_right > 0) text += fmt::format("# {} right\n", counted(outcome.saved_right, "saved case"));
  text += slow_text(outcome, texts);
  if (outcome.refused > 0)
    text +=
        fmt::format("# {} refused by the function, which returned an error on all ranks\n", counted(outcome.refused, "case"));
  for (const std::string& note : outcome.notes) text += fmt::format("# note: {}\n", note);
  if (!outcome.failed.empty()) text += "# " + failed_text(outcome);
  if (outcome.passed())
    text += fmt::format("# {}{} right{}\n", was_interrupted ? "interrupted: until then " : "",
                        counted(coverage.cases() - outcome.slow - outcome.refused, "case"),
                        outcome.faults.empty() ? "" : ", or ended by what was done to them");
  else
    text += fmt::format("# {}{}\n", was_interrupted ? "interrupted: until then " : "",
                        counted(std::ssize(outcome.findings), "finding"));
  return text;
}

namespace {

using Json = nlohmann::ordered_json;

/// Of each row, how many cases there were of each kind of number of ranks.
Json json_of_coverage(const FuzzCoverage& coverage) {
  Json rows = Json::array();
  for (const auto& [row, cases] : coverage.rows()) {
    Json by_ranks = Json::object();
    for (std::size_t kind = 0; kind < kRankKinds; ++kind)
      by_ranks[std::string(to_string(static_cast<RankKind>(kind)))] = cases[kind];
    rows.push_back({{"collective", to_string(row.first)}, {"algorithm", row.second}, {"cases_by_ranks", std::move(by_ranks)}});
  }
  return rows;
}

/// Of each kind of fault, how many cases ended how.
Json json_of_faults(const FaultCounts& faults) {
  Json kinds = Json::array();
  for (const auto& [kind, ends] : faults.by_kind()) {
    Json counts = Json::object();
    for (std::size_t end = 0; end < kFaultEnds; ++end) counts[std::string(to_string(static_cast<FaultEnd>(end)))] = ends[end];
    kinds.push_back({{"fault", kind}, {"cases_by_end", std::move(counts)}});
  }
  return kinds;
}

}  // namespace

Document fuzz_report(const FuzzOutcome& outcome, const FindingTexts& texts) {
  Json findings = Json::array();
  for (const FuzzFinding& finding : outcome.findings) {
    const auto row = row_of(finding.smallest);
    Json failure = finding.failure;
    findings.push_back({{"collective", std::string(to_string(row.first))},
                        {"algorithm", row.second},
                        {"kind", std::move(failure.at("kind"))},
                        {"explanation", std::move(failure.at("explanation"))},
                        {"facts", std::move(failure.at("facts"))},
                        {"case", finding.smallest.text()},
                        {"repeat", repeating_line(finding, outcome.seed, texts.command(finding))},
                        {"drawn", finding.drawn.text()},
                        {"saved_as", finding.saved_as},
                        {"index", finding.index},
                        {"shrink_runs", finding.shrink_attempts},
                        {"shrunk_until", finding.shrunk_until},
                        {"met_in", finding.met_in ? to_string(*finding.met_in) : ""},
                        {"depends_on", finding.depends_on},
                        {"more_cases", finding.repeats},
                        {"test", pasted_test(finding, texts.source, texts.style)}});
  }
  Json failed = Json::object();
  for (const auto& [kind, cases] : outcome.failed) failed[to_string(kind)] = cases;
  Json slow = Json::array();
  for (const SlowCase& one : outcome.first_slow) {
    const auto row = row_of(one.what);
    slow.push_back({{"collective", std::string(to_string(row.first))},
                    {"algorithm", row.second},
                    {"words", one.words},
                    {"case", one.what.text()},
                    {"index", one.index}});
  }
  return {.context = {{"seed", outcome.seed}},
          .facts = {{"cases", outcome.coverage.cases()},
                    {"host", {{"wall_s", outcome.seconds}}},
                    {"rows", outcome.coverage.rows().size()},
                    {"rows_covered", outcome.coverage.rows_covered()},
                    {"rank_counts", outcome.coverage.ranks()},
                    {"coverage", json_of_coverage(outcome.coverage)},
                    {"faults", json_of_faults(outcome.faults)},
                    {"saved_right", outcome.saved_right},
                    {"given_up", outcome.given_up.size()},
                    {"left_out", outcome.left_out},
                    {"failed", std::move(failed)},
                    {"slow", outcome.slow},
                    {"slow_rows", std::move(slow)},
                    {"findings", std::move(findings)}},
          .rows_name = ""};
}

Document case_report(const Experiment& what, const std::optional<CaseEnd>& end) {
  Json failure = nullptr;
  if (end && end->failure) failure = *end->failure;
  const bool is_slow = end && !end->slow.empty();
  const char* verdict = !end ? "interrupted" : is_slow ? "slow" : end->failure ? "wrong" : "right";
  return {.context = {{"case", what.text()}},
          .facts = {{"verdict", verdict}, {"slow", is_slow ? Json(end->slow) : Json(nullptr)}, {"failure", std::move(failure)}},
          .rows_name = ""};
}

}  // namespace heddle
