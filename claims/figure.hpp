// SPDX-License-Identifier: Apache-2.0
// A figure of a source, drawn of heddle's runs, with what the source prints as marks.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "show/drawing/chart.hpp"

namespace heddle::claims {

class Lab;
struct Claim;

struct Figure {
  std::string shows;  ///< in a sentence, for who cannot see it: "Goodput of allreduces on a torus of 64 x 64, by size"
  std::function<pictures::Chart(Lab&)> chart;  ///< of the same runs as the findings, and more sizes
};

/// "swing-figure-6.svg"
std::string figure_file(const Claim& claim);

/// Gives a claim of these its figure. Throws UsageError if none is called so.
void set_figure(std::span<Claim> claims, std::string_view name, Figure figure);

}  // namespace heddle::claims
