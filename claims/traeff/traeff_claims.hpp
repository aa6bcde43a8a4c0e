// SPDX-License-Identifier: Apache-2.0
// The parts of traeff(), and how they count.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "claims/claim.hpp"

namespace heddle::claims::traeff_parts {

/// Theorem 1 with its proof and example, Corollary 1.
std::vector<Claim> reduce_scatter_claims();
/// Corollary 2 and the examples of other skips.
std::vector<Claim> skips_claims();
/// Corollary 3, Theorem 2, §3, §4.
std::vector<Claim> other_claims();

/// All numbers of ranks up to this one are run where a statement is of any p; beyond, the neighbours of powers of two.
inline constexpr int kAllRanksUpTo = 66;
std::vector<int> many_rank_counts();
/// "p = 2 … 66, 127 … 129, 255 … 257" for these.
inline constexpr std::string_view kManyRankCounts = "p = 2 … 66, 127 … 129, 255 … 257";

/// "reduce_scatter --algo circulant --topo star:22 --size 88B": p blocks of one element each.
std::string one_element_blocks(std::string_view collective, std::string_view algorithm, int ranks);

/// Whether something holds at each p of many_rank_counts(): "at each" or "not at p = 5, 7".
Finding at_each(std::string subject, std::string printed, const std::function<bool(int)>& holds, std::string command);

/// Blocks of one element that every rank sends and receives; -1 where ranks differ.
struct Traffic {
  int rounds;
  std::int64_t sent;
  std::int64_t received;
};
Traffic count_blocks(const Report& report);

}  // namespace heddle::claims::traeff_parts
