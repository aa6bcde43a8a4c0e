// SPDX-License-Identifier: Apache-2.0
#include "cli/exports/decision_exports.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <functional>
#include <ostream>

#include "cli/process/exit_status.hpp"
#include "core/errors.hpp"
#include "lab/decisions/decisions.hpp"
#include "lab/decisions/mpich_base.hpp"
#include "lab/grammar/flag_value.hpp"
#include "show/decisions/decision_lines.hpp"
#include "show/decisions/mpich_json.hpp"
#include "show/decisions/nccl_csv.hpp"
#include "show/decisions/openmpi_rules.hpp"
#include "show/report_output.hpp"

namespace heddle {

namespace {

using DecisionWriter = std::function<std::string(const decisions::Decisions&)>;

CLI::App* add_target(CLI::App& parent, const decisions::Target& target, DecisionFlags& flags, const std::string& description) {
  CLI::App* command = parent.add_subcommand(std::string(target.name), description);
  command->add_option("FILES", flags.files, "JSON files of sweeps (heddle sweep --json), whole ones")->type_name("");
  command->add_option("--fabric", flags.fabric, "Of a sweep over several fabrics, the one that counts, by its name there")
      ->type_name("NAME")
      ->group("What counts");
  command
      ->add_flag("--list", flags.list,
                 fmt::format("What heddle's algorithms are in {}, and why it does not have the others", target.title))
      ->group("Output");
  command->add_option("-O,--out", flags.out, "Write to this file; - : to standard output (the default)")
      ->type_name("PATH")
      ->group("Output");
  return command;
}

std::string decision_text(const decisions::Target& target, const DecisionFlags& flags, const DecisionWriter& writer,
                          std::ostream& err) {
  if (flags.list) return decisions::mapping_list(target);
  if (flags.files.empty())
    throw InputError(
        fmt::format("the files are missing; try: heddle export {} sweep.json, which 'heddle sweep --json' wrote", target.name));
  std::vector<decisions::NamedSweep> sweeps;
  for (const std::string& path : flags.files) sweeps.push_back(decisions::read_whole_sweep(path));
  const decisions::Decisions decided = decisions::decide(target, sweeps, flags.fabric);
  std::string text = writer(decided);
  for (const std::string& line : decisions::summary_lines(decided)) err << line << '\n';
  return text;
}

int export_decisions(const decisions::Target& target, const DecisionFlags& flags, const DecisionWriter& writer,
                     std::ostream& out, std::ostream& err) {
  const ReportOutput output("--out", flags.out.value_or("-"));
  output.write(decision_text(target, flags, writer, err), out);
  return kExitOk;
}

std::string tuned_mpich_json(const DecisionFlags& flags, const decisions::Decisions& decided) {
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

}  // namespace

void add_decision_exports(CLI::App& command, DecisionExports& options) {
  add_target(command, decisions::openmpi_target(), options.openmpi, "Rules for Open MPI's tuned collectives, from sweeps")
      ->footer(std::string(kMeasure) +
               "Example:\n"
               "  heddle sweep allreduce --topo star:8 --ranks 2,4,8 --size 1KiB:16MiB:x4 --json sweep.json\n"
               "  heddle export openmpi sweep.json > rules.txt\n"
               "  mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename rules.txt …");
  CLI::App* mpich =
      add_target(command, decisions::mpich_target(), options.mpich, "A tuning file for MPICH's collectives, from sweeps");
  mpich->add_option("--base", options.mpich.base, "MPICH's own tuning file, or libmpich.so, for all that is not decided")
      ->type_name("PATH")
      ->group("What counts");
  mpich->footer(std::string(kMeasure) +
                "Example:\n"
                "  heddle export mpich sweep.json --base /usr/lib/x86_64-linux-gnu/libmpich.so.12 > tuned.json\n"
                "  MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=tuned.json mpirun …");
  add_target(command, decisions::nccl_target(), options.nccl, "A CSV for NCCL's example tuner, from sweeps")
      ->footer(std::string(kMeasure) +
               "Example:\n"
               "  heddle export nccl sweep.json > tuner.csv\n"
               "  NCCL_TUNER_PLUGIN=libnccl-tuner-example.so NCCL_TUNER_CONFIG_FILE=tuner.csv …");
}

std::optional<int> run_decision_export(const CLI::App& command, const DecisionExports& options, std::ostream& out,
                                       std::ostream& err) {
  if (command.got_subcommand("openmpi"))
    return export_decisions(decisions::openmpi_target(), options.openmpi, decisions::openmpi_rules, out, err);
  if (command.got_subcommand("nccl"))
    return export_decisions(decisions::nccl_target(), options.nccl, decisions::nccl_csv, out, err);
  if (!command.got_subcommand("mpich")) return std::nullopt;
  const DecisionWriter writer = [&](const decisions::Decisions& decided) { return tuned_mpich_json(options.mpich, decided); };
  return export_decisions(decisions::mpich_target(), options.mpich, writer, out, err);
}

}  // namespace heddle
