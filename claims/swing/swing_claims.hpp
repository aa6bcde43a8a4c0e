// SPDX-License-Identifier: Apache-2.0
// Swing's claims by part of the paper, and what they are measured with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "claims/claim.hpp"

namespace heddle::claims {

/// §3 and Appendix A: partners, distances, who is reached when, sizes that are no power of two. §4: ports.
std::vector<Claim> swing_pattern_claims();
/// §2.3.1: where Hamiltonian cycles can be built.
Claim swing_cycle_note();
/// Table 2 and the formulas behind it.
std::vector<Claim> swing_deficiency_claims();
/// Figures 6 to 8.
std::vector<Claim> swing_square_torus_claims();
/// Figures 10 to 14.
std::vector<Claim> swing_other_fabric_claims();

}  // namespace heddle::claims
