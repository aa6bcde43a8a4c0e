// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "fuzz/reports/fuzz_reports.hpp"
#include "show/document/document.hpp"

namespace heddle {

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
    findings.push_back({{"collective", std::string(to_string(row.first))},
                        {"algorithm", row.second},
                        {"kind", to_string(finding.failure.kind)},
                        {"explanation", finding.failure.explanation},
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
  if (end && end->failure) failure = {{"kind", to_string(end->failure->kind)}, {"explanation", end->failure->explanation}};
  const bool is_slow = end && !end->slow.empty();
  const char* verdict = !end ? "interrupted" : is_slow ? "slow" : end->failure ? "wrong" : "right";
  return {.context = {{"case", what.text()}},
          .facts = {{"verdict", verdict}, {"slow", is_slow ? Json(end->slow) : Json(nullptr)}, {"failure", std::move(failure)}},
          .rows_name = ""};
}

}  // namespace heddle
