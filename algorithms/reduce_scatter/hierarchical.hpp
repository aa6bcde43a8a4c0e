// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/hierarchical_phases.hpp"
#include "core/collective.hpp"

namespace heddle::reduce_scatter {

/// Blocks until the rank's own block of `inout` is the result; the rest is undefined. Any number of ranks in any nested tiers,
/// blocks of any size; `op` must be commutative, else throws UsageError. Idea, picture and source: hierarchical.cpp.
void hierarchical(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op,
                  const HierarchicalPhases& phases);

Algorithm hierarchical_row();

}  // namespace heddle::reduce_scatter
