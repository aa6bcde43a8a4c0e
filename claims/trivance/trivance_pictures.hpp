// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "claims/claim.hpp"

namespace heddle::claims::trivance_parts {

/// Figures 6 to 10: how much longer others take than Trivance, by size.
void add_pictures(std::span<Claim> claims);

}  // namespace heddle::claims::trivance_parts
