// SPDX-License-Identifier: Apache-2.0
// What an algorithm adds up, and in which order: a run whose elements are the sums themselves, written out.
#pragma once

#include <string>
#include <vector>

#include "heddle/registry.hpp"

namespace heddle::claims {

struct TracedSum {
  std::string sum;  ///< of the rank's own block, of one element: "21+10+(15+4)", brackets are what came as one partial sum
  std::int64_t applications;  ///< of the operation to blocks, on this rank
};

/// Of a reduce_scatter or an allreduce on p blocks of one element each, on a star, by rank.
std::vector<TracedSum> trace_sums(const Algorithm& algorithm, int ranks);

/// What a rank adds, one entry for each message: the contributions that it brought, its sender's own first. The first entry is
/// the rank's own.
std::vector<std::vector<int>> messages_of(const std::string& sum);

}  // namespace heddle::claims
