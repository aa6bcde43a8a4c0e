// SPDX-License-Identifier: Apache-2.0
// What each link carried, when it was busy, and how many messages met there.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/units.hpp"
#include "emu/report.hpp"

namespace heddle::emu {

class LinkRecorder {
 public:
  explicit LinkRecorder(int links) : links_(static_cast<std::size_t>(links)) {}

  void carry(LinkId link, double bytes) { links_[static_cast<std::size_t>(link)].bytes += bytes; }

  /// A message of `round` is in the link from now on, `flows` of them in all.
  void enter(LinkId id, Time now, int flows, int round) {
    Link& link = links_[static_cast<std::size_t>(id)];
    if (flows == 1) link.busy_since = now;
    if (flows > link.peak_flows) link.peak_flows = flows;
    if (static_cast<std::size_t>(round) > round_peaks_.size()) round_peaks_.resize(static_cast<std::size_t>(round));
    int& peak = round_peaks_[static_cast<std::size_t>(round) - 1];
    peak = std::max(peak, flows);
  }

  /// A message has left the link, and `flows` remain.
  void leave(LinkId id, Time now, int flows) {
    Link& link = links_[static_cast<std::size_t>(id)];
    if (flows == 0) link.busy += now - link.busy_since;
  }

  std::vector<LinkReport> links() const {
    std::vector<LinkReport> reports;
    reports.reserve(links_.size());
    for (const Link& link : links_) {
      reports.push_back({static_cast<LinkId>(reports.size()), Bytes(std::llround(link.bytes)), link.busy, link.peak_flows});
    }
    return reports;
  }

  /// The most flows on one link when a message of a round entered it; index 0 is round 1.
  const std::vector<int>& round_peaks() const { return round_peaks_; }

 private:
  struct Link {
    double bytes = 0;  ///< a double counts whole bytes, and halves of split messages, exactly up to 2^52
    Time busy;
    Time busy_since;
    int peak_flows = 0;
  };

  std::vector<Link> links_;
  std::vector<int> round_peaks_;
};

}  // namespace heddle::emu
