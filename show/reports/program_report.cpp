// SPDX-License-Identifier: Apache-2.0
#include "show/reports/program_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <utility>

#include "core/printable.hpp"
#include "lab/documents/context.hpp"
#include "show/reports/explanation.hpp"
#include "show/reports/run_table.hpp"

namespace heddle {

namespace {

/// Of what some calls have and others do not.
Document::Cell text_cell(const std::string& text) { return text.empty() ? Document::Cell(nullptr, "-") : Document::Cell(text); }

Table::Column words(std::string title) { return {std::move(title), "", Table::Align::left}; }
Table::Column amounts(std::string title, std::string unit = "") { return {std::move(title), std::move(unit)}; }

}  // namespace

Document calls_document(const ProgramOutcome& program) {
  Document document;
  document.rows_name = "calls";
  document.margins = {.titles = "#   ", .rows = "#   "};
  document.columns = {
      {"communicator", words("communicator")}, {"ranks", amounts("ranks")}, {"function", words("function")},
      {"algorithm", words("algorithm")},       {"calls", amounts("calls")}, {"longest_s", amounts("longest", "(us)")}};
  for (const mpi::CountedCalls& calls : program.calls)
    document.rows.push_back({text_cell(calls.communicator),
                             calls.ranks == 0 ? Document::Cell(nullptr, "-") : Document::Cell(calls.ranks),
                             calls.function,
                             text_cell(calls.algorithms),
                             calls.calls,
                             {seconds_for_json(calls.longest), microseconds(calls.longest)}});
  return document;
}

void ProgramReporter::add(const Outcome& outcome) {
  const Report* const report = outcome.report();
  if (report == nullptr || !outcome.program) return;
  const Setup& setup = *outcome.setup;
  out_ << fmt::format("# heddle: {} on {}: results are the program's own; its use of MPI was checked\n",
                      counted(setup.ranks(), "rank"), setup.fabric.topology().spec());
  out_ << fmt::format("# passed: {}\n", fmt::join(outcome.program->checks, ", "));
  out_ << fmt::format("# time {}, {}, {}\n", to_string(report->completion), counted(report->messages(), "message"),
                      counted(report->sent_total().count(), "byte"));
  if (!outcome.program->calls.empty()) out_ << table_text(calls_document(*outcome.program));
  if (outcome.exploration) out_ << fmt::format("# no check failed under {}\n", outcome.exploration->covered());
  for (const std::string& note : outcome.program->notes) out_ << "# " << note << '\n';
  if (setup.explain && outcome.timeline) out_ << explanation(setup, *outcome.algorithm, *report, *outcome.timeline);
}

}  // namespace heddle
