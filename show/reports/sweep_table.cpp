// SPDX-License-Identifier: Apache-2.0
#include "show/reports/sweep_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/describe/equal_runs.hpp"
#include "lab/documents/run_json.hpp"
#include "lab/sweep/sweep_axes.hpp"
#include "lab/sweep/sweep_result.hpp"
#include "show/document/table.hpp"
#include "show/reports/run_table.hpp"

namespace heddle {

namespace {

using Results = std::span<const SweepResult>;

using Json = nlohmann::ordered_json;

constexpr std::size_t kTableWidth = 128;  // where the output is no terminal

using Lines = std::span<const SweepLine>;

std::string size_text(std::int64_t bytes) { return to_string(Bytes(bytes)); }

/// The names that the lines of times had no room for.
std::string equivalents_text(Lines lines) {
  std::string text;
  for (const SweepLine& line : lines)
    if (const std::string all = all_names(line.names); line_name(line) != all)
      text += fmt::format("# the same messages: {}\n", all);
  return text;
}

/// Which variant of a row each time is of, where that is not the row as it is at all sizes.
std::string variants_text(Lines lines, std::span<const std::int64_t> sizes, std::string_view on) {
  std::string text;
  for (const SweepLine& line : lines) {
    std::string variants;
    bool has_options = false;
    for (std::size_t i = 0, end = 0; i < sizes.size(); i = end) {
      const SweepResult* first = line.results[i];
      for (end = i + 1; end < sizes.size(); ++end) {
        const SweepResult* next = line.results[end];
        if ((first == nullptr) != (next == nullptr) || (first != nullptr && first->algorithm != next->algorithm)) break;
      }
      if (first == nullptr || !first->measured) continue;
      has_options = has_options || first->algorithm != line.names.front();
      const std::string last = end > i + 1 ? " to " + size_text(sizes[end - 1]) : "";
      variants += fmt::format("{}{} at {}{}", variants.empty() ? "" : "; ", first->algorithm, size_text(sizes[i]), last);
    }
    if (has_options) text += fmt::format("{}the best of {}: {}\n", on, line.names.front(), variants);
  }
  return text;
}

std::string crossing_text(const Crossing& crossing) {
  const std::string where =
      crossing.at ? fmt::format(" from about {} on", rough_size_text(*crossing.at)) : "; where between them is not known";
  return fmt::format("the best changes between {} and {}: {} instead of {}{}\n", size_text(crossing.below),
                     size_text(crossing.above), crossing.to, crossing.from, where);
}

std::string member_text(const Json& fabric, const char* key) { return fabric.at(key).get<std::string>(); }

std::string speeds_text(const Json& fabric) {
  const Json& preset = fabric.at("preset");
  return (preset.is_null() ? "" : fmt::format("preset {}: ", preset.get<std::string>())) + member_text(fabric, "speeds");
}

/// Of one fabric alone.
std::string fabric_text(const Json& fabric) {
  return fmt::format("#\n# {}: {}, placement {}\n# {}\n", member_text(fabric, "fabric"),
                     counted(fabric.at("ranks").get<int>(), "rank"), member_text(fabric, "placement"), speeds_text(fabric));
}

/// What several have in common, and the speeds of each topology.
std::string fabrics_text(const SweepDocument& document) {
  const Json& fabrics = document.context.at("fabrics");
  std::string differing;
  const std::vector<SweepAxis> axes = varying_fabric_axes(document);
  for (const SweepAxis& axis : axes)
    differing += fmt::format("{}{} ({})", differing.empty() ? "" : " x ", axis.name, axis.values.size());
  std::string text = fmt::format("#\n# {} fabrics: {}", fabrics.size(), differing);
  for (const char* key : {"ranks", "placement"})
    if (std::ranges::find(axes, key, &SweepAxis::name) == axes.end())
      text += fmt::format("; {} {}", key, fabric_value(fabrics.at(0), key));
  text += '\n';
  std::set<std::string> known;
  for (const Json& fabric : fabrics) {
    const std::string line = fmt::format("# {}: {}\n", member_text(fabric, "topology"), speeds_text(fabric));
    if (known.insert(line).second) text += line;
  }
  return text;
}

std::string base_text(const SweepBase& base) {
  return fmt::format("# x: the time in proportion to that with {} {}\n", base.axis, base.value);
}

/// What else is to be said of an algorithm, with the sizes that it is said of.
std::string remarks_text(Results results, std::string_view on) {
  std::vector<std::pair<std::string, std::vector<std::string>>> remarks;  // sizes by text
  for (const SweepResult& result : results) {
    if (result.remark.empty()) continue;
    const std::string text = fmt::format("{}: {}", result.algorithm, result.remark);
    auto place = std::ranges::find(remarks, text, [](const auto& remark) { return remark.first; });
    if (place == remarks.end()) place = remarks.insert(place, {text, {}});
    place->second.push_back(size_text(result.bytes));
  }
  std::string text;
  for (const auto& [remark, sizes] : remarks) text += fmt::format("{}at {}: {}\n", on, fmt::join(sizes, ", "), remark);
  return text;
}

/// What the lines of times have no room for: names of equivalent algorithms, variants, remarks, where the best changes.
std::string notes_text(const SweepTable& table, bool is_tuned) {
  std::string text;
  std::set<std::string> known;
  for (const SweepSection& section : table.sections) {
    const std::string on =
        table.axes.empty() ? "# " : fmt::format("# on {}: ", section.fabric->at("fabric").get<std::string>());
    if (const std::string equivalents = equivalents_text(section.lines); known.insert(equivalents).second) text += equivalents;
    if (is_tuned) text += variants_text(section.lines, table.sizes, on);
    if (const std::string remarks = remarks_text(section.results, on); known.insert(remarks).second) text += remarks;
    std::vector<std::string> open;
    for (const std::int64_t bytes : section.open) open.push_back(size_text(bytes));
    if (!open.empty()) text += fmt::format("{}runs are missing: no best at {}\n", on, fmt::join(open, ", "));
  }
  return text;
}

/// Something that holds for some runs of a section.
struct FaultNote {
  std::string text;
  std::vector<const SweepResult*> runs = {};
};

void add_note(std::vector<FaultNote>& notes, const std::string& text, const SweepResult& run) {
  auto note = std::ranges::find(notes, text, &FaultNote::text);
  if (note == notes.end()) note = notes.insert(note, {text});
  note->runs.push_back(&run);
}

/// "ring; bucket at 1KiB, 4KiB"; empty: of all runs that were measured.
std::string whose(const FaultNote& note, const SweepSection& section) {
  const auto is_measured = [](const SweepResult& run) { return run.measured.has_value(); };
  if (note.runs.size() == static_cast<std::size_t>(std::ranges::count_if(section.results, is_measured))) return "";
  std::string text;
  std::vector<std::string> known;
  for (const SweepResult* run : note.runs) {
    if (std::ranges::find(known, run->algorithm) != known.end()) continue;
    known.push_back(run->algorithm);
    std::string sizes;
    std::size_t some = 0;
    for (const SweepResult* other : note.runs) {
      if (other->algorithm != run->algorithm) continue;
      sizes += fmt::format("{}{}", some++ == 0 ? "" : ", ", to_string(Bytes(other->bytes)));
    }
    const auto all = static_cast<std::size_t>(std::ranges::count_if(
        section.results, [&](const SweepResult& other) { return is_measured(other) && other.algorithm == run->algorithm; }));
    text += fmt::format("{}{}{}", text.empty() ? "" : "; ", run->algorithm, some == all ? "" : " at " + sizes);
  }
  return fmt::format(" ({})", text);
}

/// What became of faults: which changed nothing, and why; which link was the worst; which adaptive routing went round. Each with the
/// algorithms and sizes that it is of where it is not of all.
std::string faults_text(const SweepTable& table) {
  std::string text;
  std::vector<std::string> gone_round;
  for (const SweepSection& section : table.sections) {
    std::vector<FaultNote> notes;
    for (const SweepResult& run : section.results) {
      if (!run.measured) continue;
      const SweepMeasurement& measured = *run.measured;
      for (std::size_t i = 0; i < measured.idle_faults.size(); ++i)
        add_note(notes, fmt::format("never struck: {} ({})", measured.idle_faults[i], measured.idle_reasons[i]), run);
      if (measured.worst_link) add_note(notes, fmt::format("the worst link: {}", *measured.worst_link), run);
      for (const std::string& fault : measured.faults_gone_round)
        if (std::ranges::find(gone_round, fault) == gone_round.end()) gone_round.push_back(fault);
    }
    const std::string on =
        table.axes.empty() ? "# " : fmt::format("# on {}: ", section.fabric->at("fabric").get<std::string>());
    for (const FaultNote& note : notes) text += fmt::format("{}{}{}\n", on, note.text, whose(note, section));
  }
  return text + gone_round_text(gone_round);
}

std::string crossings_text(const SweepDocument& document, bool has_several_fabrics) {
  std::string text;
  for (const Crossing& crossing : crossings_of(document))
    text += (has_several_fabrics ? fmt::format("# on {}: ", crossing.fabric) : "# ") + crossing_text(crossing);
  return text;
}

/// Of the first size where it holds. Switches send nothing themselves.
std::string hint_text(const SweepTable& table) {
  for (const SweepSection& section : table.sections) {
    if (!section.fabric->at("groups").is_null()) continue;
    for (const std::int64_t bytes : table.sizes) {
      if (section.open.contains(bytes)) continue;
      std::vector<RunInBrief> runs;
      for (const SweepResult& run : section.shown)
        if (run.bytes == bytes && run.measured && run.algorithm != "in_network")
          runs.push_back(
              {run.algorithm, run.measured->time, run.measured->path.startup, run.measured->rounds, run.measured->messages});
      if (const std::string hint = free_messages_hint(runs, section.fabric->at("ranks").get<int>()); !hint.empty()) return hint;
    }
  }
  return "";
}

bool has_best(const SweepTable& table) {
  return std::ranges::any_of(table.sections, [&](const SweepSection& section) {
    return std::ranges::any_of(table.sizes, [&](std::int64_t bytes) { return best_at(section, bytes) != nullptr; });
  });
}

bool has_one_fault(const SweepDocument& document) {
  const std::vector<SweepAxis> axes = varying_fabric_axes(document);
  return std::ranges::find(axes, "fault", &SweepAxis::name) == axes.end();
}

std::string head_text(const SweepDocument& document) {
  const Json& fabric = document.context.at("fabrics").at(0);
  const auto text_at = [&](const char* key) { return fabric.at(key).get<std::string>(); };
  std::string text = fmt::format("# heddle {}: sweep of {}, {}{}\n", document.context.at("version").get<std::string>(),
                                 text_at("collective"), counted(document.planned, "run"),
                                 document.shard.is_whole() ? "" : fmt::format(", part {}", to_string(document.shard)));
  text += fmt::format("# {} {}, buffering {}, seed {}", text_at("datatype"), text_at("op"), text_at("buffering"),
                      fabric.at("seed").dump());
  for (const char* key : {"groups", "background", "skew", "counts"})
    if (fabric.contains(key) && !fabric.at(key).is_null()) text += fmt::format("; {} {}", key, text_at(key));
  if (const std::string fault = fabric_value(fabric, "fault"); !fault.empty() && has_one_fault(document))
    text += fmt::format("; fault {}", fault);
  return text + "; a time is printed only if every check passed; *: the best\n";
}

/// "(on ring:7, ring:9 and 3 more)"; nothing where it is all of them.
std::string where_text(const Json& fabrics, std::size_t all) {
  if (fabrics.size() == all) return "";
  constexpr std::size_t kShown = 3;
  std::vector<std::string> names;
  for (std::size_t f = 0; f < std::min(kShown, fabrics.size()); ++f) names.push_back(fabrics[f].get<std::string>());
  const std::string more = fabrics.size() > kShown ? fmt::format(" and {} more", fabrics.size() - kShown) : "";
  return fmt::format(" (on {}{})", fmt::join(names, "; "), more);
}

/// Sizes that were asked for and are less than what can be run.
std::string rounded_up_text(const SweepDocument& document) {
  if (!document.context.contains("rounded_up")) return "";
  std::vector<std::string> texts;
  for (const Json& rounded : document.context.at("rounded_up"))
    texts.push_back(fmt::format("{} to {}", size_text(rounded.at("bytes_asked").get<std::int64_t>()),
                                size_text(rounded.at("bytes").get<std::int64_t>())));
  return fmt::format("# rounded up to one element, or one in each block: {}\n", fmt::join(texts, ", "));
}

std::string tail_text(const SweepDocument& document) {
  std::string text = "#\n";
  for (const Json& left : document.left_out)
    text += fmt::format("# left out: {}: {}{}\n", left.at("algorithm").get<std::string>(), left.at("reason").get<std::string>(),
                        where_text(left.at("fabrics"), document.context.at("fabrics").size()));
  if (document.context.contains("tuning"))
    text += break_comments(fmt::format("# {}\n", tuning_text(document.context.at("tuning"))), kTableWidth);
  const auto right = static_cast<int>(std::ranges::count_if(document.runs, [](const auto& run) { return !!run.measured; }));
  const auto failed = static_cast<int>(std::ranges::count_if(document.runs, [](const auto& run) { return !!run.failure; }));
  const int missing = runs_of(document.shard, document.planned) - right - failed;
  text += fmt::format("# {} right", counted(right, "result"));
  if (failed > 0) text += fmt::format(", {} FAILED", failed);
  if (missing > 0) text += fmt::format("; incomplete: {} not run", counted(missing, "run"));
  return text + '\n';
}

}  // namespace

std::string table_text_of(const SweepDocument& all, std::optional<std::size_t> columns) {
  const SweepDocument document = with_marked_names(over_seeds(all));
  const bool is_tuned = document.context.contains("tuning");
  const Json& fabrics = document.context.at("fabrics");
  const SweepTable table = sweep_table_of(document);
  std::string text = head_text(document);
  text += fabrics.size() == 1 ? fabric_text(fabrics.at(0)) : fabrics_text(document);
  if (const std::optional<SweepBase> base = base_of(document)) text += base_text(*base);
  text += break_comments(rounded_up_text(document), kTableWidth);
  if (table.sections.empty()) return text + "# no run\n" + tail_text(all);
  const std::size_t width = columns.value_or(kTableWidth);
  text += times_text(table, width) + break_comments(notes_text(table, is_tuned) + faults_text(table), kTableWidth);
  for (const std::string& note : part_run_notes(all)) text += break_comments(fmt::format("# {}\n", note), kTableWidth);
  if (const std::string seeds = seeds_text(table, width, columns.has_value()); !seeds.empty()) text += "#\n" + seeds;
  if (has_best(table))
    text += "#\n" + bests_text(table, width, columns.has_value()) +
            break_comments(crossings_text(document, !table.axes.empty()) + hint_text(table), kTableWidth);
  return text + tail_text(all);
}

}  // namespace heddle
