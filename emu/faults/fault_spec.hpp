// SPDX-License-Identifier: Apache-2.0
// Faults from text: heddle run --fault.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "emu/faults/faults.hpp"

namespace heddle {

/// Adds what one spec says:
///
///   link:0->1,slow=4[,at=10us]        a link, as `heddle topo --links` and reports name it, with a quarter of its bandwidth
///   link:s0<->3,down[,at=10us]        both ways of a cable; where cables lie side by side, all of them
///   link:worst,slow=4[,at=10us]       of all links, the one that costs the run most; or down
///   rank:3,late=20us                  begins its call then
///   rank:3,slow=2                     twice its α, o_s, o_r, γ
///   rank:3,throws,call=5              at its fifth call on a communicator; at=10us: its first from then on
///   rank:3,stops[,call=5][,at=10us]   likewise; without either: at its first
///   message:2->5,lost[,nth=3]         of those from rank 2 to rank 5
///   message:2->5,damaged[,nth=3][,byte=7]
///   unreliable:lost=1%,damaged=0.1%[,seed=7]
///   switch:s0,no-alu
///
/// Endpoints have their number or their name: "(0,1)". Throws InputError, one line, that shows the text and what would be
/// right.
void add_fault(Faults& faults, std::string_view spec, const Topology& topology, int ranks);

/// All of several.
Faults parse_faults(std::span<const std::string> specs, const Topology& topology, int ranks);

}  // namespace heddle
