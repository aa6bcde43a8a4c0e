// SPDX-License-Identifier: Apache-2.0
// `heddle merge`: the whole of a sweep from its shards.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <memory>
#include <ostream>

#include "cli/commands/commands.hpp"
#include "cli/flags/flag_group.hpp"
#include "cli/flags/sweep_flags.hpp"
#include "cli/process/process.hpp"
#include "heddle/errors.hpp"
#include "lab/sweep/shards.hpp"
#include "show/outputs.hpp"
#include "show/terminal/terminal.hpp"

namespace heddle {

namespace {

struct MergeOptions {
  std::vector<std::string> files;
  std::optional<std::string> csv;
  std::optional<std::string> json;
  std::optional<std::string> html;
  PlotFlags plot;
};

/// Prints the table and writes the files of the whole sweep, the same bytes as if it had run on one machine.
int merge_files(const MergeOptions& options, std::ostream& out, std::ostream& err) {
  if (options.files.empty()) throw InputError("the files are missing; try: heddle merge part1.json part2.json --csv whole.csv");
  const SweepDocument whole = merge_shards(options.files);
  SweepOutputs outputs(options.csv, options.json, options.html);
  outputs.add_plots(options.plot.open(whole.runs));
  require_apart(outputs.names());
  const std::vector<std::string> unwritten = outputs.write(whole, out, columns_of(out));
  for (const std::string& line : unwritten) err << fmt::format("heddle: {}\n", line);
  const bool has_failed = std::ranges::any_of(whole.runs, [](const auto& run) { return run.failure.has_value(); });
  return unwritten.empty() && !has_failed ? kExitOk : kExitCheckFailed;
}

}  // namespace

Command add_merge_command(CLI::App* command) {
  const auto options = std::make_shared<MergeOptions>();
  command->add_option("FILES", options->files, "The JSON file of each part (--json)")->type_name("");
  const FlagGroup output(*command, "Output");
  output.add("--csv", options->csv, "PATH", "Write the whole as CSV to this file; - : to standard output, without the table");
  output.add_json(options->json);
  output.add("--html", options->html, "PATH", "Write the whole as one page that a browser opens");
  options->plot.add_to(*command);
  command->footer(
      "The outputs are the same bytes as those of the whole sweep on one machine.\n"
      "\n"
      "Example:\n"
      "  heddle sweep allreduce --topo torus:8x8 --size 1KiB:1MiB:x4 --shard 1/2 --json part1.json    # and 2/2, elsewhere\n"
      "  heddle merge part1.json part2.json --csv whole.csv");
  return {command, [options](std::ostream& out, std::ostream& err) { return merge_files(*options, out, err); }};
}

}  // namespace heddle
