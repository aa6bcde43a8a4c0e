// SPDX-License-Identifier: Apache-2.0
// `heddle list`: the algorithms that there are, as the registry describes them.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/flags/experiment_flags.hpp"
#include "cli/process/process.hpp"
#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"
#include "lab/plugin/load_plugins.hpp"
#include "lab/studies/schedule_picture.hpp"
#include "show/document/output_file.hpp"
#include "show/drawing/fabric_drawing.hpp"
#include "show/drawing/picture_file.hpp"
#include "show/reports/algorithm_list.hpp"
#include "show/reports/fabric_description.hpp"

namespace heddle {

namespace {

struct ListOptions {
  std::vector<std::string> words;
  std::optional<std::string> collective;
  std::optional<std::string> algorithm;
  std::vector<std::string> plugins;
  std::optional<std::string> schedule;
  std::optional<std::string> svg;  ///< the file of its picture
  bool presets = false;
  std::optional<std::string> json;
  bool markdown = false;
};

EntrySelection selection_of(const ListOptions& options) {
  EntrySelection selection{.algorithm = options.algorithm};
  if (options.collective) selection.collective = read_flag("--collective", *options.collective, parse_collective);
  return selection;
}

/// Of several collectives a file each: "out-broadcast.svg".
void write_picture(const std::string& path, const Algorithm& algorithm, bool alone, const ScheduleDrawing& drawing) {
  read_flag("--svg", path, [&](std::string_view) {
    const OutputFile file(alone ? path : pictures::path_of_one(path, to_string(algorithm.collective)));
    file.write(pictures::picture_for(path, pictures::svg_schedule(drawing)));
  });
}

void draw_schedules(const ListOptions& options, std::span<const Algorithm> rows, std::ostream& out) {
  if (!options.algorithm) throw InputError("--schedule draws one algorithm; name it with --algo");
  const std::vector<Algorithm> drawn = select_with_options(rows, selection_of(options));
  const ScheduleRequest request = read_flag("--schedule", *options.schedule, parse_schedule);
  if (options.svg) read_flag("--svg", *options.svg, pictures::require_picture_file);
  bool is_first = true;
  for (const Algorithm& algorithm : drawn) {
    try {
      const ScheduleDrawing drawing = schedule_drawing(algorithm, request);
      out << (is_first ? "" : "\n") << text_of(drawing);
      if (options.svg) write_picture(*options.svg, algorithm, drawn.size() == 1, drawing);
      is_first = false;
    } catch (const InputError& error) {
      // Of several that share the name, those that fit are drawn.
      if (is_first && &algorithm == &drawn.back()) throw InputError(with_flag("--schedule", error.what()));
    }
  }
}

void list_presets(const ListOptions& options, const ReportOutput& json, std::ostream& out) {
  if (options.markdown) throw InputError("--presets and --markdown: docs/algorithms.md has no presets; leave one out");
  if (options.collective || options.algorithm || options.schedule || !options.plugins.empty() || !options.words.empty())
    throw InputError("--presets lists presets of fabrics, which have no algorithms; leave other flags and words out");
  write_report(presets_report(), json, out);
}

int list_algorithms(const ListOptions& options, std::ostream& out) {
  if (options.json == "-" && options.markdown)
    throw InputError("--json - and --markdown: standard output takes one of them; give --json a file");
  const ReportOutput json("--json", options.json);
  if (options.presets) {
    list_presets(options, json, out);
    return kExitOk;
  }
  const std::vector<Algorithm> rows = all_rows(options.plugins, options.algorithm);
  if (options.svg && !options.schedule)
    throw InputError("--svg draws a schedule; add --algo and --schedule, such as --schedule p=8");
  if (options.schedule) {
    if (options.json || options.markdown) throw InputError("--schedule is text: leave --json and --markdown out");
    if (!options.words.empty())
      throw InputError(
          fmt::format("'{}': --schedule draws what --collective and --algo name; leave words out", options.words.front()));
    draw_schedules(options, rows, out);
    return kExitOk;
  }
  const std::vector<const Algorithm*> algorithms = rows_with_words(select_entries(rows, selection_of(options)), options.words);
  if (!json.is_standard_output()) out << (options.markdown ? list_as_markdown(algorithms) : list_as_text(algorithms));
  if (json.is_wanted()) json.write(list_as_json(algorithms), out);
  return kExitOk;
}

}  // namespace

Command add_list_command(CLI::App* command) {
  const auto options = std::make_shared<ListOptions>();
  const FlagGroup flags(*command);
  flags.add("WORDS", options->words, "",
            "Only those that have all of these words in what is said of them: allreduce, swing, 'tree', 'commutative'; a "
            "collective's "
            "name is all of its own");
  flags.add("--collective", options->collective, "NAME", "Only this collective's");
  flags.add("--algo", options->algorithm, "NAME", "Only this one");
  add_plugin_flag(flags, options->plugins);
  flags.add("--schedule", options->schedule, "WHERE",
            "Draw that algorithm's rounds instead, as a run shows them: p=8 (a ring), or a fabric such as torus:2x4; "
            "with ,root=3 from that root");
  flags.add("--svg", options->svg, "PATH",
            "With --schedule: also as a picture, a round a panel, to a file: out.svg or out.png (of several collectives: "
            "out-NAME.svg each)");
  flags.add_switch("--presets", options->presets, "The presets of fabrics instead, with their figures");
  flags.add_json(options->json);
  flags.add_switch("--markdown", options->markdown, "As docs/algorithms.md");
  command->footer(
      "In the formulas: p ranks, M bytes of the whole vector; d_i the sizes of the grid's dimensions, or p where there is "
      "none.\n"
      "Bytes are those that a rank sends, at most. Bits are those of a result that ranks share, where floats round.\n"
      "\n"
      "Example:\n"
      "  heddle list allreduce\n"
      "  heddle list allreduce grid\n"
      "  heddle list --collective allreduce --algo swing_bandwidth --schedule p=8");
  return {command, [options](std::ostream& out, std::ostream&) { return list_algorithms(*options, out); }};
}

}  // namespace heddle
