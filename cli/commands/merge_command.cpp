// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/merge_command.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <ostream>

#include "cli/process/exit_status.hpp"
#include "core/errors.hpp"
#include "lab/sweep/same_sweep.hpp"
#include "lab/sweep/sweep_journal.hpp"
#include "show/sweep/sweep_outputs.hpp"
#include "show/terminal/terminal_stream.hpp"

namespace heddle {

namespace {

struct ShardFile {
  std::string path;
  SweepDocument document;
  int cut_line = 0;  ///< as SweepFile's
};

std::vector<ShardFile> read_files(const std::vector<std::string>& paths) {
  std::vector<ShardFile> files;
  for (const std::string& path : paths) {
    SweepFile file = read_sweep_file(path);
    if (!file.has_header) throw InputError(fmt::format("'{}': holds nothing yet", path));
    files.push_back({path, std::move(file.document), file.cut_line});
    if (files.size() > 1) require_same_sweep(path, files.back().document, files.front().document);
  }
  return files;
}

void require_all_shards(const std::vector<ShardFile>& files) {
  const Shard& first = files.front().document.shard;
  std::vector<std::string> paths(static_cast<std::size_t>(first.of));
  for (const ShardFile& file : files) {
    const Shard& shard = file.document.shard;
    if (shard.of != first.of)
      throw InputError(fmt::format("'{}' is part {}, '{}' part {}: not of one partition", files.front().path, to_string(first),
                                   file.path, to_string(shard)));
    std::string& path = paths[static_cast<std::size_t>(shard.index) - 1];
    if (!path.empty()) throw InputError(fmt::format("'{}' and '{}' are both part {}", path, file.path, to_string(shard)));
    path = file.path;
  }
  std::vector<std::string> missing;
  for (int index = 1; index <= first.of; ++index)
    if (paths[static_cast<std::size_t>(index) - 1].empty()) missing.push_back(to_string(Shard{index, first.of}));
  if (!missing.empty())
    throw InputError(fmt::format("part{} {} of the sweep {} missing; give the file{} of --shard {}",
                                 missing.size() == 1 ? "" : "s", fmt::join(missing, ", "), missing.size() == 1 ? "is" : "are",
                                 missing.size() == 1 ? "" : "s", missing.front()));
  for (const ShardFile& file : files)
    if (!is_complete(file.document))
      throw InputError(fmt::format("'{}' is not complete: it has {} of {} runs{}; finish it with: heddle sweep --resume {}",
                                   file.path, file.document.runs.size(), runs_of(file.document.shard, file.document.planned),
                                   file.cut_line > 0 ? fmt::format(", and line {} is cut short", file.cut_line) : "",
                                   file.path));
}

SweepDocument merged(const std::vector<ShardFile>& files) {
  SweepDocument whole = files.front().document;
  whole.shard = Shard();
  whole.runs.clear();
  for (const ShardFile& file : files) whole.runs.insert(whole.runs.end(), file.document.runs.begin(), file.document.runs.end());
  std::ranges::sort(whole.runs, {}, &SweepResult::run);
  for (std::size_t i = 0; i < whole.runs.size(); ++i)
    if (whole.runs[i].run != static_cast<int>(i) + 1)
      throw InputError(fmt::format("run {} of the sweep is in none of the files, or in two", i + 1));
  return whole;
}

}  // namespace

void add_merge_command(CLI::App& app, MergeOptions& options) {
  CLI::App* command = app.add_subcommand("merge", "The whole of a sweep from the parts that 'heddle sweep --shard' ran");
  command->add_option("FILES", options.files, "The JSON file of each part (--json)")->type_name("");
  const std::string group = "Output";
  command->add_option("--csv", options.csv, "Write the whole as CSV to this file; - : to standard output, without the table")
      ->type_name("PATH")
      ->group(group);
  command->add_option("--json", options.json, "Write the whole as JSON; - : to standard output")
      ->type_name("PATH")
      ->group(group);
  command->add_option("--html", options.html, "Write the whole as one page that a browser opens")
      ->type_name("PATH")
      ->group(group);
  pictures::add_plot_flags(*command, options.plot);
  command->footer(
      "The outputs are the same bytes as those of the whole sweep on one machine.\n"
      "\n"
      "Example:\n"
      "  heddle sweep allreduce --topo torus:8x8 --size 1KiB:1MiB:x4 --shard 1/2 --json part1.json    # and 2/2, elsewhere\n"
      "  heddle merge part1.json part2.json --csv whole.csv");
}

int merge_command(const MergeOptions& options, std::ostream& out, std::ostream& err) {
  if (options.files.empty()) throw InputError("the files are missing; try: heddle merge part1.json part2.json --csv whole.csv");
  const std::vector<ShardFile> files = read_files(options.files);
  require_all_shards(files);
  const SweepDocument whole = merged(files);
  SweepOutputs outputs(options.csv, options.json, options.html);
  outputs.add_plots(pictures::open_plots(options.plot, whole.runs));
  require_apart(outputs.names());
  const std::vector<std::string> unwritten = outputs.write(whole, out, columns_of(out));
  for (const std::string& line : unwritten) err << fmt::format("heddle: {}\n", line);
  const bool has_failed = std::ranges::any_of(whole.runs, [](const auto& run) { return run.failure.has_value(); });
  return unwritten.empty() && !has_failed ? kExitOk : kExitCheckFailed;
}

}  // namespace heddle
