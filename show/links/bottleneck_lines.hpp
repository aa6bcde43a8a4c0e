// SPDX-License-Identifier: Apache-2.0
// What held a run up: its most utilised link, and the tiers of links in which the messages of its longest chain drained.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emu/record/report.hpp"
#include "emu/record/timeline.hpp"
#include "lab/run/links.hpp"
#include "lab/run/setup.hpp"

namespace heddle {

/// "NIC to leaf, 50GB/s": a link's tier and rate, and what faults leave of it.
std::string link_kind_text(const Setup& plan, LinkId link, Time until);

/// The link of which the most of what it could carry was used, a load in the background included: a line that begins with "#   ".
/// Where no link has a limit, the one with most bytes. Empty: no link carried anything.
std::string most_utilised_line(const Setup& plan, const Report& report);

/// How long the messages of the chain drained, by the tier of the link that gave them their rate. A line that begins with "#   ";
/// empty where all links are of one tier. `path`: the chain's messages in the timeline; `holds` are the timeline's.
std::string draining_line(const Setup& plan, const Report& report, const Timeline& timeline,
                          const std::vector<std::uint32_t>& path, const std::vector<LinkHold>& holds);

/// The same of a timeline without flows, in which a message's `drained` is its `arrived`: how long the messages would drain alone, by
/// the tier of the narrowest link on their way.
std::string draining_alone_line(const Setup& plan, const Report& report, const Timeline& timeline,
                                const std::vector<std::uint32_t>& path);

}  // namespace heddle
