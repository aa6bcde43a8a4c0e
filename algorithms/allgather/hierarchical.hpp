// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/hierarchical_phases.hpp"
#include "core/collective.hpp"

namespace heddle::allgather {

/// Blocks until all of `vector` is there. Any number of ranks in any nested tiers, blocks of any size. Idea, picture and
/// source: hierarchical.cpp.
void hierarchical(Communicator& comm, VectorView vector, const BlockPartition& blocks, const HierarchicalPhases& phases);

Algorithm hierarchical_row();

}  // namespace heddle::allgather
