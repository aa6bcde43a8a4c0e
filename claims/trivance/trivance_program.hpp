// SPDX-License-Identifier: Apache-2.0
// What the published times of Trivance's figures hold besides the allreduce: their plots read the simulated time of a whole
// program, which ends with a barrier.
#pragma once

#include <string_view>
#include <vector>

#include "claims/trivance/trivance_comparison.hpp"

namespace heddle::claims::trivance_parts {

/// Of a barrier along a binary tree of the ranks (rank r below rank (r-1)/2), up and down: each message takes 0.3 us for its
/// host links and 0.2 us for each hop of the ring or torus.
double barrier_microseconds(std::string_view topology);

/// The same standings with so much added to every time.
std::vector<Standing> with_barrier(std::vector<Standing> standings, double microseconds);

}  // namespace heddle::claims::trivance_parts
