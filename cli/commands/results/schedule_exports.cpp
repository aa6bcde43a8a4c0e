// SPDX-License-Identifier: Apache-2.0
// `heddle export msccl|goal`.
#include <CLI/App.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>

#include "cli/commands/results/exports.hpp"
#include "cli/flags/fabric_flags.hpp"
#include "cli/flags/flag_group.hpp"
#include "cli/flags/read_experiment.hpp"
#include "cli/flags/run_flags.hpp"
#include "cli/process/exit_status.hpp"
#include "core/errors.hpp"
#include "lab/studies/recorded_schedule.hpp"
#include "schedules/goal/write_goal.hpp"
#include "schedules/msccl/write_msccl.hpp"
#include "show/document/output_file.hpp"

namespace heddle {

namespace {

/// The flags of one of them, as written.
struct ScheduleFlags {
  RunOptions run;
  std::optional<std::string> out;
};

struct ScheduleFormat {
  std::string name;
  std::string description;
  std::string footer;
  std::function<void(const Experiment&, const RecordedSchedule&, std::ostream&)> write;
};

int export_schedule(const ScheduleFlags& flags, const ScheduleFormat& format, std::ostream& out) {
  if (flags.run.collective.empty() || flags.run.algorithms == "all")
    throw InputError("the collective or its one algorithm is missing; try: heddle export " + format.name +
                     " allreduce --algo ring --topo star:8");
  Experiment experiment = read_experiment(flags.run);
  experiment.algorithm = flags.run.algorithms;
  const ReportOutput output("--out", flags.out.value_or("-"));
  const RecordedSchedule recorded = record_schedule(experiment);
  output.write_by([&](std::ostream& to) { format.write(experiment, recorded, to); }, out);
  return kExitOk;
}

Command add_schedule_export(CLI::App& parent, const ScheduleFormat& format) {
  const auto flags = std::make_shared<ScheduleFlags>();
  CLI::App* command = parent.add_subcommand(format.name, format.description);
  const FlagGroup what(*command, "What to run");
  what.add("--topo", flags->run.fabric.topology, "SPEC",
           "The fabric's shape: star:8, ring:8, torus:4x4; 'heddle topo --help' lists the families");
  what.add("-b,--size", flags->run.size, "SIZE",
           "Bytes of the whole vector, made a multiple of what the algorithm cuts it into (the least such)");
  what.add("--ranks", flags->run.ranks, "N", "How many (all endpoints of the fabric)");
  add_placement_flag(*command, flags->run);
  add_call_flags(*command, flags->run);
  add_fabric_flags(*command, flags->run.fabric);
  add_out_flag(*command, flags->out);
  command->footer(format.footer);
  return {command, [format, flags](std::ostream& out, std::ostream&) { return export_schedule(*flags, format, out); }};
}

void write_msccl_of(const Experiment&, const RecordedSchedule& recorded, std::ostream& out) {
  write_msccl(recorded.program, out);
}

void write_goal_of(const Experiment& experiment, const RecordedSchedule& recorded, std::ostream& out) {
  write_goal(CompiledSchedule(recorded.program), recorded.count, recorded.element_size,
             build_fabric(experiment.fabric).settings().gamma, out);
}

}  // namespace

std::vector<Command> add_schedule_exports(CLI::App& parent) {
  return {
      add_schedule_export(
          parent, {"msccl", "An algorithm's schedule in MSCCL's XML, recorded from a checked run",
                   "Read back (--algo msccl:FILE.xml), it sends the same messages. What it is made of: docs/schedules.md.\n\n"
                   "Example:\n"
                   "  heddle export msccl allreduce --algo swing_bandwidth --topo torus:4x4 > swing.xml\n"
                   "  heddle run allreduce --algo swing_bandwidth,msccl:swing.xml --topo torus:4x4 --size 1MiB",
                   write_msccl_of}),
      add_schedule_export(parent, {"goal", "An algorithm's schedule in GOAL, for simulators that read it",
                                   "Messages are those of a call of --size bytes; what a rank computes is calc, at --gamma.\n\n"
                                   "Example:\n"
                                   "  heddle export goal allreduce --algo ring --topo star:8 --size 1MiB > ring.goal",
                                   write_goal_of})};
}

}  // namespace heddle
