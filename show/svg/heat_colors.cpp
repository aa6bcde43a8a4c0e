// SPDX-License-Identifier: Apache-2.0
#include "show/svg/heat_colors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace heddle::pictures {

namespace {

struct Color {
  double red, green, blue;
};

// Viridis at 0, 1/16, … 14/16 of its length; what follows is too light for lines on white.
constexpr std::array<Color, 15> kViridis = {{{68, 1, 84},
                                             {72, 24, 106},
                                             {71, 45, 123},
                                             {66, 64, 134},
                                             {59, 82, 139},
                                             {51, 99, 141},
                                             {44, 114, 142},
                                             {38, 130, 142},
                                             {33, 145, 140},
                                             {31, 160, 136},
                                             {40, 174, 128},
                                             {63, 188, 115},
                                             {94, 201, 98},
                                             {132, 212, 75},
                                             {173, 220, 48}}};

}  // namespace

std::string heat_color(double part) {
  const double place = (1 - std::clamp(part, 0.0, 1.0)) * static_cast<double>(kViridis.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), kViridis.size() - 2);
  const double rest = place - static_cast<double>(below);
  const auto mix = [&](double Color::*channel) {
    return static_cast<int>(std::lround(kViridis[below].*channel * (1 - rest) + kViridis[below + 1].*channel * rest));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(&Color::red), mix(&Color::green), mix(&Color::blue));
}

}  // namespace heddle::pictures
