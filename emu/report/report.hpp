// SPDX-License-Identifier: Apache-2.0
// What a run measured, as plain values. Text and JSON are made from these fields (cli/); the definitions are in docs/model.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/datatype.hpp"
#include "core/units.hpp"
#include "emu/report/critical_path.hpp"
#include "emu/report/result_bits.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {

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
  std::int64_t messages = 0;  ///< carried altogether, the check's own included
  std::int64_t peak_rss_bytes = 0;
  double dilation = 0;  ///< of a run under the wall clock: wall time per emulated time; 0 under the virtual one
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
  bool switches_computed = false;              ///< operations in the network were among what was measured
  std::optional<Datatype> switch_precision;    ///< what f32 was rounded to for the switches' ALUs, if it was
  int peak_tasks = 0;                          ///< the most at once that did not wait for branches of their own
  std::vector<std::string> idle_faults = {};   ///< of the run's faults, those that changed nothing, as they are written
  std::vector<std::string> idle_reasons = {};  ///< of each of them: "no message crossed it"
  /// Faults of links beside which adaptive routing had others, and sent over these what the faulty ones cannot carry.
  std::vector<std::string> faults_gone_round = {};
  double payload_scale = 1;  ///< bytes on the wire per byte of real payload
  /// Of a checked allreduce of floats that round: where ranks hold different bits, in words; empty: nowhere. No value: there was
  /// nothing to compare.
  std::optional<std::string> different_bits = {};
  /// Of a checked call whose result rounds.
  std::vector<ResultBits> result_bits = {};
  HostReport host;

  std::int64_t messages() const;
  Bytes sent_max() const;
  Bytes sent_total() const;
  int rounds_max() const { return static_cast<int>(rounds.size()); }
  /// The links that carried anything, most bytes first, ties by number; at most `most` of them.
  std::vector<LinkReport> busiest_links(std::size_t most) const;
};

}  // namespace heddle
