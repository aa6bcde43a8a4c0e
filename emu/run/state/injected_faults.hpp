// SPDX-License-Identifier: Apache-2.0
// A run's faults of messages and ranks: whom they strike, and when. Those of links are the network's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "emu/faults/faults.hpp"
#include "emu/messages/message.hpp"
#include "emu/network/network.hpp"
#include "emu/report/report.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle::emu {

class InjectedFaults {
 public:
  /// `faults` outlive it and are possible for so many ranks.
  InjectedFaults(const Faults& faults, std::size_t ranks);

  // ---- of messages, on the engine's thread ----

  /// Of a message that crosses the fabric, each once, in the order in which they are sent.
  Fate draw_fate(const Message& message);
  /// How it is numbered and which fault struck it: "message 3 from rank 2 to rank 5, fault message:2->5,lost,nth=3".
  std::string strike_text(const Message& message) const;
  /// Changes one byte of it, if it has any.
  void damage(Message& message) const;

  void note_lost(const Message& message, std::string text);
  const std::vector<std::string>& lost() const { return lost_; }
  /// Whether one of its channel was lost: what comes behind it is not received.
  bool has_lost_on(const ChannelKey& channel) const;

  // ---- of ranks, from any thread ----

  bool has_fault(int rank) const { return has_fault_[static_cast<std::size_t>(rank)]; }
  Time slowed(int rank, Time time) const;
  /// Until when a late rank waits; 0: it is not.
  Time late(int rank) const;
  /// The fault by which a rank throws or stops at its call number `call`, made now; nullptr: none.
  const RankFault* striking(int rank, std::int64_t call, Time now) const;

  /// Notes those that changed nothing in a run that ended well, and why; those that adaptive routing went round; and what links had.
  void report(const Fabric& fabric, const Network& network, Report& report) const;

 private:
  struct Strike {
    std::int64_t nth;
    const MessageFault* fault;  ///< nullptr: the unreliable fabric's
  };

  void report_links(const Topology& topology, const Network& network, Report& report) const;
  std::string why_idle(const RankFault& fault, const FabricSettings& settings) const;
  std::string why_idle(const MessageFault& fault) const;

  Fate draw_fate(int source, int dest, std::int64_t nth) const;
  const MessageFault* fault_of(int source, int dest, std::int64_t nth) const;

  const Faults& faults_;
  std::vector<bool> has_fault_;
  std::vector<double> slower_;
  std::unordered_map<std::uint64_t, std::int64_t> sent_;  ///< by source and destination
  std::unordered_map<std::uint64_t, Strike> strikes_;     ///< by the message's number in the run
  std::vector<std::string> lost_;
  std::vector<ChannelKey> lost_on_;
};

}  // namespace heddle::emu
