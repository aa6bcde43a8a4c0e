// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/registry.hpp"
#include "core/collective.hpp"

namespace heddle::alltoall {

/// Blocks until every block is where it belongs. Any number of ranks in any nested tiers, of which the innermost most_levels -
/// 1 count, blocks of any size. Idea, picture and source: hierarchical.cpp.
void hierarchical(Communicator& comm, ConstVectorView outgoing, const BlockPartition& sent, VectorView incoming,
                  const BlockPartition& received, int most_levels);

Algorithm hierarchical_row();

}  // namespace heddle::alltoall
