// SPDX-License-Identifier: Apache-2.0
// What links can carry at each timestamp, and what the load in the background takes of it.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emu/record/report.hpp"
#include "emu/record/timeline.hpp"
#include "heddle/units.hpp"
#include "lab/run/setup.hpp"

namespace heddle {

/// What links carry in a second, timestamp by timestamp: what the fabric says, less what faults take.
class LinkSpeeds {
 public:
  /// Refers to the setup's fabric.
  explicit LinkSpeeds(const Setup& setup);

  /// Bytes per second of a link, or of a trunk's links together; 0: it is down.
  double at(LinkId link, Time now) const;
  /// Whether a fault has begun by then that slows the link, or a link of the trunk, or takes it down.
  bool is_slowed(LinkId link, Time now) const;

 private:
  struct Part {
    Time from;
    double share;  ///< of the bandwidth
  };
  double share(LinkId link, Time now) const;

  const Fabric& fabric_;
  std::unordered_map<LinkId, std::vector<Part>> faulty_;      ///< by link, ascending
  std::unordered_map<LinkId, std::vector<LinkId>> of_trunk_;  ///< its links that have faults
};

/// By link, the bytes that the load in the background carried over it until the last measured rank returned. On a route of several
/// ways each is taken to have had its share.
std::vector<double> background_bytes(const Setup& setup, const Report& report);

// Which links gave the messages of a run their rates: under max-min fairness those of a message's links that are full, and in
// which nothing is faster.

/// A link, or trunk, held a message up while a rate of it lasted. What several held up at once each has its part of.
struct LinkHold {
  std::uint32_t message;  ///< index into Timeline::messages
  LinkId link;
  double seconds;  ///< that the message drained at this rate, by the part of its bytes that went this way
  double
      lost;  ///< of these, for want of what it would have had alone; a little always, so that what a message lost is never nowhere
  bool is_slowed;  ///< a fault slowed the link
};

/// In the order of the timeline's rates, which is of a run of this setup. A load in the background counts as filling its links.
std::vector<LinkHold> find_link_holds(const Timeline& timeline, const Setup& setup);

}  // namespace heddle
