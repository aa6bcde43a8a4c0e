// SPDX-License-Identifier: Apache-2.0
// `heddle compare`: whether results are slower than before.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/flags/flag_group.hpp"
#include "cli/flags/log_flags.hpp"
#include "cli/process/process.hpp"
#include "core/read_file.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/results/against_measured.hpp"
#include "lab/results/comparison.hpp"
#include "show/document/output_file.hpp"
#include "show/drawing/picture_file.hpp"
#include "show/reports/measured_report.hpp"
#include "show/reports/study_reports.hpp"

namespace heddle {

namespace {

/// The flags, as written.
struct CompareOptions {
  std::vector<std::string> files;  ///< the old one, the new one
  std::optional<std::string> tolerance;
  LogFlags log;
  std::optional<std::string> plot;
  std::optional<std::string> json;
};

/// What a file may take longer, unless it is said.
constexpr const char* kUsualTolerance = "1%";

/// Read once: it may be a pipe.
struct ReadFile {
  std::string path;
  std::string text;
};

/// Of a measured and an emulated file. 1 where a time is further off than the tolerance that was asked for.
int compare_measured(const CompareOptions& options, const ReadFile& log, const ReadFile& results, std::ostream& out) {
  std::optional<double> tolerance;
  if (options.tolerance) tolerance = read_flag("--tolerance", *options.tolerance, parse_tolerance);
  if (options.plot) read_flag("--plot", *options.plot, [](std::string_view path) { pictures::require_picture_file(path); });
  const ReportOutput json("--json", options.json);
  const ReportOutput plot("--plot", options.plot);
  const MeasuredRuns measured = read_measurements(log.path, log.text, MeasuredTime::median, options.log.read());
  const ResultFile emulated = read_results(results.path, results.text);
  const AgainstMeasured against = hold_against(measured.runs, emulated);
  write_report(measured_report(measured, emulated, against), json, out);
  if (options.plot) plot.write(pictures::picture_for(*options.plot, pictures::chart_svg(measured_chart(against))), out);
  const auto is_off = [&](const MeasuredPoint& point) { return tolerance && std::abs(point.ratio() - 1) > *tolerance; };
  return std::ranges::any_of(against.points, is_off) ? kExitCheckFailed : kExitOk;
}

/// 1 where something is slower or fails.
int compare_files(const CompareOptions& options, std::ostream& out) {
  constexpr const char* kExample = "try: heddle compare old.json new.json";
  if (options.files.size() != 2)
    throw InputError(options.files.size() < 2 ? fmt::format("two files are needed, the old one and the new one; {}", kExample)
                                              : fmt::format("'{}' is one file too many; {}", options.files[2], kExample));
  std::vector<ReadFile> files;
  for (const std::string& path : options.files) files.push_back({path, read_named_file(path)});
  const bool is_first_log = is_measured_log(files[0].text);
  if (is_first_log != is_measured_log(files[1].text))
    return compare_measured(options, files[is_first_log ? 0 : 1], files[is_first_log ? 1 : 0], out);
  if (is_first_log)
    throw InputError(
        fmt::format("'{}' and '{}' were both measured by other programs; one of the two is what 'heddle sweep "
                    "--json' wrote",
                    options.files[0], options.files[1]));
  for (const char* flag : {options.plot ? "--plot" : "", options.log.any() ? "--log-algo and its like" : ""})
    if (*flag != 0)
      throw InputError(
          fmt::format("{}: for a table of nccl-tests, OSU's or Intel's benchmarks beside emulated results; "
                      "neither file is one",
                      flag));
  const double tolerance = read_flag("--tolerance", options.tolerance.value_or(kUsualTolerance), parse_tolerance);
  const ReportOutput json("--json", options.json);
  const ResultFile before = read_results(files[0].path, files[0].text);
  const ResultFile now = read_results(files[1].path, files[1].text);
  const Comparison comparison = compare(before, now, tolerance);
  write_report(comparison_report(before, now, comparison, tolerance), json, out);
  return comparison.is_worse() ? kExitCheckFailed : kExitOk;
}

}  // namespace

Command add_compare_command(CLI::App* command) {
  const auto options = std::make_shared<CompareOptions>();
  const FlagGroup flags(*command);
  flags.add(
      "FILES", options->files, "",
      "What 'heddle run --json' or 'heddle sweep --json' wrote: the old one, the new one; or one of them and a table that "
      "nccl-tests, OSU's or Intel's benchmarks printed");
  flags.add("--tolerance", options->tolerance, "PART",
            "How much longer a result may take before it is slower: 1%, 0.01, or 0 for not at all (1%; beside measured times, "
            "any)");
  flags.add("--plot", options->plot, "PATH", "Draw measured and emulated times over sizes: .svg, .png or .pdf");
  flags.add_json(options->json);
  options->log.add_to(*command);
  command->footer(
      "Results are matched by collective, fabric, ranks, placement, fault, size and algorithm. Where all of a file are on one\n"
      "fabric, and all of the other on another, they are matched by the rest, and the fabrics are named; so are versions and\n"
      "speeds.\n"
      "Exit status: 0: nothing is slower; 1: something is slower than the tolerance allows, or fails; 2: bad input. What is\n"
      "missing, new, faster or right again is shown, and is no failure. Beside measured times: 1 where a --tolerance is given\n"
      "and an emulated time is further off.\n"
      "\n"
      "Example:\n"
      "  heddle sweep allreduce --topo torus:8x8 --size 1KiB:16MiB:x4 --json new.json\n"
      "  heddle compare old.json new.json --tolerance 2%\n"
      "  heddle compare all_reduce_perf.txt new.json --log-algo ring --plot both.svg");
  return {command, [options](std::ostream& out, std::ostream&) { return compare_files(*options, out); }};
}

}  // namespace heddle
