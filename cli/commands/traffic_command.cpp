// SPDX-License-Identifier: Apache-2.0
// `heddle traffic`: what algorithms send between a fabric's groups, over many placements of their ranks.
#include <CLI/App.hpp>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/flags/experiment_flags.hpp"
#include "cli/flags/flag_group.hpp"
#include "cli/process/process.hpp"
#include "show/document/document.hpp"
#include "show/document/output_file.hpp"
#include "show/reports/study_reports.hpp"
#include "show/terminal/progress.hpp"
#include "show/terminal/terminal.hpp"

namespace heddle {

namespace {

/// The flags, as written.
struct TrafficOptions {
  TrafficRequest asked;
  std::optional<std::string> json;
  bool wide = false;
};

int study_traffic_between_groups(const TrafficOptions& options, std::ostream& out, std::ostream& err) {
  const TrafficPlan plan = plan_traffic(options.asked);
  const ReportOutput json("--json", options.json);
  WorkProgress progress(err, "rank counts", std::ssize(plan.counts));
  const Document head = traffic_report(plan, {});
  Table table = table_of(head);
  std::vector<std::string> no_room =
      table.fit_into(options.wide ? Table::kAnyWidth : columns_of(out).value_or(Table::kAnyWidth));
  for (std::string& title : no_room)
    if (title.find(':') != std::string::npos) title = "box plot";
  if (!json.is_standard_output()) out << head.head << left_out_text(no_room) << table_text(head, table);
  std::vector<TrafficStudy> studies;
  for (const int ranks : plan.counts) {
    studies.push_back(plan.study(ranks));
    progress.finish_one();
    if (json.is_standard_output()) continue;
    progress.pause();
    out << rows_text(traffic_report(plan, std::span(&studies.back(), 1)), table) << std::flush;
    progress.resume();
  }
  progress.pause();
  if (json.is_wanted()) json.write(json_text(json_of(traffic_report(plan, studies))), out);
  return kExitOk;
}

}  // namespace

Command add_traffic_command(CLI::App* command) {
  const auto options = std::make_shared<TrafficOptions>();
  const FlagGroup flags(*command);
  flags.add("COLLECTIVE", options->asked.collective, "", "broadcast, reduce, allreduce, …");
  flags.add("--algo", options->asked.algorithms, "NAMES",
            "Algorithms with commas, msccl:FILE.xml among them; the others are compared with the first");
  add_plugin_flag(flags, options->asked.plugins);
  flags.add("--topo", options->asked.topology, "SPEC", "A fabric with groups, e.g. fattree:k=16");
  flags.add("--tier", options->asked.tier, "N", "Groups of which tier, 0 the smallest (the largest that are not all)");
  flags.add("--ranks", options->asked.ranks, "LIST", "Rank counts: 16:1024:x2 (doubling, the default) or 16,48,64");
  flags.add("--placement", options->asked.placement, "HOW",
            "fragmented (in order, on what a busy machine has free; the default), random, or jobs:leonardo, jobs:lumi: "
            "as real jobs' nodes were, whose groups those of the machine are (no --topo); "
            "jobs:leonardo,groups=3-20: those in so many groups; jobs:lumi,on=100-123: those on these");
  flags.add("--placements", options->asked.placements, "N", "How many placements of each rank count (500)");
  flags.add("--seed", options->asked.seed, "SEED", "Of the first placement; the others follow (1)");
  flags.add_json(options->json);
  flags.add_switch("--wide", options->wide, "All columns on a terminal, and lines as long as they are");
  command->footer(
      "Vectors between groups are what ranks of one group send to ranks of another, each message once, in whole vectors; they\n"
      "do not depend on the size. Each algorithm's result is checked at each rank count.\n"
      "\nExample:\n  heddle traffic allreduce --algo recursive_doubling,bine_small --topo fattree:k=16\n"
      "  heddle traffic allreduce --algo rabenseifner,bine_large --placement jobs:leonardo --ranks 4:256:x2");
  return {command, [options](std::ostream& out, std::ostream& err) { return study_traffic_between_groups(*options, out, err); },
          true};
}

}  // namespace heddle
