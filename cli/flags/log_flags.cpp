// SPDX-License-Identifier: Apache-2.0
#include "cli/flags/log_flags.hpp"

#include <fmt/format.h>

#include "heddle/errors.hpp"
#include "lab/describe/flag_value.hpp"

namespace heddle {

void LogFlags::add_to(CLI::App& command) {
  const FlagGroup group(command, "What tables of nccl-tests, OSU's and Intel's benchmarks leave out");
  group.add("--log-algo", algorithm, "NAME", "The algorithm that was measured: ring");
  group.add("--log-ranks", ranks, "N", "On how many ranks, where the table does not say");
  group.add("--log-collective", collective, "COLLECTIVE", "Of which collective, where the table does not say");
  group.add_with_default("--log-place", place, "PLACE", "Which columns of nccl-tests count: out (of place) or in (place)");
}

LogFacts LogFlags::read() const {
  LogFacts facts;
  if (collective) facts.collective = read_flag("--log-collective", *collective, parse_collective);
  if (algorithm) facts.algorithm = *algorithm;
  if (ranks)
    facts.ranks = static_cast<int>(
        read_flag("--log-ranks", *ranks, [](std::string_view text) { return parse_integer(text, 1, 1 << 24); }));
  if (place != "out" && place != "in") throw InputError(fmt::format("--log-place '{}': out or in", place));
  facts.in_place = place == "in";
  return facts;
}

}  // namespace heddle
