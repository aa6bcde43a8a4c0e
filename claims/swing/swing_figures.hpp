// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "claims/claim.hpp"

namespace heddle::claims {

/// Figures 6 to 14: goodput by size, and Swing's gain over the best of the others.
void add_swing_figures(std::span<Claim> claims);

}  // namespace heddle::claims
