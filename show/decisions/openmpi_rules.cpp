// SPDX-License-Identifier: Apache-2.0
// The grammar, of numbers between blanks and line feeds, where # begins a comment:
//
//   file        collectives  collective…
//   collective  id  communicators  communicator…     ids as COLLTYPE has them
//   communicator  ranks  rules  rule…                ascending; also for more ranks, up to the next
//   rule        bytes  algorithm  faninout  segsize  ascending, the first at 0; algorithm 0: Open MPI decides by itself
//
// Fewer ranks than the first communicator's would take its rules too. So the first is of 1 rank, and leaves them to Open MPI.
#include "show/decisions/openmpi_rules.hpp"

#include <fmt/format.h>

#include "core/version.hpp"
#include "show/decisions/decision_lines.hpp"

namespace heddle::decisions {

namespace {

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

}  // namespace heddle::decisions
