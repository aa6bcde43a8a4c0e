// SPDX-License-Identifier: Apache-2.0
// How much of what its links could carry a run has used, faults and a load in the background told in (docs/model.md, "What is
// counted").
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "core/units.hpp"
#include "emu/report/report.hpp"
#include "lab/experiment/setup.hpp"

namespace heddle {

/// What links carry in a second, instant by instant: what the fabric says, less what faults take.
class LinkSpeeds {
 public:
  /// Refers to the setup's fabric.
  explicit LinkSpeeds(const Setup& plan);

  /// Bytes per second of a link, or of a trunk's links together; 0: it is down.
  double at(LinkId link, Time now) const;
  /// The bytes that a link could carry from the beginning until then; infinite where its bandwidth is unlimited.
  double capacity(LinkId link, Time until) const;
  /// Whether a fault has begun by then that slows the link, or a link of the trunk, or takes it down.
  bool is_slowed(LinkId link, Time now) const;
  /// When any link's speed changes, ascending, each time once.
  const std::vector<Time>& changes() const { return changes_; }

 private:
  struct Part {
    Time from;
    double share;  ///< of the bandwidth
  };
  double share(LinkId link, Time now) const;

  const Fabric& fabric_;
  std::unordered_map<LinkId, std::vector<Part>> faulty_;      ///< by link, ascending
  std::unordered_map<LinkId, std::vector<LinkId>> of_trunk_;  ///< its links that have faults
  std::vector<Time> changes_;
};

/// The bytes of a link over what it could carry in `time`: 0 … 1 where that is the run's time. 0 if its bandwidth is unlimited,
/// or it could carry nothing.
double utilisation(const LinkReport& link, const LinkSpeeds& speeds, Time time);

/// The links that carried anything, most utilised first, where that is equal most bytes first, then by number; at most `most`
/// of them. The report is of a run of this setup.
std::vector<LinkReport> most_utilised_links(const Report& report, const LinkSpeeds& speeds, std::size_t most);

/// By link, the bytes that the load in the background carried over it until the last measured rank returned. On a route of several
/// ways each is taken to have had its share.
std::vector<double> background_bytes(const Setup& plan, const Report& report);

}  // namespace heddle
