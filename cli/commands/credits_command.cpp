// SPDX-License-Identifier: Apache-2.0
// `heddle credits`: how little buffering algorithms need, and what less of it costs.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/flags/experiment_flags.hpp"
#include "cli/process/process.hpp"
#include "core/printable.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/describe/value_lists.hpp"
#include "lab/run/setup.hpp"
#include "lab/run/tasks_ahead.hpp"
#include "lab/studies/credits_study.hpp"
#include "show/document/document.hpp"
#include "show/document/output_file.hpp"
#include "show/reports/study_reports.hpp"
#include "show/terminal/progress.hpp"
#include "show/terminal/terminal.hpp"

namespace heddle {

namespace {

/// The flags, as written. `run` has those of every single run.
struct CreditsOptions {
  ExperimentFlags run = {};
  std::optional<std::string> json = {};
  bool explain = false;
  bool wide = false;
};

void add_credits_output_flags(CLI::App& command, CreditsOptions& options) {
  const FlagGroup output(command, "Output");
  output.add_switch("--explain", options.explain,
                    "Below each row: the deadlock with one credit less than is safe, who waits for whom");
  output.add_switch("--wide", options.wide, "All columns on a terminal, and lines as long as they are");
  output.add_json(options.json);
}

/// The topology may have {p} for the number of ranks, of which there may be many.
CreditsQuestion question_of(const ExperimentFlags& flags) {
  if (flags.collective().empty())
    throw InputError("the collective is missing; try: heddle credits allreduce --algo ring --ranks 2:16");
  CreditsQuestion question{.base = flags.read({"--ranks"}), .algorithms = flags.algorithms(), .ranks = {}, .ranks_text = {}};
  question.base.alone = 0;
  question.ranks_text = flags.text("--ranks");
  if (!question.ranks_text.empty()) question.ranks = read_flag("--ranks", question.ranks_text, parse_rank_counts);
  return question;
}

int study_credits(const CreditsOptions& options, std::ostream& out, std::ostream& err) {
  CreditsStudy study = plan_credits(question_of(options.run));
  const ReportOutput json("--json", options.json);
  std::vector<RunCost> costs;
  for (const CreditsCase& one : study.cases) costs.push_back(one.cost);
  // Once and also into a pipe: nothing else says for how long it will be silent.
  if (const auto text = long_run_text(costs, workers_to_be_had(0)))
    err << fmt::format("heddle: {}, an estimate of the least that they take: {}\n",
                       counted(std::ssize(study.cases), "search", "es"), *text)
        << std::flush;
  {
    WorkProgress progress(err, "searches", std::ssize(study.cases));
    search(study, [&] { progress.finish_one(); });
  }
  const std::size_t columns = options.wide ? Table::kAnyWidth : columns_of(out).value_or(Table::kAnyWidth);
  write_report(credits_report(study, options.explain), json, out, columns);
  int status = kExitOk;
  for (const CreditsCase& one : study.cases) {
    if (one.failure() == nullptr) continue;
    err << fmt::format("heddle: {} failed on {}: {}: {}\n", one.algorithm.name, counted(one.setup->ranks(), "rank"),
                       to_string(one.failure()->kind), one.failure()->explanation);
    status = kExitCheckFailed;
  }
  return status;
}

}  // namespace

Command add_credits_command(CLI::App* command) {
  const auto options = std::make_shared<CreditsOptions>();
  ExperimentFlags& flags = options->run = ExperimentFlags(*command);
  flags.add("--ranks", "How many: 2:128 (every number), 2:128:x2, 7,13,64 (all endpoints of a --topo without {p})", "NUMBERS",
            flag_groups::kWhat);
  flags.add("--topo",
            "The fabric's shape, {p} for the number of ranks: star:{p} (if none is given), ring:{p}, torus:8x8; 'heddle topo "
            "--help' lists the families");
  flags.add(
      "--size",
      "Bytes of the whole vector (64KiB), rounded down to whole elements, for alltoall to equal blocks, but not to nothing");
  flags.add("--placement", "Which endpoint each rank sits on, as 'heddle run --help' says");
  flags.add_call();
  flags.add_group(flag_groups::kWhat);
  flags.add_group(flag_groups::kFabric);
  flags.add_group(flag_groups::kRanks, {"--alone", "--buffering"});  // buffering is what is sought
  flags.add_group(flag_groups::kData);
  add_credits_output_flags(*command, *options);
  command->footer(
      "A credit is room for one message of a (sender, receiver) pair that has been sent and not yet received. For each number "
      "of\n"
      "ranks: the least number of credits with which two calls back to back (the second with the next rank as root) end, the\n"
      "number from which on they always do, the cycle of ranks that wait for each other with one less, and times with 0\n"
      "(synchronous), 1, 2, 4, … credits as multiples of the time without bound. Every result is checked.\n"
      "\n"
      "Examples:\n"
      "  heddle credits allreduce --algo ring --ranks 2:128\n"
      "  heddle credits allreduce --algo swing_bandwidth --topo torus:5x5 --explain\n"
      "  heddle credits allreduce --algo all --topo torus:4x4 --size 1MiB --json credits.json");
  return {command, [options](std::ostream& out, std::ostream& err) { return study_credits(*options, out, err); }, true};
}

}  // namespace heddle
