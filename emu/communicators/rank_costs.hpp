// SPDX-License-Identifier: Apache-2.0
// What a rank's own doings cost in emulated time, and its bytes on the wire.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/units.hpp"
#include "topo/fabric/fabric.hpp"

namespace heddle::emu {

class RankCosts {
 public:
  /// `payload_scale`: bytes on the wire per real byte. `is_real_time`: what ranks compute takes time by itself.
  RankCosts(const FabricSettings& fabric, double payload_scale, bool is_real_time)
      : alpha_(fabric.alpha),
        send_overhead_(fabric.send_overhead),
        recv_overhead_(fabric.recv_overhead),
        gamma_(fabric.gamma),
        payload_scale_(payload_scale),
        is_real_time_(is_real_time) {}

  Time alpha() const { return alpha_; }
  Time send_overhead() const { return send_overhead_; }
  Time recv_overhead() const { return recv_overhead_; }
  bool charges_overhead() const { return send_overhead_ > Time() || recv_overhead_ > Time(); }
  double payload_scale() const { return payload_scale_; }
  bool is_real_time() const { return is_real_time_; }

  /// γ for this many real bytes.
  Time local_work(std::size_t bytes) const {
    if (gamma_ == 0) return Time();
    return Time::from_seconds(gamma_ * static_cast<double>(bytes) * payload_scale_);
  }
  std::int64_t wire_bytes(std::size_t bytes) const {
    return payload_scale_ == 1 ? static_cast<std::int64_t>(bytes) : std::llround(static_cast<double>(bytes) * payload_scale_);
  }

  /// Whether nothing that a rank does by itself takes time: the engine may then take the steps of schedules in its place.
  bool are_none() const { return !is_real_time_ && !charges_overhead() && gamma_ == 0; }

 private:
  Time alpha_;
  Time send_overhead_;
  Time recv_overhead_;
  double gamma_;
  double payload_scale_;
  bool is_real_time_;
};

}  // namespace heddle::emu
