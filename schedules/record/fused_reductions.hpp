// SPDX-License-Identifier: Apache-2.0
// Receives into scratch whose only use is one reduction: a schedule has one step for the two.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "schedules/record/recording.hpp"

namespace heddle {

struct FusedReductions {
  std::map<std::int32_t, std::int32_t> reduction_of;  ///< by receive
  std::map<std::int32_t, std::int32_t> receive_of;    ///< by reduction
};

/// Of one rank. What the reduction had waited for besides its receive must not concern its memory: the step no longer waits for it.
FusedReductions fuse_reductions(const RankRecording& rank);

}  // namespace heddle
