// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/hierarchical_phases.hpp"
#include "core/collective.hpp"

namespace heddle::broadcast {

/// Blocks until `vector` is the root's. Any number of ranks in any nested tiers. Idea, picture and source: hierarchical.cpp.
void hierarchical(Communicator& comm, VectorView vector, Rank root, const HierarchicalPhases& phases);

Algorithm hierarchical_row();

}  // namespace heddle::broadcast
