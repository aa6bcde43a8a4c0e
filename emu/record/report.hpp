// SPDX-License-Identifier: Apache-2.0
// What a run measured, as plain values. Text and JSON are made from these fields (cli/); the definitions are in docs/model.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "emu/record/critical_path.hpp"
#include "heddle/collective.hpp"
#include "heddle/datatype.hpp"
#include "heddle/errors.hpp"
#include "heddle/units.hpp"
#include "topo/fabric/fabric.hpp"
#include "topo/fabric/topology.hpp"
#include "topo/placement/placement.hpp"

namespace heddle {

/// A result of floats that round, on one rank after one call: two that differ in a bit have, but for a chance of 2^-64, different
/// numbers.
struct ResultBits {
  int group = 0;
  int call = 0;
  int rank = 0;  ///< of the group
  std::uint64_t hash = 0;

  friend constexpr bool operator==(const ResultBits&, const ResultBits&) = default;
};

struct RankReport {
  Time completion;  ///< when its function returned
  /// The longest chain of messages that ends at this rank, each posted after the one before was waited for; those to itself
  /// take no round.
  int rounds = 0;
  std::int64_t messages = 0;  ///< sent, those to itself not counted
  Bytes sent;                 ///< on the wire's scale, those to itself not counted
  Bytes received;
};

struct LinkReport {
  LinkId link = 0;
  Bytes bytes;
  Time busy;           ///< with at least one message in it
  int peak_flows = 0;  ///< the most messages in it at once
  double had = 1;      ///< of its bandwidth, what a fault left it, on average over the run
};

/// All messages at one place of their chain (round 1 first).
struct RoundReport {
  std::int64_t messages = 0;
  Bytes bytes;
  int peak_flows = 0;  ///< the most messages at once on one link when a message of this round started
};

/// A background flow of the run's settings.
struct BackgroundReport {
  Bytes bytes;  ///< carried until the last measured rank returned
};

/// What the host spent. Differs from run to run; everything else in a report does not.
struct HostReport {
  double wall_seconds = 0;
  std::int64_t messages = 0;         ///< carried altogether, the check's own included
  std::int64_t lockstep_rounds = 0;  ///< that all ranks have made together (emu/run/lockstep_rounds.hpp), likewise
  std::int64_t peak_rss_bytes = 0;
  double dilation = 0;  ///< of a run under the wall clock: wall time per emulated time; 0 under the virtual one
};

/// Of a link under the packet model. Every picosecond of the run is one of the first four.
struct PacketLinkReport {
  Time busy;     ///< sending
  Time stalled;  ///< idle, though a packet is offered: it has no room at the far end
  Time blocked;  ///< idle, and nothing is offered, though packets that may go on wait for it behind others
  Time idle;
  std::int64_t packets = 0;
  Bytes wire_bytes;        ///< headers included
  std::int64_t waits = 0;  ///< of its packets, those that came from another link
  Time wait_max;           ///< from when a packet may go on until it starts
  Time wait_total;
  int queue_max = 0;           ///< packets that may go on over it and have not started; of a trunk, each member counts all
  double queue_mean = 0;       ///< over the run's time
  std::int64_t slots = 0;      ///< at its far end, for each channel; 0: without bound
  std::int64_t slots_max = 0;  ///< the most in use at once, of one channel
  std::int64_t marked = 0;     ///< packets that joined a queue for it that was longer than PacketSettings::mark
};

/// What packets have met (docs/model.md, "Packets").
struct PacketsReport {
  int channels = 1;                     ///< virtual channels of each link
  std::vector<PacketLinkReport> links;  ///< by link number
  std::int64_t packets = 0;
  std::int64_t packet_hops = 0;
};

/// What a network has to tell apart to carry the run's messages, second calls included.
struct StreamsReport {
  int most_tag = 0;
  /// The longest way to a communicator (emu/messages/context_path.hpp). No value: it does not fit in 64 bits.
  std::optional<std::uint64_t> most_context = 1;
  Bytes longest_message = {};
};

/// How far a sum of floats is off, in units in the last place of what the exact sum rounds to: of all elements of all ranks.
struct SumErrors {
  double mean = 0;
  double worst = 0;
  bool operator==(const SumErrors&) const = default;
};

struct Report {
  Time completion;  ///< the last rank's
  std::vector<RankReport> ranks;
  std::vector<LinkReport> links;                  ///< by link number, all of them
  std::vector<RoundReport> rounds;                ///< rounds[0] is round 1
  std::vector<BackgroundReport> background = {};  ///< by flow; their bytes are in no other count
  /// Of the rank that returned last (of several, the first): where `completion` went.
  CriticalPath critical_path = {};
  /// What `completion` would have been had no message shared a link: each as fast as alone (docs/model.md, "Without
  /// contention"). completion / contention_free is what contention costs.
  Time contention_free = {};
  /// Of which rank sends how many bytes to which in which round, whatever the order: equal for runs of the same messages. What
  /// goes up to the switches and down from them counts as messages to nobody.
  std::uint64_t messages_digest = 0;
  StreamsReport streams = {};
  std::optional<SumErrors> sum_errors = {};    ///< of a call of its own, where it is asked for
  bool switches_computed = false;              ///< operations in the network were among what was measured
  std::optional<Datatype> switch_precision;    ///< what f32 was rounded to for the switches' ALUs, if it was
  int peak_tasks = 0;                          ///< the most at once that did not wait for branches of their own
  std::vector<std::string> idle_faults = {};   ///< of the run's faults, those that changed nothing, as they are written
  std::vector<std::string> idle_reasons = {};  ///< of each of them: "no message crossed it"
  /// Faults of links beside which adaptive routing had others, and sent over these what the faulty ones cannot carry.
  std::vector<std::string> faults_gone_round = {};
  double byte_scale = 1;  ///< bytes on the wire per byte of real payload
  /// Of a checked allreduce of floats that round: where ranks hold different bits, in words; empty: nowhere. No value: there was
  /// nothing to compare.
  std::optional<std::string> different_bits = {};
  /// Of a checked call whose result rounds.
  std::vector<ResultBits> result_bits = {};
  std::optional<PacketsReport> packets = {};  ///< of the packet model
  HostReport host;

  std::int64_t messages() const;
  Bytes sent_max() const;
  Bytes sent_total() const;
  int rounds_max() const { return static_cast<int>(rounds.size()); }
  /// The links that carried anything, most bytes first, ties by number; at most `most` of them.
  std::vector<LinkReport> busiest_links(std::size_t most) const;
};

// What a call made by several groups of ranks at once came to.

struct GroupsReport {
  Report report;                 ///< of all together
  std::vector<Time> completion;  ///< by group: when the last of its ranks returned
};

// How much of what its links could carry a run has used (docs/model.md, "What is counted").

/// The bytes of a link over what it could carry in `time`, faults counted: 0 … 1 where that is the run's time. 0 if its bandwidth
/// is unlimited, or it could carry nothing.
double utilisation(const LinkReport& link, const Fabric& fabric, Time time);

/// The links that carried anything, most utilised first, where that is equal most bytes first, then by number; at most `most`
/// of them. The report is of a run on this fabric.
std::vector<LinkReport> most_utilised_links(const Report& report, const Fabric& fabric, std::size_t most);

// How far a run is from the optimum of its fabric, in the factors of the papers on tori: computed from what the critical path
// measured, not from formulas. docs/model.md, "Deficiencies".

/// Explainer 05: a time is n_α·α + n_β·M/B and what else there is. No value where M is 0.
struct Coefficients {
  std::int32_t n_alpha = 0;      ///< start-ups on the critical path
  std::optional<double> n_beta;  ///< bytes of its messages, over M
};
Coefficients coefficients(const Report& report, Bytes vector);

/// Of an allreduce of M bytes on p > 1 ranks, β being the time of a byte on all links that leave an endpoint together: the
/// optimum is 2·M·β, which is M/(D·B) on a torus of D dimensions.
struct Deficiencies {
  // Swing, §2.2: T = log₂p·α·Λ + 2·M·β·Ψ·Ξ.
  double latency;                    ///< Λ: start-ups on the critical path over log₂p
  std::optional<double> bandwidth;   ///< Ψ: its serialisation over 2·M·β
  std::optional<double> congestion;  ///< Ξ: serialisation and contention over serialisation
  // Trivance, §2.3.
  double latency_base_3;                     ///< Λ: start-ups over log₃p
  double sent;                               ///< Δ: the most bytes that a rank sends, over 2·M
  std::optional<double> transmission_delay;  ///< Θ: serialisation and contention over 2·M·β, which is Ψ·Ξ
};

/// No value for other collectives, one rank, no bytes. Ψ, Ξ and Θ have none where links are unlimited.
std::optional<Deficiencies> deficiencies(const Report& report, Collective collective, Bytes vector, const Fabric& fabric,
                                         const Placement& placement);

// The end of a run that was stopped before its ranks had returned.

/// A run was interrupted or, under the wall clock, was stopped by its deadline.
class RunStopped : public Error {
 public:
  enum class Reason : std::uint8_t { deadline, interrupted };

  RunStopped(Reason reason, const std::string& explanation, Report so_far)
      : Error(explanation), reason_(reason), so_far_(std::move(so_far)) {}

  Reason reason() const { return reason_; }
  /// What was measured until then: `completion` is the emulated time that the run had reached; a rank that had not returned has
  /// a completion of 0.
  const Report& so_far() const { return so_far_; }

 private:
  Reason reason_;
  Report so_far_;
};

}  // namespace heddle
