// SPDX-License-Identifier: Apache-2.0
// How reports mark a time that was measured on a part of the vector, of an algorithm that does not say that it is independent of
// size (Setup::assumes_scale): its name has a ~ in front, and a line says what was run.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// Of these bytes of a whole vector, those that a run with this scale holds.
std::int64_t bytes_run(std::int64_t bytes, double payload_scale);

/// "~mine"
std::string marked_name(std::string_view algorithm);

/// "1MiB of 64MiB"
std::string part_text(std::int64_t bytes, double payload_scale);

/// "~mine ran a part of its vector, 1MiB of 64MiB, for the whole; …": one line without its end. `parts` as part_text says.
std::string part_run_note(std::string_view algorithm, const std::vector<std::string>& parts);

}  // namespace heddle
