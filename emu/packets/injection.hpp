// SPDX-License-Identifier: Apache-2.0
// When packets from one host to another may leave it: where congestion control goes (docs/model.md, "Packets").
#pragma once

#include <cstdint>
#include <memory>

#include "emu/settings/packet_settings.hpp"
#include "heddle/units.hpp"

namespace heddle::emu {

/// Of one pair of hosts. All is counted in bytes of payload. Acknowledgements take the latency of their way back, and no bandwidth.
class Injection {
 public:
  virtual ~Injection() = default;

  /// Asked before a packet is offered to its first link. Once this says no, it is asked again after each acknowledged().
  virtual bool may_leave(Time now, std::int64_t bytes) const = 0;
  virtual void left(Time now, std::int64_t bytes) = 0;
  /// Its sender hears that a packet has arrived. `marked`: it joined a queue that was longer than PacketSettings::mark. `waited`: its
  /// time on the way beyond the latency.
  virtual void acknowledged(std::int64_t bytes, bool marked, Time waited) = 0;
};

/// So many bytes under way at most; one packet always may be.
class WindowInjection final : public Injection {
 public:
  explicit WindowInjection(Bytes window) : window_(window.count()) {}
  bool may_leave(Time, std::int64_t bytes) const override { return under_way_ == 0 || under_way_ + bytes <= window_; }
  void left(Time, std::int64_t bytes) override { under_way_ += bytes; }
  void acknowledged(std::int64_t bytes, bool, Time) override { under_way_ -= bytes; }

 private:
  std::int64_t window_;
  std::int64_t under_way_ = 0;
};

/// What the settings ask for; nullptr: packets leave as soon as links take them.
inline std::unique_ptr<Injection> make_injection(const PacketSettings& settings) {
  return settings.window ? std::make_unique<WindowInjection>(*settings.window) : nullptr;
}

}  // namespace heddle::emu
