// SPDX-License-Identifier: Apache-2.0
// How large a topology may be. Each family asks here before it computes anything from its sizes.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

/// Far beyond what one process can run; small enough that a list of all endpoints takes at most a gibibyte.
inline constexpr std::int64_t kMaxEndpoints = std::int64_t{1} << 28;

/// Throws InputError unless there are at most kMaxEndpoints endpoints and every link has a number of its own. The counts are
/// floating point because they may be beyond every integer.
void require_numberable(const std::string& spec, double endpoints, double links);

}  // namespace heddle
