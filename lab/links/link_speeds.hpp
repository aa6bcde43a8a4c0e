// SPDX-License-Identifier: Apache-2.0
// What links can carry at each instant, and what the load in the background takes of it.
#pragma once

#include <unordered_map>
#include <vector>

#include "core/units.hpp"
#include "emu/record/report.hpp"
#include "lab/experiment/setup.hpp"

namespace heddle {

/// What links carry in a second, instant by instant: what the fabric says, less what faults take.
class LinkSpeeds {
 public:
  /// Refers to the setup's fabric.
  explicit LinkSpeeds(const Setup& plan);

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
std::vector<double> background_bytes(const Setup& plan, const Report& report);

}  // namespace heddle
