// SPDX-License-Identifier: Apache-2.0
// `heddle compare`: whether results are slower than before.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/flags/flag_group.hpp"
#include "cli/process/process.hpp"
#include "heddle/errors.hpp"
#include "heddle/units.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/results/comparison.hpp"
#include "show/document/output_file.hpp"
#include "show/reports/study_reports.hpp"

namespace heddle {

namespace {

/// The flags, as written.
struct CompareOptions {
  std::vector<std::string> files;  ///< the old one, the new one
  std::string tolerance = "1%";
  std::optional<std::string> json;
};

/// 1 where something is slower or fails.
int compare_files(const CompareOptions& options, std::ostream& out) {
  constexpr const char* kExample = "try: heddle compare old.json new.json";
  if (options.files.size() != 2)
    throw InputError(options.files.size() < 2 ? fmt::format("two files are needed, the old one and the new one; {}", kExample)
                                              : fmt::format("'{}' is one file too many; {}", options.files[2], kExample));
  const double tolerance = read_flag("--tolerance", options.tolerance, parse_tolerance);
  const ReportOutput json("--json", options.json);
  const ResultFile before = read_result_file(options.files[0]);
  const ResultFile now = read_result_file(options.files[1]);
  const Comparison comparison = compare(before, now, tolerance);
  write_report(comparison_report(before, now, comparison, tolerance), json, out);
  return comparison.is_worse() ? kExitCheckFailed : kExitOk;
}

}  // namespace

Command add_compare_command(CLI::App& app) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand("compare", "Whether results are slower than before: two JSON files, cell by cell");
  const FlagGroup flags(*command);
  flags.add("FILES", options->files, "", "What 'heddle run --json' or 'heddle sweep --json' wrote: the old one, the new one");
  flags.add_with_default("--tolerance", options->tolerance, "PART",
                         "How much longer a result may take before it is slower: 1%, 0.01, or 0 for not at all");
  flags.add_json(options->json);
  command->footer(
      "Results are matched by collective, fabric, ranks, placement, fault, size and algorithm. Where all of a file are on one\n"
      "fabric, and all of the other on another, they are matched by the rest, and the fabrics are named; so are versions and\n"
      "speeds.\n"
      "Exit status: 0: nothing is slower; 1: something is slower than the tolerance allows, or fails; 2: bad input. What is\n"
      "missing, new, faster or right again is shown, and is no failure.\n"
      "\n"
      "Example:\n"
      "  heddle sweep allreduce --topo torus:8x8 --size 1KiB:16MiB:x4 --json new.json\n"
      "  heddle compare old.json new.json --tolerance 2%");
  return {command, [options](std::ostream& out, std::ostream&) { return compare_files(*options, out); }};
}

}  // namespace heddle
