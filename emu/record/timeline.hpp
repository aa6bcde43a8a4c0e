// SPDX-License-Identifier: Apache-2.0
// Everything that happened in a run, as plain values in the order of the run: what traces and explanations are made of. A run
// keeps one only if it is among its sinks; memory grows with messages times hops. Second calls and messages of a
// rank to itself are not in it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "emu/record/critical_path.hpp"
#include "emu/record/record_sink.hpp"
#include "heddle/collective.hpp"
#include "heddle/units.hpp"
#include "topo/fabric/topology.hpp"

namespace heddle {

/// A message, or an operation of the switches on all ranks of a group.
struct MessageRecord {
  /// In place of source and dest: the switches.
  static constexpr int kSwitches = -1;

  int source = 0;  ///< ranks of the run
  int dest = 0;
  int tag = 0;
  int round = 1;
  std::int64_t bytes = 0;  ///< on the wire; of the switches' operation: of the stream

  Time posted;     ///< by its sender, or by the last rank of the switches' operation
  Time started;    ///< it had a credit, or its receive was posted: α begins, after what its rank still spends on others
  Time entered;    ///< its first byte was on the first link
  Time drained;    ///< its last byte had left the sender
  Time arrived;    ///< its last byte was at the receiver (of the switches' operation: at the last rank)
  Time full_rate;  ///< what it takes to drain alone on its route; drained − entered is as much and what contention added
  /// The message before it on its own chain, CriticalPath::kNoRecord for the first.
  std::uint32_t previous = CriticalPath::kNoRecord;
  std::uint32_t operation = CriticalPath::kNoRecord;  ///< of switches: index into Timeline::operations
  /// That its sender was in, or the last rank of the switches' operation: index into Timeline::phases, kNoRecord for none.
  std::uint32_t phase = CriticalPath::kNoRecord;
};

struct OperationRecord {
  Collective collective;
  std::vector<int> ranks;  ///< of the run, in the order of the group
};

/// One path of a message, or all links of a switches' operation. Those that drain at once (no bytes, unlimited links) have
/// none.
struct FlowRecord {
  std::uint32_t message;     ///< index into Timeline::messages
  std::uint32_t first_link;  ///< its links are Timeline::links[first_link … first_link + links)
  std::uint32_t links;
  double share;  ///< of the message's bytes
  Time begin;
  Time end;
};

/// From `time` on a flow drains at this rate (bytes per second of the message's bytes on this path), until its next record or
/// its end.
struct RateRecord {
  std::uint32_t flow;  ///< index into Timeline::flows
  Time time;
  double bytes_per_second;
};

/// What a task of a rank was doing while time passed.
struct SpanRecord {
  enum class Kind : std::uint8_t { requests, children, split, in_network, work };

  int rank;
  int task;  ///< of the rank; 0 is the rank's own, others are branches of concurrently()
  Kind kind;
  Time begin;
  Time end;
  std::uint32_t message;  ///< that ended it (a request's, or the switches' operation), or CriticalPath::kNoRecord
};

/// A phase that ranks named (Communicator::phase).
struct NamedPhase {
  std::string name;
  std::uint32_t within;  ///< the phase that it is a part of: index into Timeline::phases, or CriticalPath::kNoRecord
  int depth;             ///< of the communicator that it was named on
};

/// Of phases, the one that this one lies in and that lies in none; kNoRecord of none.
inline std::uint32_t outermost_phase(const std::vector<NamedPhase>& phases, std::uint32_t phase) {
  while (phase != CriticalPath::kNoRecord && phases[phase].within != CriticalPath::kNoRecord) phase = phases[phase].within;
  return phase;
}

/// A stretch that a task spent in a phase, but not in a part of it.
struct PhaseRecord {
  int rank;
  int task;             ///< of the rank, as in SpanRecord
  std::uint32_t phase;  ///< index into Timeline::phases
  Time begin;
  Time end;
};

/// The message when nothing is known of it but its posting.
MessageRecord record_of(const emu::PostedMessage& message);

struct Timeline final : emu::RecordSink {
  std::vector<MessageRecord> messages;  ///< in the order in which they took effect
  std::vector<OperationRecord> operations;
  std::vector<FlowRecord> flows;
  std::vector<LinkId> links;  ///< links and trunks
  std::vector<RateRecord> rates;
  std::vector<SpanRecord> spans;           ///< by end
  std::vector<NamedPhase> phases;          ///< in the order in which they were first named
  std::vector<PhaseRecord> phase_records;  ///< by end; one after the other in each task

  bool keeps_times() const override { return true; }
  void posted(const emu::PostedMessage& message) override { messages.push_back(record_of(message)); }
  void switches_started(const MessageRecord& operation, Collective collective, const std::vector<int>& ranks) override;
  void injected(std::uint32_t record, Time started, Time entered, std::uint32_t previous) override;
  void drained(std::uint32_t record, Time entered, Time at, Time full_rate) override;
  void arrived(std::uint32_t record, Time /*entered*/, Time at) override { messages[record].arrived = at; }
  void begin_flow(std::uint32_t flow, const emu::FlowStart& start, std::span<const LinkId> its_links, Time now) override;
  void rate_of_flow(std::uint32_t flow, double bytes_per_second, Time now) override {
    rates.push_back({record_of_flow_[flow], now, bytes_per_second});
  }
  void end_flow(std::uint32_t flow, Time now) override { flows[record_of_flow_[flow]].end = now; }
  void waited(const SpanRecord& span) override { spans.push_back(span); }
  void named(const NamedPhase& phase) override { phases.push_back(phase); }
  void was_in_phase(const PhaseRecord& stretch) override { phase_records.push_back(stretch); }

 private:
  std::vector<std::uint32_t> record_of_flow_;  ///< index into flows
};

}  // namespace heddle
