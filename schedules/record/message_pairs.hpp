// SPDX-License-Identifier: Apache-2.0
// Which receive took which send of a recording, and on which channel a schedule has the two.
#pragma once

#include <cstdint>
#include <vector>

#include "schedules/record/recording.hpp"

namespace heddle {

struct MessagePair {
  std::int32_t source;
  std::int32_t send;  ///< operation of the source
  std::int32_t dest;
  std::int32_t receive;
  std::int32_t channel;
};

/// In the order of each source's sends. Messages of a stream come in order. Two messages from one rank to another have one channel where
/// the second was sent when the first had left and its receive was posted later; else they go side by side.
std::vector<MessagePair> pair_messages(const Recording& recording);

/// Whether `before` had ended when `operation` of the same rank began.
bool is_after(const RankRecording& rank, std::int32_t operation, std::int32_t before);

}  // namespace heddle
