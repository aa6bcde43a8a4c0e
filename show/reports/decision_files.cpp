// SPDX-License-Identifier: Apache-2.0
// Three grammars, each above what writes it.
#include "show/reports/decision_files.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "heddle/errors.hpp"
#include "heddle/version.hpp"
#include "show/document/document.hpp"

namespace heddle::decisions {

namespace {

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

}  // namespace heddle::decisions
