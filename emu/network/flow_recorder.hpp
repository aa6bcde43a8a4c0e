// SPDX-License-Identifier: Apache-2.0
// Writes what flows do into the run's timeline and its sample, where it keeps them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/units.hpp"
#include "emu/network/max_min.hpp"
#include "emu/record/run_sample.hpp"
#include "emu/record/timeline.hpp"

namespace heddle::emu {

class FlowRecorder {
 public:
  /// nullptr: writes nothing there. Both outlive the recorder.
  FlowRecorder(Timeline* timeline, RunSample* sample) : timeline_(timeline), sample_(sample) {}

  bool records() const { return timeline_ != nullptr || sample_ != nullptr; }

  struct Begun {
    std::uint32_t message;  ///< its record
    double share;           ///< of its bytes
    double bytes;           ///< as many
    Time full_rate;         ///< what they take to drain alone
  };
  void begin(FlowId flow, const Begun& begun, std::span<const LinkId> links, Time now) {
    if (sample_ != nullptr) sample_->begin_flow(flow, links, begun.bytes, begun.full_rate, now);
    if (timeline_ == nullptr) return;
    if (flow >= record_of_.size()) record_of_.resize(flow + std::size_t{1});
    record_of_[flow] = static_cast<std::uint32_t>(timeline_->flows.size());
    timeline_->flows.push_back({.message = begun.message,
                                .first_link = static_cast<std::uint32_t>(timeline_->links.size()),
                                .links = static_cast<std::uint32_t>(links.size()),
                                .share = begun.share,
                                .begin = now,
                                .end = now});
    timeline_->links.insert(timeline_->links.end(), links.begin(), links.end());
  }

  void rate(FlowId flow, double bytes_per_second, Time now) {
    if (sample_ != nullptr) sample_->rate_of_flow(flow, bytes_per_second / kPicosecondsPerSecond, now);
    if (timeline_ != nullptr) timeline_->rates.push_back({record_of_[flow], now, bytes_per_second});
  }

  void end(FlowId flow, Time now) {
    if (sample_ != nullptr) sample_->end_flow(flow, now);
    if (timeline_ != nullptr) timeline_->flows[record_of_[flow]].end = now;
  }

 private:
  Timeline* timeline_;
  RunSample* sample_;
  std::vector<std::uint32_t> record_of_;  ///< by flow
};

}  // namespace heddle::emu
