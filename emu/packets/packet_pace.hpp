// SPDX-License-Identifier: Apache-2.0
// How long a packet keeps a link, in whole picoseconds and without drift (docs/model.md, "Packets").
#pragma once

#include <cmath>
#include <cstdint>

#include "emu/settings/packet_settings.hpp"
#include "heddle/units.hpp"

namespace heddle::emu {

/// What a byte takes on a link: q = round(2^32 · 10^12 / B), so many 2^-32 picoseconds. 0: the link is unlimited.
class Pace {
 public:
  Pace() = default;
  explicit Pace(Bandwidth bandwidth)
      : q_(bandwidth.is_unlimited() ? 0
                                    : static_cast<std::uint64_t>(std::llround(kSteps * 1e12 / bandwidth.bytes_per_second()))) {}

  /// Below 1 kB/s q does not fit.
  static bool fits(Bandwidth bandwidth) { return bandwidth.bytes_per_second() >= 1e3; }

  bool is_faster(const Pace& other) const { return q_ < other.q_; }

  /// N: what so many bytes take by themselves, rounded up.
  Time nominal(std::int64_t bytes) const { return Time::ps(static_cast<std::int64_t>((steps(bytes) + (kStep - 1)) >> 32)); }

  /// What so many bytes take behind those that left `owed` steps over, which becomes what they leave over. Bytes back to back take
  /// what they would take together, rounded up.
  Time next(std::int64_t bytes, std::uint32_t& owed) const {
    const Wide total = owed + steps(bytes);
    owed = static_cast<std::uint32_t>(total);
    return Time::ps(static_cast<std::int64_t>(total >> 32));
  }
  /// What is owed by a link that has stood still.
  static constexpr std::uint32_t kFresh = 0xFFFFFFFF;

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr double kSteps = 4294967296.0;
  static constexpr std::uint64_t kStep = std::uint64_t{1} << 32;

  Wide steps(std::int64_t bytes) const { return static_cast<Wide>(q_) * static_cast<std::uint64_t>(bytes); }

  std::uint64_t q_ = 0;
};

/// F: how much of a packet of `bytes` must be over the link before its head may go on. `whole` is what all of it takes.
inline Time head_start(const PacketSettings::Forward& forward, const Pace& pace, std::int64_t bytes, Time whole) {
  switch (forward.kind) {
    case PacketSettings::Forward::Kind::head:
      return Time();
    case PacketSettings::Forward::Kind::whole:
      return whole;
    case PacketSettings::Forward::Kind::bytes:
      break;
  }
  return forward.bytes >= bytes ? whole : pace.nominal(forward.bytes);
}

}  // namespace heddle::emu
