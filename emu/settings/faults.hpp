// SPDX-License-Identifier: Apache-2.0
// What goes wrong in a run on purpose: links, ranks, messages, switches (docs/faults.md). Plain values; emu/settings/faults.hpp
// reads them from text.
//
// Faults are of the measured call: what runs outside of it (the second call of a checked run) is made by healthy ranks on a
// healthy fabric.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/units.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {

/// From `at` on a directed link has 1/slower of its bandwidth, or is down: messages go another way, what is left of those that
/// are on it included.
struct LinkFault {
  LinkId link = 0;
  Time at = {};
  bool down = false;
  double slower = 1;  ///< ≥ 1
};

/// Of a rank of the run.
struct RankFault {
  enum class Kind : std::uint8_t {
    late,    ///< begins its call at `at`
    slow,    ///< α, o_s, o_r and γ of this rank are multiplied by `factor`
    throws,  ///< at its call number `call` on a communicator, or its first at or after `at`
    stops,   ///< likewise, and never does anything more
  };
  Kind kind = Kind::stops;
  int rank = 0;
  Time at = {};
  std::int64_t call = 0;  ///< 1 is the first; 0: `at` decides
  double factor = 1;      ///< ≥ 1
};

/// The n-th message that one rank sends another across the fabric, whatever its tag and communicator.
struct MessageFault {
  int source = 0;
  int dest = 0;
  std::int64_t nth = 1;  ///< 1 is the first
  bool damaged = false;  ///< else it is lost
  /// Which of its bytes arrives changed; no value: one drawn. Beyond its end: counted on from its beginning.
  std::optional<std::int64_t> byte = {};
};

/// Each message that crosses the fabric is lost or damaged with these probabilities, drawn by seed.
struct UnreliableFabric {
  double lost = 0;
  double damaged = 0;
  std::uint64_t seed = 1;
};

/// A switch that forwards, and computes nothing.
struct SwitchFault {
  VertexId a_switch = 0;
};

struct Faults {
  std::vector<LinkFault> links = {};
  std::vector<RankFault> ranks = {};
  std::vector<MessageFault> messages = {};
  std::optional<UnreliableFabric> unreliable = {};
  std::vector<SwitchFault> switches = {};
  /// Of the link that it costs most: whoever makes the run looks for that one (emu/studies/further_runs.hpp) and puts it among
  /// `links`; its own `link` says nothing.
  std::optional<LinkFault> worst = {};

  /// Set by run_checked: those of ranks begin with what is measured, not with the rank's function.
  bool from_starting_line = false;

  bool empty() const { return links.empty() && ranks.empty() && messages.empty() && !unreliable && switches.empty() && !worst; }
};

/// Those that concern a run of only these ranks, by their numbers there: rank i is `ranks[i]` of the run that `faults` are of.
Faults faults_among(const Faults& faults, std::span<const int> ranks);

/// What these faults leave a link of its bandwidth, on average from 0 to `end`: 0 … 1. At an `end` of 0: from the beginning.
double bandwidth_left(std::span<const LinkFault> faults, LinkId link, Time end);

/// Throws InputError, one line, for a fault that a run of so many ranks on this topology cannot have.
void require_possible(const Faults& faults, const Topology& topology, int ranks);

/// Without the link: "slow=4", "down,at=10us".
std::string state_text(const LinkFault& fault);

// As emu/settings/faults.hpp reads them.
std::string to_string(const LinkFault& fault, const Topology& topology);
std::string to_string(const RankFault& fault);
std::string to_string(const MessageFault& fault);
std::string to_string(const UnreliableFabric& fault);
std::string to_string(const SwitchFault& fault, const Topology& topology);

// Faults from text: heddle run --fault.

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
