// SPDX-License-Identifier: Apache-2.0
// --skew: an alltoall in which some ranks receive more than the others, as experts do that many tokens are routed to
// (Collectives Explainer 05, §3.3).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle {

/// "hot=2,factor=5" or "hot=2,factor=5,seed=7": by destination of `ranks`, how much it is sent in proportion to the others. The
/// hot ones are the first, or drawn by seed. Throws InputError.
std::vector<std::int64_t> parse_skew(std::string_view text, int ranks);

}  // namespace heddle
