// SPDX-License-Identifier: Apache-2.0
// A line for each range of sizes at each number of ranks; the tuner takes the first that fits, and leaves to NCCL what none does.
// Lines that begin with # are comments. It reads lines of up to 255 bytes: what is longer would go on as a line of its own.
#include "show/decisions/nccl_csv.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <limits>

#include "core/version.hpp"
#include "show/decisions/decision_lines.hpp"

namespace heddle::decisions {

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
