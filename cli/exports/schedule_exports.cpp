// SPDX-License-Identifier: Apache-2.0
#include "cli/exports/schedule_exports.hpp"

#include <CLI/App.hpp>
#include <functional>
#include <ostream>

#include "cli/flags/fabric_flags.hpp"
#include "cli/flags/read_experiment.hpp"
#include "cli/flags/run_flags.hpp"
#include "cli/process/exit_status.hpp"
#include "core/errors.hpp"
#include "lab/studies/recorded_schedule.hpp"
#include "schedules/goal/write_goal.hpp"
#include "schedules/msccl/write_msccl.hpp"
#include "show/report_output.hpp"

namespace heddle {

namespace {

using ScheduleWriter = std::function<void(const RecordedSchedule&, std::ostream&)>;

CLI::App* add_format(CLI::App& parent, const char* name, ScheduleFlags& flags, const char* description) {
  CLI::App* command = parent.add_subcommand(name, description);
  const std::string group = "What to run";
  command
      ->add_option("--topo", flags.run.fabric.topology,
                   "The fabric's shape: star:8, ring:8, torus:4x4; 'heddle topo --help' lists the families")
      ->type_name("SPEC")
      ->group(group);
  command
      ->add_option("-b,--size", flags.run.size,
                   "Bytes of the whole vector, made a multiple of what the algorithm cuts it into (the least such)")
      ->type_name("SIZE")
      ->group(group);
  command->add_option("--ranks", flags.run.ranks, "How many (all endpoints of the fabric)")->type_name("N")->group(group);
  command->add_option("--placement", flags.run.placement, "Which endpoint each rank sits on, as 'heddle run --help' says")
      ->type_name("HOW")
      ->capture_default_str()
      ->group("Ranks");
  add_call_flags(*command, flags.run);
  add_fabric_flags(*command, flags.run.fabric);
  command->add_option("-O,--out", flags.out, "Write to this file; - : to standard output (the default)")
      ->type_name("PATH")
      ->group("Output");
  return command;
}

int export_schedule(const ScheduleFlags& flags, const char* format, const ScheduleWriter& writer, std::ostream& out) {
  if (flags.run.collective.empty() || flags.run.algorithms == "all")
    throw InputError(std::string("the collective or its one algorithm is missing; try: heddle export ") + format +
                     " allreduce --algo ring --topo star:8");
  Experiment experiment = read_experiment(flags.run);
  experiment.algorithm = flags.run.algorithms;
  const ReportOutput output("--out", flags.out.value_or("-"));
  const RecordedSchedule recorded = record_schedule(experiment);
  output.write_by([&](std::ostream& to) { writer(recorded, to); }, out);
  return kExitOk;
}

void write_goal_of(const Experiment& experiment, const RecordedSchedule& recorded, std::ostream& out) {
  write_goal(CompiledSchedule(recorded.program), recorded.count, recorded.element_size,
             build_fabric(experiment.fabric).settings().gamma, out);
}

}  // namespace

void add_schedule_exports(CLI::App& command, ScheduleExports& options) {
  add_format(command, "msccl", options.msccl, "An algorithm's schedule in MSCCL's XML, recorded from a checked run")
      ->footer(
          "Read back (--algo msccl:FILE.xml), it sends the same messages. What it is made of: docs/schedules.md.\n\n"
          "Example:\n"
          "  heddle export msccl allreduce --algo swing_bandwidth --topo torus:4x4 > swing.xml\n"
          "  heddle run allreduce --algo swing_bandwidth,msccl:swing.xml --topo torus:4x4 --size 1MiB");
  add_format(command, "goal", options.goal, "An algorithm's schedule in GOAL, for simulators that read it")
      ->footer(
          "Messages are those of a call of --size bytes; what a rank computes is calc, at --gamma.\n\n"
          "Example:\n"
          "  heddle export goal allreduce --algo ring --topo star:8 --size 1MiB > ring.goal");
}

std::optional<int> run_schedule_export(const CLI::App& command, const ScheduleExports& options, std::ostream& out) {
  if (command.got_subcommand("msccl"))
    return export_schedule(
        options.msccl, "msccl", [](const RecordedSchedule& recorded, std::ostream& to) { write_msccl(recorded.program, to); },
        out);
  if (!command.got_subcommand("goal")) return std::nullopt;
  const ScheduleWriter writer = [&](const RecordedSchedule& recorded, std::ostream& to) {
    write_goal_of(read_experiment(options.goal.run), recorded, to);
  };
  return export_schedule(options.goal, "goal", writer, out);
}

}  // namespace heddle
