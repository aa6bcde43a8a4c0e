// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/block_partition.hpp"
#include "core/communicator.hpp"

namespace heddle::reduce_scatter {

/// Any p, blocks of any sizes, any op: keeps rank order. Time and bytes: see pairwise.cpp.
void pairwise(Communicator& comm, VectorView inout, const BlockPartition& blocks, const ReduceOp& op);

}  // namespace heddle::reduce_scatter
