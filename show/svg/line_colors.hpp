// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace heddle::pictures {

/// Okabe and Ito's colours, which colour-blind eyes can distinguish, without their yellow, which is too light for lines.
inline constexpr std::array<std::string_view, 7> kLineColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                                "#56b4e9", "#e69f00", "#000000"};

/// Of the i-th line; the seven recur.
constexpr std::string_view line_color(std::size_t i) { return kLineColors[i % kLineColors.size()]; }

}  // namespace heddle::pictures
