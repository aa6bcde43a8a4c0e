// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/hierarchical_phases.hpp"
#include "core/collective.hpp"

namespace heddle::allreduce {

/// Blocks until `inout` holds the result. Any number of ranks in any nested tiers; `op` must be commutative, else throws
/// UsageError. Idea, picture and source: hierarchical.cpp.
void hierarchical(Communicator& comm, VectorView inout, const ReduceOp& op, const HierarchicalPhases& phases);

Algorithm hierarchical_row();

}  // namespace heddle::allreduce
