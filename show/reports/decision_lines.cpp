// SPDX-License-Identifier: Apache-2.0
#include "show/reports/decision_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "heddle/registry.hpp"
#include "heddle/version.hpp"
#include "lab/documents/fabric_report.hpp"
#include "show/document/document.hpp"

namespace heddle::decisions {

namespace {

/// Lines that differ in nothing but heddle's name are one.
struct AbsentRows {
  std::string why;
  std::vector<std::string> rows;
};

std::string mapping_line(const Mapping& mapping) {
  const std::string segments = mapping.segments == Segments::on_chain || mapping.segments == Segments::on_binomial_tree
                                   ? ", the segment size as measured"
                                   : "";
  const std::string id = mapping.id == 0 ? "" : fmt::format("{} ", mapping.id);
  std::string line = fmt::format("  {}: {}{}{}", mapping.row, id, mapping.algorithm, segments);
  if (mapping.limit != Limit::none) line += fmt::format("; {} where {}", mapping.instead, elsewhere(mapping.limit));
  if (!mapping.note.empty()) line += fmt::format("; {}", mapping.note);
  return line + "\n";
}

std::string collective_list(const Target& target, const TargetCollective& collective) {
  const std::string id = target.name == "openmpi" ? fmt::format(", {}", collective.id) : "";
  std::string text = fmt::format("\n{} ({}{})\n", to_string(collective.collective), collective.name, id);
  for (const Mapping& mapping : target.mappings)
    if (mapping.collective == collective.name) text += mapping_line(mapping);
  std::vector<AbsentRows> absent;
  for (const Algorithm* row : algorithms_of(collective.collective)) {
    const bool is_mapped = std::ranges::any_of(target.mappings, [&](const Mapping& mapping) {
      return mapping.collective == collective.name && mapping.row == row->name;
    });
    if (is_mapped) continue;
    const std::string why = why_not_mapped(target, collective, row->name);
    const auto same = std::ranges::find(absent, why, &AbsentRows::why);
    if (same == absent.end())
      absent.push_back({why, {row->name}});
    else
      same->rows.push_back(row->name);
  }
  for (const AbsentRows& rows : absent)
    text += fmt::format("  - {}: {} {}\n", fmt::join(rows.rows, ", "), target.title, rows.why);
  return text;
}

std::string missed_line(const Decisions& decisions, const CollectiveDecisions& of, const RankDecisions& at,
                        const Decision& decision) {
  const std::string size = of.collective->collective == Collective::barrier ? "" : " " + to_string(Bytes(decision.bytes));
  return fmt::format("{} p={}{}: {}; {}", of.collective->name, at.ranks, size, missed_text(*decisions.target, *decision.missed),
                     choice_text(*decisions.target, decision));
}

/// ", ring +12 %"
std::string lead_text(const Choice& choice, const std::optional<NextBest>& next) {
  if (!next) return "";
  return fmt::format(", {} +{:.1f} %", in_one_line(next->algorithm), 100 * lead_of(choice, *next));
}

}  // namespace

std::string choice_text(const Target& target, const Decision& decision) {
  const auto name_of = [](const Choice& choice) { return in_one_line(choice.algorithm); };
  if (decision.is_estimated)
    return fmt::format("{} (about {}, estimated between two sizes)", name_of(*decision.choice),
                       to_string(decision.choice->time));
  if (decision.choice)
    return fmt::format("{} ({}{})", name_of(*decision.choice), to_string(decision.choice->time),
                       lead_text(*decision.choice, decision.next));
  const std::string by_itself = fmt::format("{} decides by itself", target.title);
  if (!decision.close) return by_itself;
  return fmt::format("{}: {} ({}{}) is too little ahead", by_itself, name_of(*decision.close), to_string(decision.close->time),
                     lead_text(*decision.close, decision.next));
}

std::vector<std::string> header_lines(const Decisions& decisions) {
  std::vector<std::string> lines;
  for (const std::string& sentence : decisions.speeds) lines.push_back(in_one_line(sentence));
  if (decisions.margin > 0)
    lines.push_back(fmt::format("what is less than {:.3g} % ahead of the next best is left to {} (--margin)",
                                100 * decisions.margin, decisions.target->title));
  return lines;
}

std::string missed_text(const Target& target, const Missed& missed) {
  return fmt::format("{} is the fastest ({}), but {} {}", in_one_line(missed.algorithm), to_string(missed.time), target.title,
                     missed.why);
}

std::string size_text(const CollectiveDecisions& of, std::int64_t bytes) {
  return of.collective->collective == Collective::barrier ? "any size" : to_string(Bytes(bytes));
}

std::string in_one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return line;
}

std::vector<std::string> summary_lines(const Decisions& decisions) {
  std::vector<std::string> lines;
  int all = 0;
  int fastest = 0;
  int left = 0;
  int close = 0;
  for (const CollectiveDecisions& of : decisions.collectives)
    for (const RankDecisions& at : of.ranks)
      for (const Decision& decision : at.sizes) {
        ++all;
        if (!decision.choice) ++left;
        if (decision.close) ++close;
        if (decision.choice && !decision.missed) ++fastest;
        if (decision.missed) lines.push_back(missed_line(decisions, of, at, decision));
      }
  for (const std::string& run : decisions.failed) lines.push_back(fmt::format("{} and does not count", run));
  for (std::string& line : header_lines(decisions)) lines.push_back(std::move(line));
  std::string end = fmt::format("{} decisions, {} of them the fastest that was measured", all, fastest);
  if (left > 0) end += fmt::format("; {} left to {}", left, decisions.target->title);
  if (close > 0)
    end += fmt::format(", {} of them as the next best is less than {:.3g} % behind", close, 100 * decisions.margin);
  lines.push_back(std::move(end));
  return lines;
}

std::string mapping_list(const Target& target) {
  std::string text = fmt::format("What heddle's algorithms are in {} ({})\n", target.title, target.versions);
  for (const TargetCollective& collective : target.collectives) text += collective_list(target, collective);
  std::string missing;
  for (const Collective collective : all_collectives())
    if (collectives_of(target, collective).empty()) missing += (missing.empty() ? "" : ", ") + to_string(collective);
  if (!missing.empty()) text += fmt::format("\nThe file has no {}.\n", missing);
  return text;
}

namespace {

using DecidedJson = nlohmann::ordered_json;

DecidedJson json_of_choice(const std::optional<Choice>& choice) {
  if (!choice) return nullptr;
  return {{"algorithm", choice->algorithm},
          {"called", choice->mapping->algorithm},
          {"id", choice->mapping->id == 0 ? DecidedJson(nullptr) : DecidedJson(choice->mapping->id)},
          {"segment_bytes", choice->segment.count()},
          {"time_s", seconds_for_json(choice->time)}};
}

DecidedJson json_of_next(const Decision& decision) {
  if (!decision.next) return nullptr;
  DecidedJson json = {{"algorithm", decision.next->algorithm}, {"time_s", seconds_for_json(decision.next->time)}};
  if (const std::optional<Choice>& first = decision.choice ? decision.choice : decision.close)
    json["slowdown"] = or_null(lead_of(*first, *decision.next));
  return json;
}

DecidedJson json_of_missed(const std::optional<Missed>& missed) {
  if (!missed) return nullptr;
  return {{"algorithm", missed->algorithm}, {"time_s", seconds_for_json(missed->time)}, {"why", missed->why}};
}

DecidedJson json_of_decision(const CollectiveDecisions& of, const Decision& decision) {
  const bool has_size = of.collective->collective != Collective::barrier;
  return {{"bytes", has_size ? DecidedJson(decision.bytes) : DecidedJson(nullptr)},
          {"choice", json_of_choice(decision.choice)},
          {"next_best", json_of_next(decision)},
          {"too_close", json_of_choice(decision.close)},
          {"missed", json_of_missed(decision.missed)},
          {"is_estimated", decision.is_estimated}};
}

DecidedJson json_of_ranks(const CollectiveDecisions& of, const RankDecisions& at) {
  DecidedJson json = {{"ranks", at.ranks}, {"fabric", at.fabric}, {"decisions", DecidedJson::array()}};
  for (const Decision& decision : at.sizes) json["decisions"].push_back(json_of_decision(of, decision));
  for (const Decision& decision : at.between) json["decisions"].push_back(json_of_decision(of, decision));
  return json;
}

}  // namespace

std::string decisions_json(const Decisions& decisions) {
  DecidedJson collectives = DecidedJson::array();
  for (const CollectiveDecisions& of : decisions.collectives) {
    collectives.push_back({{"collective", to_string(of.collective->collective)},
                           {"called", of.collective->name},
                           {"ranks", DecidedJson::array()}});
    for (const RankDecisions& at : of.ranks) collectives.back()["ranks"].push_back(json_of_ranks(of, at));
  }
  const DecidedJson document = {{"context",
                                 {{"version", version()},
                                  {"target", decisions.target->title},
                                  {"target_versions", decisions.target->versions},
                                  {"margin", decisions.margin},
                                  {"speeds", decisions.speeds}}},
                                {"collectives", std::move(collectives)},
                                {"failed", decisions.failed}};
  return json_text(document);
}

}  // namespace heddle::decisions
