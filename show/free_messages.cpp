// SPDX-License-Identifier: Apache-2.0
#include "show/free_messages.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace heddle {

std::string free_messages_hint(std::span<const RunInBrief> runs, int ranks) {
  const auto best = std::ranges::min_element(runs, {}, &RunInBrief::time);
  if (best == runs.end() || ranks < 3 || best->time == Time() || best->startup > Time()) return "";
  if (best->rounds != 1 || best->messages < ranks - 1) return "";
  if (std::ranges::none_of(runs, [](const RunInBrief& run) { return run.rounds > 1; })) return "";
  return fmt::format(
      "# hint: {} sends all its messages at once, which costs nothing here: alpha and overheads are 0; --alpha and "
      "--send-overhead set them\n",
      best->algorithm);
}

}  // namespace heddle
