// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/traffic_command.hpp"

#include <CLI/App.hpp>
#include <iterator>
#include <optional>
#include <ostream>
#include <vector>

#include "cli/flags/run_flags.hpp"
#include "cli/process/exit_status.hpp"
#include "show/studies/traffic_report.hpp"
#include "show/terminal/progress.hpp"
#include "show/terminal/terminal_stream.hpp"

namespace heddle {

void add_traffic_command(CLI::App& app, TrafficOptions& options) {
  CLI::App* command =
      app.add_subcommand("traffic", "Count what algorithms send between a fabric's groups, over many placements");
  command->add_option("COLLECTIVE", options.asked.collective, "broadcast, reduce, allreduce, …")->type_name("");
  command
      ->add_option("--algo", options.asked.algorithms,
                   "Algorithms with commas, msccl:FILE.xml among them; the others are compared with the first")
      ->type_name("NAMES");
  add_plugin_flag(*command, options.asked.plugins);
  command->add_option("--topo", options.asked.topology, "A fabric with groups, e.g. fattree:k=16")->type_name("SPEC");
  command->add_option("--tier", options.asked.tier, "Groups of which tier, 0 the smallest (the largest that are not all)")
      ->type_name("N");
  command->add_option("--ranks", options.asked.ranks, "Rank counts: 16:1024:x2 (doubling, the default) or 16,48,64")
      ->type_name("LIST");
  command
      ->add_option("--placement", options.asked.placement,
                   "fragmented (in order, on what a busy machine has free; the default), random, or jobs:leonardo, jobs:lumi: "
                   "as real jobs' nodes were, whose groups those of the machine are (no --topo); "
                   "jobs:leonardo,groups=3-20: those in so many groups; jobs:lumi,on=100-123: those on these")
      ->type_name("HOW");
  command->add_option("--placements", options.asked.placements, "How many placements of each rank count (500)")->type_name("N");
  command->add_option("--seed", options.asked.seed, "Of the first placement; the others follow (1)")->type_name("SEED");
  command->add_flag("--json", options.json, "As JSON");
  command->add_flag("--wide", options.wide, "All columns on a terminal, and lines as long as they are");
  command->footer(
      "Vectors between groups are what ranks of one group send to ranks of another, each message once, in whole vectors; they\n"
      "do not depend on the size. Each algorithm's result is checked at each rank count.\n"
      "\nExample:\n  heddle traffic allreduce --algo recursive_doubling,bine_small --topo fattree:k=16\n"
      "  heddle traffic allreduce --algo rabenseifner,bine_large --placement jobs:leonardo --ranks 4:256:x2");
}

int traffic_command(const TrafficOptions& options, std::ostream& out, std::ostream& err) {
  const TrafficPlan plan = plan_traffic(options.asked);
  WorkProgress progress(err, "rank counts", std::ssize(plan.counts));
  std::optional<TrafficTable> table;
  if (!options.json) {
    table.emplace(plan, options.wide ? Table::kAnyWidth : columns_of(out).value_or(Table::kAnyWidth));
    out << table->head();
  }
  std::vector<TrafficStudy> studies;
  for (const int ranks : plan.counts) {
    studies.push_back(plan.study(ranks));
    progress.finish_one();
    if (!table) continue;
    progress.pause();
    out << table->lines_of(studies.back()) << std::flush;
    progress.resume();
  }
  progress.pause();
  if (options.json) out << json_of_traffic(plan, studies);
  return kExitOk;
}

}  // namespace heddle
