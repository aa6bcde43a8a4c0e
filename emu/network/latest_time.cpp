// SPDX-License-Identifier: Apache-2.0
#include "emu/network/latest_time.hpp"

#include <cmath>

#include "core/errors.hpp"

namespace heddle::emu {

Time drained_at(Time now, double bytes, double rate) {
  const double drain = bytes / rate;
  if (static_cast<double>(now.ps()) + drain > static_cast<double>(kLatestTime.ps()))
    throw InputError("the run would take over 46 days of emulated time: raise the bandwidth or send less");
  return now + Time::ps(std::llround(drain));
}

}  // namespace heddle::emu
