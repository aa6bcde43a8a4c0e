// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/list_command.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

#include "cli/flags/run_flags.hpp"
#include "cli/process/exit_status.hpp"
#include "core/nearest_name.hpp"
#include "core/version.hpp"
#include "lab/grammar/flag_value.hpp"
#include "lab/plugin/load_plugins.hpp"
#include "lab/plugin/schedule_files.hpp"
#include "lab/studies/schedule_picture.hpp"
#include "show/files/picture_file.hpp"
#include "show/files/picture_path.hpp"
#include "show/output_file.hpp"
#include "show/svg/svg_schedule.hpp"
#include "show/text/citations.hpp"

namespace heddle {

namespace {

std::string needs_of(const Algorithm& algorithm) {
  std::vector<std::string_view> needs;
  if (algorithm.needs.commutative) needs.emplace_back("commutative op");
  if (algorithm.needs.grid) needs.emplace_back("grid");
  if (!algorithm.needs.more.empty()) needs.push_back(algorithm.needs.more);
  if (algorithm.needs.equal_blocks) needs.emplace_back("equal blocks");
  if (algorithm.needs.in_network) needs.emplace_back("switches that compute");
  return needs.empty() ? "nothing" : fmt::format("{}", fmt::join(needs, ", "));
}

/// Of floats that round; empty: there is nothing to say.
std::string bits_of(const Algorithm& algorithm) {
  std::vector<std::string_view> bits;
  if (const std::optional<bool> same = promises_same_bits(algorithm))
    bits.emplace_back(*same ? "the same on all ranks" : "may differ between ranks");
  if (reduces(algorithm.collective) && !algorithm.same_bits_in_any_order)
    bits.emplace_back("may change with the order of events");
  return fmt::format("{}", fmt::join(bits, ", "));
}

/// "segments=optimal: what it sets", with the default, for each.
std::vector<std::string> options_of(const Algorithm& algorithm) {
  std::vector<std::string> options;
  for (const Parameter& parameter : algorithm.parameters)
    options.push_back(fmt::format("{}={}: {}", parameter.name, parameter.default_value, parameter.meaning));
  return options;
}

/// Calls visit(rows) for each collective's rows, which stand together in the registry.
template <class Visit>
void for_each_collective(std::span<const Algorithm* const> algorithms, Visit visit) {
  while (!algorithms.empty()) {
    std::size_t rows = 1;
    while (rows < algorithms.size() && algorithms[rows]->collective == algorithms[0]->collective) ++rows;
    visit(algorithms.first(rows));
    algorithms = algorithms.subspan(rows);
  }
}

std::string group_as_text(std::span<const Algorithm* const> rows) {
  std::string text = to_string(rows[0]->collective) + "\n";
  // A row of one's own need not say all of it.
  const auto add = [&text](std::string_view what, std::string_view says) {
    if (!says.empty()) text += fmt::format("    {}{}\n", what, says);
  };
  for (const Algorithm* row : rows) {
    text += fmt::format("\n  {}\n", row->name);
    add("", row->summary);
    add("rounds  ", row->rounds.text);
    add("bytes   ", row->bytes.text);
    add("bits    ", bits_of(*row));
    add("needs   ", needs_of(*row));
    for (const std::string& option : options_of(*row)) add("option  ", option);
    add("source  ", row->source);
  }
  return text;
}

/// A cell of a Markdown table: a bar would end it.
std::string markdown_cell(std::string_view text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

std::string group_as_markdown(std::span<const Algorithm* const> rows) {
  std::string text = fmt::format("\n## {}\n\n", to_string(rows[0]->collective));
  const bool is_shared = promises_same_bits(*rows[0]).has_value();
  text += fmt::format("| algorithm | rounds | bytes |{} needs | how | source |\n|---|---|---|{}---|---|---|\n",
                      is_shared ? " bits |" : "", is_shared ? "---|" : "");
  for (const Algorithm* row : rows) {
    const std::string bits = is_shared ? fmt::format(" {} |", bits_of(*row)) : "";
    std::string how = markdown_cell(row->summary);
    for (const std::string& option : options_of(*row)) how += " Option " + markdown_cell(option);
    text += fmt::format("| `{}` | {} | {} |{} {} | {} | {} |\n", row->name, markdown_cell(row->rounds.text),
                        markdown_cell(row->bytes.text), bits, markdown_cell(needs_of(*row)), how,
                        linked_citations(markdown_cell(row->source)));
  }
  return text;
}

bool has_name(const Algorithm& algorithm, const std::optional<std::string>& name) { return !name || algorithm.name == *name; }

/// The registry's and the plugins', by collective.
std::vector<Algorithm> all_rows(const ListOptions& options) {
  std::vector<Algorithm> rows(registry().begin(), registry().end());
  for (Algorithm& row : load_plugins(options.plugins)) rows.push_back(std::move(row));
  if (options.algorithm) {
    const auto load = [](std::string_view name) { return load_schedules(name, std::nullopt); };
    for (Algorithm& row : read_flag("--algo", *options.algorithm, load)) rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(rows, {}, &Algorithm::collective);
  return rows;
}

/// The rows that the flags ask for. A name that is in no collective gets the nearest one.
std::vector<const Algorithm*> select(const ListOptions& options, std::span<const Algorithm> rows) {
  std::optional<Collective> collective;
  if (options.collective) collective = read_flag("--collective", *options.collective, parse_collective);
  std::vector<const Algorithm*> selected;
  std::vector<std::string_view> names;
  for (const Algorithm& algorithm : rows) {
    if (collective && algorithm.collective != *collective) continue;
    names.push_back(algorithm.name);
    if (has_name(algorithm, options.algorithm)) selected.push_back(&algorithm);
  }
  if (selected.empty() && options.algorithm)
    throw InputError(with_flag("--algo", unknown_name_message("algorithm", *options.algorithm, names)));
  return selected;
}

/// The rows that --schedule is to draw: of any collective that has the name. Options may follow it.
std::vector<Algorithm> select_drawn(const ListOptions& options, std::span<const Algorithm> rows) {
  if (!options.algorithm) throw InputError("--schedule draws one algorithm; name it with --algo");
  ListOptions bare = options;
  if (!is_schedule_name(*options.algorithm)) bare.algorithm = options.algorithm->substr(0, options.algorithm->find(':'));
  std::vector<Algorithm> drawn;
  for (const Algorithm* row : select(bare, rows))
    drawn.push_back(
        read_flag("--algo", *options.algorithm, [&](std::string_view name) { return find_row(rows, row->collective, name); }));
  return drawn;
}

/// Of several collectives a file each: "out-broadcast.svg".
void write_picture(const std::string& path, const Algorithm& algorithm, bool alone, const ScheduleDrawing& drawing) {
  read_flag("--svg", path, [&](std::string_view) {
    const OutputFile file(alone ? path : pictures::path_of_one(path, to_string(algorithm.collective)));
    file.write(pictures::picture_for(path, pictures::svg_schedule(drawing)));
  });
}

void draw_schedules(const ListOptions& options, std::span<const Algorithm> rows, std::ostream& out) {
  const std::vector<Algorithm> drawn = select_drawn(options, rows);
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

}  // namespace

void add_list_command(CLI::App& app, ListOptions& options) {
  CLI::App* command = app.add_subcommand("list", "List the algorithms: rounds, bytes, needs and source of each");
  command->add_option("--collective", options.collective, "Only this collective's")->type_name("NAME");
  command->add_option("--algo", options.algorithm, "Only this one")->type_name("NAME");
  add_plugin_flag(*command, options.plugins);
  command
      ->add_option("--schedule", options.schedule,
                   "Draw that algorithm's rounds instead, as a run shows them: p=8 (a ring), or a fabric such as torus:2x4; "
                   "with ,root=3 from that root")
      ->type_name("WHERE");
  command
      ->add_option(
          "--svg", options.svg,
          "With --schedule: also as a picture, a round a panel, to a file: out.svg or out.png (of several collectives: "
          "out-NAME.svg each)")
      ->type_name("PATH");
  command->add_flag("--json", options.json, "As JSON");
  command->add_flag("--markdown", options.markdown, "As docs/algorithms.md");
  command->footer(
      "In the formulas: p ranks, M bytes of the whole vector; d_i the sizes of the grid's dimensions, or p where there is "
      "none.\n"
      "Bytes are those that a rank sends, at most. Bits are those of a result that ranks share, where floats round.");
}

std::string list_as_text(std::span<const Algorithm* const> algorithms) {
  std::string text;
  for_each_collective(algorithms, [&](std::span<const Algorithm* const> rows) {
    if (!text.empty()) text += '\n';
    text += group_as_text(rows);
  });
  return text + "\n# [key]: an entry of docs/sources.md\n";
}

namespace {

nlohmann::ordered_json json_of_needs(const Needs& needs) {
  return {{"commutative", needs.commutative},
          {"grid", needs.grid},
          {"equal_blocks", needs.equal_blocks},
          {"in_network", needs.in_network},
          {"more", needs.more.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(needs.more)}};
}

}  // namespace

std::string list_as_json(std::span<const Algorithm* const> algorithms) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Algorithm* algorithm : algorithms) {
    nlohmann::ordered_json options = nlohmann::ordered_json::array();
    for (const Parameter& parameter : algorithm->parameters)
      options.push_back({{"name", parameter.name}, {"default", parameter.default_value}, {"meaning", parameter.meaning}});
    const std::optional<bool> same_bits = promises_same_bits(*algorithm);
    rows.push_back({{"collective", to_string(algorithm->collective)},
                    {"name", algorithm->name},
                    {"summary", algorithm->summary},
                    {"source", algorithm->source},
                    {"needs", json_of_needs(algorithm->needs)},
                    {"same_bits", same_bits ? nlohmann::ordered_json(*same_bits) : nlohmann::ordered_json(nullptr)},
                    {"same_bits_in_any_order", algorithm->same_bits_in_any_order},
                    {"options", std::move(options)},
                    {"rounds", algorithm->rounds.text},
                    {"bytes", algorithm->bytes.text}});
  }
  return nlohmann::ordered_json({{"version", version()}, {"algorithms", rows}}).dump(2) + '\n';
}

std::string list_as_markdown(std::span<const Algorithm* const> algorithms) {
  std::string text =
      "<!-- Generated: heddle list --markdown > docs/algorithms.md. A test compares. -->\n"
      "# Algorithms\n\n"
      "One row per algorithm of the registry (`algorithms/registry/registry.hpp`), as `heddle list` has it. p is the number of "
      "ranks, M "
      "the bytes of\n"
      "the whole vector, dᵢ are the sizes of the grid's dimensions (where there is no grid, one dimension of p). Rounds are "
      "the longest\n"
      "chain of messages, each posted after the one before it was waited for; bytes are the most that one rank sends. Tests "
      "assert both\n"
      "against what runs count. Bits are those of a result that ranks share, where floats round: tests hold rows that promise "
      "the\n"
      "same on all ranks to it ([the model](model.md#the-same-bits)). A source is a key of [sources.md](sources.md) and where "
      "to "
      "look\n"
      "in it.\n";
  for_each_collective(algorithms, [&](std::span<const Algorithm* const> rows) { text += group_as_markdown(rows); });
  return text;
}

int list_command(const ListOptions& options, std::ostream& out) {
  if (options.json && options.markdown) throw InputError("--json and --markdown: one or the other");
  const std::vector<Algorithm> rows = all_rows(options);
  if (options.svg && !options.schedule)
    throw InputError("--svg draws a schedule; add --algo and --schedule, such as --schedule p=8");
  if (options.schedule) {
    if (options.json || options.markdown) throw InputError("--schedule is text: leave --json and --markdown out");
    draw_schedules(options, rows, out);
    return kExitOk;
  }
  const std::vector<const Algorithm*> algorithms = select(options, rows);
  if (options.json)
    out << list_as_json(algorithms);
  else if (options.markdown)
    out << list_as_markdown(algorithms);
  else
    out << list_as_text(algorithms);
  return kExitOk;
}

}  // namespace heddle
