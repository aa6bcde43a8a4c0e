// SPDX-License-Identifier: Apache-2.0
// `heddle export FORMAT …`: what heddle knows, in files that other programs read.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>

#include "cli/commands/commands.hpp"
#include "cli/flags/experiment_flags.hpp"
#include "cli/flags/flag_group.hpp"
#include "cli/process/process.hpp"
#include "heddle/errors.hpp"
#include "lab/decisions/target.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/results/comparison.hpp"
#include "lab/results/decisions.hpp"
#include "lab/studies/schedule_picture.hpp"
#include "schedules/files/msccl.hpp"
#include "schedules/files/write_goal.hpp"
#include "show/document/output_file.hpp"
#include "show/reports/decision_files.hpp"

namespace heddle {

namespace {

/// -O,--out, as all of them have it.
void add_out_flag(CLI::App& command, std::optional<std::string>& path) {
  FlagGroup(command, "Output").add("-O,--out", path, "PATH", "Write to this file; - : to standard output (the default)");
}

/// The flags of one of them, as written.
struct DecisionFlags {
  std::vector<std::string> files;
  std::string fabric;
  std::string margin = "5%";
  std::optional<std::string> base;  ///< of mpich alone
  std::optional<std::string> out;
  std::optional<std::string> json;
  bool list = false;
};

struct DecisionFormat {
  const decisions::Target& target;
  std::string description;
  std::string example;
  std::function<std::string(const decisions::Decisions&, const DecisionFlags&)> text_of;
  bool has_base = false;
};

/// Standard output takes the file, unless it is to take the report.
std::optional<std::string> path_of_rules(const DecisionFlags& flags) {
  if (flags.out || flags.json == "-") return flags.out;
  return "-";
}

void require_apart_outputs(const DecisionFlags& flags) {
  std::vector<NamedOutput> outputs;
  if (const auto rules = path_of_rules(flags)) outputs.push_back({"--out", *rules});
  if (flags.json) outputs.push_back({"--json", *flags.json});
  require_apart(outputs);
}

int export_decisions(const DecisionFormat& format, const DecisionFlags& flags, std::ostream& out, std::ostream& err) {
  if (flags.list && flags.json) throw InputError("--list is text: leave --json out");
  require_apart_outputs(flags);
  const ReportOutput rules("--out", path_of_rules(flags));
  const ReportOutput json("--json", flags.json);
  if (flags.list) {
    rules.write(decisions::mapping_list(format.target), out);
    return kExitOk;
  }
  if (flags.files.empty())
    throw InputError(fmt::format("the files are missing; try: heddle export {} sweep.json, which 'heddle sweep --json' wrote",
                                 format.target.name));
  std::vector<decisions::NamedSweep> sweeps;
  for (const std::string& path : flags.files) sweeps.push_back(decisions::read_whole_sweep(path));
  const decisions::Decisions decided =
      decisions::decide(format.target, sweeps, flags.fabric, read_flag("--margin", flags.margin, parse_tolerance));
  const std::string text = format.text_of(decided, flags);
  for (const std::string& line : decisions::summary_lines(decided)) err << line << '\n';
  rules.write(text, out);
  if (json.is_wanted()) json.write(decisions::decisions_json(decided), out);
  return kExitOk;
}

std::string tuned_mpich_json(const decisions::Decisions& decided, const DecisionFlags& flags) {
  if (!flags.base)
    throw InputError(
        "--base is missing: MPICH's own tuning file, or its library, as /usr/lib/x86_64-linux-gnu/libmpich.so.12 "
        "(docs/exports.md)");
  return read_flag("--base", *flags.base, [&](std::string_view path) {
    const std::string name(path);
    return decisions::mpich_json(decided, decisions::read_mpich_base(name), name);
  });
}

constexpr auto kMeasure =
    "Decisions are those of the file's fabrics: measure on one that is like the machine, with the sizes that matter.\n"
    "What holds between two sizes, and what each library takes a size for: docs/exports.md.\n\n";

Command add_decision_export(CLI::App& parent, const DecisionFormat& format) {
  const auto flags = std::make_shared<DecisionFlags>();
  CLI::App* command = parent.add_subcommand(std::string(format.target.name), format.description);
  const FlagGroup counting(*command, "What counts");
  command->add_option("FILES", flags->files, "JSON files of sweeps (heddle sweep --json), whole ones")->type_name("");
  counting.add("--fabric", flags->fabric, "NAME", "Of a sweep over several fabrics, the one that counts, by its name there");
  counting.add_with_default(
      "--margin", flags->margin, "PART",
      fmt::format("How far the fastest must be ahead of the next best, or the call is left to {}: 5%, 0.05, or "
                  "0 to decide all",
                  format.target.title));
  const FlagGroup output(*command, "Output");
  output.add_switch(
      "--list", flags->list,
      fmt::format("What heddle's algorithms are in {}, and why it does not have the others", format.target.title));
  add_out_flag(*command, flags->out);
  output.add_json(flags->json, ", each decision with its times");
  if (format.has_base)
    counting.add("--base", flags->base, "PATH", "MPICH's own tuning file, or libmpich.so, for all that is not decided");
  command->footer(std::string(kMeasure) + format.example);
  return {command,
          [format, flags](std::ostream& out, std::ostream& err) { return export_decisions(format, *flags, out, err); }};
}

/// openmpi, mpich, nccl: what sweeps have found out, as files that libraries take their choice of algorithms from. On `err` is what the
/// library does not have.
std::vector<Command> add_decision_exports(CLI::App& parent) {
  const auto rules = [](const decisions::Decisions& decided, const DecisionFlags&) {
    return decisions::openmpi_rules(decided);
  };
  const auto csv = [](const decisions::Decisions& decided, const DecisionFlags&) { return decisions::nccl_csv(decided); };
  return {add_decision_export(
              parent, {decisions::openmpi_target(), "Rules for Open MPI's tuned collectives, from sweeps",
                       "Example:\n"
                       "  heddle sweep allreduce --topo star:8 --ranks 2,4,8 --size 1KiB:16MiB:x4 --json sweep.json\n"
                       "  heddle export openmpi sweep.json > rules.txt\n"
                       "  mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename rules.txt …",
                       rules}),
          add_decision_export(parent,
                              {decisions::mpich_target(), "A tuning file for MPICH's collectives, from sweeps",
                               "Example:\n"
                               "  heddle export mpich sweep.json --base /usr/lib/x86_64-linux-gnu/libmpich.so.12 > tuned.json\n"
                               "  MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=tuned.json mpirun …",
                               tuned_mpich_json, true}),
          add_decision_export(parent, {decisions::nccl_target(), "A CSV for NCCL's example tuner, from sweeps",
                                       "Example:\n"
                                       "  heddle export nccl sweep.json > tuner.csv\n"
                                       "  NCCL_TUNER_PLUGIN=libnccl-tuner-example.so NCCL_TUNER_CONFIG_FILE=tuner.csv …",
                                       csv})};
}

/// The flags of one of them, as written.
struct ScheduleFlags {
  ExperimentFlags run = {};
  std::optional<std::string> out;
};

struct ScheduleFormat {
  std::string name;
  std::string description;
  std::string footer;
  std::function<void(const Experiment&, const RecordedSchedule&, std::ostream&)> write;
};

int export_schedule(const ScheduleFlags& flags, const ScheduleFormat& format, std::ostream& out) {
  if (flags.run.collective().empty() || flags.run.algorithms() == "all")
    throw InputError("the collective or its one algorithm is missing; try: heddle export " + format.name +
                     " allreduce --algo ring --topo star:8");
  Experiment experiment = flags.run.read();
  experiment.algorithm = flags.run.algorithms();
  const ReportOutput output("--out", flags.out.value_or("-"));
  const RecordedSchedule recorded = record_schedule(experiment);
  output.write_by([&](std::ostream& to) { format.write(experiment, recorded, to); }, out);
  return kExitOk;
}

Command add_schedule_export(CLI::App& parent, const ScheduleFormat& format) {
  const auto flags = std::make_shared<ScheduleFlags>();
  CLI::App* command = parent.add_subcommand(format.name, format.description);
  ExperimentFlags& run = flags->run = ExperimentFlags(*command);
  run.add("--topo", "The fabric's shape: star:8, ring:8, torus:4x4; 'heddle topo --help' lists the families");
  run.add("--size", "Bytes of the whole vector, made a multiple of what the algorithm cuts it into (the least such)");
  run.add("--ranks", "How many (all endpoints of the fabric)", "N", flag_groups::kWhat);
  run.add("--placement", "Which endpoint each rank sits on, as 'heddle run --help' says");
  run.add_call();
  command->get_option("--algo")
      ->description("Which one, with options behind colons (chain:segments=8); 'heddle list' shows them")
      ->type_name("NAME")
      ->default_str("");
  run.add_group(flag_groups::kWhat);
  run.add_group(flag_groups::kFabric);
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

/// msccl, goal: an algorithm's checked run as a schedule, in the formats that other runtimes and simulators read.
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

}  // namespace

Command add_export_command(CLI::App* command) {
  command->require_subcommand(0, 1);  // which one, run says better
  command->footer("More of each: heddle export openmpi --help");
  std::vector<Command> formats = add_decision_exports(*command);
  std::ranges::move(add_schedule_exports(*command), std::back_inserter(formats));
  return {command, [formats](std::ostream& out, std::ostream& err) {
            for (const Command& format : formats)
              if (format.parser->parsed()) return format.run(out, err);
            throw InputError("what to export is missing; try: heddle export openmpi sweep.json");
          }};
}

}  // namespace heddle
