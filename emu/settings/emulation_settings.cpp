// SPDX-License-Identifier: Apache-2.0
#include "emu/settings/emulation_settings.hpp"

#include <fmt/format.h>

#include "core/read_number.hpp"
#include "core/sanitizers.hpp"
#include "heddle/errors.hpp"

namespace heddle {

Threads default_threads() {
#if HEDDLE_THREAD_SANITIZER
  return Threads::kernel;
#else
  return Threads::user;
#endif
}

Buffering parse_buffering(std::string_view text) {
  if (text == "eager") return Buffering::eager();
  if (text == "sync") return Buffering::synchronous();
  const auto credits = read_number<int>(text);
  if (credits && *credits >= 0) return Buffering::limited(*credits);
  throw InputError(
      fmt::format("'{}' is no buffering; try eager, sync, or a number of credits per sender and receiver such as 2", text));
}

std::string to_string(Buffering buffering) {
  if (!buffering.credits) return "eager";
  return *buffering.credits == 0 ? "sync" : std::to_string(*buffering.credits);
}

}  // namespace heddle
