// SPDX-License-Identifier: Apache-2.0
// Three grammars, each above what writes it.
#include "show/reports/decision_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/printable.hpp"
#include "heddle/errors.hpp"
#include "heddle/registry.hpp"
#include "heddle/version.hpp"
#include "lab/documents/context.hpp"
#include "show/document/document.hpp"

namespace heddle::decisions {

namespace {

// Decisions and targets as lines for people.

/// Without what would end a comment's line.
std::string in_one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return line;
}

/// ", ring +12 %"
std::string lead_text(const Choice& choice, const std::optional<NextBest>& next) {
  if (!next) return "";
  return fmt::format(", {} +{:.1f} %", in_one_line(next->algorithm), 100 * lead_of(choice, *next));
}

/// "ring (4.094us, rabenseifner +12 %)": how far the next best is behind; or that the target decides by itself, and why.
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

/// "swing_bandwidth is the fastest (1.565us), but Open MPI has no Swing"
std::string missed_text(const Target& target, const Missed& missed) {
  return fmt::format("{} is the fastest ({}), but {} {}", in_one_line(missed.algorithm), to_string(missed.time), target.title,
                     missed.why);
}

/// "64KiB"; of a barrier, which has no size, "any size".
std::string size_text(const CollectiveDecisions& of, std::int64_t bytes) {
  return of.collective->collective == Collective::barrier ? "any size" : to_string(Bytes(bytes));
}

/// What a reader of the file should know of all its decisions: where the speeds come from, what was left to the target. Without
/// a line feed.
std::vector<std::string> header_lines(const Decisions& decisions) {
  std::vector<std::string> lines;
  for (const std::string& sentence : decisions.speeds) lines.push_back(in_one_line(sentence));
  if (decisions.margin > 0)
    lines.push_back(fmt::format("what is less than {:.3g} % ahead of the next best is left to {} (--margin)",
                                100 * decisions.margin, decisions.target->title));
  return lines;
}

// The grammar, of numbers between blanks and line feeds, where # begins a comment:
//
//   file        collectives  collective…
//   collective  id  communicators  communicator…     ids as COLLTYPE has them
//   communicator  ranks  rules  rule…                ascending; also for more ranks, up to the next
//   rule        bytes  algorithm  faninout  segsize  ascending, the first at 0; algorithm 0: Open MPI decides by itself
//
// Fewer ranks than the first communicator's would take its rules too. So the first is of 1 rank, and leaves them to Open MPI.

std::string rule_text(const Target& target, const SizeRule& rule) {
  const Decision& decision = *rule.decision;
  const int algorithm = decision.choice ? decision.choice->mapping->id : 0;
  const std::int64_t segment = decision.choice ? decision.choice->segment.count() : 0;
  return fmt::format("{} {} 0 {}  # {}\n", rule.from, algorithm, segment, choice_text(target, decision));
}

std::string communicator_text(const Target& target, const CollectiveDecisions& of, const RankDecisions& at) {
  const std::vector<SizeRule> rules = size_rules(at);
  std::string text = fmt::format("{}  # ranks and more: {}\n{}  # rule{}\n", at.ranks, in_one_line(at.fabric), rules.size(),
                                 rules.size() == 1 ? "" : "s");
  for (const SizeRule& rule : rules) text += rule_text(target, rule);
  for (const Decision& decision : at.sizes)
    if (decision.missed)
      text += fmt::format("# {}: {}\n", size_text(of, decision.bytes), missed_text(target, *decision.missed));
  return text;
}

}  // namespace

std::string openmpi_rules(const Decisions& decisions) {
  const Target& target = *decisions.target;
  std::string text = fmt::format(
      "# Rules for {} ({}), from measurements of heddle {} on emulated fabrics.\n"
      "# mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename FILE\n",
      target.title, target.versions, version());
  for (const std::string& line : header_lines(decisions)) text += fmt::format("# {}\n", line);
  text += fmt::format("{}  # collectives\n", decisions.collectives.size());
  for (const CollectiveDecisions& of : decisions.collectives) {
    const bool has_few = of.ranks.front().ranks > 1;
    text += fmt::format("\n{}  # {}\n{}  # communicators\n", of.collective->id, of.collective->name,
                        of.ranks.size() + (has_few ? 1 : 0));
    if (has_few) text += fmt::format("1  # ranks and more\n1  # rule\n0 0 0 0  # {} decides by itself\n", target.title);
    for (const RankDecisions& at : of.ranks) text += communicator_text(target, of, at);
  }
  return text;
}

// Of each object MPICH takes the first member whose key, a condition, is true, and ends at an algorithm. It does not come back: an
// object none of whose conditions is true ends the program. So every object here ends with what is always true, and what an
// algorithm cannot serve goes to the base's rules.

namespace {

using Json = nlohmann::ordered_json;

Json algorithm_json(const Mapping& mapping) { return {{fmt::format("algorithm={}", mapping.algorithm), Json::object()}}; }

/// What MPICH does not guard against by itself. Where an algorithm parts the vector, so does an operation of the user's need to
/// be able to: one that is built in is.
Json guarded(const Mapping& mapping, const Json& base) {
  switch (mapping.limit) {
    case Limit::power_of_two_ranks:
      return {{"comm_size=pow2", algorithm_json(mapping)}, {"comm_size=any", base}};
    case Limit::element_for_each_of_power_of_two:
      return {{"is_op_built_in=yes", {{"count<pow2", base}, {"count=any", algorithm_json(mapping)}}},
              {"is_op_built_in=no", base}};
    default:
      return algorithm_json(mapping);
  }
}

Json choice_json(const Decision& decision, const Json& base) {
  return decision.choice ? guarded(*decision.choice->mapping, base) : base;
}

/// The key whose number is compared, and how many bytes of the whole vector are one of it.
struct SizeKey {
  std::string_view name;
  std::int64_t parts = 1;
};

SizeKey size_key_of(Collective collective, int ranks) {
  if (collective == Collective::alltoall) return {"avg_msg_size", ranks};  // a block
  const bool is_whole =
      collective == Collective::broadcast || collective == Collective::reduce || collective == Collective::allreduce;
  return {is_whole ? "avg_msg_size" : "total_msg_size", 1};
}

Json sizes_json(const CollectiveDecisions& of, const RankDecisions& at, const Json& base) {
  const std::vector<SizeRule> rules = size_rules(at);
  const SizeKey key = size_key_of(of.collective->collective, at.ranks);
  if (rules.size() == 1) return choice_json(*rules.front().decision, base);
  Json sizes = Json::object();
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const Json chosen = choice_json(*rules[i].decision, base);
    // MPICH reads a number of 32 bits.
    const std::int64_t to =
        i + 1 < rules.size() ? (rules[i + 1].from + key.parts - 1) / key.parts - 1 : std::numeric_limits<std::int64_t>::max();
    if (to > std::numeric_limits<std::int32_t>::max()) {
      sizes[fmt::format("{}=any", key.name)] = chosen;
      break;
    }
    sizes[fmt::format("{}<={}", key.name, to)] = chosen;
  }
  return sizes;
}

/// Calls that no algorithm here is meant for go to the base's rules first.
Json calls_json(const CollectiveDecisions& of, const RankDecisions& at, const Json& base) {
  const Json sizes = sizes_json(of, at, base);
  if (reduces(of.collective->collective)) return {{"is_commutative=yes", sizes}, {"is_commutative=no", base}};
  if (of.collective->collective == Collective::alltoall)
    return {{"is_sendbuf_inplace=yes", base}, {"is_sendbuf_inplace=no", sizes}};
  return sizes;
}

/// Each number of ranks also serves more, up to the next; fewer than the first have the base's rules.
Json ranks_json(const CollectiveDecisions& of, const Json& base) {
  Json ranks = Json::object();
  if (of.ranks.front().ranks > 1) ranks[fmt::format("comm_size<={}", of.ranks.front().ranks - 1)] = base;
  for (std::size_t i = 0; i < of.ranks.size(); ++i) {
    const bool is_last = i + 1 == of.ranks.size();
    const std::string key = is_last ? "comm_size=any" : fmt::format("comm_size<={}", of.ranks[i + 1].ranks - 1);
    ranks[key] = calls_json(of, of.ranks[i], base);
  }
  return ranks;
}

}  // namespace

std::string mpich_json(const Decisions& decisions, const Json& base, const std::string& base_path) {
  constexpr auto kWithin = "comm_type=intra";
  Json tuned = base;
  for (const CollectiveDecisions& of : decisions.collectives) {
    const std::string key = fmt::format("collective={}", of.collective->name);
    if (!base.contains(key) || !base[key].is_object() || !base[key].contains(kWithin))
      throw InputError(
          fmt::format("'{}': has no rules for \"{}\" within a communicator; is it another version's?", base_path, key));
    tuned[key][kWithin] = ranks_json(of, base[key][kWithin]);
  }
  return json_text(tuned);
}

// A line for each range of sizes at each number of ranks; the tuner takes the first that fits, and leaves to NCCL what none does.
// Lines that begin with # are comments. It reads lines of up to 255 bytes: what is longer would go on as a line of its own.

namespace {

constexpr std::size_t kLongestLine = 254;  // and its line feed

/// A comment that is not too long, cut at a letter's end.
std::string comment(const std::string& text) {
  std::string line = "# " + in_one_line(text);
  if (line.size() > kLongestLine) {
    std::size_t end = kLongestLine - 3;
    while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;
    line.resize(end);
    line += "...";
  }
  return line + "\n";
}

std::string ranks_text(const Decisions& decisions, const CollectiveDecisions& of, const RankDecisions& at) {
  const Target& target = *decisions.target;
  std::string text = comment(fmt::format("{}, {} ranks: {}", of.collective->name, at.ranks, at.fabric));
  for (const Decision& decision : at.sizes)
    if (decision.missed)
      text += comment(fmt::format("{}: {}", to_string(Bytes(decision.bytes)), missed_text(target, *decision.missed)));
  const std::vector<SizeRule> rules = size_rules(at);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const auto from = static_cast<std::uint64_t>(rules[i].from);
    const std::uint64_t to =
        i + 1 < rules.size() ? static_cast<std::uint64_t>(rules[i + 1].from) - 1 : std::numeric_limits<std::uint64_t>::max();
    const std::optional<Choice>& choice = rules[i].decision->choice;
    text += comment(fmt::format("from {}: {}", to_string(Bytes(rules[i].from)), choice_text(target, *rules[i].decision)));
    if (choice)
      text += fmt::format("{},{},{},{},simple,-1,-1,{}\n", of.collective->name, from, to, choice->mapping->algorithm, at.ranks);
  }
  return text;
}

}  // namespace

std::string nccl_csv(const Decisions& decisions) {
  std::string text = comment(fmt::format("For {}'s example tuner, from measurements of heddle {} on emulated fabrics.",
                                         decisions.target->title, version())) +
                     comment("NCCL_TUNER_PLUGIN=libnccl-tuner-example.so NCCL_TUNER_CONFIG_FILE=FILE") +
                     comment("collective,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks");
  for (const std::string& line : header_lines(decisions)) text += comment(line);
  for (const CollectiveDecisions& of : decisions.collectives)
    for (const RankDecisions& at : of.ranks) text += ranks_text(decisions, of, at);
  return text;
}

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

}  // namespace

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
  std::string end = fmt::format("{}, {} of them the fastest that was measured", counted(all, "decision"), fastest);
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

Json json_of_choice(const std::optional<Choice>& choice) {
  if (!choice) return nullptr;
  return {{"algorithm", choice->algorithm},
          {"called", choice->mapping->algorithm},
          {"id", choice->mapping->id == 0 ? Json(nullptr) : Json(choice->mapping->id)},
          {"segment_bytes", choice->segment.count()},
          {"time_s", seconds_for_json(choice->time)}};
}

Json json_of_next(const Decision& decision) {
  if (!decision.next) return nullptr;
  Json json = {{"algorithm", decision.next->algorithm}, {"time_s", seconds_for_json(decision.next->time)}};
  if (const std::optional<Choice>& first = decision.choice ? decision.choice : decision.close)
    json["slowdown"] = or_null(lead_of(*first, *decision.next));
  return json;
}

Json json_of_missed(const std::optional<Missed>& missed) {
  if (!missed) return nullptr;
  return {{"algorithm", missed->algorithm}, {"time_s", seconds_for_json(missed->time)}, {"why", missed->why}};
}

Json json_of_decision(const CollectiveDecisions& of, const Decision& decision) {
  const bool has_size = of.collective->collective != Collective::barrier;
  return {{"bytes", has_size ? Json(decision.bytes) : Json(nullptr)},
          {"choice", json_of_choice(decision.choice)},
          {"next_best", json_of_next(decision)},
          {"too_close", json_of_choice(decision.close)},
          {"missed", json_of_missed(decision.missed)},
          {"is_estimated", decision.is_estimated}};
}

Json json_of_ranks(const CollectiveDecisions& of, const RankDecisions& at) {
  Json json = {{"ranks", at.ranks}, {"fabric", at.fabric}, {"decisions", Json::array()}};
  for (const Decision& decision : at.sizes) json["decisions"].push_back(json_of_decision(of, decision));
  for (const Decision& decision : at.between) json["decisions"].push_back(json_of_decision(of, decision));
  return json;
}

}  // namespace

std::string decisions_json(const Decisions& decisions) {
  Json collectives = Json::array();
  for (const CollectiveDecisions& of : decisions.collectives) {
    collectives.push_back(
        {{"collective", to_string(of.collective->collective)}, {"called", of.collective->name}, {"ranks", Json::array()}});
    for (const RankDecisions& at : of.ranks) collectives.back()["ranks"].push_back(json_of_ranks(of, at));
  }
  return json_text(json_of(Document{.context = {{"target", decisions.target->title},
                                                {"target_versions", decisions.target->versions},
                                                {"margin", decisions.margin},
                                                {"speeds", decisions.speeds}},
                                    .facts = {{"collectives", std::move(collectives)}, {"failed", decisions.failed}},
                                    .rows_name = ""}));
}

}  // namespace heddle::decisions
