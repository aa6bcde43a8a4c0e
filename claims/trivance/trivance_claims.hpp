// SPDX-License-Identifier: Apache-2.0
// The parts of trivance().
#pragma once

#include <vector>

#include "claims/claim.hpp"

namespace heddle::claims::trivance_parts {

/// Lemmas 4.1 and 4.2, Theorem 4.3, Figures 1, 3 and 4, §4.4.
std::vector<Claim> pattern_claims();
/// Tables 1 and 2 with Appendix B.
std::vector<Claim> table_claims();
/// Figures 6 to 10 and what §6 says of them all.
std::vector<Claim> figure_claims();

}  // namespace heddle::claims::trivance_parts
