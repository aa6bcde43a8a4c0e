// SPDX-License-Identifier: Apache-2.0
// Writes what flows do into the run's timeline, if it keeps one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/units.hpp"
#include "emu/network/max_min/max_min.hpp"
#include "emu/report/timeline.hpp"

namespace heddle::emu {

class FlowRecorder {
 public:
  /// nullptr: writes nothing. Outlives the recorder.
  explicit FlowRecorder(Timeline* timeline) : timeline_(timeline) {}

  bool is_on() const { return timeline_ != nullptr; }

  void begin(FlowId flow, std::uint32_t message, double share, std::span<const LinkId> links, Time now) {
    if (timeline_ == nullptr) return;
    if (flow >= record_of_.size()) record_of_.resize(flow + std::size_t{1});
    record_of_[flow] = static_cast<std::uint32_t>(timeline_->flows.size());
    timeline_->flows.push_back({.message = message,
                                .first_link = static_cast<std::uint32_t>(timeline_->links.size()),
                                .links = static_cast<std::uint32_t>(links.size()),
                                .share = share,
                                .begin = now,
                                .end = now});
    timeline_->links.insert(timeline_->links.end(), links.begin(), links.end());
  }

  void rate(FlowId flow, double bytes_per_second, Time now) {
    if (timeline_ != nullptr) timeline_->rates.push_back({record_of_[flow], now, bytes_per_second});
  }

  void end(FlowId flow, Time now) {
    if (timeline_ != nullptr) timeline_->flows[record_of_[flow]].end = now;
  }

 private:
  Timeline* timeline_;
  std::vector<std::uint32_t> record_of_;  ///< by flow
};

}  // namespace heddle::emu
