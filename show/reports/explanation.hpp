// SPDX-License-Identifier: Apache-2.0
// Why a run took as long as it did: `heddle run … --explain`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emu/record/report.hpp"
#include "emu/record/timeline.hpp"
#include "lab/run/links.hpp"
#include "lab/run/setup.hpp"

namespace heddle {

// Where the time of a run went, in a few plain lines: `heddle run … --explain`.

/// What one round of the critical path's messages cost, from the end of the one before.
struct RoundCost {
  int round;
  Time time;
  Time contention;  ///< part of it
};

/// What an outermost phase (Communicator::phase) took.
struct PhaseCost {
  std::uint32_t phase;  ///< index into Timeline::phases; CriticalPath::kNoRecord: what is in none
  Time on_path;         ///< of the critical path: what its messages cost that were sent in the phase, as RoundCost has it
  Time contention;      ///< part of that
  Time mean;            ///< in a rank; of those that are in it at all
  Time most;
};

/// A link that a message of the critical path shared with others, or with a load in the background.
struct LinkContention {
  LinkId link;  ///< or trunk
  int round;    ///< of that message
  Time contention;
  std::vector<std::uint32_t> messages;  ///< in the link while that message was; that one first
};

/// By cost, the most expensive first; of equal ones the earlier round.
std::vector<RoundCost> costs_by_round(const Report& report, const Timeline& timeline);

/// In the order in which they were first named, what is in none last, and left out where the critical path has nothing of it.
std::vector<PhaseCost> costs_by_phase(const Report& report, const Timeline& timeline);

/// For the message of the critical path with the most contention, the one of its links that held it up most, and the messages
/// that were in it meanwhile. No value if no message of the path lost time by sharing a link. `holds` are the timeline's.
std::optional<LinkContention> worst_contention(const Report& report, const Timeline& timeline,
                                               const std::vector<LinkHold>& holds);

/// Lines that end with a newline and begin with "# ". The timeline is that of the report's run.
std::string explanation(const Setup& setup, const Algorithm& algorithm, const Report& report, const Timeline& timeline);
/// The same of a timeline that has the messages of the critical path alone: without what they shared links with.
std::string explanation_of_path(const Setup& setup, const Algorithm& algorithm, const Report& report, const Timeline& timeline);

/// What the numbers of these lines are called, lines that begin with "# " as well.
std::string explanation_legend(const Setup& setup);

// What held a run up: its most utilised link, and the tiers of links in which the messages of its longest chain drained.

/// "NIC to leaf, 50GB/s": a link's tier and rate, and what faults leave of it.
std::string link_kind_text(const Setup& setup, LinkId link, Time until);

/// The link of which the most of what it could carry was used, a load in the background included: a line that begins with "#   ".
/// Where no link has a limit, the one with most bytes. Empty: no link carried anything.
std::string most_utilised_line(const Setup& setup, const Report& report);

/// How long the messages of the chain drained, by the tier of the link that gave them their rate. A line that begins with "#   ";
/// empty where all links are of one tier. `path`: the chain's messages in the timeline; `holds` are the timeline's.
std::string draining_line(const Setup& setup, const Report& report, const Timeline& timeline,
                          const std::vector<std::uint32_t>& path, const std::vector<LinkHold>& holds);

/// The same of a timeline without flows, in which a message's `drained` is its `arrived`: how long the messages would drain alone, by
/// the tier of the narrowest link on their way.
std::string draining_alone_line(const Setup& setup, const Report& report, const Timeline& timeline,
                                const std::vector<std::uint32_t>& path);

}  // namespace heddle
