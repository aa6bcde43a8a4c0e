// SPDX-License-Identifier: Apache-2.0
// How long a message takes when nobody else is on the fabric: what contention is measured against, whichever the model, and the
// whole of the α-β model.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "emu/messages/message_id.hpp"
#include "emu/network/faulty_links.hpp"
#include "emu/network/network.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle::emu {

/// Of one of a message's paths. Paths that share a link share it in proportion to their parts.
struct AlonePath {
  double rate;   ///< bytes of the whole message per picosecond; infinite where nothing limits the path
  Time drained;  ///< so long after its start its part has left the sender
  Time latency;  ///< to be paid from then on
};

class AloneTimes {
 public:
  /// `fabric` outlives this. latency_only: every link as if unlimited.
  /// `faulty`: what links have left of their bandwidth; outlives this; nullptr: all of it.
  AloneTimes(const Fabric& fabric, bool latency_only, FaultyLinks* faulty = nullptr)
      : fabric_(fabric), latency_only_(latency_only), faulty_(faulty) {}

  /// A message starts on this route, over links as they are now: what its paths take. Valid until the next call.
  std::span<const AlonePath> start(MessageId message, std::int64_t bytes, const Route& route);
  std::span<const AlonePath> start(MessageId message, std::int64_t bytes, const RunRoute& route);

  /// From a message's start until the last byte has left its sender, and until it is there.
  struct Times {
    Time drained;
    Time arrived;
  };
  /// Of one that has started, until it starts again.
  const Times& of(MessageId message) const { return times_[message]; }

  /// Where a network knows better.
  void set(MessageId message, const Times& times) {
    if (message >= times_.size()) times_.resize(message + std::size_t{1});
    times_[message] = times;
  }

  /// Bytes per picosecond of a stream over these links, and what it takes to leave its sources.
  double rate(std::span<const StreamLink> links) const;
  Time of(std::span<const StreamLink> links, double bytes) const { return drained_at(Time(), bytes, rate(links)); }

 private:
  template <class AnyRoute>
  std::span<const AlonePath> work_out(MessageId message, std::int64_t bytes, const AnyRoute& route);
  void find_rates(const Route& route);
  void find_rates(const RunRoute& route);
  double capacity(LinkId link) const;  ///< bytes per second
  double capacity(const LinkRun& run) const;
  void make_room_for_shares();
  void add_up_shares(const Route& route);

  const Fabric& fabric_;
  bool latency_only_;
  FaultyLinks* faulty_;
  std::vector<double> rates_;   ///< by path of the route at hand
  std::vector<double> shares_;  ///< by link: of the message, over all paths of the route at hand; else 0
  std::vector<AlonePath> paths_;
  std::vector<Times> times_;  ///< by message
};

}  // namespace heddle::emu
