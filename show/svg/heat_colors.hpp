// SPDX-License-Identifier: Apache-2.0
// The colours of loads: viridis (van der Walt, Smith 2015) from its green, the least, to its darkest, the most. Equal steps
// look equal, also to colour-blind eyes and on paper without colours.
#pragma once

#include <string>
#include <string_view>

namespace heddle::pictures {

/// Of a link that carried nothing; it is dashed, too.
inline constexpr std::string_view kNoLoadColor = "#b9b9b9";

/// "#440154"; `part` of the most, 0 … 1.
std::string heat_color(double part);

}  // namespace heddle::pictures
