// SPDX-License-Identifier: Apache-2.0
// How long a run may take by its own clock.
#pragma once

#include "core/units.hpp"

namespace heddle::emu {

/// Times are 63 bits of picoseconds, 106 days: the latencies and the work that follow must still fit.
inline constexpr Time kLatestTime = Time::ps(4'000'000'000'000'000'000);

/// When `bytes` have drained that drain at `rate` bytes per picosecond from `now` on. Throws InputError beyond kLatestTime.
Time drained_at(Time now, double bytes, double rate);

}  // namespace heddle::emu
